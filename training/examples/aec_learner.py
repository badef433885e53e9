"""The PettingZoo environment for Stable-Baselines3: how one player of any AEC game can learn.

This is the example to read. `ttr_env.learning.sb3.LearnerVecEnv` does the same for many games, ten times as fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import ttr_env

Opponent = Callable[[dict[str, np.ndarray]], int]  # what it sees, and what it does


def random_opponent(seed: int = 0) -> Opponent:
    """An opponent that takes any legal action."""
    rng = np.random.default_rng(seed)
    return lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"])))


class AECLearner(gymnasium.Env[np.ndarray, int]):
    """One player of the PettingZoo game as a Gymnasium environment with `action_masks`, for `MaskablePPO`.

    >>> from sb3_contrib import MaskablePPO
    >>> model = MaskablePPO("MlpPolicy", AECLearner(players=2), n_steps=64, seed=0)
    >>> _ = model.learn(64)
    """

    def __init__(self, opponent: Opponent | None = None, learner: str = "player_0", **options: Any) -> None:
        """Play as `learner`; the other seats follow `opponent`. Options are those of `ttr_env.env`."""
        self.env = ttr_env.env(**options)
        self._learner = learner
        self._opponent = opponent or random_opponent()
        self.observation_space = self.env.observation_space(learner)["observation"]
        self.action_space = self.env.action_space(learner)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game, and let the others play until the learner is to move."""
        super().reset(seed=seed)
        self.env.reset(seed)
        self._play_others()
        return self._seen["observation"], {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the others play until it is to move again, or the game is over.

        The reward is all that the learner was given meanwhile: whoever ends the game, the loser sees the loss.
        """
        self.env.step(int(action))
        self._play_others()
        _, reward, terminated, truncated, info = self.env.last()
        return self._seen["observation"], float(reward), terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions."""
        return self._seen["action_mask"].astype(bool)

    def _play_others(self) -> None:
        """Let the others act until the learner is to move; players of a finished game leave the table."""
        for agent in self.env.agent_iter():
            seen, _, terminated, truncated, _ = self.env.last()
            if agent == self._learner:
                self._seen = seen
                return
            self.env.step(None if terminated or truncated else self._opponent(seen))
