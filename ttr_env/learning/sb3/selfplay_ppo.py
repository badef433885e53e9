"""MaskablePPO that learns from whole games played in compiled code.

Only how rollouts are collected and stored is replaced: the network plays inside of the engine's loop, on all threads,
and candidates are stored without gaps. Learning itself, schedules, callbacks and the logger are SB3's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper

from ttr_env.batch.recorded import estimate_advantages
from ttr_env.learning.sb3.model import Model
from ttr_env.learning.sb3.samples import Samples, gathered
from ttr_env.learning.scorer import Decisions
from ttr_env.learning.selfplay import Played


class GameBuffer:
    """The decisions of some games, handed out in random order."""

    def __init__(self, *_: Any, gamma: float = 1.0, gae_lambda: float = 1.0, **__: Any) -> None:
        """As SB3 makes buffers; how much it holds is up to the games."""
        self._discounts = (gamma, gae_lambda)
        self.values = self.returns = self.advantages = np.zeros(0, np.float32)

    def fill(self, played: Played, values: np.ndarray, rewards: np.ndarray) -> None:
        """Keep what was played, with the critic's values and the rewards at the end of each game."""
        self._played, self.values = played, values
        self.advantages = np.zeros(len(played), np.float32)
        estimate_advantages(played.games, played.seats, values, rewards, self._discounts, self.advantages)
        self.returns = self.advantages + values

    def get(self, batch_size: int) -> Iterator[Samples]:
        """All decisions once, in random order and in batches of about the same size.

        A last batch of what is left over could be a single decision, whose advantage cannot be normalised.
        """
        order = np.random.permutation(len(self._played))  # noqa: NPY002 - SB3's source, which runs keep
        for chosen in np.array_split(order, -(-len(order) // batch_size)):
            yield self._samples(chosen)

    def _samples(self, chosen: np.ndarray) -> Samples:
        played = self._played
        return Samples(
            decisions_of(played, chosen),
            torch.from_numpy(played.places[chosen]),
            torch.from_numpy(self.values[chosen]),
            torch.from_numpy(played.log_probs[chosen]),
            torch.from_numpy(self.advantages[chosen]),
            torch.from_numpy(self.returns[chosen]),
        )


def decisions_of(played: Played, chosen: np.ndarray) -> Decisions:
    """Some of the decisions that were played, as the network takes them."""
    candidates = gathered(played.actions, played.begins[chosen], played.ends[chosen])
    numbers = played.states[chosen], played.hidden[chosen], *candidates, played.urges[chosen]
    return Decisions(*map(torch.from_numpy, numbers))


class SelfPlayPPO(Model):
    """MaskablePPO with a `ScoringPolicy` that plays at the tables of a `SelfPlayEnv`.

    >>> from ttr_env.learning.sb3.scoring_policy import ScoringPolicy
    >>> from ttr_env.learning.sb3.selfplay_env import SelfPlayEnv
    >>> from ttr_env.options import Variant
    >>> env = SelfPlayEnv([Variant.of("nederland", players=2)], {"greedy": 1.0}, games=4, seed=0)
    >>> model = SelfPlayPPO(ScoringPolicy, env, batch_size=64, seed=0).learn(100)
    >>> model.num_timesteps >= 100
    True
    """

    def __init__(self, policy: Any, env: Any, n_steps: int = 1, **options: Any) -> None:
        """`n_steps` means nothing: an update learns from as many games as the environment plays at once."""
        options["rollout_buffer_class"] = GameBuffer
        super().__init__(policy, env, n_steps=n_steps, **options)

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play whole games, as many as the environment plays at once."""
        policy: Any = self.policy
        policy.set_training_mode(False)
        callback.on_rollout_start()
        tables: Any = env.unwrapped if isinstance(env, VecEnvWrapper) else env
        played, rewards = tables.play(policy.scorer.compiled(temperature=1.0))
        with torch.no_grad():
            states, hidden = torch.from_numpy(played.states), torch.from_numpy(played.hidden)
            values = policy.critic(states, hidden).numpy()
        rollout_buffer.fill(played, values, rewards)
        self.num_timesteps += len(played)
        callback.update_locals(locals())
        if not callback.on_step():
            return False
        callback.on_rollout_end()
        return True
