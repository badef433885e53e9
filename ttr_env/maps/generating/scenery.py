"""The land behind a made board: a coast around all cities, and lakes where ferries sail."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.maps.model import Outline

from .chance import Chance
from .geometry import Edge, Point, distance, hull
from .network import Network

_ROUND = ((10, 0), (7, 7), (0, 10), (-7, 7), (-10, 0), (-7, -7), (0, -10), (7, -7))  # a circle of radius 10
_SHORE = 75  # from the outermost cities to the sea, on a board of about 1000 by 1000
_BAY = 80  # from one bend of the coast to the next, likewise
_STRAYS = 20  # how far the coast strays, likewise
_LAKE = 30  # radius of a lake, in hundredths of the route across it


def degrees(point: Point) -> tuple[float, float]:
    """Latitude and longitude of a place; near the equator, where a map is not distorted."""
    return point[1] / 100, point[0] / 100


def landscape(chance: Chance, network: Network, ferries: Sequence[Edge]) -> tuple[Outline, ...]:
    """One land with its lakes."""
    shore = hull(_ring(network.points, _SHORE))
    shapes = [Outline("coast", "home", _points(_smooth(_rough(chance, shore))))]
    for index, (a, b) in enumerate(ferries):
        p, q = network.points[a], network.points[b]
        middle = (p[0] + q[0]) // 2, (p[1] + q[1]) // 2
        radius = distance(p, q) * _LAKE // 100
        reach = radius // 4
        water = [(x + chance.around(reach), y + chance.around(reach)) for x, y in _ring([middle], radius)]
        shapes.append(Outline(f"lake {index + 1}", "water", _points(_smooth(water))))
    return tuple(shapes)


def _ring(points: Sequence[Point], radius: int) -> list[Point]:
    return [(x + dx * radius // 10, y + dy * radius // 10) for x, y in points for dx, dy in _ROUND]


def _rough(chance: Chance, corners: Sequence[Point]) -> list[Point]:
    """A coast with bays: corners and points between them, pushed about."""
    coast: list[Point] = []
    for p, q in zip(corners, [*corners[1:], corners[0]], strict=True):
        pieces = max(1, distance(p, q) // _BAY)
        for piece in range(pieces):
            x = p[0] + (q[0] - p[0]) * piece // pieces
            y = p[1] + (q[1] - p[1]) * piece // pieces
            coast.append((x + chance.around(_STRAYS), y + chance.around(_STRAYS)))
    return coast


def _smooth(corners: Sequence[Point]) -> list[Point]:
    """The same shape with its corners cut off, twice (Chaikin's)."""
    for _ in range(2):
        sides = zip(corners, [*corners[1:], corners[0]], strict=True)
        corners = [
            ((p[0] * near + q[0] * far) // 4, (p[1] * near + q[1] * far) // 4)
            for p, q in sides
            for near, far in ((3, 1), (1, 3))
        ]
    return list(corners)


def _points(points: Sequence[Point]) -> tuple[tuple[float, float], ...]:
    return tuple(degrees(point) for point in points)
