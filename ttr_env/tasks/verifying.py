"""Whether a result is true: its deals are the task's, its games replay, its opponents play so, its numbers follow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ttr_env import Game, agents
from ttr_env.agents.base import Actor
from ttr_env.agents.chance import own_seed
from ttr_env.agents.registry import is_built_in
from ttr_env.arena.tables import Played
from ttr_env.errors import RecordError
from ttr_env.game.game import Move
from ttr_env.maps.faults import shortened
from ttr_env.tasks import definitions, results
from ttr_env.tasks.figures import figures
from ttr_env.tasks.naming import check_same, draws_chance, searches_by_time
from ttr_env.tasks.results import Result
from ttr_env.tasks.testing import SEED, Progress, Sitting, check_agent, replayed, sittings, split

_CLOSE = 1e-6  # how far numbers may be apart that another machine has computed


@dataclass(frozen=True)
class Report:
    """What was found of a result."""

    result: Result
    difference: str | None  # what is not so: the first game that differs is named, or the number; None: it is true
    unasked: str | None = None  # why the agent was not asked for its moves too; None: it was

    @property
    def true(self) -> bool:
        """Whether all is as the result says."""
        return self.difference is None

    @property
    def agent_asked(self) -> bool:
        """Whether the agent was asked for all its moves too, not only the opponents."""
        return self.unasked is None


def verify(file: Path, agent: str | None = None, progress: Progress | None = None) -> Report:
    """See whether a result is true.

    A built-in agent is asked again for all of its moves, and so is the one that is named: the result's, which may be in
    another file by now. An agent that searches by time cannot be. What is no result with games is a `RecordError`, and
    another agent a `ValueError`.
    """
    result = results.read(file)
    if not result.records:
        raise RecordError(f"{file} has no games; they are needed to verify it")
    if agent is not None:
        check_same(agent, result.terms.agent, result.terms.agent_digest)
    unasked = _why_unasked(result, agent is not None)
    difference = result.terms.fault() or _in_order(result)
    if difference:
        return Report(result, difference, unasked)
    asked = None if unasked else agent or result.terms.agent
    if asked:
        try:
            check_agent(replace(result.terms, agent=asked))
        except ValueError as error:
            if agent is not None:
                raise
            return Report(result, str(error), unasked)
    played, difference = _replay(result, asked, file.parent, progress)
    if difference is None:
        tables = [(sitting.board.map, table) for sitting, table in played]
        found = figures(definitions.load(result.terms.task), result.terms.agent, tables, result.format)
        difference = _in_whole(result) or _in_numbers(result.figures, found, "figures")
    return Report(result, difference, unasked)


def _why_unasked(result: Result, named: bool) -> str | None:
    """Why the agent is not asked again; None if it is."""
    agent = result.terms.agent
    if searches_by_time(agent):
        return "it searches by time"
    if named:
        return None
    if not is_built_in(agent):
        return "it is named by --agent alone, as it is no built-in one"
    if draws_chance(agent):  # a file must not be able to ask for years of work
        return "it searches, which takes as long as its test did: --agent asks it all the same"
    return None


def other_versions(result: Result) -> str | None:
    """Which versions the result was made with that are not those here; None if there are none."""
    here = results.made_with()["versions"]
    before = result.made_with.get("versions") or {}
    others = [
        f"{name} {version} (here {here.get(name)})" for name, version in before.items() if here.get(name) != version
    ]
    return ", ".join(others) or None


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
    result: Result, agent: str | None, folder: Path, progress: Progress | None
) -> tuple[list[tuple[Sitting, Played]], str | None]:
    """All games once more, up to the first that is not what was recorded, and what differs there.

    The test makes an agent anew for each table, and so must this, for the sake of those who draw chance.
    """
    order = sittings(result.terms)
    played: list[tuple[Sitting, Played]] = []
    done, whole = 0, True
    for sitting, records in zip(order, split(result, order), strict=True):
        difference = _in_deals(sitting, records, done, whole)
        if difference:
            return played, difference
        whole = whole and len(records) == len(sitting.games)
        if not records:
            continue
        table = replayed(sitting, records, folder, None if agent is None else _made(agent, result.format))
        difference = _in_games(sitting, records, table, done)
        if difference:
            return played, difference
        played.append((sitting, table))
        done += len(records)
        if progress:
            progress(done, len(result.records))
    return played, None


def _made(agent: str, format: int) -> Actor:
    """The agent as the test made it; in the time of format 1, the seeds of agents were numbered by their places."""
    return agents.make(agent, SEED if format == 1 else own_seed(SEED, 0))


def _in_deals(sitting: Sitting, records: Sequence[dict[str, Any]], before: int, whole: bool) -> str | None:
    """Whether a game is no deal of the task, or not there once, in order, from every seat, or those before it are not.

    `whole` is whether all sittings before this one have all of their games. A test that was stopped is a beginning of
    the whole, so that nobody can keep the deals that went well.
    """
    latest = -1
    for place, record in enumerate(records):
        try:
            number = sitting.number(record)
        except ValueError as error:
            return f"{_name(sitting, before + place)}: {error}"
        if number <= latest:
            return f"{_name(sitting, before + place)}: deal {record['seed']} was played before, or out of order"
        latest = number
    counts = Counter(record["seed"] for record in records)
    for place, record in enumerate(records):
        if counts[record["seed"]] != sitting.board.players:
            return f"{_name(sitting, before + place)}: its deal was not played from every seat"
    for place, record in enumerate(records):
        if not whole or sitting.number(record) != place:
            return f"{_name(sitting, before + place)}: deals of the test before it are missing"
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
    whole = len(result.records) == result.terms.games
    if result.complete != whole:
        state = "complete" if result.complete else "not complete"
        return f"it says that it is {state}, and has {len(result.records):,} of {result.terms.games:,} games"
    return None


def _in_numbers(told: Any, found: Any, where: str) -> str | None:
    """The first number that does not follow from the games."""
    if isinstance(found, dict) and isinstance(told, dict) and told.keys() == found.keys():
        pairs = [(name, told[name], value) for name, value in found.items()]
    elif isinstance(found, list) and isinstance(told, list) and len(told) == len(found):
        pairs = [(str(place), told[place], value) for place, value in enumerate(found)]
    else:
        return None if _same(told, found) else f"{where} is {shortened(told)}, and by the games {shortened(found)}"
    differences = (_in_numbers(one, other, f"{where}.{name}") for name, one, other in pairs)
    return next(filter(None, differences), None)


def _same(told: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(told, int | float):
        return math.isclose(told, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(told == found)
