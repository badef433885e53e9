"""Networks of tracks in which there are many paths."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from ttr_env import Game, maps
from ttr_env.maps import City, Map, Ticket, Track

Edge = tuple[int, int, int]  # the cities, and the length


def position(edges: Sequence[Edge]) -> Game:
    """A game in which player 0 owns all tracks of a board."""
    used = sorted({city for one, other, _ in edges for city in (one, other)})
    names = [City(f"City {index}", 52 + index / 10, 5) for index in range(len(used))]
    tracks = tuple(Track(used.index(one), used.index(other), length, "red") for one, other, length in edges)
    rules = maps.load("usa").rules
    board = Map("tangle", "Tangle", tuple(names), tracks, tuple(Ticket(0, 1, 5) for _ in range(16)), rules)
    game = Game(board, players=2, seed=0)
    game.records["owner"][0, : len(tracks)] = 0
    game.records["claimed"][0] = game.board["all_tracks"][0]
    return game


def connected(rng: np.random.Generator, cities: int, tracks: int, longest: int) -> list[Edge]:
    """A network whose cities are all connected; some routes have two tracks."""
    pairs = [(city, int(rng.integers(city))) for city in range(1, cities)]
    while len(pairs) < tracks:
        one, other = rng.choice(cities, 2, replace=False).tolist()
        if pairs.count((one, other)) + pairs.count((other, one)) < 2:
            pairs.append((one, other))
    return [(one, other, int(rng.integers(1, longest + 1))) for one, other in pairs]


def complete(cities: int) -> list[Edge]:
    return [(one, other, 1) for one, other in itertools.combinations(range(cities), 2)]


def between(some: int, others: int) -> list[Edge]:
    return [(one, some + other, 1) for one, other in itertools.product(range(some), range(others))]


def side_by_side(networks: Iterable[Sequence[Edge]], bridges: Sequence[tuple[int, int]]) -> list[Edge]:
    """Networks with bridges between their first cities."""
    edges: list[Edge] = []
    starts = [0]
    for network in networks:
        edges += [(one + starts[-1], other + starts[-1], length) for one, other, length in network]
        starts.append(1 + max(max(one, other) for one, other, _ in edges))
    return edges + [(starts[one], starts[other], 2) for one, other in bridges]
