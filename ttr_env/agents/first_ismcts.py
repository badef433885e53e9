"""Version 1 of the player who searches: a tree of its own decisions, and playouts of planners of version 1."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.searching import WORKERS, Candidates, Searching
from ttr_env.bots import search
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import layout, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS

NODES = 8192  # of a tree


class FirstISMCTS(Searching):
    """Tries its candidates in many worlds that agree with what it knows, and takes the one that does best.

    Below its candidates, which are planned or promise most points, its own next decisions form a tree.

    >>> agent = FirstISMCTS(iterations=64, seed=1)
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    caution = 1.0

    def __init__(self, iterations: int | None = None, seconds: float | None = None, seed: int = 0) -> None:
        self._trees = search.Trees(
            worlds=np.zeros(WORKERS, layout.GAME),
            nodes=np.zeros((WORKERS, NODES), search.NODE),
            searchers=np.zeros(WORKERS, search.SEARCHER),
            nets=aligned(WORKERS * MAX_PLAYERS, NETWORK).reshape(WORKERS, MAX_PLAYERS),
            sheets=np.zeros((WORKERS, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE),
            values=np.zeros((WORKERS, search.MAX_CANDIDATES)),
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
