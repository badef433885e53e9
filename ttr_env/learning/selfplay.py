"""Whole games of a learner at tables of bots, networks and itself, played in compiled code on all threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_env.batch import selfplay
from ttr_env.batch.threads import Crew
from ttr_env.bots.built_in import player_name
from ttr_env.bots.features.columns import ACTION
from ttr_env.bots.scorer import WEIGHTS
from ttr_env.engine.board import board
from ttr_env.engine.scoring import RANK, TOTAL
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction
from ttr_env.learning.settings import RewardSettings, along
from ttr_env.options import MAX_DECISIONS, Variant

LEARNER = selfplay.FIRST_NETWORK  # its number as a player

# A guess of what has to be recorded; where it is too low, room is doubled and the games are played again.
_DECISIONS_A_SEAT = 100
_CANDIDATES = 20


@dataclass
class Reward:
    """What the end of a game is worth to a player: the sum of these weights times what they are for."""

    win: float = 0.0  # 1 for a win, -1 for a loss
    margin: float = 0.0  # the margin to the best other, from -1 to 1: half of that at 20 points
    lead: float = 0.0  # the same in hundreds of points
    points: float = 0.0  # the own total in hundreds of points

    @classmethod
    def at(cls, reward: RewardSettings, passed: float) -> Reward:
        """The weights that settings say after this part of a run."""
        return cls(**{name: along(getattr(reward, name), passed) for name in ("win", "margin", "lead", "points")})

    def of(self, jobs: np.ndarray) -> np.ndarray:
        """The rewards of finished games by seat [games, seats]."""
        totals = jobs["scores"][:, :, TOTAL].astype(np.float64)
        seats = np.arange(totals.shape[1])
        totals[seats >= jobs["players"][:, None]] = -1e6
        others = np.stack([np.delete(totals, seat, axis=1).max(axis=1) for seat in seats], axis=1)
        margins = totals - others
        won = np.where(jobs["scores"][:, :, RANK] == 1, 1.0, -1.0)
        soft = margins / (20.0 + np.abs(margins))
        return self.win * won + self.margin * soft + (self.lead * margins + self.points * totals) / 100.0


@dataclass(frozen=True)
class Played:
    """Games that were played, and what the learner's seats decided in them, in the order of the games."""

    jobs: np.ndarray  # `batch.selfplay.JOB`
    states: np.ndarray
    hidden: np.ndarray
    begins: np.ndarray  # where the candidates of each decision begin in `actions`
    ends: np.ndarray
    actions: np.ndarray
    places: np.ndarray
    log_probs: np.ndarray
    urges: np.ndarray
    games: np.ndarray
    seats: np.ndarray

    def __len__(self) -> int:
        return len(self.states)


class Player:
    """Plays jobs at some tables on several threads, with a pool of networks whose first is the learner."""

    def __init__(self, tables: Variant | Sequence[Variant], threads: int = 1) -> None:
        maps = [table.map for table in ([tables] if isinstance(tables, Variant) else tables)]
        different = list(dict.fromkeys(maps))
        self._boards = [board(map) for map in different]
        self._board_of = np.array([different.index(map) for map in maps])  # by table
        self.pool = aligned(1, WEIGHTS)
        self._workers = aligned(threads, selfplay.WORK)
        self._crew = Crew(threads - 1)
        self._decisions = self._rows = 0  # room for each worker

    def add(self, weights: np.ndarray) -> int:
        """Let a network play; its number as a player."""
        pool = aligned(len(self.pool) + 1, WEIGHTS)
        pool[:-1], pool[-1] = self.pool, weights[0]
        self.pool = pool
        return selfplay.FIRST_NETWORK + len(pool) - 1

    def play(self, jobs: np.ndarray) -> Played:
        """Play these games; what comes of it does not depend on the number of threads."""
        shares = np.linspace(0, len(jobs), len(self._workers) + 1).astype(np.int64)
        seats = int((jobs["learns"] != 0).sum()) // len(self._workers) + 1
        self._decisions = max(self._decisions, _DECISIONS_A_SEAT * seats)
        self._rows = max(self._rows, _CANDIDATES * self._decisions)
        while True:
            records = self._make_room()
            if self._play_all(jobs, records, shares):
                check_legal(jobs)
                return self._joined(jobs, records)
            self._decisions, self._rows = 2 * self._decisions, 2 * self._rows

    def _make_room(self) -> list[selfplay.Recording]:
        actions = np.empty((len(self._workers) * self._rows, len(ACTION)), np.float32)
        self._workers["decisions"] = self._workers["rows"] = 0
        pieces = np.split(actions, len(self._workers))
        return [selfplay.recording(self._decisions, piece) for piece in pieces]

    def _play_all(self, jobs: np.ndarray, records: list[selfplay.Recording], shares: np.ndarray) -> bool:
        """Whether there was room to record all of them."""
        reached = np.zeros(len(records), np.int64)
        boards = self._board_of[jobs["table"]]
        changes = np.flatnonzero(np.diff(boards)) + 1  # where another board begins

        def work(worker: int) -> None:
            first, end = shares[worker : worker + 2]
            stop = first
            while first == stop < end:  # until there is no room, or all are played
                stop = min([end, *changes[changes > first]])
                arguments = (self._boards[boards[first]], jobs, self.pool, self._workers, worker, records[worker])
                first = selfplay.play_games(*arguments, first, stop)
            reached[worker] = first

        self._crew.run(work)
        return bool((reached == shares[1:]).all())

    def _joined(self, jobs: np.ndarray, records: list[selfplay.Recording]) -> Played:
        """The workers' recordings as one; candidates stay where they are."""
        counts = self._workers["decisions"]

        def join(name: str) -> np.ndarray:
            return np.concatenate([getattr(record, name)[:n] for record, n in zip(records, counts, strict=True)])

        starts = self._rows * np.arange(len(records))
        begins = [record.begins[:n] + start for record, n, start in zip(records, counts, starts, strict=True)]
        ends = [record.begins[1 : n + 1] + start for record, n, start in zip(records, counts, starts, strict=True)]
        whole: Any = records[0].actions.base if len(records) > 1 else records[0].actions
        names = ("places", "log_probs", "urges", "games", "seats")
        return Played(
            jobs, join("states"), join("hidden"), np.concatenate(begins), np.concatenate(ends), whole, *map(join, names)
        )


def check_legal(jobs: np.ndarray) -> None:
    """Refuse games that ended because of an illegal action: whoever chose that has to be mended."""
    for row in np.flatnonzero(jobs["illegal"] >= 0)[:1].tolist():
        action, name = int(jobs["illegal"][row]), player_name(int(jobs["seats"][row, jobs["wrong_seat"][row]]))
        message = f"row {row}, the deal of seed {jobs['seed'][row]}: {name} chose an illegal action, {action}"
        raise IllegalAction(message, row=row, action=action, bot=name)


def make_jobs(games: int, tables: Sequence[Variant], rng: np.random.Generator) -> np.ndarray:
    """Games to be played at these tables, each as often as the others, with seeds drawn anew; nobody sits there yet."""
    jobs = np.zeros(games, selfplay.JOB)
    jobs["table"] = rng.integers(len(tables), size=games)
    for number, table in enumerate(tables):
        chosen = jobs["table"] == number
        jobs["players"][chosen] = table.players
        jobs["with_tolls"][chosen], jobs["with_neutral"][chosen] = table.tolls, table.neutral_player
    jobs["seed"], jobs["chance"] = rng.integers(2**63, size=(2, games), dtype=np.uint64)
    jobs["max_decisions"] = MAX_DECISIONS
    return jobs


def seat_learner(jobs: np.ndarray) -> None:
    """Let the learner sit everywhere, and learn from every seat."""
    jobs["seats"] = LEARNER
    jobs["learns"] = np.arange(jobs["learns"].shape[1]) < jobs["players"][:, None]
