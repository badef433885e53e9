"""The agent that plays at random."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.batch import Batch
from ttr_env.engine import entry, rows
from ttr_env.game import Game


class RandomAgent(Agent):
    """Every legal action is as likely as any other."""

    def reset(self, seed: int) -> None:
        self._source = np.zeros(1, np.uint64)
        entry.seed_source(self._source, np.uint64(seed))

    def act(self, game: Game) -> int:
        return entry.pick(game._games, 0, game._boards, self._source)

    def act_batch(self, batch: Batch, rows_to_play: np.ndarray) -> np.ndarray:
        actions = np.empty(len(rows_to_play), np.int64)
        rows.pick_rows(batch._games, batch._boards, self._source, np.asarray(rows_to_play, np.int64), actions)
        return actions
