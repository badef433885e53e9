"""The panels that everybody can read: what happens, the cards on the table, the players."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.game import words
from ttr_env.game.knowledge import View, seen_cards
from ttr_env.game.types import Neutral
from ttr_env.game.words import figure, size
from ttr_env.maps.model import CARDS

from . import palette
from .metrics import fit
from .palette import NEUTRAL_STYLE, SEAT_STYLES
from .shapes import Box, Circle, Group, Polygon, Rect, Text, merge, standing_for
from .widgets import card, chip, empty_card, ground, heading, label, swatch

HEADER = 70.0  # heights of the panels
SUPPLY = 50.0
_HEADS = 20.0
_ROW = 48.0
_COLUMNS = {"points": 0.42, "trains": 0.53, "cards": 0.64, "tickets": 0.76, "tolls": 0.87, "loans": 0.98}  # right edges


def header(view: View, box: Box) -> list[Group]:
    """Which game this is, what it waits for, and what came before."""
    winners = view.result["winners"] if view.result else []
    groups = [
        label(box.x, box.y + 20, words.title(view.map, view.state), 22, bold=True),
        label(box.right, box.y + 20, words.progress(view.state), 15, bold=True, anchor="end"),
        label(box.x, box.y + 46, words.status(view.state, winners), 16),
    ]
    pending = view.state["pending"]
    note = words.pending_note(view.map, pending) if pending else f"Last: {view.last}" if view.last else ""
    if note:
        groups.append(label(box.x, box.y + 66, fit(note, 13, box.w), 13, palette.FAINT))
    return groups


def supply(view: View, box: Box) -> list[Group]:
    """The face-up row and the piles."""
    state, top, places = view.state, box.y + _HEADS, view.map.rules.cards.row
    row = [kind for kind in CARDS for _ in range(state["face_up"][kind])]
    slots = [Box(box.x + 52 * place, top, 46, 30) for place in range(places)]
    groups = [heading(box.x, box.y + 12, "Face up")]
    for place, (slot, kind) in enumerate(zip(slots, row, strict=False)):
        groups.append(standing_for(card(slot, kind), f"{kind}, face up", slot=place, card=kind))
    groups += [empty_card(slot) for slot in slots[len(row) :]]
    piles = {
        "deck": size(state["deck"]),
        "used": size(state["discard"]),
        "tickets": size(state["ticket_pile"]),
        "refused": size(state["ticket_discard"]),
    }
    step = (box.w - 52 * places) / len(piles)
    for index, (name, number) in enumerate(piles.items()):
        x = box.right - step * (len(piles) - 1 - index) - 46
        groups.append(_pile(Box(x, box.y, 46, SUPPLY), name, number))
    return groups


def _pile(box: Box, name: str, number: int) -> Group:
    """A pile, with its name above it."""
    middle, place = box.x + box.w / 2, Box(box.x, box.y + _HEADS, box.w, box.h - _HEADS)
    above = label(middle, box.y + 12, name, 12, palette.FAINT, anchor="middle")
    total = label(middle, place.y + 20.5, str(number), 15, bold=True, anchor="middle")
    return standing_for(merge([above, ground(place), total]), f"{name}: {number}", pile=name)


def players_height(view: View) -> float:
    """How much room `players` takes."""
    return _HEADS + _ROW * (view.state["players"] + (view.state["neutral"] is not None))


def name_of(seat: int, names: Sequence[str]) -> str:
    """What a player is called beside its colour, which has the seat's number on it.

    >>> name_of(1, ()), name_of(1, ["racer", "planner"])
    ('Player 1', 'planner')
    """
    return names[seat] if names else f"Player {seat}"


def players(view: View, box: Box, names: Sequence[str] = ()) -> list[Group]:
    """Two lines for each player, and for the neutral one."""
    absent = () if view.state["tolls"] else ("tolls", "loans")
    columns = {name: box.x + box.w * right for name, right in _COLUMNS.items() if name not in absent}
    groups = [heading(box.x, box.y + 12, "Players")]
    groups += [label(right, box.y + 12, name, 12, palette.FAINT, anchor="end") for name, right in columns.items()]
    count = view.state["players"]
    rows = [Box(box.x, box.y + _HEADS + _ROW * line, box.w, _ROW - 4) for line in range(count + 1)]
    for seat in range(count):
        groups += _player(view, seat, rows[seat], columns, name_of(seat, names))
    if view.state["neutral"] is not None:
        groups += _neutral(view, view.state["neutral"], rows[count], columns)
    return groups


def _player(view: View, seat: int, row: Box, columns: dict[str, float], name: str) -> list[Group]:
    facts, neutral = view.state["seats"][seat], view.state["neutral"]
    marked = neutral is not None and neutral["marker"] == seat
    room = 60 if marked else columns["points"] - row.x - 66 - 36
    groups = [_highlight(row) if seat == view.state["player"] else ground(row)]
    who = [
        swatch(row.x + 8, row.y + 6, SEAT_STYLES[seat]),
        label(row.x + 66, row.y + 19, fit(name, 14, room), 14, bold=True),
    ]
    groups.append(standing_for(merge(who), f"player {seat}", seat=seat))
    if marked:
        groups.append(_marker(row.x + 136, row.y + 14))
    for name, right in columns.items():
        groups.append(label(right, row.y + 19, figure(facts, name), 15, bold=name == "points", anchor="end"))
    which, cards = seen_cards(facts)
    groups.append(label(row.x + 58, row.y + 36, which, 11, palette.FAINT, anchor="end"))
    for index, kind in enumerate(CARDS):
        if cards[kind]:
            known = facts["known"][kind] if which == "hand" else 0
            groups.append(chip(row.x + 66 + 35 * index, row.y + 24, kind, cards[kind], known))
    return groups


def _neutral(view: View, neutral: Neutral, row: Box, columns: dict[str, float]) -> list[Group]:
    return [
        ground(row),
        swatch(row.x + 8, row.y + 6, NEUTRAL_STYLE),
        label(row.x + 66, row.y + 19, "Neutral player", 14, bold=True),
        label(columns["trains"], row.y + 19, str(neutral["trains"]), 15, anchor="end"),
        label(row.x + 66, row.y + 36, words.neutral_note(view.map, neutral), 12, palette.FAINT),
    ]


def _marker(x: float, y: float) -> Group:
    """The marker of the player who moves the neutral one."""
    disc = Circle(x, y, 8, NEUTRAL_STYLE.fill, NEUTRAL_STYLE.mark, 1.2)
    letter = Text(x, y + 3.8, NEUTRAL_STYLE.label, 10.5, palette.INK, True, "middle")
    return Group((disc, letter), "moves the neutral player")


def _highlight(row: Box) -> Group:
    """What the line of the player to move stands on."""
    left, middle = row.x - 11, row.y + row.h / 2
    pointer = Polygon(((left, middle - 6), (left + 8, middle), (left, middle + 6)), palette.ACCENT)
    frame = Rect(row.x + 1, row.y + 1, row.w - 2, row.h - 2, palette.GLOW, palette.ACCENT, 2.0, 4)
    return Group((frame, pointer), "to move")
