"""What one player holds, and at the end what everybody has scored."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.game import words
from ttr_env.game.knowledge import View
from ttr_env.game.types import Result
from ttr_env.game.words import by_rank, points, score_columns
from ttr_env.maps.model import CARDS

from . import palette
from .metrics import fit
from .palette import CARD_STYLES, SEAT_STYLES
from .panels import name_of
from .shapes import Box, Group, merge, standing_for
from .widgets import Sign, card, cross, empty_card, ground, heading, label, question, ring, swatch, tick

HAND = 52.0  # height of a hand
_HEADS = 20.0
_TICKET = 20.0  # heights of a line
_SCORE = 26.0
_SIGNS: dict[str, Sign] = {"offered": question, "open": ring, "failed": cross, "done": tick}
_STANDINGS = {"offered": "on offer", "open": "to be done", "failed": "failed", "done": "done"}


def hand(view: View, box: Box) -> list[Group]:
    """The shown player's cards, with a place for each kind."""
    step = (box.w + 6) / len(CARDS)
    groups = [heading(box.x, box.y + 12, f"Hand of player {view.shown}")]
    for index, kind in enumerate(CARDS):
        place = Box(box.x + step * index, box.y + _HEADS, step - 6, HAND - _HEADS)
        number, letter = view.hand[kind], CARD_STYLES[kind].letter
        held = card(place, kind, number) if number else empty_card(place, letter)
        groups.append(standing_for(held, f"{number} {kind}", hand=kind, card=kind))
    return groups


def tickets(view: View, box: Box) -> list[Group]:
    """The shown player's tickets in two columns: those on offer, those to be done, those done."""
    entries = view.tickets
    most = max(1, int((box.h - _HEADS) // _TICKET))
    groups = [heading(box.x, box.y + 12, f"Tickets of player {view.shown}")]
    if len(entries) > 2 * most:
        more = f"and {len(entries) - 2 * most} more"
        groups.append(label(box.right, box.y + 12, more, 12, palette.FAINT, anchor="end"))
    lines = min(most, max(4, (len(entries) + 1) // 2))
    width = (box.w - 16) / 2
    for index, standing in enumerate(entries[: 2 * most]):
        ticket = view.map.tickets[standing.ticket]
        column, line = divmod(index, lines)
        x, y = box.x + column * (width + 16), box.y + _HEADS + _TICKET * line
        entry = [
            _SIGNS[standing.how](x + 7, y + 9),
            label(x + 20, y + 13.5, fit(words.ends(view.map, ticket), 12.5, width - 42), 12.5),
            label(x + width, y + 13.5, str(ticket.points), 12.5, bold=True, anchor="end"),
        ]
        title = f"{words.ticket_name(view.map, standing.ticket)}, {_STANDINGS[standing.how]}"
        groups.append(standing_for(merge(entry), title, ticket=standing.ticket))
    return groups


def scores_height(view: View) -> float:
    """How much room `scores` takes."""
    return _HEADS + _SCORE * view.state["players"]


def scores(result: Result, box: Box, names: Sequence[str] = ()) -> list[Group]:
    """The final scores, best first, without the columns in which nobody has anything."""
    seats, columns = result["seats"], score_columns(result)
    step = (box.w - 150) / len(columns)
    right = {name: box.x + 142 + step * (index + 1) for index, name in enumerate(columns)}
    groups = [heading(box.x, box.y + 12, "Final scores")]
    for name, x in right.items():
        groups.append(label(x, box.y + 12, words.HEADINGS[name], 12, palette.FAINT, anchor="end"))
    for line, seat in enumerate(by_rank(result)):
        y, won = box.y + _HEADS + _SCORE * line, seat in result["winners"]
        groups.append(ground(Box(box.x, y, box.w, _SCORE - 3), marked=won))
        groups.append(label(box.x + 8, y + 16, f"{seats[seat]['rank']}.", 13, bold=won))
        groups.append(swatch(box.x + 30, y + 3.5, SEAT_STYLES[seat]))
        groups.append(label(box.x + 88, y + 16, fit(name_of(seat, names), 13, 54 + step - 34), 13, bold=won))
        for name, x in right.items():
            figure = str(points(seats[seat], name)).replace("-", "\u2212")
            groups.append(label(x, y + 16, figure, 13, bold=won or name == "total", anchor="end"))
    return groups
