"""Which game is played on a map: how many players, with or without tolls, with or without the neutral player."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_env.maps import Map


@dataclass(frozen=True)
class Variant:
    """The options of one game, checked against its map; make one with `choose`."""

    players: int
    tolls: bool
    neutral_player: bool


def choose(map: Map, players: int = 2, tolls: bool | None = None, neutral_player: bool = False) -> Variant:
    """The variant with these options; `tolls=None` means as the map has it.

    >>> from ttr_env import maps
    >>> choose(maps.load("nederland"), players=3)
    Variant(players=3, tolls=True, neutral_player=False)
    """
    count = whole_number(players, "players")
    fewest, most = map.rules.players
    if not fewest <= count <= most:
        raise ValueError(f"players: {map.title} is for {fewest} to {most} players, not {count}")
    with_tolls = bool(map.rules.tolls) if tolls is None else flag(tolls, "tolls")
    if with_tolls and not map.rules.tolls:
        raise ValueError(f"tolls: {map.title} has no tolls; leave the option out")
    with_neutral = flag(neutral_player, "neutral_player")
    if with_neutral:
        _check_neutral_player(map, count, with_tolls)
    return Variant(count, with_tolls, with_neutral)


def _check_neutral_player(map: Map, players: int, tolls: bool) -> None:
    if not map.rules.neutral:
        raise ValueError(f"neutral_player: {map.title} has no neutral player; leave the option out")
    if players != 2:
        raise ValueError(f"neutral_player: the neutral player joins 2 players, not {players}")
    if not tolls:
        raise ValueError("neutral_player: the neutral player needs tolls; leave out tolls=False")


def flag(value: Any, name: str) -> bool:
    """`value` as a `bool`, if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: True or False is needed, not {value!r}")
    return bool(value)


def whole_number(value: Any, name: str) -> int:
    """`value` as an `int`, if it is a whole number.

    >>> whole_number(3, "players")
    3
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: a whole number is needed, not {value!r}")
    return operator.index(value)
