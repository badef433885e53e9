"""The whole picture: which part goes where."""

from __future__ import annotations

import functools

from ttr_env.maps import Map

from . import board, holdings, palette, panels
from .scene import Box, Group, Rect, Scene
from .view import View

_WIDTH, _HEIGHT = 1200.0, 800.0
_BOARD = Box(0, 0, 648, 800)
_SIDE = Box(672, 18, 508, 766)


def compose(view: View) -> Scene:
    """The scene of a view: the board on the left, the panels on the right."""
    owners, tolls = tuple(view.state["owners"]), view.state["tolls"]
    groups = board.board(view.map, _BOARD, owners, tolls, view.latest)
    x, y, w = _SIDE.x, _SIDE.y, _SIDE.w
    groups.append(panels.header(view, Box(x, y, w, 70)))
    y += 88
    groups.append(panels.supply(view, Box(x, y, w, 50)))
    y += 68
    rows = view.state["players"] + (view.state["neutral"] is not None)
    groups += panels.players(view, Box(x, y, w, 20 + panels.ROW * rows))
    y += 20 + panels.ROW * rows + 14
    seat = view.shown
    if view.result is not None:
        height = 20 + 26 * view.state["players"]
        groups.append(holdings.scores(view, view.result, Box(x, y, w, height)))
        y += height + 14
    elif seat is not None:
        groups.append(holdings.hand(view, seat, Box(x, y, w, 52)))
        y += 52 + 18
    if seat is not None:
        groups.append(holdings.tickets(view, seat, Box(x, y, w, _SIDE.bottom - y)))
    return Scene(_WIDTH, _HEIGHT, _backdrop(view.map), tuple(groups))


@functools.lru_cache(maxsize=16)
def _backdrop(map: Map) -> Group:
    page = Rect(_BOARD.right, 0, _WIDTH - _BOARD.right, _HEIGHT, palette.PAPER)
    return Group((*board.landscape(map, _BOARD), page))
