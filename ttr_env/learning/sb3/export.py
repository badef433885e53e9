"""Trained models as policy files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from ttr_env.agents.inputs import Sight
from ttr_env.agents.policy_file import Layer, Network
from ttr_env.learning.sb3.policy import ACTIVATIONS, Trunk


def network_of(model: MaskablePPO, sight: Sight, about: dict[str, Any] | None = None) -> Network:
    """A model's network as it is now, in NumPy."""
    policy = model.policy
    extractor = policy.features_extractor
    trunk = linear_layers(extractor.layers) if isinstance(extractor, Trunk) else []
    weight = getattr(policy, "advice_weight", None)
    return Network(
        sight,
        [*trunk, *linear_layers(policy.mlp_extractor.policy_net), *linear_layers(policy.action_net)],
        [*trunk, *linear_layers(policy.mlp_extractor.value_net), *linear_layers(policy.value_net)],
        _activation(policy),
        None if weight is None else as_array(weight),
        about or {},
    )


def load_into(model: MaskablePPO, network: Network) -> None:
    """Give a model the weights of a network of the same shape."""
    policy: Any = model.policy
    layers = [part for part in policy.features_extractor.modules() if isinstance(part, nn.Linear)]
    fill([*layers, policy.action_net], policy.value_net, getattr(policy, "advice_weight", None), network)


def fill(policy: list[nn.Linear], value_head: nn.Linear, advice_weight: nn.Parameter | None, network: Network) -> None:
    """Copy a network's weights into layers of the same shape; its value has a last layer of its own."""
    filled, given = [*policy, value_head], [*network.policy, network.value[-1]]
    wanted = [(linear.in_features, linear.out_features) for linear in filled]
    found = [weights.shape for weights, _ in given]
    if found != wanted:
        raise ValueError(f"a network to start from must have layers of {_sizes(wanted)}, not of {_sizes(found)}")
    with torch.no_grad():
        for linear, (weights, biases) in zip(filled, given, strict=True):
            linear.weight.copy_(torch.from_numpy(weights.T))
            linear.bias.copy_(torch.from_numpy(biases))
        if advice_weight is not None and network.advice_weight is not None:
            advice_weight.copy_(torch.from_numpy(network.advice_weight))


def _sizes(shapes: Iterable[tuple[int, ...]]) -> str:
    return ", ".join("x".join(map(str, shape)) for shape in shapes)


def _activation(policy: Any) -> str:
    modules = [*policy.features_extractor.modules(), *policy.mlp_extractor.modules()]
    used = {name for name, kind in ACTIVATIONS.items() if any(isinstance(module, kind) for module in modules)}
    if len(used) != 1:
        raise ValueError(f"a policy file has one activation of {', '.join(ACTIVATIONS)}; the network has {used}")
    return used.pop()


def linear_layers(layers: nn.Module) -> list[Layer]:
    """The linear layers in a module, in NumPy."""
    return [layer(part) for part in layers.modules() if isinstance(part, nn.Linear)]


def layer(linear: nn.Linear) -> Layer:
    """A linear layer in NumPy."""
    return np.ascontiguousarray(as_array(linear.weight).T), as_array(linear.bias)


def as_array(parameter: torch.Tensor) -> np.ndarray:
    """A copy of a parameter in NumPy."""
    return parameter.detach().cpu().numpy().astype(np.float32, copy=True)
