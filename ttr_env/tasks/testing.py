"""Tests: an agent plays the deals of a task against each opponent, in all seats, and every game is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.agents import make
from ttr_env.agents.base import Actor, check_map
from ttr_env.arena.tables import Played, Table
from ttr_env.engine.scoring import SCORES
from ttr_env.maps.faults import shortened
from ttr_env.tasks import definitions, results
from ttr_env.tasks.definitions import Board
from ttr_env.tasks.figures import figures
from ttr_env.tasks.recorded import Recorded
from ttr_env.tasks.results import Result, Terms

SEED = 1  # of agents that draw chance from a seed of their own
SAVE_EVERY = 60.0  # seconds

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sitting:
    """One agent and one opponent, who has all other seats, on one board; a test is a number of them."""

    board: Board
    agent: str
    opponent: str
    deals: range  # their seeds

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table, by place."""
        return self.agent, *[self.opponent] * (self.board.players - 1)

    @property
    def games(self) -> range:
        """The numbers of all its games."""
        return range(len(self.deals) * self.board.players)

    def table(self, folder: Path, actors: Mapping[str, Actor] | None = None) -> Table:
        """The table at which its games are played; `folder` and `actors` are as there."""
        return Table(self.names, self.board.variant, SEED, folder, keep_records=True, deals=self.deals, actors=actors)

    def number(self, record: Mapping[str, Any]) -> int:
        """Which of its games a record is of; a `ValueError` if it is none of them."""
        for key, value in {"map": self.board.map, "map_digest": self.board.digest, **self.board.options}.items():
            if record.get(key) != value:
                raise ValueError(f"{key} is {shortened(record.get(key))}, and the task's is {value!r}")
        seed, seated = record.get("seed"), record.get("agents")
        if record.get("start") is not None or not isinstance(seed, int) or seed not in self.deals:
            raise ValueError(f"its deal, {shortened(seed)}, is none of the task's")
        for turn in range(self.board.players):
            if seated == [self.names[(seat - turn) % self.board.players] for seat in range(self.board.players)]:
                return self.deals.index(seed) * self.board.players + turn
        raise ValueError(f"it was played by {shortened(seated)}, and not by {self.agent!r} and {self.opponent!r}")


class Stopped(KeyboardInterrupt):
    """Ctrl-C while a test was played; what had been played by then, from the first deal on, is in its file."""


def sittings(terms: Terms) -> list[Sitting]:
    """All sittings of a test; an agent does not meet itself."""
    task = definitions.load(terms.task)
    deals = task.seeds[: terms.deals]
    return [
        Sitting(board, terms.agent, name, deals)
        for board in task.boards
        for name in terms.opponents
        if name != terms.agent
    ]


def check_agent(terms: Terms) -> None:
    """Refuse an agent that is not there or cannot play the task, before anything is played."""
    agent = make(terms.agent)
    for board in definitions.load(terms.task).boards:
        check_map(agent, board.variant.map)


def run(terms: Terms, file: Path, progress: Progress | None = None) -> Result:
    """Play a test, or go on with the one in the file, and write its result there.

    `progress` is told again and again how many games are finished, and how many there are. Ctrl-C writes what has been
    played, in whole deals up to the first that has not been finished, and raises `Stopped`.
    """
    check_agent(terms)
    return _Test(terms, file, progress).run()


class _Test:
    """A test in the course of being played."""

    def __init__(self, terms: Terms, file: Path, progress: Progress | None) -> None:
        self._terms, self._file, self._progress = terms, file, progress
        self._sittings = sittings(terms)
        self._played = [_nothing(sitting) for sitting in self._sittings]
        self._resumed = False
        self._saved = time.monotonic()

    def run(self) -> Result:
        if self._file.exists():
            before = results.read(self._file)
            if before.terms != self._terms:
                raise ValueError(f"{self._file} is the result of another test; choose another name")
            if before.complete:
                return before
            self._take_up(before)
        try:
            for place in range(len(self._sittings)):
                self._play(place)
        except BaseException as stop:  # an agent may fail, too: what has been played is not lost
            self._save()
            if isinstance(stop, KeyboardInterrupt):
                raise Stopped from stop
            raise
        return self._save()

    def _take_up(self, before: Result) -> None:
        """Replay what was played before, which is quicker than playing it."""
        self._resumed = True
        for place, (sitting, records) in enumerate(zip(self._sittings, split(before, self._sittings), strict=True)):
            if records:
                self._played[place] = replayed(sitting, records, self._file.parent)

    def _play(self, place: int) -> None:
        sitting, before = self._sittings[place], self._played[place]
        done = set(before.games.tolist())
        table = sitting.table(self._file.parent)
        try:
            for finished in table.play([game for game in sitting.games if game not in done]):
                self._tell(place, len(before.games) + finished)
                if time.monotonic() - self._saved > SAVE_EVERY:
                    self._played[place] = merged(before, table.played())
                    self._save()
        finally:
            table.close()
            self._played[place] = merged(before, table.played())

    def _tell(self, place: int, finished: int) -> None:
        if self._progress:
            others = sum(len(table.games) for number, table in enumerate(self._played) if number != place)
            self._progress(others + finished, self._terms.games)

    def _save(self) -> Result:
        task = definitions.load(self._terms.task)
        played = _beginning(self._sittings, self._played)
        tables = list(zip((sitting.board.map for sitting in self._sittings), played, strict=True))
        records = [record for table in played for record in table.records]
        found = figures(task, self._terms.agent, tables, results.FORMAT)
        result = results.make(self._terms, found, records, self._resumed)
        if records:
            results.write(result, self._file)
        self._saved = time.monotonic()
        return result


def _beginning(order: Sequence[Sitting], tables: Sequence[Played]) -> list[Played]:
    """What has been played up to the first game that is missing, at whatever table: so nobody chooses what counts.

    Games that are played side by side do not end in their order.
    """
    begun: list[Played] = []
    for table in tables:
        whole = all(len(before.games) == len(each.games) for before, each in zip(begun, order, strict=False))
        unbroken = int((table.games == np.arange(len(table.games))).sum()) if whole else 0
        begun.append(_first(table, unbroken))
    return begun


def _first(table: Played, games: int) -> Played:
    return Played(table.names, table.games[:games], table.scores[:games], table.lengths[:games], table.records[:games])


def split(result: Result, order: Sequence[Sitting]) -> list[list[dict[str, Any]]]:
    """The records of each sitting, by who played them and where."""
    found: list[list[dict[str, Any]]] = [[] for _ in order]
    places = {(sitting.board.map, sitting.opponent): place for place, sitting in enumerate(order)}
    for record in result.records:
        names = set(record.get("agents") or ()) - {result.terms.agent}
        place = places.get((record.get("map", ""), names.pop() if len(names) == 1 else ""))
        if place is None:
            told = f"{shortened(record.get('agents'))} on {shortened(record.get('map'))}"
            raise ValueError(f"a game of {told} is no part of the test")
        found[place].append(record)
    return found


def replayed(sitting: Sitting, records: Sequence[dict[str, Any]], folder: Path, agent: Actor | None = None) -> Played:
    """The games of records once more: opponents are asked again, and so is an agent; else it does what it did.

    `folder` is for a position that an agent breaks in.
    """
    numbers = [sitting.number(record) for record in records]
    actions = [record["actions"] for record in records]
    actor = agent or Recorded(sitting.deals, sitting.board.players, numbers, actions)
    table = sitting.table(folder, {sitting.agent: actor})
    try:
        for _ in table.play(sorted(numbers)):
            pass
    finally:
        table.close()
    return table.played()


def merged(one: Played, other: Played) -> Played:
    """The games of two parts of one sitting, in order."""
    order = np.argsort(np.concatenate([one.games, other.games]), kind="stable")
    records = [*one.records, *other.records]
    return Played(
        one.names,
        np.concatenate([one.games, other.games])[order],
        np.concatenate([one.scores, other.scores])[order],
        np.concatenate([one.lengths, other.lengths])[order],
        [records[place] for place in order.tolist()],
    )


def _nothing(sitting: Sitting) -> Played:
    none = np.zeros(0, np.int64)
    return Played(sitting.names, none, np.zeros((0, len(sitting.names), len(SCORES)), np.int64), none, [])
