"""An agent that does once more what it did in games that were recorded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ttr_env import Batch
from ttr_env.agents.base import Agent
from ttr_env.game.positions import Positions


class Recorded(Agent):
    """Takes the recorded action of each game, or the first legal one where that is not legal.

    Whether the games came out as they were recorded is for others to see.
    """

    def __init__(self, deals: range, players: int, numbers: Sequence[int], actions: Sequence[Sequence[int]]) -> None:
        """Remember the actions of games, by the numbers that an arena's table gives them."""
        self._first, self._players = np.uint64(deals.start), players
        self._rows = np.full(len(deals) * players, -1, np.int64)  # by number
        self._rows[np.asarray(numbers, np.int64)] = np.arange(len(numbers))
        longest = max(map(len, actions), default=0)
        self._actions = np.full((len(actions), longest + 1), -1, np.int64)
        for row, taken in enumerate(actions):
            self._actions[row, : len(taken)] = taken

    def reset(self, seed: int) -> None:
        """It draws no chance."""

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        assert isinstance(positions, Batch)  # whose rows know which game they play
        deals = (positions.seeds[rows] - self._first).astype(np.int64)
        games = self._rows[deals * self._players + positions.seats[rows]]
        steps = np.minimum(positions.decisions[rows], self._actions.shape[1] - 1)
        actions, masks = self._actions[games, steps], positions.masks[rows]
        known = (actions >= 0) & (actions < masks.shape[1])
        legal = known & (masks[np.arange(len(rows)), np.where(known, actions, 0)] != 0)
        return np.where(legal, actions, masks.argmax(axis=1))
