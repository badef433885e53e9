"""Players trained with Stable-Baselines3."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env import maps
from ttr_env.agents.inputs import Sight
from ttr_env.agents.trained import Trained
from ttr_env.options import FEATURES

_ADVISERS = (None, "planner")


class FromSB3(Trained):
    """A saved `MaskablePPO` model that was trained with this package's environments; it takes what it likes best.

    The widths of its observations and actions tell which map and features it was trained on.
    """

    def __init__(self, path: str | Path, seed: int = 0) -> None:
        self.name = f"SB3 model {path}"
        self._model = _load(Path(path))
        self.sight = _sight(self.name, self._model)
        super().__init__(seed)

    def choose(self, inputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
        actions, _ = self._model.predict(inputs, action_masks=masks.astype(bool), deterministic=True)
        return np.asarray(actions, np.int64)


def _load(path: Path) -> Any:
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ValueError(f"sb3:{path} needs sb3-contrib and torch: pip install 'ttr-env[train]'") from error
    if not path.is_file():
        raise ValueError(f"sb3:{path}: there is no such file")
    try:
        return MaskablePPO.load(path, device="cpu")
    except Exception as error:  # whatever a zip file of another kind can raise
        raise ValueError(f"sb3:{path} is no saved MaskablePPO model, or a damaged one: {error}") from error


def _sight(name: str, model: Any) -> Sight:
    """What the model was trained to see."""
    shape, actions = model.observation_space.shape, getattr(model.action_space, "n", None)
    for map, features, tolls_visible, adviser in itertools.product(maps.names(), FEATURES, (False, True), _ADVISERS):
        sight = Sight(map, features, tolls_visible, adviser)
        if shape == (sight.size,) and actions == sight.num_actions:
            return sight
    raise ValueError(f"{name} has observations {shape} and {actions} actions, which are those of no map and features")
