"""Geometry with whole numbers alone, so that no machine's rounding can make another board."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[int, int]
Edge = tuple[int, int]  # two indices of points, the lower first


def squared(p: Point, q: Point) -> int:
    """The square of a distance."""
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def distance(p: Point, q: Point) -> int:
    """A distance, rounded down.

    >>> distance((0, 0), (3, 4))
    5
    """
    return math.isqrt(squared(p, q))


def turn(p: Point, q: Point, r: Point) -> int:
    """Above 0 where the way from p over q to r turns left, below 0 where it turns right, else 0."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def cross(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Whether the inner parts of the lines from p to q and from r to s meet; ends in common are no crossing.

    >>> cross((0, 0), (2, 2), (0, 2), (2, 0)), cross((0, 0), (2, 2), (2, 2), (4, 0))
    (True, False)
    """
    if {p, q} & {r, s}:
        return False
    return turn(p, q, r) * turn(p, q, s) <= 0 and turn(r, s, p) * turn(r, s, q) <= 0


def is_near(point: Point, p: Point, q: Point, reach: int) -> bool:
    """Whether a point lies within `reach` of the line from p to q."""
    along = (point[0] - p[0]) * (q[0] - p[0]) + (point[1] - p[1]) * (q[1] - p[1])
    whole = squared(p, q)
    if along <= 0 or along >= whole:
        return min(squared(point, p), squared(point, q)) < reach * reach
    return turn(p, q, point) ** 2 < reach * reach * whole


def is_narrow(corner: Point, p: Point, q: Point, slope: int) -> bool:
    """Whether the angle between the ways from a corner to p and q has a tangent below `slope` hundredths."""
    ahead = (p[0] - corner[0]) * (q[0] - corner[0]) + (p[1] - corner[1]) * (q[1] - corner[1])
    return ahead > 0 and 100 * abs(turn(corner, p, q)) < slope * ahead


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the smallest convex shape around the points, counter-clockwise (Andrew's monotone chain).

    >>> hull([(0, 0), (4, 0), (2, 1), (4, 4), (0, 4)])
    [(0, 0), (4, 0), (4, 4), (0, 4)]
    """
    ordered = sorted(set(points))
    return _chain(ordered) + _chain(ordered[::-1])


def _chain(ordered: Sequence[Point]) -> list[Point]:
    corners: list[Point] = []
    for point in ordered:
        while len(corners) > 1 and turn(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners[:-1]
