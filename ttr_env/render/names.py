"""Placing the cities' names: near their cities, off the tracks, and off each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .shapes import Box, Point

_DISTANCES = (9.0, 11.5, 14.0)  # from a city to its name
_SHARES = [step / 12 for step in range(13)]  # how far a name has slid to the left, or up
_SWEEPS = 6  # over all names; each settles on what its neighbours leave, and few ever move again
_OUTSIDE, _NAME, _OBSTACLE, _FAR = 40.0, 8.0, 1.0, 0.5  # what a place costs, per unit of what is wrong with it


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
    >>> round(place.x), round(place.y)
    (46, 31)
    """
    spots = [_spots(city, size) for city, size in zip(cities, sizes, strict=True)]
    alone = [_costs(some, city, obstacles, box) for some, city in zip(spots, cities, strict=True)]
    chosen = np.array([some[cost.argmin()] for some, cost in zip(spots, alone, strict=True)])
    for _ in range(_SWEEPS):
        for index, (some, cost) in enumerate(zip(spots, alone, strict=True)):
            others = np.delete(chosen, index, axis=0)
            crowding = _overlap(some[:, None], others[None]).sum(axis=1)
            chosen[index] = some[(cost + _NAME * crowding).argmin()]
    return [Box(left, top, right - left, bottom - top) for left, top, right, bottom in chosen.tolist()]


def _spots(city: Point, size: tuple[float, float]) -> np.ndarray:
    """Places around a city [n, 4] as left, top, right and bottom: some above and below it, some beside it."""
    (x, y), (width, height) = city, size
    corners = []
    for distance in _DISTANCES:
        for share in _SHARES:
            left = x + distance - (width + 2 * distance) * share
            top = y + distance - (height + 2 * distance) * share
            corners += [(left, y - distance - height), (left, y + distance)]
            corners += [(x + distance, top), (x - distance - width, top)]
    return np.array([(left, top, left + width, top + height) for left, top in corners])


def _costs(spots: np.ndarray, city: Point, obstacles: np.ndarray, box: Box) -> np.ndarray:
    """What each place costs [n], whatever the other names do."""
    left, top, right, bottom = spots.T[:, :, None]
    x, y = obstacles.T
    covered = ((x > left) & (x < right) & (y > top) & (y < bottom)).sum(axis=1)
    area = (spots[0, 2] - spots[0, 0]) * (spots[0, 3] - spots[0, 1])
    outside = area - _overlap(spots, np.array([box.x, box.y, box.right, box.bottom]))
    away = np.hypot(*(np.clip(city, spots[:, :2], spots[:, 2:]) - city).T)
    return _OBSTACLE * covered + _OUTSIDE * outside + _FAR * away


def _overlap(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The areas that boxes share."""
    sides = np.minimum(some[..., 2:], others[..., 2:]) - np.maximum(some[..., :2], others[..., :2])
    return np.clip(sides, 0, None).prod(axis=-1)
