"""The board: land and water, tracks with their owners, tolls, and cities."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ttr_env.maps import Map

from . import palette
from .land import outlines
from .palette import CARD_STYLES, owner_style
from .patterns import block, train
from .plan import CITY_RADIUS, NAME_SIZE, SPACE_WIDTH, TOLL_RADIUS, Plan, plan
from .scene import Box, Circle, Group, Line, Point, Polygon, Rect, Shape, Text
from .words import route_name

_AREAS = {"abroad": palette.ABROAD, "home": palette.LAND, "water": palette.SEA}
_LINES = {"river": (palette.SEA, 2.5), "border": (palette.BORDER, 1.2)}
_CASING_WIDTH = SPACE_WIDTH + 4.6
_TRAIN_WIDTH = SPACE_WIDTH + 1.6


def landscape(map: Map, box: Box) -> list[Shape]:
    """What lies behind the board."""
    shapes: list[Shape] = []
    known = outlines(map.name)
    shapes.append(Rect(box.x, box.y, box.w, box.h, palette.SEA if known else palette.LAND))
    at = plan(map, box).projection.at
    for outline in known:
        points = tuple(at(*point) for point in outline.points)
        if outline.kind in _AREAS:
            edge = palette.BORDER if outline.kind == "home" else None
            shapes.append(Polygon(points, _AREAS[outline.kind], edge, 1.0))
        else:
            shapes.append(Line(points, *_LINES[outline.kind]))
    return shapes


def board(
    map: Map, box: Box, owners: Sequence[int | str | None], tolls: bool, latest: int | None
) -> list[Group]:
    """The tracks, each free or with its owner's trains, and the cities; `latest` is the track claimed last."""
    free = [index for index, owner in enumerate(owners) if owner is None]
    groups = [_free_track(map, box, index) for index in free]
    owned = [(index, owner) for index, owner in enumerate(owners) if owner is not None]
    groups += [_owned_track(map, box, index, owner, index == latest) for index, owner in owned]
    if tolls:
        # A toll is shown as long as somebody can still pay it, and once for both tracks of a double route.
        groups += [
            _toll(map, box, index) for index in free if map.partners[index] not in free[: free.index(index)]
        ]
    return groups + [_city(map, box, city) for city in range(len(map.cities))]


@functools.lru_cache(maxsize=512)
def _free_track(map: Map, box: Box, index: int) -> Group:
    track, layout = map.tracks[index], plan(map, box)
    style = CARD_STYLES[track.colour]
    length = layout.space_length[index]
    shapes: list[Shape] = [
        Polygon(block(space, length, SPACE_WIDTH), style.fill, style.edge, 1.0)
        for space in layout.spaces[index]
    ]
    if style.letter:
        x, y = layout.spaces[index][track.length // 2].origin
        shapes.append(Text(x, y + 3, style.letter, 8.5, style.ink, bold=True, anchor="middle"))
    return Group(tuple(shapes), f"track {index}: {route_name(map, index)}, {track.length} {track.colour}")


@functools.lru_cache(maxsize=2048)
def _owned_track(map: Map, box: Box, index: int, owner: int | str, latest: bool) -> Group:
    layout, style = plan(map, box), owner_style(owner)
    spaces, length = layout.spaces[index], layout.space_length[index]
    ends = spaces[0].at(-length / 2 - 2.3, 0), spaces[-1].at(length / 2 + 2.3, 0)
    shapes: list[Shape] = []
    if latest:
        glow = spaces[0].at(-length / 2 - 4.5, 0), spaces[-1].at(length / 2 + 4.5, 0)
        shapes.append(Line(glow, palette.ACCENT, _CASING_WIDTH + 4.4))
    shapes.append(Line(ends, palette.CASING, _CASING_WIDTH))
    middle = len(spaces) // 2
    for step, space in enumerate(spaces):
        shapes += train(space, length, _TRAIN_WIDTH, style, patterned=step != middle)
    x, y = spaces[middle].origin
    shapes.append(Text(x, y + 3.6, style.label, 10.5, style.mark, bold=True, anchor="middle"))
    who = "the neutral player" if owner == "neutral" else f"player {owner}"
    return Group(tuple(shapes), f"track {index}: {route_name(map, index)}, owned by {who} ({style.pattern})")


@functools.lru_cache(maxsize=512)
def _toll(map: Map, box: Box, index: int) -> Group:
    x, y = plan(map, box).tolls[index]
    toll = map.tracks[index].toll
    coin = Circle(x, y, TOLL_RADIUS, palette.PAPER, palette.INK, 1.0)
    return Group(
        (coin, Text(x, y + 3.2, str(toll), 9, palette.INK, bold=True, anchor="middle")), f"toll {toll}"
    )


@functools.lru_cache(maxsize=512)
def _city(map: Map, box: Box, index: int) -> Group:
    layout = plan(map, box)
    (x, y), (left, baseline) = layout.cities[index], layout.names[index]
    dot = Circle(x, y, CITY_RADIUS, palette.PAPER, palette.CASING, 2.2)
    name = Text(left, baseline, map.cities[index], NAME_SIZE, palette.INK, bold=True, halo=palette.PAPER)
    return Group((dot, name), map.cities[index])
