"""How tangled a board is: what it would take to find the longest path on it (`engine.sweep`)."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.maps.model import Track


def sweep_width(cities: int, tracks: Sequence[Track]) -> int:
    """How many cities a sweep over a connected board has to keep in mind at once, in a good order.

    Cities are left one after another, each time the one that leaves the fewest that were reached and are not left yet;
    every city is tried as the first.

    >>> ring = [Track(city, (city + 1) % 6, 1, "red") for city in range(6)]
    >>> sweep_width(6, ring)
    3
    """
    neighbours = [0] * cities
    for track in tracks:
        neighbours[track.a] |= 1 << track.b
        neighbours[track.b] |= 1 << track.a
    return min(_width_from(start, neighbours) for start in range(cities))


def _width_from(start: int, neighbours: Sequence[int]) -> int:
    left, frontier, widest, city = (1 << len(neighbours)) - 1, 0, 0, start
    while True:
        frontier = (frontier | (neighbours[city] & left)) & ~(1 << city)
        left &= ~(1 << city)
        widest = max(widest, frontier.bit_count() + 1)
        if not left:
            return widest
        _, city = min(
            (((frontier | (neighbours[each] & left)) & ~(1 << each)).bit_count(), each)
            for each in range(len(neighbours))
            if left >> each & 1
        )
