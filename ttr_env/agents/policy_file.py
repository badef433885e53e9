"""Trained networks as files: NumPy arrays and a description in JSON, without pickle and without torch."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.agents.inputs import Sight, advised_actions
from ttr_env.errors import MapError
from ttr_env.errors import PolicyFileError as PolicyFileError  # it is imported from here too

FORMAT = 1
ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh}

# What reading a file raises of which not every byte is as it was written.
_DAMAGE = (
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)

Layer = tuple[np.ndarray, np.ndarray]  # weights [inputs, outputs] and biases [outputs]


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


def save(network: Network, path: str | os.PathLike[str]) -> None:
    """Write a policy file, in one piece or not at all."""
    description = {
        "format": FORMAT,
        **describe(network.sight),
        "activation": network.activation,
        "layers": {"policy": len(network.policy), "value": len(network.value)},
        "about": network.about,
    }
    arrays = {"description": np.frombuffer(json.dumps(description).encode(), np.uint8)}
    for part in ("policy", "value"):
        for number, (weights, biases) in enumerate(getattr(network, part)):
            arrays |= {f"{part}{number}_weights": weights, f"{part}{number}_biases": biases}
    if network.advice_weight is not None:
        arrays["advice_weight"] = network.advice_weight
    target = Path(path)
    unfinished = target.with_name(target.name + ".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    unfinished.replace(target)


def load(path: str | os.PathLike[str]) -> Network:
    """Read a policy file; one for another map or observation is refused with a `PolicyFileError`."""
    try:
        with Path(path).open("rb") as file:
            if not zipfile.is_zipfile(file):  # NumPy would go on to look for other formats, and advise to use pickle
                raise ValueError("there is no whole .npz archive in it")
            with np.load(file, allow_pickle=False) as stored:
                if "description" not in stored.files:
                    raise ValueError("there is no description in it")
                arrays = {name: np.array(stored[name], np.float32) for name in stored.files if name != "description"}
                description = json.loads(stored["description"].tobytes())
        return _network(description, arrays)
    except PolicyFileError as error:
        raise PolicyFileError(f"policy file {path}: {error}") from error
    except OSError as error:
        raise PolicyFileError(f"policy file {path} cannot be read: {error.strerror or error}") from error
    except _DAMAGE as error:
        raise PolicyFileError(f"{path} is not a policy file, or a damaged one: {error}") from error


def _network(description: dict[str, Any], arrays: dict[str, np.ndarray]) -> Network:
    if description["format"] != FORMAT:
        raise PolicyFileError(f"it has format {description['format']!r}, and this version reads {FORMAT}")
    sight = sight_of(description)
    layers = {
        part: [(arrays[f"{part}{n}_weights"], arrays[f"{part}{n}_biases"]) for n in range(description["layers"][part])]
        for part in ("policy", "value")
    }
    for part, outputs in (("policy", sight.num_actions), ("value", 1)):
        _check_shapes(layers[part], sight.observation_size, outputs, part)
    weight = arrays.get("advice_weight")
    activation = description["activation"]
    if activation not in ACTIVATIONS:
        raise PolicyFileError(f"its activation {activation!r} is none of {', '.join(ACTIVATIONS)}")
    return Network(sight, layers["policy"], layers["value"], activation, weight, description["about"])


def _check_shapes(layers: list[Layer], inputs: int, outputs: int, part: str) -> None:
    """See that layers lead from what a player sees to what is asked of them."""
    widths = [inputs]
    for weights, biases in layers:
        if weights.shape != (widths[-1], len(biases)):
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
