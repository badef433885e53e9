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


@dataclass(frozen=True)
class Report:
    """What was found of a result."""

    result: Result
    difference: str | None  # what is not so: the first game that differs is named, or the number; None: it is true
    agent_asked: bool = False  # for all its moves too, not only the opponents

    @property
    def true(self) -> bool:
        """Whether all is as the result says."""
        return self.difference is None


def verify(file: Path, agent: str | None = None, progress: Progress | None = None) -> Report:
    """See whether a result is true; with an agent's name this is asked again for all of its moves.

    An agent that searches by time cannot be: it is left out. What is no result with games is a `RecordError`.
    """
    result = results.read(file)
    if not result.records:
        raise RecordError(f"{file} has no games; they are needed to verify it")
    task = definitions.load(result.terms.task)
    difference = _in_terms(result.terms, task) or _in_order(result)
    if difference:
        return Report(result, difference)
    player = None if agent is None or searches_by_time(agent) else agents.make(agent, SEED)
    try:
        played, difference = _replay(result, player, file.parent, progress)
    finally:
        close([player])
    if difference is None:
        tables = [(sitting.board.map, table) for sitting, table in played]
        found = figures(task, result.terms.agent, tables)
        difference = _in_whole(result) or _in_numbers(result.figures, found, "figures")
    return Report(result, difference, player is not None)


def searches_by_time(agent: str) -> bool:
    """Whether an agent thinks for a time, so that the machine has a say in what it does.

    >>> searches_by_time("ismcts:seconds=0.2"), searches_by_time("ismcts:iterations=1000")
    (True, False)
    """
    return "seconds=" in agent


def _in_terms(terms: Terms, task: Task) -> str | None:
    """What is not the task's in what was to be played."""
    if terms.version != task.version:
        return f"it is of version {terms.version} of {task.name}; this is version {task.version}"
    if terms.boards != [board.as_dict() for board in task.boards]:
        return f"its boards are not those of {task.name}"
    if not 1 <= terms.deals <= task.deals:
        return f"it has {terms.deals:,} deals; those of {task.name} are 1 to {task.deals:,}"
    if not any(terms.opponents == list(opponents) for opponents in OPPONENTS.values()):
        return f"its opponents, {terms.opponents!r}, are not those of the tests"
    return None


def _in_order(result: Result) -> str | None:
    """Whether a game is none of the test, or not where it belongs."""
    try:
        by_sitting = split(result, sittings(result.terms))
    except ValueError as error:
        return str(error)
    if [id(record) for records in by_sitting for record in records] != [id(record) for record in result.records]:
        return "its games are not in the order of the test"
    return None


def _replay(
    result: Result, agent: Actor | None, folder: Path, progress: Progress | None
) -> tuple[list[tuple[Sitting, Played]], str | None]:
    """All games once more, up to the first that is not what was recorded, and what differs there."""
    order = sittings(result.terms)
    played: list[tuple[Sitting, Played]] = []
    done = 0
    for sitting, records in zip(order, split(result, order), strict=True):
        if not records:
            continue
        if agent is not None:
            check_map(agent, sitting.board.variant.map)
        difference = _in_deals(sitting, records, done)
        if difference:
            return played, difference
        table = replayed(sitting, records, folder, agent)
        difference = _in_games(sitting, records, table, done)
        if difference:
            return played, difference
        played.append((sitting, table))
        done += len(records)
        if progress:
            progress(done, len(result.records))
    return played, None


def _in_deals(sitting: Sitting, records: Sequence[dict[str, Any]], before: int) -> str | None:
    """Whether a game is no deal of the task, or not there once, in order, from every seat."""
    latest = -1
    for place, record in enumerate(records):
        try:
            number = sitting.number(record)
            checked_actions(record)
        except ValueError as error:
            return f"{_name(sitting, before + place)}: {error}"
        if number <= latest:
            return f"{_name(sitting, before + place)}: deal {record['seed']} was played before, or out of order"
        latest = number
    counts = Counter(record["seed"] for record in records)
    for place, record in enumerate(records):
        if counts[record["seed"]] != sitting.board.players:
            return f"{_name(sitting, before + place)}: its deal was not played from every seat"
    return None


def _in_games(sitting: Sitting, records: Sequence[dict[str, Any]], table: Played, before: int) -> str | None:
    for place, (record, again) in enumerate(zip(records, table.records, strict=True)):
        if record["actions"] != again["actions"]:
            return f"{_name(sitting, before + place)}: {_difference(record, again)}"
    return None


def _name(sitting: Sitting, place: int) -> str:
    return f"game {place + 1} (against {sitting.opponent} on {sitting.board.map})"


def _difference(record: dict[str, Any], again: dict[str, Any]) -> str:
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


def _in_whole(result: Result) -> str | None:
    """What the first line says of the games and is not so."""
    if result.digest != results.digest(result.records) or result.games != len(result.records):
        return "the checksum, or the number, of its games is not what its first line says"
    expected = sum(len(sitting.games) for sitting in sittings(result.terms))
    if result.complete and len(result.records) != expected:
        return f"it says that it is complete, and has {len(result.records):,} of {expected:,} games"
    return None


def _in_numbers(told: Any, found: Any, where: str) -> str | None:
    """The first number that does not follow from the games."""
    if isinstance(found, dict) and isinstance(told, dict) and told.keys() == found.keys():
        pairs = [(name, told[name], value) for name, value in found.items()]
    elif isinstance(found, list) and isinstance(told, list) and len(told) == len(found):
        pairs = [(str(place), told[place], value) for place, value in enumerate(found)]
    else:
        return None if _same(told, found) else f"{where} is {told!r}, and by the games {found!r}"
    differences = (_in_numbers(one, other, f"{where}.{name}") for name, one, other in pairs)
    return next(filter(None, differences), None)


def _same(told: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(told, int | float):
        return math.isclose(told, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(told == found)
