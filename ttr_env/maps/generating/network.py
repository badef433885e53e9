"""Where the cities of a board lie, and which of them have a route: no crossings, and room for train spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .chance import Chance
from .geometry import Edge, Point, cross, is_narrow, is_near, squared

_SHAPES = ((1000, 1000), (1120, 893), (1250, 800), (893, 1120), (800, 1250))  # width and height, of equal area
_CANDIDATES = 6  # for the place of a city: of so many the loneliest; more of them make boards more even, and duller
_APART = 64  # least distance of two cities, in hundredths of their mean spacing
_CLEAR = 30  # least distance of a route from other cities, likewise
_FARTHEST = 260  # longest route, likewise
_WIDE, _TIGHT = 50, 25  # least tangent of the angle of two routes at a city, in hundredths: usually, and if need be
_ROUTES_A_CITY = 18  # tenths


@dataclass(frozen=True)
class Network:
    """Places of cities, and routes between them as pairs of places."""

    points: tuple[Point, ...]
    edges: tuple[Edge, ...]  # sorted
    spacing: int  # the mean distance of neighbours: the root of the area for each city


def make_network(chance: Chance, cities: int, most_routes: int) -> Network:
    """A planar network of so many cities, with at most so many routes unless it takes more to connect all."""
    width, height = chance.pick(_SHAPES)
    spacing = math.isqrt(width * height // cities)
    points = _scatter(chance, cities, width, height, spacing * _APART // 100)
    edges = _all_routes(points, spacing)
    wanted = min(most_routes, cities * _ROUTES_A_CITY // 10)
    return Network(tuple(points), tuple(_thinned(chance, edges, cities, wanted)), spacing)


def _scatter(chance: Chance, cities: int, width: int, height: int, apart: int) -> list[Point]:
    """Random places, none too close to another."""
    points: list[Point] = []
    while len(points) < cities:
        candidates = [(chance.below(width), chance.below(height)) for _ in range(_CANDIDATES)]
        room, best = max(
            (min((squared(spot, point) for point in points), default=1 << 40), spot) for spot in candidates
        )
        if room >= apart * apart:
            points.append(best)
        else:
            apart = apart * 99 // 100  # where the board is full, cities move closer
    return points


def _all_routes(points: Sequence[Point], spacing: int) -> list[Edge]:
    """As many routes as fit: first those that connect all cities with the least track, then the shortest."""
    pairs = sorted((squared(points[a], points[b]), a, b) for a in range(len(points)) for b in range(a + 1, len(points)))
    by_length = [(a, b) for _, a, b in pairs]
    edges = _spanning_tree(by_length, len(points))
    near = [(a, b) for a, b in by_length if 100 * 100 * squared(points[a], points[b]) < (_FARTHEST * spacing) ** 2]
    clear = spacing * _CLEAR // 100
    for edge in near:
        if edge not in edges and _fits(edge, edges, points, clear, _WIDE):
            edges.append(edge)
    for edge in by_length:  # a city with a single route is a dead end
        lonely = any(sum(end in other for other in edges) < 2 for end in edge)
        if lonely and edge not in edges and _fits(edge, edges, points, clear // 2, _TIGHT):
            edges.append(edge)
    return edges


def _spanning_tree(by_length: Sequence[Edge], cities: int) -> list[Edge]:
    """Kruskal's: planar, and nowhere narrower than 60 degrees."""
    group = list(range(cities))
    tree = []
    for a, b in by_length:
        if group[a] != group[b]:
            old, new = group[a], group[b]
            group = [new if each == old else each for each in group]
            tree.append((a, b))
    return tree


def _fits(edge: Edge, edges: Sequence[Edge], points: Sequence[Point], clear: int, slope: int) -> bool:
    """Whether a route crosses no other, passes no city too closely, and leaves its own at a decent angle."""
    p, q = points[edge[0]], points[edge[1]]
    if any(is_near(point, p, q, clear) for index, point in enumerate(points) if index not in edge):
        return False
    for other in edges:
        shared = set(edge) & set(other)
        if not shared:
            if cross(p, q, points[other[0]], points[other[1]]):
                return False
            continue
        corner = shared.pop()
        ends = points[sum(edge) - corner], points[sum(other) - corner]
        if is_narrow(points[corner], *ends, slope):
            return False
    return True


def _thinned(chance: Chance, edges: Sequence[Edge], cities: int, wanted: int) -> list[Edge]:
    """Fewer routes, taken away at random where that cuts nobody off: no route becomes the only way to somewhere."""
    kept = sorted(edges)
    only_ways = len(_bridges(kept, cities))
    for edge in chance.shuffled(kept):
        if len(kept) <= wanted:
            break
        rest = [other for other in kept if other != edge]
        if all(sum(end in other for other in rest) > 1 for end in edge) and len(_bridges(rest, cities)) <= only_ways:
            kept = rest
    return kept


def _bridges(edges: Sequence[Edge], cities: int) -> list[Edge]:
    """The routes without which a connected network falls apart (Tarjan's low links)."""
    neighbours: list[list[int]] = [[] for _ in range(cities)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    order = [-1] * cities
    low = [0] * cities
    found: list[Edge] = []
    counter = 0

    def visit(city: int, came_from: int) -> None:
        nonlocal counter
        order[city] = low[city] = counter
        counter += 1
        for other in neighbours[city]:
            if other == came_from:
                continue
            if order[other] < 0:
                visit(other, city)
                if low[other] > order[city]:
                    found.append((min(city, other), max(city, other)))
            low[city] = min(low[city], low[other])

    visit(0, -1)
    if counter < cities:
        found += [(-1, -1)] * len(edges)  # already in pieces: worse than any bridge
    return found
