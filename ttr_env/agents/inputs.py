"""What a network sees of a position: the observation and, if it has an adviser, what that bot would do."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from ttr_env import options
from ttr_env.agents.built_in import adviser_named
from ttr_env.engine.board import board
from ttr_env.game import observation
from ttr_env.game.positions import Positions
from ttr_env.maps import Map, load

VERSION = 1  # to be raised when entries of the observation change their meaning but not their place


class Sight:
    """The input of a network on a map: the observation of the player to move and, last, an adviser's action.

    The advice is one entry, `(action + 1) / num_actions`; `advised_actions` reads it.

    >>> from ttr_env import Batch
    >>> batch = Batch("nederland", games=3, players=2, seed=0)
    >>> seen, masks = Sight("nederland", features="planning", adviser="planner").see(batch, np.array([0, 2]))
    >>> seen.shape[0], masks.shape
    (2, (2, 616))
    """

    def __init__(
        self,
        map: str | Map = "nederland",
        features: str = "base",
        tolls_visible: bool = False,
        adviser: str | None = None,
    ) -> None:
        self.map = load(map)
        self.features = options.check_vector(features)
        self.tolls_visible = bool(tolls_visible)
        self.adviser = adviser
        self.num_actions = int(board(self.map)[0]["actions"])
        self.observation_size = observation.size(self.map, features, tolls_visible)
        self.size = self.observation_size + (adviser is not None)
        self._advise = None if adviser is None else adviser_named(adviser)

    @property
    def version(self) -> str:
        """What every network must have been trained on to read this sight: the map, the layout, the meaning."""
        parts = observation.layout(self.map, self.features, self.tolls_visible)
        places = [[name, part.start, part.stop] for name, part in parts.items()]
        described = json.dumps([VERSION, self.map.digest, places, self.num_actions, self.adviser])
        return hashlib.sha256(described.encode()).hexdigest()[:16]

    def see(self, positions: Positions, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The inputs float32 [rows, size] and the masks int8 [rows, actions] of some rows."""
        inputs = np.zeros((len(chosen), self.size), np.float32)
        sight = options.Sight(self.features, self.tolls_visible)
        _, masks = positions.look(chosen, sight, inputs)
        self.add_advice(positions, chosen, inputs)
        return inputs, masks

    def add_advice(self, positions: Positions, chosen: np.ndarray, inputs: np.ndarray) -> None:
        """Write the adviser's actions in some rows into the last entry of their inputs."""
        if self._advise is not None:
            inputs[:, -1] = (self._advise.act_batch(positions, chosen) + 1) / self.num_actions


def advised_actions(inputs: np.ndarray, num_actions: int) -> np.ndarray:
    """The adviser's actions that inputs hold."""
    return np.rint(inputs[:, -1] * num_actions).astype(np.int64) - 1
