"""The networks that are trained: a shared trunk, heads for policy and value, and an ear for advice."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from ttr_env.learning.settings import SightSettings
from ttr_env.learning.torch_parts import IMPOSSIBLE, draw, heed_advice, probabilities, stack

_TRUST = SightSettings().trust


class Trunk(BaseFeaturesExtractor):
    """Layers that policy and value share: half the arithmetic of two separate networks.

    It reads the first `inputs` entries of an observation; what follows is advice.
    """

    def __init__(
        self, observation_space: gymnasium.spaces.Box, inputs: int, layers: list[int], activation: str
    ) -> None:
        super().__init__(observation_space, features_dim=layers[-1])
        self.inputs = inputs
        self.layers = stack(inputs, layers, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of each observation."""
        return self.layers(observations[:, : self.inputs])


class Policy(MaskableActorCriticPolicy):
    """SB3's masked policy with the arithmetic done once, and with an ear for advice.

    With `advised`, the last entry of an observation names an action (`ttr_env.agents.inputs`). A weight for it,
    learned like every other, is added to its logit: the policy starts out trusting its adviser, and learns when not to.
    """

    def __init__(self, *args: Any, advised: bool = False, trust: float = _TRUST, **kwargs: Any) -> None:
        self._advised, self._trust = advised, trust
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:  # called before the optimiser collects the parameters
        super()._build_mlp_extractor()
        if self._advised:
            assert isinstance(self.action_space, gymnasium.spaces.Discrete)
            actions = int(self.action_space.n)
            self.advice_weight = nn.Parameter(torch.full((actions,), self._trust))

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and log-probabilities."""
        log_probs, values = self._evaluate(obs, action_masks)
        actions = log_probs.argmax(dim=1) if deterministic else draw(log_probs)
        return actions, values, log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, log-probabilities of the actions, and entropies."""
        log_probs, values = self._evaluate(obs, action_masks)
        entropies = -(log_probs * probabilities(log_probs)).sum(dim=1)
        return values, log_probs.gather(1, actions.unsqueeze(1)).squeeze(1), entropies

    def get_distribution(self, obs: torch.Tensor, action_masks: np.ndarray | None = None) -> MaskableDistribution:  # type: ignore[override]
        """The distribution over legal actions."""
        log_probs, _ = self._evaluate(obs, action_masks)
        return self.action_dist.proba_distribution(action_logits=log_probs)

    def _evaluate(
        self, obs: torch.Tensor, action_masks: np.ndarray | torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of all actions, and values."""
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(obs))
        logits = self.action_net(latent_pi)
        if self._advised:
            logits = heed_advice(logits, obs, self.advice_weight)
        if action_masks is not None:
            masks = torch.as_tensor(action_masks, device=logits.device).reshape(logits.shape)
            logits = logits.masked_fill(masks == 0, IMPOSSIBLE)
        return logits.log_softmax(dim=1), self.value_net(latent_vf)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "advised": self._advised, "trust": self._trust}
