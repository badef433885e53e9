"""The whole picture: which part goes where."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from ttr_env.game.knowledge import View
from ttr_env.maps import Map

from . import board, holdings, palette, panels
from .legend import HEIGHT, legend
from .plan import shape
from .shapes import Box, Group, Rect, Scene

_WIDTH = 1200.0
_GAP = 17.0  # between panels


@dataclass
class _Column:
    """Room for panels, used up from the top."""

    x: float
    y: float
    w: float
    bottom: float

    def take(self, height: float) -> Box:
        box = Box(self.x, self.y, self.w, height)
        self.y += height + _GAP
        return box


def compose(view: View, names: Sequence[str] = ()) -> Scene:
    """The scene of a view, with the players' names where they are given.

    A board that is higher than wide stands beside a column of panels, a wide one lies above two of them.
    """
    ground = _ground(view.map)
    if ground.right < _WIDTH:
        height = 800.0
        story = people = _Column(672, 18, 508, 788)
        panels_at = [Box(648, 0, 552, 800)]
    else:
        height = 1160.0
        story, people = _Column(20, 738, 560, 1148), _Column(640, 738, 540, 1148)
        panels_at = [Box(0, 720, 600, 440), Box(620, 720, 580, 440)]
    groups = [*_board(view, ground), *_panels(view, names, story, people)]
    return Scene(_WIDTH, height, _backdrop(view.map, ground, height), tuple(groups), (ground, *panels_at))


def compose_board(view: View) -> Scene:
    """The scene of a view without its panels: the same board, alone."""
    ground = _ground(view.map)
    return Scene(ground.w, ground.h, _landscape(view.map, ground), tuple(_board(view, ground)))


def compose_empty(map: Map) -> Scene:
    """The scene of a board before anything is claimed."""
    ground = _ground(map)
    groups = board.board(map, ground, [None] * len(map.tracks), False, None, frozenset())
    return Scene(ground.w, ground.h, _landscape(map, ground), tuple(groups))


def _ground(map: Map) -> Box:
    """Where the board is drawn."""
    return Box(0, 0, 648, 800) if shape(map) < 1.2 else Box(0, 0, _WIDTH, 720)


def _board(view: View, ground: Box) -> list[Group]:
    owners = tuple(view.state["owners"])
    return board.board(view.map, ground, owners, view.state["tolls"], view.latest, _goals(view))


def _panels(view: View, names: Sequence[str], story: _Column, people: _Column) -> list[Group]:
    people.bottom -= HEIGHT
    foot = Box(people.x, people.bottom, people.w, HEIGHT)
    tracks = view.map.tracks
    tunnels, ferries = any(track.tunnel for track in tracks), any(track.ferry for track in tracks)
    groups = [legend(view.state["tolls"], tunnels, ferries, view.result is not None, foot)]
    groups += panels.header(view, story.take(panels.HEADER))
    groups += panels.supply(view, story.take(panels.SUPPLY))
    groups += panels.players(view, people.take(panels.players_height(view)), names)
    if view.result is not None:
        groups += holdings.scores(view.result, story.take(holdings.scores_height(view)), names)
    else:
        groups += holdings.hand(view, story.take(holdings.HAND))
    groups += holdings.tickets(view, story.take(story.bottom - story.y))
    return groups


def _goals(view: View) -> frozenset[int]:
    """The cities that the shown player has yet to connect."""
    todo = [view.map.tickets[standing.ticket] for standing in view.tickets if standing.how == "open"]
    return frozenset(city for ticket in todo for city in (ticket.a, ticket.b))


@functools.lru_cache(maxsize=16)
def _backdrop(map: Map, ground: Box, height: float) -> Group:
    paper = Rect(0, ground.bottom, _WIDTH, height - ground.bottom, palette.PAPER)
    if ground.right < _WIDTH:
        paper = Rect(ground.right, 0, _WIDTH - ground.right, height, palette.PAPER)
    return Group((*board.landscape(map, ground), paper))


@functools.lru_cache(maxsize=16)
def _landscape(map: Map, ground: Box) -> Group:
    return Group(tuple(board.landscape(map, ground)))
