"""A player who searches: information-set Monte Carlo tree search with compiled playouts."""

from __future__ import annotations

import math
import time

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.crew import Crew
from ttr_env.engine import entry, layout, scoring
from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS
from ttr_env.policies import opponents, search
from ttr_env.policies.network import NETWORK

WORKERS = 2  # trees, each grown by a thread of its own
NODES = 4096  # of a tree
CAUTION = 0.5  # standard errors by which a candidate must be better than the guide's choice


class ISMCTS(Agent):
    """Tries its candidates in many worlds that agree with what it knows, and takes the one that does best.

    Every candidate is tried in the same worlds, with the same luck; after each of several rounds the worse half
    drops out. With `iterations` it chooses by its seed alone; with `seconds` also by the machine's speed.

    >>> agent = ISMCTS(iterations=64, seed=1)
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        guide: str = "planner",
        caution: float = CAUTION,
        seed: int = 0,
    ) -> None:
        self._iterations, self._seconds = iterations, seconds
        self._caution = caution
        self._guide = opponents.OPPONENTS.index(guide)
        self._worlds = np.zeros(WORKERS, layout.GAME)
        self._nodes = np.zeros((WORKERS, NODES), search.NODE)
        self._searchers = np.zeros(WORKERS, search.SEARCHER)
        self._nets = np.zeros((WORKERS, MAX_PLAYERS), NETWORK)
        self._sheets = np.zeros((WORKERS, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE)
        self._values = np.zeros((WORKERS, search.MAX_CANDIDATES))
        self._crew = Crew(WORKERS - 1)
        self.sweeps: list[tuple[int, int, int]] = []
        super().__init__(seed)

    def act(self, game: Game) -> int:
        seed = np.uint64(self.rng.integers(2**63))
        self._searchers["rng"] = seed
        count = search.list_root(game._games, 0, game._boards, self._guide, self._searchers, self._nets)
        actions = self._searchers[0]["candidates"][:count].copy()
        if count == 1:
            return int(actions[0])
        search.plant(self._nodes, self._searchers, actions)
        return int(actions[self._best(game, seed, count)])

    def _best(self, game: Game, seed: np.uint64, count: int) -> int:
        rounds = max(1, math.ceil(math.log2(count)) - 1)
        left = np.arange(count)
        began, tried, world = time.perf_counter(), 0, 0
        values: dict[int, list[float]] = {place: [] for place in range(count)}
        for number in range(1, rounds + 1):
            while True:
                self._sweep(game, seed, world, left)
                world += WORKERS
                tried += WORKERS * len(left)
                for place in left:
                    values[place].extend(self._values[:, place] - self._values[:, 0])
                used = (time.perf_counter() - began) / self._seconds if self._seconds else tried / self._iterations
                if used >= number / rounds:
                    break
            order = sorted(left[1:], key=lambda place: -np.mean(values[place]))
            keep = max(2, math.ceil(len(left) / 2))
            left = np.array([0, *order[: keep - 1]])
        self.sweeps.append((count, tried, world))
        bounds = [0.0] + [
            float(np.mean(values[p]) - self._caution * np.std(values[p]) / math.sqrt(len(values[p]))) for p in left[1:]
        ]
        return int(left[int(np.argmax(bounds))])

    def _sweep(self, game: Game, seed: np.uint64, world: int, places: np.ndarray) -> None:
        def work(worker: int) -> None:
            search.sweep(
                game._games,
                0,
                game._boards,
                self._guide,
                entry.derive(seed, world + worker, 0),
                places,
                self._worlds,
                self._nodes,
                self._searchers,
                self._nets,
                self._sheets,
                worker,
                self._values,
            )

        self._crew.run(work)
