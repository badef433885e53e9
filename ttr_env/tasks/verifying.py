"""Whether a result is true: its deals are the task's, its games replay, its opponents play so, its numbers follow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttr_env import Game, agents
from ttr_env.agents.base import Actor, check_map, close
from ttr_env.arena.tables import Played
from ttr_env.errors import RecordError
from ttr_env.game.game import Move
from ttr_env.tasks import definitions, results
from ttr_env.tasks.definitions import OPPONENTS, Task
from ttr_env.tasks.figures import figures
from ttr_env.tasks.results import Result, Terms
from ttr_env.tasks.testing import SEED, Progress, Sitting, checked_actions, replayed, sittings, split

_CLOSE = 1e-6  # how far numbers may be apart that another machine has computed


class Untrue(ValueError):
    """A result is not what it says; the message names the first game that differs, or the number."""


@dataclass(frozen=True)
class Verified:
    """A result that is true, and whether its agent was asked again for all its moves too."""

    result: Result
    agent_asked: bool


def verify(file: Path, agent: str | None = None, progress: Progress | None = None) -> Verified:
    """Check a result, or raise `Untrue`; with an agent's name this is asked again for all of its moves.

    An agent that searches by time cannot be: it is left out, and so is said.
    """
    result = results.read(file)
    if not result.records:
        raise RecordError(f"{file} has no games; they are needed to verify it")
    task = _check_terms(result.terms)
    player = None if agent is None or searches_by_time(agent) else agents.make(agent, SEED)
    try:
        played = _replay(result, player, file.parent, progress)
    finally:
        close([player])
    _check_whole(result, played)
    tables = [(sitting.board.map, table) for sitting, table in played]
    _compare(result.figures, figures(task, result.terms.agent, tables), "figures")
    return Verified(result, player is not None)


def searches_by_time(agent: str) -> bool:
    """Whether an agent thinks for a time, so that the machine has a say in what it does.

    >>> searches_by_time("ismcts:seconds=0.2"), searches_by_time("ismcts:iterations=1000")
    (True, False)
    """
    return "seconds=" in agent


def _check_terms(terms: Terms) -> Task:
    task = definitions.load(terms.task)
    if terms.version != task.version:
        raise Untrue(f"it is of version {terms.version} of {task.name}; this is version {task.version}")
    if terms.boards != [board.as_dict() for board in task.boards]:
        raise Untrue(f"its boards are not those of {task.name}")
    if not 1 <= terms.deals <= task.deals:
        raise Untrue(f"it has {terms.deals:,} deals; those of {task.name} are 1 to {task.deals:,}")
    if not any(terms.opponents == list(opponents) for opponents in OPPONENTS.values()):
        raise Untrue(f"its opponents, {terms.opponents!r}, are not those of the tests")
    return task


def _replay(
    result: Result, agent: Actor | None, folder: Path, progress: Progress | None
) -> list[tuple[Sitting, Played]]:
    """All games once more; `Untrue` names the first that is not what was recorded."""
    order = sittings(result.terms)
    try:
        by_sitting = split(result, order)
    except ValueError as error:
        raise Untrue(str(error)) from error
    if [id(record) for records in by_sitting for record in records] != [id(record) for record in result.records]:
        raise Untrue("its games are not in the order of the test")
    played, done = [], 0
    for sitting, records in zip(order, by_sitting, strict=True):
        if not records:
            continue
        if agent is not None:
            check_map(agent, sitting.board.variant.map)
        _check_deals(sitting, records, done)
        table = replayed(sitting, records, folder, agent)
        _check_games(sitting, records, table, done)
        played.append((sitting, table))
        done += len(records)
        if progress:
            progress(done, len(result.records))
    return played


def _check_deals(sitting: Sitting, records: Sequence[dict[str, Any]], before: int) -> None:
    """Every game is a deal of the task, and each is there once, in order, from every seat."""
    expected = -1
    for place, record in enumerate(records):
        try:
            number = sitting.number(record)
            checked_actions(record)
        except ValueError as error:
            raise Untrue(f"{_name(sitting, before + place)}: {error}") from error
        if number <= expected:
            raise Untrue(f"{_name(sitting, before + place)}: deal {record['seed']} was played before, or out of order")
        expected = number
    counts = Counter(record["seed"] for record in records)
    for place, record in enumerate(records):
        if counts[record["seed"]] != sitting.board.players:
            raise Untrue(f"{_name(sitting, before + place)}: its deal was not played from every seat")


def _check_games(sitting: Sitting, records: Sequence[dict[str, Any]], table: Played, before: int) -> None:
    for place, (record, again) in enumerate(zip(records, table.records, strict=True)):
        if record["actions"] != again["actions"]:
            raise Untrue(f"{_name(sitting, before + place)}: {_difference(sitting, record, again)}")


def _name(sitting: Sitting, place: int) -> str:
    return f"game {place + 1} (against {sitting.opponent} on {sitting.board.map})"


def _difference(sitting: Sitting, record: dict[str, Any], again: dict[str, Any]) -> str:
    """What is different in a game that was played again: who would have done what."""
    pairs = zip(record["actions"], again["actions"], strict=False)
    step = next((step for step, (one, other) in enumerate(pairs) if one != other), None)
    if step is None:
        return f"it has {len(record['actions'])} decisions, and ends after {len(again['actions'])}"
    *_, move = _moves(again, step + 1)
    name = record["agents"][move.player]
    return f"decision {step} of {name} is {record['actions'][step]}, and would be {again['actions'][step]}"


def _moves(record: dict[str, Any], steps: int) -> Iterator[Move]:
    game = Game.replay({**record, "actions": []})
    for action in record["actions"][:steps]:
        game.step(action)
        assert game.last is not None
        yield game.last


def _check_whole(result: Result, played: Sequence[tuple[Sitting, Played]]) -> None:
    """What the first line says of the games is so."""
    if result.digest != results.digest(result.records) or result.games != len(result.records):
        raise Untrue("the checksum, or the number, of its games is not what its first line says")
    expected = sum(len(sitting.games) for sitting in sittings(result.terms))
    if result.complete and sum(len(table.games) for _, table in played) != expected:
        raise Untrue(f"it says that it is complete, and has {len(result.records):,} of {expected:,} games")


def _compare(told: Any, found: Any, where: str) -> None:
    """Refuse numbers that do not follow from the games."""
    if isinstance(found, dict) and isinstance(told, dict) and told.keys() == found.keys():
        for name, value in found.items():
            _compare(told[name], value, f"{where}.{name}")
    elif isinstance(found, list) and isinstance(told, list) and len(told) == len(found):
        for place, value in enumerate(found):
            _compare(told[place], value, f"{where}.{place}")
    elif not _same(told, found):
        raise Untrue(f"{where} is {told!r}, and by the games {found!r}")


def _same(told: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(told, int | float):
        return math.isclose(told, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(told == found)
