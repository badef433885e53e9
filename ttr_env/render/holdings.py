"""What one player holds, and at the end what everybody has scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttr_env.maps.model import CARDS

from . import palette, words
from .metrics import fit
from .palette import SEAT_STYLES
from .scene import Box, Group, Rect, Shape, Text
from .view import View, connected
from .widgets import card, cross, heading, question, ring, swatch, tick

_LINE = 20.0  # height of a ticket's line
_SCORES = {  # column heads of the final scores
    "routes": "routes",
    "start": "start",
    "tickets": "tickets",
    "tickets_failed": "failed",
    "toll_bonus": "tolls",
    "loans": "loans",
    "longest_path": "path",
    "most_tickets": "most",
    "total": "total",
}


def hand(view: View, seat: int, box: Box) -> Group:
    """A player's cards, a place for each kind."""
    cards = view.state["seats"][seat]["hand"]
    step = (box.w + 6) / len(CARDS)
    shapes: list[Shape] = [heading(box.x, box.y + 12, f"Hand of player {seat}")]
    for index, kind in enumerate(CARDS):
        shapes += card(box.x + step * index, box.y + 20, step - 6, 32, kind, str(cards[kind]), cards[kind] > 0)
    return Group(tuple(shapes))


def tickets(view: View, seat: int, box: Box) -> Group:
    """A player's tickets in two columns: those on offer, those to be done, those done."""
    entries = _entries(view, seat)
    rows = max(1, int((box.h - 20) // _LINE))
    shapes: list[Shape] = [heading(box.x, box.y + 12, f"Tickets of player {seat}")]
    if len(entries) > 2 * rows:
        hidden = len(entries) - 2 * rows
        shapes.append(Text(box.right, box.y + 12, f"and {hidden} more", 12, palette.FAINT, anchor="end"))
    used = min(rows, max(4, (len(entries) + 1) // 2))
    for index, (sign, name, points) in enumerate(entries[: 2 * rows]):
        column, line = divmod(index, used)
        width = (box.w - 24) / 2
        x, y = box.x + column * (width + 24), box.y + 20 + _LINE * line
        shapes += sign(x + 7, y + 9)
        shapes.append(Text(x + 20, y + 13.5, fit(name, 13, width - 46), 13, palette.INK))
        shapes.append(Text(x + width, y + 13.5, str(points), 13, palette.INK, True, "end"))
    return Group(tuple(shapes))


Sign = Callable[[float, float], list[Shape]]


def _entries(view: View, seat: int) -> list[tuple[Sign, str, int]]:
    facts, over = view.state["seats"][seat], view.state["phase"] == "over"
    groups: dict[Sign, list[int]] = {question: facts["offered"], ring: [], cross: [], tick: []}
    for ticket in facts["tickets"]:
        done = connected(view.map, view.state["owners"], seat, view.map.tickets[ticket])
        groups[tick if done else cross if over else ring].append(ticket)
    table = view.map.tickets
    return [
        (sign, words.ticket_name(view.map, table[ticket]), table[ticket].points)
        for sign, some in groups.items()
        for ticket in some
    ]


def scores(view: View, result: dict[str, Any], box: Box) -> Group:
    """The final scores, best first, without the columns in which nobody has anything."""
    seats = result["seats"]
    names = [name for name in _SCORES if any(seat[name] for seat in seats) or name in ("routes", "tickets", "total")]
    shapes: list[Shape] = [heading(box.x, box.y + 12, "Final scores")]
    step = (box.w - 150) / len(names)
    right = [box.x + 150 - 8 + step * (index + 1) for index in range(len(names))]
    shapes += [Text(x, box.y + 12, _SCORES[name], 12, palette.FAINT, anchor="end") for name, x in zip(names, right)]
    order = sorted(range(len(seats)), key=lambda seat: (seats[seat]["rank"], seat))
    for line, seat in enumerate(order):
        y = box.y + 20 + 26 * line
        won = seat in result["winners"]
        shapes.append(Rect(box.x, y, box.w, 23, "#fff6df" if won else palette.SHADE, radius=4))
        shapes.append(Text(box.x + 8, y + 16, f"{seats[seat]['rank']}.", 13, palette.INK, won))
        shapes += swatch(box.x + 30, y + 3.5, SEAT_STYLES[seat])
        shapes.append(Text(box.x + 88, y + 16, f"Player {seat}", 13, palette.INK, won))
        for name, x in zip(names, right, strict=True):
            text = str(seats[seat][name]).replace("-", "−")
            shapes.append(Text(x, y + 16, text, 13, palette.INK, won or name == "total", "end"))
    return Group(tuple(shapes))
