"""Where everything on a board is: cities and their names, train spaces, tolls.

A plan depends on the map and the box to draw in alone, so it is made once and kept.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttr_env.maps import Map

from .metrics import text_width
from .names import place_names
from .scene import Box, Frame, Point

CITY_RADIUS = 6.0
NAME_SIZE = 12.5
SPACE_WIDTH = 9.5
TOLL_RADIUS = 6.0
_MARGIN = 34.0  # between the outermost cities and the edge of the box
_BESIDE = 6.6  # from the middle of a double route to the middle of each of its tracks
_GAP = 2.4  # between two spaces
_TRIM = 14.0  # from a city to the end of the nearest space, where there is room
_SHORTEST = 17.0  # a space shorter than this comes nearer to the city instead
_TOLL_ASIDE = 20.0  # from a route of a single space to its toll; on longer ones it lies between two spaces


@dataclass(frozen=True)
class Projection:
    """From latitude and longitude to the picture: Mercator's, scaled and moved."""

    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0

    def at(self, latitude: float, longitude: float) -> Point:
        north = math.degrees(math.log(math.tan(math.radians(45 + latitude / 2))))
        return self.left + self.scale * longitude, self.top - self.scale * north


@dataclass(frozen=True)
class Plan:
    """A board laid out: everything by the index of its city or track."""

    projection: Projection
    cities: tuple[Point, ...]
    names: tuple[Point, ...]  # start and baseline of each name
    spaces: tuple[tuple[Frame, ...], ...]  # by track, the middle and direction of each train space
    space_length: tuple[float, ...]  # by track
    tolls: tuple[Point, ...]  # by track; the tracks of a double route share one


@functools.lru_cache(maxsize=16)
def plan(map: Map, box: Box) -> Plan:
    """The layout of a map in a box.

    >>> from ttr_env import maps
    >>> nederland = plan(maps.load("nederland"), Box(0, 0, 600, 800))
    >>> [len(nederland.spaces[track]) for track in (0, 2)]
    [2, 6]
    """
    projection = _fitting(map, box)
    cities = tuple(projection.at(city.latitude, city.longitude) for city in map.cities)
    lengths = tuple(
        _space_length(math.dist(cities[track.a], cities[track.b]), track.length) for track in map.tracks
    )
    spaces = tuple(_spaces(map, index, cities, length) for index, length in enumerate(lengths))
    blocked = np.array(
        [point for row, length in zip(spaces, lengths, strict=True) for point in _cover(row, length)]
    )
    tolls = tuple(_toll(map, index, cities, spaces[index], blocked) for index in range(len(map.tracks)))
    names = _names(map, cities, blocked, tolls, box)
    return Plan(projection, cities, names, spaces, lengths, tolls)


def _fitting(map: Map, box: Box) -> Projection:
    points = [Projection().at(city.latitude, city.longitude) for city in map.cities]
    xs, ys = zip(*points, strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    tiny = 1e-9  # two cities may lie due north of each other
    scale = min((box.w - 2 * _MARGIN) / max(wide, tiny), (box.h - 2 * _MARGIN) / max(high, tiny))
    left = box.x + (box.w - scale * wide) / 2 - scale * min(xs)
    top = box.y + (box.h - scale * high) / 2 - scale * min(ys)
    return Projection(scale, left, top)


def _space_length(distance: float, spaces: int) -> float:
    gaps = _GAP * (spaces - 1)
    return max(
        (distance - gaps - 2 * _TRIM) / spaces, min(_SHORTEST, (distance - gaps - 2 * CITY_RADIUS) / spaces)
    )


def _spaces(map: Map, index: int, cities: Sequence[Point], length: float) -> tuple[Frame, ...]:
    track, partner = map.tracks[index], map.partners[index]
    a, b = sorted((track.a, track.b))  # both tracks of a double route look the same way
    route = _route(cities[a], cities[b])
    aside = 0.0 if partner is None else _BESIDE if index > partner else -_BESIDE
    pitch = length + _GAP
    first = -pitch * (track.length - 1) / 2
    return tuple(Frame(route.at(first + pitch * step, aside), route.angle) for step in range(track.length))


def _route(a: Point, b: Point) -> Frame:
    """The frame of a route: in its middle, looking from one city to the other."""
    return Frame(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), math.atan2(b[1] - a[1], b[0] - a[0]))


def _cover(row: Sequence[Frame], length: float) -> list[Point]:
    """Points all over a row of spaces."""
    across = (-SPACE_WIDTH / 2, 0.0, SPACE_WIDTH / 2)
    along = [length * part / 8 for part in range(-4, 5)]
    return [space.at(x, y) for space in row for x in along for y in across]


def _toll(map: Map, index: int, cities: Sequence[Point], row: Sequence[Frame], blocked: np.ndarray) -> Point:
    """Between two spaces near the middle of the route; beside it, on the emptier side, if it has but one."""
    track = map.tracks[index]
    a, b = sorted((track.a, track.b))
    route = _route(cities[a], cities[b])
    if len(row) == 1:
        sides = [route.at(0, -_TOLL_ASIDE), route.at(0, _TOLL_ASIDE)]
        return min(
            sides, key=lambda side: np.count_nonzero(np.hypot(*(blocked - side).T) < 1.5 * TOLL_RADIUS)
        )
    pitch = math.dist(row[0].origin, row[1].origin)
    return route.at(0 if len(row) % 2 == 0 else pitch / 2, 0)


def _names(
    map: Map, cities: Sequence[Point], blocked: np.ndarray, tolls: Sequence[Point], box: Box
) -> tuple[Point, ...]:
    height = NAME_SIZE * 1.0
    sizes = [(text_width(city, NAME_SIZE) + 2, height) for city in map.cities]
    ring = [math.tau * step / 8 for step in range(8)]
    round_things = [(city, CITY_RADIUS) for city in cities] + [(toll, TOLL_RADIUS) for toll in tolls]
    around = [(x + r * math.cos(a), y + r * math.sin(a)) for (x, y), r in round_things for a in ring]
    inner = Box(box.x + 6, box.y + 6, box.w - 12, box.h - 12)
    boxes = place_names(cities, sizes, np.concatenate([blocked, np.array(around)]), inner)
    return tuple((place.x + 1, place.y + height * 0.82) for place in boxes)
