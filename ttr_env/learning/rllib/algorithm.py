"""RLlib's PPO, with patience for env runners that were lost with their node."""

from __future__ import annotations

import time

from ray.rllib.algorithms.ppo import PPO
from ray.rllib.env.env_runner_group import EnvRunnerGroup

ASK_SECONDS = 10.0  # between two questions to lost env runners whether they are back


class PatientPPO(PPO):
    """PPO that asks lost env runners now and then whether they are back.

    RLlib would ask in every update, and Ray takes more than a second to say that somebody is not there: where a node is
    gone for good, that would be most of the time of a short update.
    """

    _asked = 0.0

    def restore_env_runners(self, env_runner_group: EnvRunnerGroup) -> list[int]:
        """Take env runners back that play again; their numbers."""
        now = time.monotonic()
        if now - self._asked < ASK_SECONDS:
            return []
        self._asked = now
        restored: list[int] = super().restore_env_runners(env_runner_group)
        return restored
