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
from .shapes import Box, Frame, Point

CITY_RADIUS = 6.0
NAME_SIZE = 12.5
SPACE_WIDTH = 9.5
TOLL_RADIUS = 6.0
_MARGIN = 34.0  # between the outermost cities and the edge of the box
_BESIDE = 6.6  # from the middle of a double route to the middle of each of its tracks
_GAP = 2.4  # between two spaces
_NEAR, _FAR = 14.0, 24.0  # from a city to the end of the nearest space: at least, at most
_SHORTEST = 20.0  # a space shorter than this comes nearer to the city instead
_IN_THE_WAY, _AROUND = 20.0, 32.0  # from a city to a route that passes it: bent below this, and bent to this
_MOST_BENT = 60.0
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
class Row:
    """The train spaces of one track."""

    axis: Frame  # of the route, in the middle of its spaces
    spaces: tuple[Frame, ...]  # the middle of each space
    length: float  # of each space
    way: tuple[Point, ...]  # from city to city along the middle of the route


@dataclass(frozen=True)
class Plan:
    """A board laid out: everything by the index of its city or track."""

    projection: Projection
    cities: tuple[Point, ...]
    names: tuple[Point, ...]  # start and baseline of each name
    rows: tuple[Row, ...]
    tolls: tuple[Point, ...]  # by track; the tracks of a double route share one


@functools.lru_cache(maxsize=16)
def plan(map: Map, box: Box) -> Plan:
    """The layout of a map in a box.

    >>> from ttr_env import maps
    >>> nederland = plan(maps.load("nederland"), Box(0, 0, 600, 800))
    >>> [len(nederland.rows[track].spaces) for track in (0, 2)]
    [2, 6]
    """
    projection = _fitting(map, box)
    cities = tuple(projection.at(*place) for place in _drawn_at(map))
    rows = [_row(map, index, cities) for index in range(len(map.tracks))]
    blocked = np.array([point for row in rows for point in _cover(row)])
    tolls = [_toll(row, blocked) for row in rows]
    return Plan(projection, cities, _names(map, cities, tolls, blocked, box), tuple(rows), tuple(tolls))


def shape(map: Map) -> float:
    """How many times as wide as high the map is."""
    xs, ys = zip(*(Projection().at(*place) for place in _drawn_at(map)), strict=True)
    return (max(xs) - min(xs)) / max(max(ys) - min(ys), 1e-9)


def _drawn_at(map: Map) -> list[tuple[float, float]]:
    """Latitude and longitude at which the picture shows each city."""
    moved = {spot.city: (spot.latitude, spot.longitude) for spot in map.places}
    return [moved.get(index, (city.latitude, city.longitude)) for index, city in enumerate(map.cities)]


def _fitting(map: Map, box: Box) -> Projection:
    xs, ys = zip(*(Projection().at(*place) for place in _drawn_at(map)), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    tiny = 1e-9  # all cities may lie on one line
    scale = min((box.w - 2 * _MARGIN) / max(wide, tiny), (box.h - 2 * _MARGIN) / max(high, tiny))
    left = box.x + (box.w - scale * wide) / 2 - scale * min(xs)
    top = box.y + (box.h - scale * high) / 2 - scale * min(ys)
    return Projection(scale, left, top)


def _row(map: Map, index: int, cities: Sequence[Point]) -> Row:
    """The spaces of a track, spread evenly between what its two cities keep clear."""
    track, partner = map.tracks[index], map.partners[index]
    a, b = sorted((track.a, track.b))  # both tracks of a double route look the same way
    distance = math.dist(cities[a], cities[b])
    spare = distance - _GAP * (track.length - 1)
    trims = _clearance(map, a, b, cities), _clearance(map, b, a, cities)
    excess = sum(trims) - max(spare - _SHORTEST * track.length, 2 * CITY_RADIUS)
    if excess > 0:
        trims = trims[0] - excess * trims[0] / sum(trims), trims[1] - excess * trims[1] / sum(trims)
    length = max(1.0, (spare - sum(trims)) / track.length)  # cities may lie in one spot
    route = _route(cities[a], cities[b])
    axis = Frame(route.at((trims[0] - trims[1]) / 2, 0), route.angle)
    aside = 0.0 if partner is None else _BESIDE if index > partner else -_BESIDE
    along = [(length + _GAP) * (step - (track.length - 1) / 2) for step in range(track.length)]
    bend = _bend(route, distance / 2, cities)
    if bend == 0:
        spaces = tuple(Frame(axis.at(x, aside), axis.angle) for x in along)
        return Row(axis, spaces, length, (cities[track.a], cities[track.b]))
    bow = _Bow(axis, distance / 2, bend)
    way = (cities[a], *(bow.at(x).origin for x in along), cities[b])
    frames = (bow.at(x) for x in along)
    return Row(bow.at(0), tuple(Frame(each.at(0, aside), each.angle) for each in frames), length, way)


@dataclass(frozen=True)
class _Bow:
    """A way that leaves the straight one, most in its middle."""

    axis: Frame
    half: float  # of the distance
    bend: float

    def at(self, along: float) -> Frame:
        part = along / self.half
        slope = -2 * self.bend * part / self.half
        return Frame(self.axis.at(along, self.bend * (1 - part * part)), self.axis.angle + math.atan(slope))


def _bend(route: Frame, half: float, cities: Sequence[Point]) -> float:
    """How far a route has to bend aside for a city that is not its own but lies on its way."""
    bend = 0.0
    if half < 1:  # the two cities lie in one spot
        return bend
    cos, sin = math.cos(route.angle), math.sin(route.angle)
    for x, y in cities:
        dx, dy = x - route.origin[0], y - route.origin[1]
        part, across = (dx * cos + dy * sin) / half, dy * cos - dx * sin
        if abs(part) < 0.85 and abs(across) < _IN_THE_WAY:
            needed = (_AROUND - abs(across)) / (1 - part * part)
            bend = max(bend, min(needed, _MOST_BENT), key=abs) * (-1 if across > 0 else 1)
    return bend


def _clearance(map: Map, city: int, to: int, cities: Sequence[Point]) -> float:
    """How far from a city the spaces of its route to another city begin, to keep off its other routes."""
    here = cities[city]
    ends = [track.a + track.b - city for track in map.tracks if city in (track.a, track.b)]
    own = _bearing(here, cities[to])
    needed = _NEAR
    for other in set(ends) - {to}:
        turn = abs((_bearing(here, cities[other]) - own + math.pi) % math.tau - math.pi)
        half_widths = [SPACE_WIDTH / 2 + (_BESIDE if ends.count(end) > 1 else 0) + 1 for end in (to, other)]
        needed = max(needed, sum(half_widths) / 2 / math.tan(max(turn, 0.01) / 2))
    return min(needed, _FAR)


def _bearing(a: Point, b: Point) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def _route(a: Point, b: Point) -> Frame:
    """The frame of a route: in its middle, looking from one city to the other."""
    return Frame(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), _bearing(a, b))


def _cover(row: Row) -> list[Point]:
    """Points all over a row of spaces, near enough to each other that no name fits between them."""
    along = [row.length * part for part in (-0.5, -0.25, 0.0, 0.25, 0.5)]
    return [space.at(x, y) for space in row.spaces for x in along for y in (-SPACE_WIDTH / 2, 0.0, SPACE_WIDTH / 2)]


def _toll(row: Row, blocked: np.ndarray) -> Point:
    """Between two spaces near the middle; beside a route of a single space, on the emptier side."""
    if len(row.spaces) % 2 == 0:
        return row.axis.origin
    if len(row.spaces) > 1:
        return row.axis.at((row.length + _GAP) / 2, 0)
    sides = [row.axis.at(0, -_TOLL_ASIDE), row.axis.at(0, _TOLL_ASIDE)]
    return min(sides, key=lambda side: np.count_nonzero(np.hypot(*(blocked - side).T) < 1.5 * TOLL_RADIUS))


def _names(
    map: Map, cities: Sequence[Point], tolls: Sequence[Point], blocked: np.ndarray, box: Box
) -> tuple[Point, ...]:
    sizes = [(text_width(city, NAME_SIZE) + 2, NAME_SIZE) for city in map.cities]
    circles = [(city, CITY_RADIUS + 2) for city in cities] + [(toll, TOLL_RADIUS) for toll in tolls]
    ring = [math.tau * step / 16 for step in range(16)]
    around = [(x + r * math.cos(angle), y + r * math.sin(angle)) for (x, y), r in circles for angle in ring]
    inner = Box(box.x + 6, box.y + 6, box.w - 12, box.h - 12)
    places = place_names(cities, sizes, np.concatenate([blocked, np.array(around)]), inner)
    return tuple((place.x + 1, place.y + NAME_SIZE * 0.82) for place in places)
