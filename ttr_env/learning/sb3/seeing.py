"""What a learner is shown of its games: vectors or action features, advice, and what its critic alone may know."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ttr_env.agents.built_in import adviser_named
from ttr_env.agents.inputs import Sight
from ttr_env.agents.policy_file import describe
from ttr_env.agents.scorer import columns_digest
from ttr_env.batch import Batch
from ttr_env.bots.features.columns import ACTION, HIDDEN, VERSION, names
from ttr_env.bots.features.rows import hidden_rows, looking_space
from ttr_env.options import check_choice

CRITICS = ("hidden",)
_ADVISED = names(ACTION).index("advised")


class Vectors:
    """Observation vectors and, if there is an adviser, its action as the last entry."""

    def __init__(self, sight: Sight, batch: Batch) -> None:
        self.sight, self.version = sight, sight.version
        self._batch, self._rows = batch, np.arange(len(batch))
        self.space = gymnasium.spaces.Box(0, 1, (sight.size,), np.float32)
        # What is seen, in words: SB3 saves the space with every model that learns from it.
        self.space.sight = describe(sight)  # type: ignore[attr-defined]  # read by ttr_env.agents.sb3

    def show(self, observations: np.ndarray) -> np.ndarray:
        """What the learner sees in every row."""
        if self.sight.adviser is None:
            return observations
        inputs = np.empty((len(self._rows), self.sight.size), np.float32)
        inputs[:, :-1] = observations
        self.sight.add_advice(self._batch, self._rows, inputs)
        return inputs

    def show_ends(self, observations: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
        """The last observations of games that ended in these rows; nobody advises on a game that is over."""
        return [np.pad(observations[row], (0, self.sight.size - observations.shape[1])) for row in rows]


class Features:
    """Action features. The action that an adviser would take has a column; the critic's knowledge has a key."""

    def __init__(self, batch: Batch, space: gymnasium.Space[Any], adviser: str | None, critic: str | None) -> None:
        assert isinstance(space, gymnasium.spaces.Dict)
        self.version = columns_digest()
        self._batch, self._rows = batch, np.arange(len(batch))
        self._adviser = None if adviser is None else adviser_named(adviser)
        self._hidden = critic is not None and check_choice(critic, CRITICS, "critic") == "hidden"
        self._space = looking_space(1)
        more = {"hidden": gymnasium.spaces.Box(-1, 1, (len(HIDDEN),), np.float32)} if self._hidden else {}
        self.space = gymnasium.spaces.Dict({**space.spaces, **more})
        described = {"features": "actions", "version": VERSION, "adviser": adviser}
        self.space.sight = described  # type: ignore[attr-defined]  # SB3 saves it with every model

    def show(self, observations: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What the learner sees in every row, with advice written into it."""
        if self._adviser is not None:
            advised = self._adviser.act_batch(self._batch, self._rows)
            observations["actions"][:, :, _ADVISED] = observations["index"] == advised[:, None]
        return {**observations, **self._known(self._batch.records, self._rows)}

    def show_ends(self, observations: dict[str, np.ndarray], rows: np.ndarray) -> list[dict[str, np.ndarray]]:
        """The last observations of games that ended in these rows; nobody advises on a game that is over."""
        seen = {name: array[rows] for name, array in observations.items()} | self._known(self._batch.ends, rows)
        return [{name: array[place] for name, array in seen.items()} for place in range(len(rows))]

    def _known(self, games: np.ndarray, rows: np.ndarray) -> dict[str, np.ndarray]:
        """What the critic alone may know, of the player to move."""
        if not self._hidden:
            return {}
        hidden = np.zeros((len(rows), len(HIDDEN)), np.float32)
        hidden_rows(games, self._batch.board, rows, self._space, hidden)
        return {"hidden": hidden}
