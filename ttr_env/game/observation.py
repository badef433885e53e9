"""The observation vector: named slices, the same length for every number of players.

>>> from ttr_env import Game, observation
>>> hand = observation.layout("nederland")["hand"]
>>> game = Game("nederland", players=2, seed=7)
>>> int((game.observe(0)[hand] > 0).sum())  # kinds of cards in the hand
3
"""

from __future__ import annotations

import functools
from types import MappingProxyType

import numpy as np

from ttr_env.engine import slices
from ttr_env.maps import Map, load
from ttr_env.options import FEATURES, Sight, check_choice, check_vector, observation_size


def layout(map: str | Map, features: str = "base", tolls_visible: bool = False) -> MappingProxyType[str, slice]:
    """Where each part of the observation stands, on a map or the map of a name."""
    return _layout(load(map), check_vector(features), bool(tolls_visible))


def shapes(
    map: str | Map, features: str = "base", tolls_visible: bool = False
) -> MappingProxyType[str, tuple[int, ...]]:
    """What shape each part of the observation has; the table in a map's page says by what it is counted.

    >>> shapes("nederland")["owner"]  # five seats and the neutral player, by track
    (6, 97)
    """
    return _shapes(load(map), check_vector(features), bool(tolls_visible))


def named(
    vector: np.ndarray, map: str | Map, features: str = "base", tolls_visible: bool = False
) -> dict[str, np.ndarray]:
    """The parts of an observation in their shapes, as views on the same memory.

    Many observations at once, [..., size], are taken apart along their last axis.

    >>> from ttr_env import Batch, Game
    >>> seen = named(Game("nederland", players=2, seed=7).observe(0), "nederland")
    >>> seen["known"].shape, float(seen["trains"][0])
    ((5, 9), 1.0)
    >>> named(Batch("usa", games=64, seed=7).observations, "usa")["owner"].shape
    (64, 5, 100)
    """
    parts, known = layout(map, features, tolls_visible), shapes(map, features, tolls_visible)
    length = size(map, features, tolls_visible)
    if np.shape(vector)[-1:] != (length,):
        chosen = f"with features={features!r} and tolls_visible={bool(tolls_visible)}"
        raise ValueError(f"vector: {chosen} the last axis has {length} entries, but the shape is {np.shape(vector)}")
    return {name: vector[..., parts[name]].reshape(*vector.shape[:-1], *known[name]) for name in parts}


@functools.lru_cache(maxsize=64)
def _layout(map: Map, features: str, tolls_visible: bool) -> MappingProxyType[str, slice]:
    return MappingProxyType({part.name: slice(part.begin, part.end) for part in _parts(map, features, tolls_visible)})


@functools.lru_cache(maxsize=64)
def _shapes(map: Map, features: str, tolls_visible: bool) -> MappingProxyType[str, tuple[int, ...]]:
    return MappingProxyType({part.name: part.shape for part in _parts(map, features, tolls_visible)})


def _parts(map: Map, features: str, tolls_visible: bool) -> list[slices.Part]:
    """The slices that a map has: one without tunnels has none for them."""
    every = slices.parts(map, planning=features == "planning", tolls_visible=tolls_visible)
    return [part for part in every if part.end > part.begin]


def size(map: str | Map, features: str = "base", tolls_visible: bool = False) -> int:
    """The length of the vector."""
    return observation_size(load(map), Sight(features, bool(tolls_visible)))


def check_features(features: str) -> str:
    """`features`, if it is one of `FEATURES`."""
    return check_choice(features, FEATURES, "features")
