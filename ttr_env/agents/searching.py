"""Players who search: they try their candidates in many worlds that agree with what the player to move knows."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation, Thought, undisturbed
from ttr_env.batch.threads import Crew
from ttr_env.engine import calls
from ttr_env.game import Game
from ttr_env.maps.faults import shortened

ITERATIONS = 1000
MOST_ITERATIONS, MOST_SECONDS = 10**9, 24 * 60 * 60  # a decision
WORKERS = 2  # threads, each with worlds of its own


class Candidates(NamedTuple):
    """The actions to be tried; the first is taken unless another looks clearly better."""

    actions: np.ndarray
    probabilities: np.ndarray | None = None  # by the network that named them


class Searching(Agent, ABC):
    """Tries its candidates in the same worlds, with the same luck; after each of a few rounds the worse half drops out.

    With `iterations` playouts it chooses by its seed alone; with `seconds` also by the machine's speed.
    """

    caution = 0.5  # standard errors by which a candidate must look better than the first one

    def __init__(self, iterations: int | None = None, seconds: float | None = None, seed: int = 0) -> None:
        self._budget = Budget(iterations, seconds)
        self._crew = Crew(WORKERS - 1)
        super().__init__(seed)

    def act(self, game: Game) -> int:
        return self.search(game).choice

    def explain(self, game: Game) -> Explanation:
        with undisturbed(self.rng):
            return self.search(game).explained()

    def search(self, game: Game) -> Found:
        """Try the candidates of the player to move."""
        seed = np.uint64(self.rng.integers(2**63))
        candidates = self.candidates(game)
        tally = Tally(len(candidates.actions))
        if len(candidates.actions) == 1:
            return Found(candidates, tally, 0)
        self.prepare(game, candidates.actions)
        return Found(candidates, tally, self._best(game, seed, tally))

    @abstractmethod
    def candidates(self, game: Game) -> Candidates:
        """The candidates of the player to move."""

    def prepare(self, game: Game, actions: np.ndarray) -> None:
        """Get ready to try these actions."""

    @abstractmethod
    def try_out(self, game: Game, seed: np.uint64, places: np.ndarray, worker: int) -> np.ndarray:
        """What the actions at these places are worth in the world of this seed [places]; called by several threads."""

    def _best(self, game: Game, seed: np.uint64, tally: Tally) -> int:
        """The place of the best candidate: the first, or one that gains on it in the worlds where both were tried."""
        left = np.arange(len(tally))
        rounds = max(1, math.ceil(math.log2(len(tally))) - 1)
        self._budget.begin()
        for number in range(1, rounds + 1):
            while True:
                tally.add(left, self._sweep(game, seed, tally.worlds, left))
                self._budget.spend(WORKERS * len(left))
                if self._budget.used() >= number / rounds:
                    break
            others = left[1:]
            half = max(1, len(left) // 2)
            left = np.append(0, others[np.argsort(-tally.gains()[others], kind="stable")[:half]])
        return int(left[np.argmax(tally.lower_bounds(self.caution)[left])])

    def _sweep(self, game: Game, seed: np.uint64, world: int, places: np.ndarray) -> np.ndarray:
        """Let each worker try the candidates at these places in a world of its own [workers, places]."""
        values = np.empty((WORKERS, len(places)))

        def work(worker: int) -> None:
            values[worker] = self.try_out(game, calls.derive(seed, world + worker, 0), places, worker)

        self._crew.run(work)
        return values


@dataclass(frozen=True)
class Found:
    """What came of a search."""

    candidates: Candidates
    tally: Tally
    best: int  # the place of the chosen one

    @property
    def choice(self) -> int:
        """The action to take."""
        return int(self.candidates.actions[self.best])

    def explained(self) -> Explanation:
        """What was found, the choice first and then what looks best."""
        thoughts = [self._thought(place) for place in range(len(self.tally))]
        means = [-np.inf if thought.mean is None else thought.mean for thought in thoughts]
        order = sorted(range(len(thoughts)), key=lambda place: (place != self.best, -means[place]))
        return Explanation(self.choice, tuple(thoughts[place] for place in order), thoughts[self.best].mean)

    def _thought(self, place: int) -> Thought:
        probabilities = self.candidates.probabilities
        probability = None if probabilities is None else float(probabilities[place])
        return Thought(int(self.candidates.actions[place]), probability, *self.tally.outcome(place))


class Budget:
    """How much may be tried: a number of playouts, or a time."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        if iterations is not None and seconds is not None:
            raise ValueError("give iterations or seconds, not both")
        for name, given, most in (("iterations", iterations, MOST_ITERATIONS), ("seconds", seconds, MOST_SECONDS)):
            if given is not None and not _is_positive(given, most):
                told = shortened(given)
                raise ValueError(f"{name} must be a number above 0, not {told}; at most {most:,} can be asked for")
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


def _is_positive(value: Any, most: int) -> bool:
    return isinstance(value, int | float) and 0 < value <= most  # which NaN is not


class Tally:
    """What candidates were worth, world by world, and how much each gains on the first one."""

    def __init__(self, count: int) -> None:
        self.worlds = 0
        self._worlds = np.zeros(count)
        self._sums, self._squares = np.zeros((2, count)), np.zeros((2, count))  # of values, of gains

    def __len__(self) -> int:
        return len(self._worlds)

    def add(self, places: np.ndarray, values: np.ndarray) -> None:
        """Count what the candidates at these places were worth in a few worlds [worlds, places]; the first is 0."""
        self.worlds += len(values)
        self._worlds[places] += len(values)
        for row, numbers in enumerate((values, values - values[:, :1])):
            self._sums[row, places] += numbers.sum(axis=0)
            self._squares[row, places] += (numbers**2).sum(axis=0)

    def gains(self) -> np.ndarray:
        """The mean gain of each candidate."""
        return self._sums[1] / self._worlds

    def lower_bounds(self, errors: float) -> np.ndarray:
        """The mean gains, less so many standard errors."""
        variance = np.maximum(0.0, self._squares[1] / self._worlds - self.gains() ** 2)
        return self.gains() - errors * np.sqrt(variance / self._worlds)

    def outcome(self, place: int) -> tuple[float | None, float | None, int]:
        """A candidate's mean worth, the standard error of that, and the number of worlds."""
        worlds = int(self._worlds[place])
        if worlds == 0:
            return None, None, 0
        mean = float(self._sums[0, place] / worlds)
        if worlds == 1:
            return mean, None, 1
        variance = max(0.0, float(self._squares[0, place] / worlds - mean**2)) * worlds / (worlds - 1)
        return mean, math.sqrt(variance / worlds), worlds
