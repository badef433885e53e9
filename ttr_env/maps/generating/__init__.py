"""Boards made from a seed, with whole numbers alone: the same seed gives the same board everywhere.

Read `generator.py` first; each of the others makes a part: places and routes (`network.py`), tracks, tickets, names,
and the land behind them.
"""

from __future__ import annotations

import dataclasses

from ttr_env.maps.model import Map

from .generator import make
from .wishes import GENERATED, Wishes, read_name

__all__ = ["GENERATED", "generate", "named", "series"]


def generate(
    seed: int,
    cities: int = 30,
    *,
    players: int | None = None,
    trains: int | None = None,
    tickets: int | None = None,
    doubles: int | None = None,
    tolls: bool = False,
    tunnels: int = 0,
    ferries: int = 0,
) -> Map:
    """A board that nobody has seen: planar, connected, and with tickets worth what they cost.

    The same arguments give the same board on every machine. It goes wherever a map goes, and so does its name, such as
    `"generate:seed=7,cities=20"`. `Map.save` writes it to a folder.

    Args:
        seed: which of the boards, from 0.
        cities: how many, from 4 to 64.
        players: how many at most; by default up to 5, and fewer on small boards.
        trains: of each player; by default as the board is large.
        tickets: how many; by default three for every two cities.
        doubles: how many routes have two tracks; by default a quarter, with tolls three quarters.
        tolls: whether tracks have bridge tolls.
        tunnels: how many routes are tunnels.
        ferries: how many routes are ferries.

    >>> board = generate(7, cities=20, tunnels=4)
    >>> board.name, len(board.cities), sum(track.tunnel for track in board.tracks) >= 4
    ('generate:seed=7,cities=20,tunnels=4', 20, True)
    """
    return make(Wishes(seed, cities, players, trains, tickets, doubles, tolls, tunnels, ferries))


def named(name: str) -> Map:
    """The board with a name like `"generate:seed=7,cities=20"`."""
    return generate(**read_name(name))


def series(name: str, boards: int) -> list[str]:
    """The names of so many boards that differ by their seeds, from the one that is named on.

    >>> series("generate:seed=7,cities=20", 2)
    ['generate:seed=7,cities=20', 'generate:seed=8,cities=20']
    """
    first = Wishes(**read_name(name))
    return [dataclasses.replace(first, seed=first.seed + further).name for further in range(boards)]
