"""What every torch network of this package is made of, whichever library trains it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import nn

from ttr_env.agents.policy_file import Layer, Network

IMPOSSIBLE = -1e8  # the logit of an illegal action
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


def stack(inputs: int, layers: list[int], activation: str) -> nn.Sequential:
    """Linear layers, each with its activation."""
    parts: list[nn.Module] = []
    for size, following in zip([inputs, *layers], layers, strict=False):
        parts += [nn.Linear(size, following), ACTIVATIONS[activation]()]
    return nn.Sequential(*parts)


def heed_advice(logits: torch.Tensor, observations: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Logits with the weight of the advised action, which the last entry of an observation names, added to it."""
    advice = (observations[:, -1:] * logits.shape[1]).round().long() - 1
    return logits.scatter_add(1, advice, weight[advice])


def probabilities(log_probs: torch.Tensor) -> torch.Tensor:
    """The same as `log_probs.exp()`, which takes ten times as long where most actions are illegal."""
    return log_probs.softmax(dim=1)


def draw(log_probs: torch.Tensor) -> torch.Tensor:
    """An action by its probability: where a random number falls among the sums of probabilities.

    It is never 0, so it falls on no action without a probability.
    """
    sums = probabilities(log_probs).cumsum(dim=1)
    chance = (1 - torch.rand(len(sums), 1, device=sums.device)) * sums[:, -1:]
    return torch.searchsorted(sums, chance).squeeze(1).clamp(max=sums.shape[1] - 1)


def linear_layers(layers: nn.Module) -> list[Layer]:
    """The linear layers in a module, in NumPy."""
    return [layer(part) for part in layers.modules() if isinstance(part, nn.Linear)]


def layer(linear: nn.Linear) -> Layer:
    """A linear layer in NumPy."""
    return np.ascontiguousarray(as_array(linear.weight).T), as_array(linear.bias)


def as_array(parameter: torch.Tensor) -> np.ndarray:
    """A copy of a parameter in NumPy."""
    return parameter.detach().cpu().numpy().astype(np.float32, copy=True)


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
