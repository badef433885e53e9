"""A policy for MaskablePPO that scores candidates: for `features="actions"`, with any environment of SB3's kind."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from ttr_env.learning.scorer import Critic, Decisions, Scorer, action_log_probs
from ttr_env.learning.torch_parts import IMPOSSIBLE, draw, probabilities

Observations = dict[str, torch.Tensor]


class _Nothing(BaseFeaturesExtractor):
    """SB3 wants an extractor; the scorer reads observations itself."""

    def __init__(self, observation_space: gymnasium.Space[Any]) -> None:
        super().__init__(observation_space, features_dim=1)


class ScoringPolicy(MaskableActorCriticPolicy):
    """Scores every candidate of an observation, and draws one by its score.

    Legal actions that are no candidates are never taken. `scorer` are the units of the scorer's two layers, `critic`
    those of the critic's; if observations have the key `hidden`, the critic reads that too. Neither reads columns of
    the groups that it is `blind_to`.

    >>> from sb3_contrib import MaskablePPO
    >>> from ttr_env.learning.sb3 import LearnerVecEnv
    >>> env = LearnerVecEnv(games=4, features="actions", seed=0)
    >>> model = MaskablePPO(ScoringPolicy, env, n_steps=8, batch_size=16, seed=0).learn(32)
    """

    def __init__(
        self,
        *args: Any,
        scorer: tuple[int, int] = (64, 32),
        critic: tuple[int, ...] = (64, 64),
        blind_to: tuple[str, ...] = (),
        **kwargs: Any,
    ) -> None:
        self._scorer_units, self._critic_units, self._blind_to = tuple(scorer), tuple(critic), tuple(blind_to)
        super().__init__(*args, **{**kwargs, "features_extractor_class": _Nothing})

    def _build(self, lr_schedule: Any) -> None:
        assert isinstance(self.observation_space, gymnasium.spaces.Dict)
        self.scorer = Scorer(*self._scorer_units)
        self.critic = Critic(list(self._critic_units), "hidden" in self.observation_space.spaces)
        self.scorer.blindfold(self._blind_to)
        self.critic.blindfold(self._blind_to)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def forward(  # type: ignore[override]
        self, obs: Observations, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and log-probabilities."""
        log_probs = self._log_probs(obs, action_masks)
        actions = log_probs.argmax(dim=1) if deterministic else draw(log_probs)
        return actions, self.predict_values(obs), log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def evaluate_actions(  # type: ignore[override]
        self, obs: Observations | Decisions, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, log-probabilities of the actions and entropies; `Decisions` take the places of candidates."""
        log_probs = self.scorer(obs) if isinstance(obs, Decisions) else self._log_probs(obs, action_masks)
        entropies = -(log_probs * probabilities(log_probs)).sum(dim=1)
        return self.predict_values(obs), log_probs.gather(1, actions.unsqueeze(1)).squeeze(1), entropies

    def predict_values(self, obs: Observations | Decisions) -> torch.Tensor:  # type: ignore[override]
        """What the positions are worth to the players to move."""
        if isinstance(obs, Decisions):
            return self.critic(obs.states, obs.hidden)
        return self.critic(obs["state"], obs.get("hidden"))

    def get_distribution(self, obs: Observations, action_masks: np.ndarray | None = None) -> MaskableDistribution:  # type: ignore[override]
        """The distribution over actions."""
        return self.action_dist.proba_distribution(action_logits=self._log_probs(obs, action_masks))

    def _log_probs(self, obs: Observations, action_masks: np.ndarray | torch.Tensor | None) -> torch.Tensor:
        """Log-probabilities of all actions."""
        assert isinstance(self.action_space, gymnasium.spaces.Discrete)
        log_probs = action_log_probs(self.scorer, obs, int(self.action_space.n))
        if action_masks is None:
            return log_probs
        masks = torch.as_tensor(action_masks, device=log_probs.device).reshape(log_probs.shape)
        return log_probs.masked_fill(masks == 0, IMPOSSIBLE).log_softmax(dim=1)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        told = super()._get_constructor_parameters()
        return {**told, "scorer": self._scorer_units, "critic": self._critic_units, "blind_to": self._blind_to}
