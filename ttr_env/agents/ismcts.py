"""A player who searches: information-set Monte Carlo tree search with compiled playouts."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.searching import WORKERS, Candidates, Searching
from ttr_env.bots import search
from ttr_env.bots.beliefs import STYLES
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import layout, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS

NODES = 8192  # of a tree
PLANNERS = {1: STYLES.index("planner:version=1"), 2: STYLES.index("planner")}  # by version, who plays worlds out


class ISMCTS(Searching):
    """Tries its candidates in many worlds that agree with what it knows, and takes the one that does best.

    All candidates are tried in the same worlds, with the same luck. After each of a few rounds the worse half drops
    out; the planner's choice stays, and is taken unless another looks clearly better. With `iterations` playouts it
    chooses by its seed alone; with `seconds` also by the machine's speed.

    >>> agent = ISMCTS(iterations=64, seed=1)
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(
        self, iterations: int | None = None, seconds: float | None = None, seed: int = 0, version: int = 2
    ) -> None:
        if version not in PLANNERS:
            raise ValueError(f"version must be 1 or 2, not {version!r}")
        self._trees = search.Trees(
            worlds=np.zeros(WORKERS, layout.GAME),
            nodes=np.zeros((WORKERS, NODES), search.NODE),
            searchers=np.zeros(WORKERS, search.SEARCHER),
            nets=aligned(WORKERS * MAX_PLAYERS, NETWORK).reshape(WORKERS, MAX_PLAYERS),
            sheets=np.zeros((WORKERS, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE),
            values=np.zeros((WORKERS, search.MAX_CANDIDATES)),
            style=np.array([PLANNERS[version]]),
        )
        super().__init__(iterations, seconds, seed)

    def candidates(self, game: Game) -> Candidates:
        """The planner's choice, and what else is worth a try."""
        count = search.list_root(game.records, 0, game.board, self._trees)
        return Candidates(self._trees.searchers[0]["candidates"][:count].copy())

    def prepare(self, game: Game, actions: np.ndarray) -> None:
        search.plant(self._trees, actions)

    def try_out(self, game: Game, seed: np.uint64, places: np.ndarray, worker: int) -> np.ndarray:
        search.sweep(game.records, 0, game.board, seed, places, self._trees, worker)
        return self._trees.values[worker, places]
