"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from ttr_env.batch import Batch
from ttr_env.game import Game


@runtime_checkable
class Actor(Protocol):
    """The least that is needed to take a seat: choosing an action for the player to move."""

    def act(self, game: Game) -> int: ...


class Agent:
    """A player. It chooses by what the player to move may know, and draws chance from its own seed alone.

    Subclasses need `act`; `act_batch` is there to be made faster.
    """

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Forget everything, and draw chance from this seed from now on."""
        self.rng = np.random.default_rng(seed)

    def act(self, game: Game) -> int:
        """An action for the player to move."""
        raise NotImplementedError

    def act_batch(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """An action for each of these rows of a batch."""
        return np.array([self.act(batch.game(int(row))) for row in rows], np.int64)
