"""The bots as agents: random, greedy, racer and planner."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation, bare, by_probability
from ttr_env.bots import built_in
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import calls
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.options import check_choice

# Whose advice a network can be told, and which bot that is. The name alone means version 1, as it always has: networks
# go on hearing what they were trained with.
ADVISERS = {
    "greedy": "greedy",
    "racer": "racer",
    "planner": "planner:version=1",
    "planner:version=2": "planner",
}


class BuiltIn(Agent):
    """One of the bots of `ttr_env.bots`, by its name.

    >>> BuiltIn("planner").act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self._kind = built_in.BOTS.index(name)
        self._routes = aligned(1, NETWORK)
        self._source = np.zeros(1, np.uint64)
        super().__init__(seed)

    def reset(self, seed: int) -> None:
        calls.seed_source(self._source, np.uint64(seed))

    def explain(self, game: Game) -> Explanation:
        source = self._source.copy()
        choice = self.act(game)
        self._source[:] = source
        if self._kind != built_in.RANDOM:
            return bare(choice)
        actions = game.legal_actions()
        return by_probability(choice, actions, np.full(len(actions), 1 / len(actions)), None)

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        actions = np.empty(len(rows), np.int64)
        chosen = np.ascontiguousarray(rows, np.int64)
        built_in.act_rows(positions.records, positions.board, chosen, self._kind, self._source, self._routes, actions)
        return actions


def adviser_named(name: str) -> BuiltIn:
    """The bot that an adviser's name stands for."""
    return BuiltIn(ADVISERS[check_choice(name, tuple(ADVISERS), "adviser")])
