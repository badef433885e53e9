"""The memory of games: one record for each position, and what can be asked of many of them at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_env.bots.features.rows import ActionFeatures, look_rows, looking_space
from ttr_env.engine import planning, rows
from ttr_env.engine.board import board
from ttr_env.engine.layout import GAME
from ttr_env.engine.scratch import aligned
from ttr_env.maps import Map
from ttr_env.options import Sight, Variant


class Positions:
    """Positions of one variant. A `Game` has one of them, a `Batch` many: a fast agent works on either.

    `records` is an array of `ttr_env.engine.layout.GAME`, one entry for each position, and `board` an array with
    the one record of the map (`layout.BOARD`): what kernels take. They hold what players hide from each other,
    too; an honest agent uses only what the player to move knows, which is what `look` shows.

    >>> from ttr_env import Game
    >>> observations, masks = Game("nederland", players=2, seed=7).look(np.array([0]), Sight("planning"))
    >>> observations.shape, masks.shape
    ((1, 1407), (1, 616))
    """

    __slots__ = ("board", "records", "variant")

    variant: Variant
    records: np.ndarray  # [positions] of `layout.GAME`
    board: np.ndarray  # [1] of `layout.BOARD`, read-only

    def __init__(self, variant: Variant, count: int) -> None:
        """Make room for so many positions."""
        self.variant = variant
        self.records = np.zeros(count, GAME)
        self.board = board(variant.map)

    @property
    def map(self) -> Map:
        """The map that is played on."""
        return self.variant.map

    @property
    def num_actions(self) -> int:
        """The size of the action space, the same in every game on this map."""
        return int(self.board[0]["actions"])

    def __len__(self) -> int:
        return len(self.records)

    def memory(self, row: int) -> np.ndarray:
        """A copy of one position's memory, as bytes (int8)."""
        return np.frombuffer(self.records[row].tobytes(), np.int8).copy()

    def look(
        self, chosen: np.ndarray, sight: Sight, observations: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """What the players to move see in the chosen rows: observations float32 [rows, entries], masks int8.

        `observations` may be given to be written to; it may be wider than what is seen.
        """
        if observations is None:
            observations = np.zeros((len(chosen), self.variant.observation_size(sight)), np.float32)
        masks = np.empty((len(chosen), self.num_actions), np.int8)
        scratch = aligned(1, planning.PLAN)
        picked = np.ascontiguousarray(chosen, np.int64)
        visible = int(sight.tolls_visible)
        rows.view_rows(
            self.records, self.board, picked, int(sight.with_planning), visible, scratch, observations, masks
        )
        return observations, masks

    def look_at_actions(self, chosen: np.ndarray) -> ActionFeatures:
        """The action features that the players to move see in the chosen rows."""
        picked = np.ascontiguousarray(chosen, np.int64)
        features = ActionFeatures.blank(len(picked))
        look_rows(self.records, self.board, picked, np.arange(len(picked)), looking_space(1), 0, features)
        return features

    def __getstate__(self) -> Any:
        """What is pickled: not the board, for which kernels would be compiled anew, as a copy can be written to."""
        return self.variant, self.records

    def __setstate__(self, state: Any) -> None:
        self.variant, self.records = state
        self.board = board(self.variant.map)
