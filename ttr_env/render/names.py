"""Placing the cities' names: near their cities, off the tracks, and off each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .scene import Box, Point

_SHARES = [step / 12 for step in range(13)]  # how far a name has slid to the left, or up
_DISTANCES = (9.0, 11.5, 14.0)
_SWEEPS = 6  # over all names; each settles on what its neighbours leave, and few ever move again
_OUTSIDE, _NAME, _OBSTACLE, _FAR = (
    40.0,
    8.0,
    1.0,
    0.35,
)  # what a place costs, per unit of what is wrong with it


def place_names(
    cities: Sequence[Point], sizes: Sequence[tuple[float, float]], obstacles: np.ndarray, box: Box
) -> list[Box]:
    """A box of the given size beside each city.

    Args:
        cities: where the cities are.
        sizes: width and height of each name.
        obstacles: [n, 2], points that names should not cover.
        box: where the names must stay.

    >>> [place] = place_names([(50, 50)], [(20, 10)], np.array([[62.0, 50.0]]), Box(0, 0, 100, 100))
    >>> place.contains((62, 50))
    False
    """
    spots = [_spots(city, size) for city, size in zip(cities, sizes, strict=True)]
    costs = [_costs(some, city, obstacles, box) for some, city in zip(spots, cities, strict=True)]
    chosen = [min(zip(cost, some, strict=True), key=_first)[1] for cost, some in zip(costs, spots, strict=True)]
    for _ in range(_SWEEPS):
        for index, (some, cost) in enumerate(zip(spots, costs, strict=True)):
            others = chosen[:index] + chosen[index + 1 :]
            full = [alone + _NAME * sum(map(spot.overlap, others)) for spot, alone in zip(some, cost, strict=True)]
            chosen[index] = min(zip(full, some, strict=True), key=_first)[1]
    return chosen


def _first(pair: tuple[float, Box]) -> float:
    return pair[0]


def _spots(city: Point, size: tuple[float, float]) -> list[Box]:
    """Places around a city, some sliding along above and below it, some beside it."""
    (x, y), (width, height) = city, size
    corners = []
    for distance in _DISTANCES:
        for share in _SHARES:
            left, top = x + distance - (width + 2 * distance) * share, y + distance - (height + 2 * distance) * share
            corners += [
                (left, y - distance - height),
                (left, y + distance),
                (x + distance, top),
                (x - distance - width, top),
            ]
    return [Box(left, top, width, height) for left, top in corners]


def _costs(spots: Sequence[Box], city: Point, obstacles: np.ndarray, box: Box) -> list[float]:
    """What each place costs, whatever the other names do."""
    reach = max(_DISTANCES) + max(spots[0].w, spots[0].h)
    x, y = obstacles[np.abs(obstacles - city).max(axis=1) < reach].T
    costs = []
    for spot in spots:
        covered = np.count_nonzero((x > spot.x) & (x < spot.right) & (y > spot.y) & (y < spot.bottom))
        outside = spot.w * spot.h - spot.overlap(box)
        nearest = min(max(city[0], spot.x), spot.right), min(max(city[1], spot.y), spot.bottom)
        costs.append(_OBSTACLE * covered + _OUTSIDE * outside + _FAR * math.dist(city, nearest))
    return costs
