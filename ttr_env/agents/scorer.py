"""Networks that score candidates by their features: one plays every map, and every number of players."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttr_env.agents.archive import Arrays
from ttr_env.bots.appraiser import APPRAISER
from ttr_env.bots.features.columns import ACTION, STATE, VERSION, names
from ttr_env.bots.scorer import MAX_FIRST, MAX_SECOND, WEIGHTS
from ttr_env.engine.scratch import aligned
from ttr_env.errors import PolicyFileError
from ttr_env.options import Variant

FORMAT = 2
KIND = "actions"
MAX_VALUE_LAYERS, MAX_VALUE_UNITS = 4, 1024

Layer = tuple[np.ndarray, np.ndarray]  # weights [inputs, outputs] and biases [outputs]

_ARRAYS = ("state", "action", "first_bias", "second", "second_bias", "score")


@dataclass(frozen=True, eq=False)
class Scorer:
    """A network that scores each candidate by the features of the state and of the action.

    The first layer adds up what both contribute, a second one and a sum of its units follow, with `relu` after each.
    It holds for every map, number of players and variant; `games` only tells what it was trained for.

    >>> rng = np.random.default_rng(0)
    >>> scorer = Scorer.random(rng, first_units=8, second_units=4)
    >>> scorer.weights().shape, scorer.score.shape, scorer.values(np.zeros((3, len(STATE)))) is None
    ((1,), (4,), True)
    """

    state: np.ndarray  # float32 [state columns, first units]
    action: np.ndarray  # float32 [action columns, first units]
    first_bias: np.ndarray  # float32 [first units]
    second: np.ndarray  # float32 [first units, second units]
    second_bias: np.ndarray  # float32 [second units]
    score: np.ndarray  # float32 [second units]
    value: tuple[Layer, ...] = ()  # from the state to one logit, with `relu` in between; none: it tells no value
    about: dict[str, Any] = field(default_factory=dict)  # how it came to be: settings, steps
    games: tuple[dict[str, Any], ...] = ()  # what it was trained for, as `describe_games` says it

    def __post_init__(self) -> None:
        _check_shapes(self)
        _check_value(self.value)

    @classmethod
    def random(cls, rng: np.random.Generator, first_units: int = 64, second_units: int = 32) -> Scorer:
        """A network that has learned nothing."""

        def draw(*shape: int) -> np.ndarray:
            return (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

        return cls(
            draw(len(STATE), first_units),
            draw(len(ACTION), first_units),
            np.zeros(first_units, np.float32),
            draw(first_units, second_units),
            np.zeros(second_units, np.float32),
            draw(second_units),
        )

    @classmethod
    def of_weights(cls, weights: np.ndarray, value: tuple[Layer, ...] = (), **described: Any) -> Scorer:
        """The network of a record of `ttr_env.bots.scorer.WEIGHTS` [1]; `described` are `about` and `games`."""
        net = weights[0]
        first, second = int(net["first_units"]), int(net["second_units"])
        return cls(
            net["state"][:, :first].copy(),
            net["action"][:, :first].copy(),
            net["first_bias"][:first].copy(),
            net["second"][:first, :second].copy(),
            net["second_bias"][:second].copy(),
            net["score"][:second].copy(),
            value,
            **described,
        )

    def weights(self, temperature: float = 0.0) -> np.ndarray:
        """The network as compiled code takes it: an array [1] of `ttr_env.bots.scorer.WEIGHTS`.

        At temperature 0 the candidate with the highest score is taken, above that they are drawn by probability.
        """
        first, second = self.second.shape
        packed = aligned(1, WEIGHTS)
        net = packed[0]
        net["state"][:, :first] = self.state
        net["action"][:, :first] = self.action
        net["first_bias"][:first] = self.first_bias
        net["second"][:first, :second] = self.second
        net["second_bias"][:second] = self.second_bias
        net["score"][:second] = self.score
        net["first_units"], net["second_units"] = first, second
        net["temperature"] = check_temperature(temperature)
        return packed

    def appraiser(self) -> np.ndarray:
        """What tells compiled code the worth of positions: an array [1] of `ttr_env.bots.appraiser.APPRAISER`."""
        if len(self.value) != 3 or self.value[0][1].size > MAX_FIRST or self.value[1][1].size > MAX_SECOND:
            raise ValueError(
                f"compiled code can tell what positions are worth with two layers of at most {MAX_FIRST} and "
                f"{MAX_SECOND} units before the last one, and this network has {[b.size for _, b in self.value]}"
            )
        packed = aligned(1, APPRAISER)
        net = packed[0]
        for name, (weights, biases) in zip(("first", "second"), self.value[:2], strict=True):
            rows, columns = weights.shape
            net[name][:rows, :columns] = weights
            net[f"{name}_bias"][:columns] = biases
            net[f"{name}_units"] = columns
        weights, biases = self.value[2]
        net["last"][: len(weights)], net["last_bias"] = weights[:, 0], biases[0]
        return packed

    def values(self, states: np.ndarray) -> np.ndarray | None:
        """What positions are worth to the player to move: 0 is a clear loss, 1 a clear win; None: it cannot tell.

        `states` is float32 [positions, state columns].
        """
        if not self.value:
            return None
        hidden = np.asarray(states, np.float32)
        for weights, biases in self.value[:-1]:
            hidden = np.maximum(hidden @ weights + biases, 0)
        weights, biases = self.value[-1]
        return 1.0 / (1.0 + np.exp(-(hidden @ weights + biases)[:, 0]))


def check_temperature(temperature: Any) -> float:
    """A temperature, if it is one: 0, or above."""
    if not isinstance(temperature, int | float) or not 0 <= temperature < np.inf:
        raise ValueError(f"temperature must be a number from 0 on, not {temperature!r}")
    return float(temperature)


def describe_games(variants: Iterable[Variant]) -> tuple[dict[str, Any], ...]:
    """What a network was trained for, as plain JSON types.

    >>> [described] = describe_games([Variant.of("nederland", players=3)])
    >>> described["map"], described["players"], len(described["map_digest"]) > 8
    ('nederland', 3, True)
    """
    return tuple({**variant.as_dict(), "map_digest": variant.map.digest} for variant in variants)


def columns_digest() -> str:
    """A digest of the columns' names: networks read them by place."""
    return hashlib.sha256(json.dumps([names(STATE), names(ACTION)]).encode()).hexdigest()[:16]


def pack(scorer: Scorer) -> tuple[dict[str, Any], Arrays]:
    """What a policy file holds of a network: the description and the arrays."""
    description = {
        "format": FORMAT,
        "kind": KIND,
        "features": VERSION,
        "columns": columns_digest(),
        "units": list(scorer.second.shape),
        "value_units": [len(biases) for _, biases in scorer.value],
        "games": list(scorer.games),
        "about": scorer.about,
    }
    arrays = {name: np.asarray(getattr(scorer, name), np.float32) for name in _ARRAYS}
    for number, (weights, biases) in enumerate(scorer.value):
        arrays |= {f"value{number}_weights": weights, f"value{number}_biases": biases}
    return description, arrays


def unpack(description: dict[str, Any], arrays: Arrays) -> Scorer:
    """The network that a policy file holds, if this version shows what it was trained to see."""
    if description["kind"] != KIND:
        raise PolicyFileError(f"it is of kind {description['kind']!r}, and this version reads {KIND!r}")
    if (description["features"], description["columns"]) != (VERSION, columns_digest()):
        raise PolicyFileError(
            f"it was trained on other action features (version {description['features']!r}, columns "
            f"{description['columns']!r}); these are version {VERSION}, columns {columns_digest()!r}"
        )
    about, games = description["about"], description["games"]
    if not isinstance(about, dict) or not isinstance(games, list) or not all(isinstance(game, dict) for game in games):
        raise PolicyFileError("what it says about itself is no table of names and values")
    layers = len(description["value_units"])
    value = tuple((arrays[f"value{n}_weights"], arrays[f"value{n}_biases"]) for n in range(layers))
    scorer = Scorer(**{name: arrays[name] for name in _ARRAYS}, value=value, about=about, games=tuple(games))
    told = (description["units"], description["value_units"])
    if told != (list(scorer.second.shape), [len(biases) for _, biases in value]):
        raise PolicyFileError(f"its layers have not the sizes that it says: {told[0]} and, for the value, {told[1]}")
    return scorer


def _check_shapes(scorer: Scorer) -> None:
    """See that the layers fit the columns and each other, and the room that compiled code has for them."""
    if scorer.second.ndim != 2 or not (1 <= scorer.second.shape[0] <= MAX_FIRST):
        raise PolicyFileError(f"'second' has the shape {scorer.second.shape}: 1 to {MAX_FIRST} rows are needed")
    first, second = scorer.second.shape
    if not 1 <= second <= MAX_SECOND:
        raise PolicyFileError(f"'second' has the shape {scorer.second.shape}: 1 to {MAX_SECOND} columns are needed")
    shapes = ((len(STATE), first), (len(ACTION), first), (first,), (first, second), (second,), (second,))
    for name, shape in zip(_ARRAYS, shapes, strict=True):
        found = getattr(scorer, name).shape
        if found != shape:
            raise PolicyFileError(f"{name!r} has the shape {found}, where {shape} is needed")


def _check_value(layers: tuple[Layer, ...]) -> None:
    """See that layers lead from the state to one number."""
    if len(layers) > MAX_VALUE_LAYERS:
        raise PolicyFileError(f"its value has {len(layers)} layers, more than {MAX_VALUE_LAYERS}")
    inputs = len(STATE)
    for number, (weights, biases) in enumerate(layers):
        outputs = 1 if number == len(layers) - 1 else biases.size
        if outputs > MAX_VALUE_UNITS or weights.shape != (inputs, outputs) or biases.shape != (outputs,):
            raise PolicyFileError(
                f"layer {number} of its value has the shapes {weights.shape} and {biases.shape}, where "
                f"{(inputs, outputs)} and {(outputs,)} are needed, with at most {MAX_VALUE_UNITS} units"
            )
        inputs = outputs
