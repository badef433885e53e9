"""MaskablePPO for a loop that is written out, and can be left and gone on with."""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from ttr_env.learning.settings import Settings


def ppo_options(settings: Settings) -> dict[str, Any]:
    """What every model takes from the settings, by the names of Stable-Baselines3."""
    ppo = settings.ppo
    plain = ("batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range", "vf_coef", "max_grad_norm", "target_kl")
    return {
        **{name: getattr(ppo, name) for name in plain},
        "learning_rate": ppo.learning_rate[0],
        "ent_coef": ppo.ent_coef[0],
        "seed": settings.run.seed,
        "device": "cpu",
    }


class Model(MaskablePPO):
    """Says what only `learn` knows: how its loop begins, and where it stands."""

    def begin(self, steps: int, callback: BaseCallback) -> None:
        """Do what `learn` does before its loop over so many steps, each of which `callback` is told of."""
        self._setup_learn(steps, callback)

    def state(self) -> dict[str, Any]:
        """Where the loop stands between two updates; weights are not part of it."""
        return {
            "num_timesteps": self.num_timesteps,
            "n_updates": self._n_updates,
            "last_obs": self._last_obs,
            "last_episode_starts": self._last_episode_starts,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`; a `ValueError` if it is that of another model."""
        for name in ("num_timesteps", "n_updates"):
            if type(state[name]) is not int or state[name] < 0:
                raise ValueError(f"{name} is {state[name]!r}")
        if not _alike(state["last_obs"], self._last_obs):
            raise ValueError("what was seen last has another form")
        if not _alike(state["last_episode_starts"], self._last_episode_starts):
            raise ValueError("last_episode_starts has another form")
        self.num_timesteps, self._n_updates = state["num_timesteps"], state["n_updates"]
        self._last_obs, self._last_episode_starts = state["last_obs"], state["last_episode_starts"]


def _alike(given: Any, own: Any) -> bool:
    """Whether arrays, or dictionaries of them, have the same form, and hold nothing but numbers."""
    if isinstance(own, dict):
        return (
            isinstance(given, dict) and given.keys() == own.keys() and all(_alike(given[key], own[key]) for key in own)
        )
    is_array = isinstance(given, np.ndarray) and (given.shape, given.dtype) == (own.shape, own.dtype)
    return is_array and (given.dtype.kind != "f" or bool(np.isfinite(given).all()))
