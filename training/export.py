"""Trained models as policy files."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from training.networks import ACTIVATIONS, Trunk
from ttr_env.agents.policy_file import Layer, Network
from ttr_env.agents.sight import Sight


def network_of(model: MaskablePPO, sight: Sight, about: dict[str, Any] | None = None) -> Network:
    """A model's network as it is now, in NumPy."""
    policy = model.policy
    extractor = policy.features_extractor
    trunk = _linear(extractor.layers) if isinstance(extractor, Trunk) else []
    weight = _copy(policy.advice_weight) if hasattr(policy, "advice_weight") else None
    return Network(
        sight,
        [*trunk, *_linear(policy.mlp_extractor.policy_net), _layer(policy.action_net)],
        [*trunk, *_linear(policy.mlp_extractor.value_net), _layer(policy.value_net)],
        _activation(policy),
        weight,
        about or {},
    )


def load_into(model: MaskablePPO, network: Network) -> None:
    """Give a model the weights of a network of the same shape."""
    policy: Any = model.policy
    layers = [part for part in policy.features_extractor.modules() if isinstance(part, nn.Linear)]
    pairs = [*zip([*layers, policy.action_net], network.policy, strict=True), (policy.value_net, network.value[-1])]
    with torch.no_grad():
        for linear, (weights, biases) in pairs:
            linear.weight.copy_(torch.from_numpy(weights.T))
            linear.bias.copy_(torch.from_numpy(biases))
        if network.advice_weight is not None:
            policy.advice_weight.copy_(torch.from_numpy(network.advice_weight))


def _activation(policy: Any) -> str:
    modules = [*policy.features_extractor.modules(), *policy.mlp_extractor.modules()]
    used = {name for name, kind in ACTIVATIONS.items() if any(isinstance(module, kind) for module in modules)}
    if len(used) != 1:
        raise ValueError(f"a policy file has one activation of {', '.join(ACTIVATIONS)}; the network has {used}")
    return used.pop()


def _linear(layers: nn.Module) -> list[Layer]:
    return [_layer(part) for part in layers.modules() if isinstance(part, nn.Linear)]


def _layer(linear: nn.Linear) -> Layer:
    return np.ascontiguousarray(_copy(linear.weight).T), _copy(linear.bias)


def _copy(parameter: nn.Parameter) -> np.ndarray:
    return parameter.detach().cpu().numpy().astype(np.float32, copy=True)
