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

from ttr_env.engine import calls, planning, slices
from ttr_env.engine.board import board
from ttr_env.engine.scratch import aligned
from ttr_env.maps import Map, load
from ttr_env.options import FEATURES, check_choice


def layout(map: str | Map, features: str = "base", tolls_visible: bool = False) -> MappingProxyType[str, slice]:
    """Where each part of the observation stands, on a map or the map of a name."""
    return _layout(load(map), check_choice(features, FEATURES, "features"), bool(tolls_visible))


@functools.lru_cache(maxsize=64)
def _layout(map: Map, features: str, tolls_visible: bool) -> MappingProxyType[str, slice]:
    names = [*slices.BASE]
    if features == "planning":
        names += slices.PLANNING
    if tolls_visible:
        names += slices.TOLLS_VISIBLE
    sizes = slices.sizes(map)
    places, begin = {}, 0
    for name in filter(sizes.get, names):  # a map without tunnels has no slices for them
        places[name] = slice(begin, begin + sizes[name])
        begin += sizes[name]
    return MappingProxyType(places)


def size(map: str | Map, features: str = "base", tolls_visible: bool = False) -> int:
    """The length of the vector."""
    return max(part.stop for part in layout(map, features, tolls_visible).values())


def observe(map: Map, games: np.ndarray, player: int, features: str, tolls_visible: bool) -> np.ndarray:
    """A player's observation of the first game of an array (`engine.layout.GAME`)."""
    vector = np.zeros(size(map, features, tolls_visible), np.float32)
    with_planning = check_choice(features, FEATURES, "features") == "planning"
    scratch = aligned(1, planning.PLAN)
    calls.observe(games, 0, board(map), player, with_planning, bool(tolls_visible), scratch, vector)
    return vector
