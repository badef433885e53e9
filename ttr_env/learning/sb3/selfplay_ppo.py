"""MaskablePPO that learns from whole games played in compiled code.

Only how rollouts are collected and stored is replaced: the network plays inside of the engine's loop, on all threads,
and candidates are stored without gaps. Learning itself, schedules, callbacks and the logger are SB3's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from ttr_env.batch.recorded import estimate_advantages, gather
from ttr_env.learning.scorer import Decisions
from ttr_env.learning.selfplay import Played


class Tables(Protocol):
    """Where a learner plays."""

    def play(self, weights: np.ndarray) -> tuple[Played, np.ndarray]:
        """Games with a learner of these weights (`ttr_env.bots.scorer.WEIGHTS`), and their rewards by seat."""


class Samples(NamedTuple):
    """What SB3 asks a buffer for."""

    observations: Decisions
    actions: torch.Tensor  # the candidates' places
    old_values: torch.Tensor
    old_log_prob: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    action_masks: None = None


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
        """All decisions once, in random order."""
        order = np.random.permutation(len(self._played))  # noqa: NPY002 - SB3's source, which runs keep
        for begin in range(0, len(order), batch_size):
            yield self._samples(order[begin : begin + batch_size])

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
    begins, ends = played.begins[chosen], played.ends[chosen]
    count = int((ends - begins).sum())
    actions = np.empty((count, played.actions.shape[1]), np.float32)
    owners, places = np.empty((2, count), np.int64)
    gather(played.actions, begins, ends, actions, owners, places)
    numbers = played.states[chosen], played.hidden[chosen], actions, owners, places, played.urges[chosen]
    return Decisions(*map(torch.from_numpy, numbers))


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO with `ScoringPolicy`, whose environment is a `LearnerVecEnv` with `features="actions"`."""

    def __init__(self, policy: Any, env: Any, *, tables: Tables | None = None, **options: Any) -> None:
        self.tables = tables
        buffer: Any = GameBuffer
        super().__init__(policy, env, rollout_buffer_class=buffer, **options)

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "tables"]

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play whole games; how many is up to the tables."""
        assert self.tables is not None, "a model that was loaded has to be given tables to play at"
        policy: Any = self.policy
        policy.set_training_mode(False)
        callback.on_rollout_start()
        played, rewards = self.tables.play(policy.scorer.compiled(temperature=1.0))
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
