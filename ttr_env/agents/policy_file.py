"""Trained networks as files: NumPy arrays and a description in JSON, without pickle and without torch.

Format 1 holds a `Network` over the observation of one map, format 2 a `Scorer` of candidates, which plays on every map.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttr_env.agents import archive, scorer
from ttr_env.agents.inputs import Sight, advised_actions
from ttr_env.agents.scorer import Layer as Layer  # what has two names is imported from here too
from ttr_env.agents.scorer import Scorer as Scorer
from ttr_env.errors import MapError
from ttr_env.errors import PolicyFileError as PolicyFileError

FORMAT = 1
ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh}
MAX_LAYERS = 16


@dataclass(frozen=True)
class Network:
    """Layers that turn what a player sees into a logit for each action, and into a value.

    `advice_weight` [actions] is added to the logit of the action that the adviser names.
    """

    sight: Sight
    policy: list[Layer]
    value: list[Layer]
    activation: str = "relu"
    advice_weight: np.ndarray | None = None
    about: dict[str, Any] = field(default_factory=dict)  # how it came to be

    def logits(self, inputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The logits of all actions; illegal ones have minus infinity."""
        logits = self._forward(self.policy, inputs)
        if self.advice_weight is not None:
            advice = advised_actions(inputs, self.sight.num_actions)
            logits[np.arange(len(inputs)), advice] += self.advice_weight[advice]
        logits[masks == 0] = -np.inf
        return logits

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """What each position is worth to the player to move, as rewards were counted in training."""
        return self._forward(self.value, inputs)[:, 0]

    def _forward(self, layers: list[Layer], inputs: np.ndarray) -> np.ndarray:
        hidden = inputs[:, : self.sight.observation_size]
        for weights, biases in layers[:-1]:
            hidden = ACTIVATIONS[self.activation](hidden @ weights + biases)
        weights, biases = layers[-1]
        return hidden @ weights + biases


def describe(sight: Sight) -> dict[str, Any]:
    """What a network sees, as plain JSON types; `sight_of` makes it again."""
    return {
        "map": sight.map.name,
        "map_digest": sight.map.digest,
        "features": sight.features,
        "tolls_visible": sight.tolls_visible,
        "adviser": sight.adviser,
        "sight": sight.version,
    }


def save(network: Network | Scorer, path: str | os.PathLike[str]) -> None:
    """Write a policy file, in one piece or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     save(Scorer.random(np.random.default_rng(0)), Path(folder, "policy.npz"))
    ...     load(Path(folder, "policy.npz")).score.shape
    (32,)
    """
    archive.write(path, *(scorer.pack(network) if isinstance(network, Scorer) else _pack(network)))


def load(path: str | os.PathLike[str]) -> Network | Scorer:
    """Read a policy file; one that is damaged, or for something that is not here, is a `PolicyFileError`."""
    try:
        return _unpack(*archive.read(path))
    except PolicyFileError as error:
        raise PolicyFileError(f"policy file {path}: {error}") from error
    except OSError as error:
        raise PolicyFileError(f"policy file {path} cannot be read: {error.strerror or error}") from error
    except archive.DAMAGE as error:
        raise PolicyFileError(f"{path} is not a policy file, or a damaged one: {error}") from error


def load_network(path: str | os.PathLike[str]) -> Network:
    """Read a policy file of format 1; another one is a `PolicyFileError`."""
    network = load(path)
    if not isinstance(network, Network):
        raise PolicyFileError(f"policy file {path}: it has format {scorer.FORMAT}, and {FORMAT} is needed here")
    return network


def load_scorer(path: str | os.PathLike[str]) -> Scorer:
    """Read a policy file of format 2; another one is a `PolicyFileError`."""
    network = load(path)
    if not isinstance(network, Scorer):
        raise PolicyFileError(f"policy file {path}: it has format {FORMAT}, and {scorer.FORMAT} is needed here")
    return network


def _pack(network: Network) -> tuple[dict[str, Any], archive.Arrays]:
    description = {
        "format": FORMAT,
        **describe(network.sight),
        "activation": network.activation,
        "layers": {"policy": len(network.policy), "value": len(network.value)},
        "about": network.about,
    }
    arrays: archive.Arrays = {}
    for part in ("policy", "value"):
        for number, (weights, biases) in enumerate(getattr(network, part)):
            arrays |= {f"{part}{number}_weights": weights, f"{part}{number}_biases": biases}
    if network.advice_weight is not None:
        arrays["advice_weight"] = network.advice_weight
    return description, arrays


def _unpack(description: dict[str, Any], arrays: archive.Arrays) -> Network | Scorer:
    if description["format"] == scorer.FORMAT:
        return scorer.unpack(description, arrays)
    if description["format"] != FORMAT:
        raise PolicyFileError(
            f"it has format {description['format']!r}, and this version reads {FORMAT} and {scorer.FORMAT}"
        )
    return _network(description, arrays)


def _network(description: dict[str, Any], arrays: archive.Arrays) -> Network:
    activation, about = description["activation"], description["about"]
    if activation not in ACTIVATIONS:
        raise PolicyFileError(f"its activation {activation!r} is none of {', '.join(ACTIVATIONS)}")
    if not isinstance(about, dict):
        raise PolicyFileError("what it says about itself is no table of names and values")
    sight = sight_of(description)
    policy, value = (_layers(description, arrays, part) for part in ("policy", "value"))
    _check_shapes(policy, sight.observation_size, sight.num_actions, "policy")
    _check_shapes(value, sight.observation_size, 1, "value")
    weight = arrays.get("advice_weight")
    if weight is not None and (sight.adviser is None or weight.shape != (sight.num_actions,)):
        raise PolicyFileError(
            f"its weights of the advice have the shape {weight.shape}, where {(sight.num_actions,)} and an adviser are "
            f"needed; its adviser is {sight.adviser!r}"
        )
    return Network(sight, policy, value, activation, weight, about)


def _layers(description: dict[str, Any], arrays: archive.Arrays, part: str) -> list[Layer]:
    count = description["layers"][part]
    if not 1 <= count <= MAX_LAYERS:
        raise PolicyFileError(f"its {part} has {count!r} layers, where 1 to {MAX_LAYERS} are possible")
    return [(arrays[f"{part}{n}_weights"], arrays[f"{part}{n}_biases"]) for n in range(count)]


def _check_shapes(layers: list[Layer], inputs: int, outputs: int, part: str) -> None:
    """See that layers lead from what a player sees to what is asked of them."""
    widths = [inputs]
    for weights, biases in layers:
        if weights.ndim != 2 or biases.ndim != 1 or weights.shape[1] != len(biases):
            raise PolicyFileError(f"a {part} layer has weights {weights.shape} and biases {biases.shape}")
        if weights.shape[0] != widths[-1]:
            raise PolicyFileError(f"a {part} layer takes {weights.shape[0]} numbers where there are {widths[-1]}")
        widths.append(len(biases))
    if widths[-1] != outputs:
        raise PolicyFileError(f"its {part} has {widths[-1]} outputs where {outputs} are needed")


def sight_of(description: dict[str, Any]) -> Sight:
    """What the network was trained to see, if this version shows the same."""
    try:
        sight = Sight(description["map"], description["features"], description["tolls_visible"], description["adviser"])
    except MapError as error:
        raise PolicyFileError(f"it plays a map that is not here: {error}") from error
    if sight.map.digest != description["map_digest"]:
        raise PolicyFileError(f"it was trained on another version of the map {sight.map.name!r}")
    if sight.version != description["sight"]:
        raise PolicyFileError(
            f"it was trained on another observation version ({description['sight']}); this one is {sight.version}"
        )
    return sight
