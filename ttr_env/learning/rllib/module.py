"""The network as RLlib wants it: a policy and a value on shared layers; illegal actions have no probability."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from ttr_env.agents import policy_file
from ttr_env.agents.inputs import Sight
from ttr_env.learning.settings import AnySettings
from ttr_env.learning.torch_parts import IMPOSSIBLE, as_array, fill, heed_advice, layer, linear_layers, stack


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """One network for every seat.

    Observations have two keys: `observations`, the inputs that a `Sight` shows, and `action_mask`.
    """

    model_config: dict[str, Any]  # as `make_spec` gives it

    def setup(self) -> None:
        """Build the layers, and fill them as Stable-Baselines3 does."""
        shape = self.model_config
        self.inputs = shape["inputs"]
        self.trunk = stack(shape["inputs"], shape["layers"], shape["activation"])
        self.policy_head = nn.Linear(shape["layers"][-1], shape["actions"])
        self.value_head = nn.Linear(shape["layers"][-1], 1)
        self.advice_weight = nn.Parameter(torch.full((shape["actions"],), shape["trust"])) if shape["advised"] else None
        for linear, gain in [*((part, 2**0.5) for part in self._hidden()), (self.policy_head, 0.01)]:
            nn.init.orthogonal_(linear.weight, gain)
            nn.init.zeros_(linear.bias)
        nn.init.zeros_(self.value_head.bias)
        self.action_dist_cls = TorchCategorical

    def _hidden(self) -> list[nn.Linear]:
        return [part for part in self.trunk if isinstance(part, nn.Linear)]

    def evaluate(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of all actions, and values, of the rows of a batch."""
        features = self.trunk(observations[:, : self.inputs])
        logits = self.policy_head(features)
        if self.advice_weight is not None:
            logits = heed_advice(logits, observations, self.advice_weight)
        logits = logits.masked_fill(masks == 0, IMPOSSIBLE)
        return logits.log_softmax(dim=1), self.value_head(features).squeeze(1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        log_probs, values = self.evaluate(seen["observations"], seen["action_mask"])
        return {Columns.ACTION_DIST_INPUTS: log_probs, Columns.VF_PREDS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """The values of the rows of a batch."""
        seen = batch[Columns.OBS]["observations"]
        return self.value_head(self.trunk(seen[:, : self.inputs])).squeeze(1)

    def network(self, sight: Sight, about: dict[str, Any] | None = None) -> policy_file.Network:
        """The network as it is now, in NumPy."""
        trunk = linear_layers(self.trunk)
        weight = None if self.advice_weight is None else as_array(self.advice_weight)
        activation = self.model_config["activation"]
        policy, value = [*trunk, layer(self.policy_head)], [*trunk, layer(self.value_head)]
        return policy_file.Network(sight, policy, value, activation, weight, about or {})

    def fill(self, network: policy_file.Network) -> None:
        """Take the weights of a network of the same shape."""
        fill([*self._hidden(), self.policy_head], self.value_head, self.advice_weight, network)


def make_spec(settings: AnySettings, sight: Sight) -> RLModuleSpec:
    """What RLlib builds the network from, wherever it is needed."""
    shape = {
        "inputs": sight.observation_size,
        "actions": sight.num_actions,
        "layers": settings.network.layers,
        "activation": settings.network.activation,
        "advised": sight.adviser is not None,
        "trust": settings.sight.trust,
    }
    observations = gymnasium.spaces.Box(0, 1, (sight.size,), np.float32)
    masks = gymnasium.spaces.Box(0, 1, (sight.num_actions,), np.int8)
    return RLModuleSpec(
        module_class=MaskedModule,
        observation_space=gymnasium.spaces.Dict({"observations": observations, "action_mask": masks}),
        action_space=gymnasium.spaces.Discrete(sight.num_actions),
        model_config=shape,
    )
