"""Players trained with Stable-Baselines3."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env import maps
from ttr_env.agents.base import Agent
from ttr_env.agents.built_in import ADVISERS
from ttr_env.agents.explaining import Explanation, by_probability
from ttr_env.agents.inputs import Sight
from ttr_env.agents.policy_file import PolicyFileError, sight_of
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.agents.trained import Trained
from ttr_env.errors import install_command
from ttr_env.game import Game
from ttr_env.options import VECTORS


def from_sb3(path: str | Path, seed: int = 0) -> Agent:
    """The agent of a saved `MaskablePPO` model, whether it scores candidates or has an output for every action."""
    model = load_model(Path(path))
    scorer = getattr(model.policy, "scorer", None)  # of `ttr_env.learning.sb3.ScoringPolicy`
    if scorer is None:
        return FromSB3(path, seed)
    return ScoringAgent(Scorer.of_weights(scorer.compiled()), seed=seed)


class FromSB3(Trained):
    """A saved `MaskablePPO` model that was trained with this package's environments; it takes what it likes best.

    What it saw is written in the file if it was trained over `ttr_env.learning.sb3.LearnerVecEnv`. Else the widths of
    its observations and actions must fit one map and kind of observation alone, or `sight` must tell.
    """

    def __init__(self, path: str | Path, seed: int = 0, sight: Sight | None = None) -> None:
        self.name = f"SB3 model {path}"
        self._model = load_model(Path(path))
        self.sight = sight or _sight(self.name, self._model)
        super().__init__(seed)

    def choose(self, inputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
        actions, _ = self._model.predict(inputs, action_masks=masks.astype(bool), deterministic=True)
        return np.asarray(actions, np.int64)

    def explain(self, game: Game) -> Explanation:
        inputs, masks = self.sight.see(game, np.zeros(1, np.int64))
        policy: Any = self._model.policy
        seen, _ = policy.obs_to_tensor(inputs)
        chances = policy.get_distribution(seen, action_masks=masks.astype(bool)).distribution.probs
        value = float(policy.predict_values(seen).item())
        actions = np.flatnonzero(masks[0])
        return by_probability(self.act(game), actions, chances.detach().cpu().numpy()[0, actions], value)


def load_model(path: Path) -> Any:
    """A saved model, or one clear error."""
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ValueError(f"sb3:{path} needs sb3-contrib and torch: {install_command('train')}") from error
    if not os.path.isfile(path):  # unlike its method, False of what no file can be called
        raise ValueError(f"sb3:{path}: there is no such file")
    try:
        return MaskablePPO.load(path, device="cpu")
    except Exception as error:  # whatever a zip file of another kind can raise
        raise ValueError(f"sb3:{path} is no saved MaskablePPO model, or a damaged one: {error}") from error


def _sight(name: str, model: Any) -> Sight:
    """What the model was trained to see: as its space of observations says, or the only thing that fits it."""
    described = getattr(model.observation_space, "sight", None)
    if described is None:
        return _guessed(name, model)
    try:
        return sight_of(described)
    except PolicyFileError as error:
        raise ValueError(f"{name}: {error}") from error
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{name} does not say rightly what it was trained to see: {error}") from error


def _guessed(name: str, model: Any) -> Sight:
    """The sight that has the model's widths."""
    shape, actions = model.observation_space.shape, getattr(model.action_space, "n", None)
    advisers = (None, *ADVISERS)
    sights = itertools.starmap(Sight, itertools.product(maps.names(), VECTORS, (False, True), advisers))
    fitting = [sight for sight in sights if shape == (sight.size,) and actions == sight.num_actions]
    if not fitting:
        raise ValueError(
            f"{name} has observations {shape} and {actions} actions, which are those of no map and features"
        )
    if len(fitting) > 1:
        raise ValueError(
            f"{name} does not say what it was trained to see, and more than one thing fits: "
            f"{'; '.join(map(_in_words, fitting))}. Tell it: ttr_env.agents.sb3.FromSB3(path, sight=Sight(...))"
        )
    return fitting[0]


def _in_words(sight: Sight) -> str:
    tolls = " and the others' tolls" if sight.tolls_visible else ""
    advice = f", advised by {sight.adviser}" if sight.adviser else ""
    return f"{sight.map.name} with {sight.features} features{tolls}{advice}"
