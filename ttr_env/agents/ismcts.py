"""A player who searches: information-set Monte Carlo tree search with compiled playouts."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.batch.threads import Crew
from ttr_env.bots import search
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import calls, layout, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS

ITERATIONS = 1000
WORKERS = 2  # trees, each grown by a thread of its own
NODES = 8192  # of a tree
CAUTION = 1.0  # standard errors by which a candidate must look better than the first one


class ISMCTS(Agent):
    """Tries its candidates in many worlds that agree with what it knows, and takes the one that does best.

    All candidates are tried in the same worlds, with the same luck. After each of a few rounds the worse half drops
    out; the planner's choice stays, and is taken unless another looks clearly better. With `iterations` playouts it
    chooses by its seed alone; with `seconds` also by the machine's speed.

    >>> agent = ISMCTS(iterations=64, seed=1)
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(self, iterations: int | None = None, seconds: float | None = None, seed: int = 0) -> None:
        self._budget = Budget(iterations, seconds)
        self._trees = search.Trees(
            worlds=np.zeros(WORKERS, layout.GAME),
            nodes=np.zeros((WORKERS, NODES), search.NODE),
            searchers=np.zeros(WORKERS, search.SEARCHER),
            nets=aligned(WORKERS * MAX_PLAYERS, NETWORK).reshape(WORKERS, MAX_PLAYERS),
            sheets=np.zeros((WORKERS, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE),
            values=np.zeros((WORKERS, search.MAX_CANDIDATES)),
        )
        self._crew = Crew(WORKERS - 1)
        super().__init__(seed)

    def act(self, game: Game) -> int:
        seed = np.uint64(self.rng.integers(2**63))
        candidates = self.candidates(game)
        if len(candidates) == 1:
            return int(candidates[0])
        search.plant(self._trees, candidates)
        return int(candidates[self._best(game, seed, len(candidates))])

    def candidates(self, game: Game) -> np.ndarray:
        """The actions to be tried; the first is taken unless another looks clearly better."""
        count = search.list_root(game.records, 0, game.board, self._trees)
        return self._trees.searchers[0]["candidates"][:count].copy()

    def _best(self, game: Game, seed: np.uint64, count: int) -> int:
        """The place of the best candidate: the first, or one that gains on it in the worlds where both were tried."""
        left = np.arange(count)
        tally = Tally(count)
        rounds = max(1, math.ceil(math.log2(count)) - 1)
        self._budget.begin()
        for number in range(1, rounds + 1):
            while True:
                self._sweep(game, seed, tally.worlds, left)
                tally.add(left, self._trees.values)
                self._budget.spend(WORKERS * len(left))
                if self._budget.used() >= number / rounds:
                    break
            others = left[1:]
            half = max(1, len(left) // 2)
            left = np.append(0, others[np.argsort(-tally.means()[others], kind="stable")[:half]])
        return int(left[np.argmax(tally.lower_bounds(CAUTION)[left])])

    def _sweep(self, game: Game, seed: np.uint64, world: int, places: np.ndarray) -> None:
        """Let each worker try the candidates at these places in a world of its own."""

        def work(worker: int) -> None:
            own = calls.derive(seed, world + worker, 0)
            search.sweep(game.records, 0, game.board, own, places, self._trees, worker)

        self._crew.run(work)


class Budget:
    """How much may be tried: a number of playouts, or a time."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        if iterations is not None and seconds is not None:
            raise ValueError("give iterations or seconds, not both")
        for name, given in (("iterations", iterations), ("seconds", seconds)):
            if given is not None and not _is_positive(given):
                raise ValueError(f"{name} must be a number above 0, not {given!r}")
        self._iterations = ITERATIONS if iterations is None else iterations
        self._seconds = seconds

    def begin(self) -> None:
        """Begin to count."""
        self._spent = 0
        self._began = time.perf_counter()

    def spend(self, playouts: int) -> None:
        """Count some playouts."""
        self._spent += playouts

    def used(self) -> float:
        """The part of the budget that is used up."""
        if self._seconds is None:
            return self._spent / self._iterations
        return (time.perf_counter() - self._began) / self._seconds


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


class Tally:
    """How much each candidate gains on the first one, world by world."""

    def __init__(self, count: int) -> None:
        self.worlds = 0
        self._worlds = np.zeros(count)
        self._sums = np.zeros(count)
        self._squares = np.zeros(count)

    def add(self, places: np.ndarray, values: np.ndarray) -> None:
        """Count what the candidates at these places were worth in a few worlds [worlds, candidates]."""
        gains = values[:, places] - values[:, :1]
        self.worlds += len(values)
        self._worlds[places] += len(values)
        self._sums[places] += gains.sum(axis=0)
        self._squares[places] += (gains**2).sum(axis=0)

    def means(self) -> np.ndarray:
        """The mean gain of each candidate."""
        return self._sums / self._worlds

    def lower_bounds(self, errors: float) -> np.ndarray:
        """The mean gains, less so many standard errors."""
        variance = np.maximum(0.0, self._squares / self._worlds - self.means() ** 2)
        return self.means() - errors * np.sqrt(variance / self._worlds)
