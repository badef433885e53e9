"""Networks that have learned nothing, and an agent that plays by one from outside of compiled loops."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.bots.routes import FORGOTTEN
from ttr_env.bots.scorer import MIND, WEIGHTS, scorer_action
from ttr_env.engine import calls
from ttr_env.engine.jit import entry
from ttr_env.engine.scratch import aligned
from ttr_env.game.positions import Positions


def random_network(seed: int = 0, temperature: float = 0.0) -> np.ndarray:
    """Random weights, [1] of `WEIGHTS`."""
    rng, weights = np.random.default_rng(seed), aligned(1, WEIGHTS)
    for layer in ("state", "action", "first_bias", "second", "second_bias", "score"):
        weights[0][layer][...] = 0.3 * rng.standard_normal(weights[0][layer].shape)
    weights["first_units"], weights["second_units"], weights["temperature"] = 32, 16, temperature
    return weights


@entry
def act_rows(games, boards, rows, nets, minds, source, actions):
    mind = minds[0]
    for place in range(rows.shape[0]):
        mind["routes"]["surveyed"] = FORGOTTEN
        g = games[rows[place]]
        actions[place] = scorer_action(g, boards[0], nets[0], mind["view"], mind["scores"], mind["routes"], source)


class Scoring(Agent):
    """Plays by a network, and is asked for each of its actions."""

    def __init__(self, network: np.ndarray, seed: int = 0) -> None:
        self._network, self._minds, self._source = network, aligned(1, MIND), np.zeros(1, np.uint64)
        super().__init__(seed)

    def reset(self, seed: int) -> None:
        calls.seed_source(self._source, np.uint64(seed))

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(rows), np.int64)
        chosen = np.ascontiguousarray(rows, np.int64)
        act_rows(positions.records, positions.board, chosen, self._network, self._minds, self._source, actions)
        return actions


class Compiled(Scoring):
    """The same, but whoever can may let its network play in compiled code."""

    @property
    def weights(self) -> np.ndarray:
        return self._network
