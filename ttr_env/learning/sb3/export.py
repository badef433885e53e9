"""Models of Stable-Baselines3 as networks of policy files, and back."""

from __future__ import annotations

from typing import Any

from sb3_contrib import MaskablePPO
from torch import nn

from ttr_env.agents.inputs import Sight
from ttr_env.agents.policy_file import Network
from ttr_env.learning.sb3.policy import Trunk
from ttr_env.learning.torch_parts import ACTIVATIONS, as_array, fill, linear_layers


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


def _activation(policy: Any) -> str:
    modules = [*policy.features_extractor.modules(), *policy.mlp_extractor.modules()]
    used = {name for name, kind in ACTIVATIONS.items() if any(isinstance(module, kind) for module in modules)}
    if len(used) != 1:
        raise ValueError(f"a policy file has one activation of {', '.join(ACTIVATIONS)}; the network has {used}")
    return used.pop()
