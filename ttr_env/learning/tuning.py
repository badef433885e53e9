"""Finding better beliefs for the planner: an evolution strategy over deals that all candidates play from every seat.

It changes all numbers of `ttr_env.bots.beliefs` at once (CMA-ES, with the library `cma`). A candidate is worth what it
wins against a few opponents, softened a little by the margin, so that a near loss counts for more than a clear one.
(With more softening it finds styles that score more and win less.) New deals are drawn for every generation, the same
ones for all candidates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cma
import numpy as np

from ttr_env.batch.threads import Crew
from ttr_env.bots import tuning
from ttr_env.bots.beliefs import BELIEFS, DRAWER, FIRST, HOARDER, Beliefs
from ttr_env.bots.built_in import BOTS
from ttr_env.engine.board import board
from ttr_env.engine.scoring import RANK, TOTAL
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction
from ttr_env.game.files import in_one_piece
from ttr_env.options import MAX_DECISIONS, Variant

# Who candidates play, and how much each counts.
OPPONENTS: dict[str, tuple[str | Beliefs, float]] = {
    "planner:version=1": ("planner:version=1", 0.4),
    "racer": ("racer", 0.5),
    "a drawer of tickets": (DRAWER, 0.05),
    "a hoarder of tokens": (HOARDER, 0.05),
}
HALF_SURE = 4.0  # points of margin with which a game counts as three quarters won

START = HOARDER  # where the search begins
STEP = 0.2  # of the logarithms of all numbers, at first
SMALLEST = 1e-3  # what a number counts as at least


class Match(NamedTuple):
    """What came of some games of one candidate against one opponent."""

    value: float  # wins, softened by the margin
    wins: float


def numbers(beliefs: Beliefs) -> np.ndarray:
    """Beliefs as the search sees them: logarithms, for what is never negative."""
    told = np.maximum(np.array(beliefs), SMALLEST)
    told[_CONFIDENCE] = -np.log(told[_CONFIDENCE]) + SMALLEST  # it is at most 1
    return np.log(told)


def beliefs_of(found: np.ndarray) -> Beliefs:
    """The beliefs that numbers of the search stand for.

    >>> again = beliefs_of(numbers(START))
    >>> max(abs(one - other) for one, other in zip(again, START)) < 0.01
    True
    """
    told = np.exp(found)
    told[_CONFIDENCE] = np.exp(-told[_CONFIDENCE])
    return Beliefs(*map(float, told))


_CONFIDENCE = Beliefs._fields.index("confidence")


class Judge:
    """Lets candidates play the opponents at a table: one of them, and opponents of one kind in all other seats."""

    def __init__(self, variant: Variant, threads: int = 1) -> None:
        self._variant, self._board = variant, board(variant.map)
        self._workers = aligned(threads, tuning.WORK)
        self._crew = Crew(threads - 1)

    def play(self, candidates: list[Beliefs], opponent: str | Beliefs, deals: np.ndarray) -> list[Match]:
        """Let every candidate play every deal from every seat; the opponent is a bot, or another planner."""
        players = self._variant.players
        matches = np.zeros((len(candidates), len(deals), players), tuning.MATCH)
        matches["seed"] = deals[None, :, None]
        matches["players"], matches["max_decisions"] = players, MAX_DECISIONS
        matches["with_tolls"], matches["with_neutral"] = self._variant.tolls, self._variant.neutral_player
        table = [*candidates, FIRST if isinstance(opponent, str) else opponent]
        matches["seats"] = BOTS.index(opponent) if isinstance(opponent, str) else -len(table)
        seats = np.arange(players)
        matches["seats"][:, :, seats, seats] = -1 - np.arange(len(candidates))[:, None, None]
        self._play_all(matches.reshape(-1), np.array(table, BELIEFS))
        return [_judged(played) for played in matches]

    def _play_all(self, matches: np.ndarray, table: np.ndarray) -> None:
        shares = np.linspace(0, len(matches), len(self._workers) + 1).astype(np.int64)

        def work(worker: int) -> None:
            tuning.play_matches(self._board, matches, table, self._workers, worker, *shares[worker : worker + 2])

        self._crew.run(work)
        if (matches["illegal"] >= 0).any():
            wrong = matches[matches["illegal"] >= 0][0]
            raise IllegalAction(
                f"the deal of seed {wrong['seed']}: a planner chose an illegal action, {wrong['illegal']}"
            )


def _judged(played: np.ndarray) -> Match:
    """What came of a candidate's games [deals, seats]; it sat in the seat that is the second index."""
    players = played.shape[1]
    seats = np.arange(players)
    scores = played["scores"][:, seats, seats]
    totals = played["scores"][:, :, :players, TOTAL].astype(np.float64)
    own = scores[:, :, TOTAL].astype(np.float64)
    totals[:, seats, seats] = -np.inf
    margins = own - totals.max(axis=2)
    soft = 0.5 + 0.5 * margins / (HALF_SURE + np.abs(margins))
    return Match(float(soft.mean()), float((scores[:, :, RANK] == 1).mean()))


@dataclass(frozen=True)
class Generation:
    """How far the search is."""

    number: int
    value: float  # mean of its candidates
    best: Beliefs  # what it would settle for now


class Search:
    """The search at one table. What was found is in a file, from which it goes on where it was left.

    The file lists what every candidate was worth; the candidates themselves follow from the seed.
    """

    def __init__(self, variant: Variant, deals: int, seed: int, file: Path, threads: int = 1) -> None:
        self._judge, self._deals, self._file = Judge(variant, threads), deals, file
        options = {"seed": seed + 1, "verbose": -9, "popsize": 16}  # 0 would be the time of day
        self._strategy: Any = cma.CMAEvolutionStrategy(numbers(START), STEP, options)
        self._rng = np.random.default_rng(seed)
        self._worths: list[list[float]] = []
        told = {"map": variant.as_dict(), "map_digest": variant.map.digest, "deals": deals, "seed": seed}
        self._settings = json.loads(json.dumps(told))
        self._go_on()

    def _go_on(self) -> None:
        if not self._file.exists():
            return
        found = json.loads(self._file.read_text(encoding="utf-8"))
        if found["settings"] != self._settings:
            raise ValueError(f"{self._file} was made with other settings: {found['settings']}; choose another --out")
        for worths in found["worths"]:
            self._draw_deals()
            self._strategy.tell(self._strategy.ask(), worths)
        self._worths = found["worths"]

    def generations(self, last: int) -> Iterator[Generation]:
        """Go on until so many generations are done."""
        while len(self._worths) < last:
            asked = self._strategy.ask()
            worths = [-worth for worth in self._worth([beliefs_of(each) for each in asked])]  # it looks for the least
            self._strategy.tell(asked, worths)
            self._worths.append(worths)
            self._write()
            yield Generation(len(self._worths), -float(np.mean(worths)), self.best)

    @property
    def best(self) -> Beliefs:
        """What the search would settle for: the middle of where it looks."""
        return beliefs_of(np.array(self._strategy.result.xfavorite))

    def _worth(self, candidates: list[Beliefs]) -> np.ndarray:
        deals = self._draw_deals()
        worth = np.zeros(len(candidates))
        for opponent, weight in OPPONENTS.values():
            played = self._judge.play(candidates, opponent, deals)
            worth += weight * np.array([match.value for match in played])
        return worth

    def _draw_deals(self) -> np.ndarray:
        return self._rng.integers(2**63, size=self._deals, dtype=np.uint64)

    def _write(self) -> None:
        told = {"settings": self._settings, "worths": self._worths, "best": self.best._asdict()}
        with in_one_piece(self._file) as place:
            place.write_text(json.dumps(told), encoding="utf-8")
