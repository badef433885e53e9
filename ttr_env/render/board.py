"""The board: land and water, tracks with their owners, tolls, and cities."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ttr_env.game.words import count, ends, owner_name
from ttr_env.maps import Map, Track

from . import palette
from .palette import CARD_STYLES, owner_style
from .patterns import block, train
from .plan import CITY_RADIUS, NAME_SIZE, SPACE_WIDTH, plan
from .shapes import Box, Circle, Group, Line, Polygon, Rect, Shape, Text, standing_for
from .widgets import coin, ferry_symbol, tunnel_marks

_AREAS = {"abroad": palette.ABROAD, "home": palette.LAND, "water": palette.SEA}
_LINES = {"river": (palette.SEA, 2.5), "border": (palette.BORDER, 1.2)}
_TRAIN_WIDTH = SPACE_WIDTH + 1.6
_CASING_WIDTH = _TRAIN_WIDTH + 3.0
_GLOW = 2.2  # around the track that was claimed last


def landscape(map: Map, box: Box) -> list[Shape]:
    """What lies behind the tracks and never changes."""
    layout = plan(map, box)
    shapes: list[Shape] = [Rect(box.x, box.y, box.w, box.h, palette.SEA if map.land else palette.LAND)]
    for outline in map.land:
        points = tuple(layout.projection.at(*point) for point in outline.points)
        if outline.kind in _AREAS:
            edge = palette.BORDER if outline.kind == "home" else None
            shapes.append(Polygon(points, _AREAS[outline.kind], edge, 1.0))
        else:
            shapes.append(Line(points, *_LINES[outline.kind]))
    for _, index in sorted({(track.a, track.b): index for index, track in enumerate(map.tracks)}.items()):
        shapes.append(Line(layout.rows[index].way, palette.BORDER, 1.6))
    return shapes


def board(
    map: Map,
    box: Box,
    owners: Sequence[int | str | None],
    tolls: bool,
    latest: int | None,
    goals: frozenset[int],
) -> list[Group]:
    """The tracks, each free or with its owner's trains, and the cities.

    Args:
        map: whose board it is.
        box: where to draw it.
        owners: by track, as in a snapshot.
        tolls: whether tolls are played with.
        latest: the track that was claimed last, to stand out.
        goals: the cities that somebody still has to reach, to stand out too.
    """
    free = [index for index, owner in enumerate(owners) if owner is None]
    groups = [_free_track(map, box, index) for index in free]
    for index, owner in enumerate(owners):
        if owner is not None:
            groups.append(_owned_track(map, box, index, owner, index == latest))
    if tolls:  # as long as the route has a free track, and once for both
        pairs = [(index, map.partners[index]) for index in free]
        shown = {index if partner is None else min(index, partner) for index, partner in pairs}
        groups += [_toll(map, box, index) for index in sorted(shown)]
    return groups + [_city(map, box, city, city in goals) for city in range(len(map.cities))]


@functools.lru_cache(maxsize=512)
def _free_track(map: Map, box: Box, index: int) -> Group:
    track, row = map.tracks[index], plan(map, box).rows[index]
    style = CARD_STYLES[track.colour]
    shapes: list[Shape] = [
        Polygon(block(space, row.length, SPACE_WIDTH), style.fill, style.edge) for space in row.spaces
    ]
    if track.tunnel:
        shapes += [mark for space in row.spaces for mark in tunnel_marks(space, row.length, SPACE_WIDTH)]
    middle = track.length // 2
    if style.letter:
        x, y = row.spaces[middle].origin
        shapes.append(Text(x, y + 3, style.letter, 8.5, style.ink, bold=True, anchor="middle"))
    others = [place for place in range(track.length) if place != middle or not style.letter]
    for place in (others if track.ferry < track.length else range(track.length))[: track.ferry]:
        shapes += ferry_symbol(*row.spaces[place].origin)
    title = f"track {index}: {ends(map, track)}, {track.length} {track.colour}{_kind(track)}"
    return standing_for(Group(tuple(shapes)), title, track=index)


def _kind(track: Track) -> str:
    """What is to be said of a track that is not plain."""
    if track.tunnel:
        return ", tunnel"
    return f", ferry with {count(track.ferry, 'locomotive')}" if track.ferry else ""


@functools.lru_cache(maxsize=2048)
def _owned_track(map: Map, box: Box, index: int, owner: int | str, latest: bool) -> Group:
    layout, style = plan(map, box), owner_style(owner)
    row, track = layout.rows[index], map.tracks[index]
    rims = [_GLOW, 0.0] if latest else [0.0]
    shapes: list[Shape] = [Line(row.way, palette.CASING, 2.4)]
    for rim in rims:
        reach = row.length / 2 + 1.6 + rim
        between = [space.origin for space in row.spaces[1:-1]] if len(row.way) > 2 else []
        tips = (row.spaces[0].at(-reach, 0), *between, row.spaces[-1].at(reach, 0))
        shapes.append(Line(tips, palette.ACCENT if rim else palette.CASING, _CASING_WIDTH + 2 * rim))
    middle = len(row.spaces) // 2
    for step, space in enumerate(row.spaces):
        shapes += train(space, row.length, _TRAIN_WIDTH, style, patterned=step != middle)
    x, y = row.spaces[middle].origin
    shapes.append(Text(x, y + 3.7, style.label, 10.5, style.mark, bold=True, anchor="middle"))
    owned = f"owned by {owner_name(owner)} ({style.name}, {style.pattern})"
    return standing_for(Group(tuple(shapes)), f"track {index}: {ends(map, track)}, {owned}", track=index)


@functools.lru_cache(maxsize=512)
def _toll(map: Map, box: Box, index: int) -> Group:
    toll = map.tracks[index].toll
    return standing_for(coin(*plan(map, box).tolls[index], toll), f"toll {toll}", toll=index)


@functools.lru_cache(maxsize=512)
def _city(map: Map, box: Box, index: int, goal: bool) -> Group:
    layout = plan(map, box)
    (x, y), (left, baseline) = layout.cities[index], layout.names[index]
    dots = [Circle(x, y, CITY_RADIUS, palette.ON_DARK, palette.CASING, 2.2)]
    if goal:
        dots = [
            Circle(x, y, CITY_RADIUS + 1.5, palette.ACCENT, palette.CASING, 1.8),
            Circle(x, y, 2.4, palette.CASING),
        ]
    name = Text(left, baseline, map.cities[index], NAME_SIZE, palette.INK, bold=True, halo=palette.PAPER)
    return standing_for(Group((*dots, name)), map.cities[index], city=index)
