"""The panels that everybody can read: what happens, the cards on the table, the players."""

from __future__ import annotations

from typing import Any

from ttr_env.maps.model import CARDS

from . import palette, words
from .metrics import fit
from .palette import NEUTRAL_STYLE, SEAT_STYLES
from .scene import Box, Circle, Group, Polygon, Rect, Shape, Text
from .view import View, size
from .widgets import card, chip, heading, swatch

ROW = 45.0  # height of a player's lines
_COLUMNS = {"points": 0.42, "trains": 0.53, "cards": 0.64, "tickets": 0.76, "tolls": 0.88, "loans": 0.99}  # right ends


def header(view: View, box: Box) -> Group:
    """Which game this is, what it waits for, and what came before."""
    state = view.state
    winners = view.result["winners"] if view.result else []
    shapes: list[Shape] = [
        Text(box.x, box.y + 20, words.title(view.map, state), 22, palette.INK, bold=True),
        Text(box.right, box.y + 20, words.progress(state), 14, palette.INK, bold=True, anchor="end"),
        Text(box.x, box.y + 46, words.status(state, winners), 16, palette.INK),
    ]
    if view.last:
        last = fit(f"Last: {_lower(view.last)}", 13, box.w)
        shapes.append(Text(box.x, box.y + 66, last, 13, palette.FAINT))
    return Group(tuple(shapes))


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def supply(view: View, box: Box) -> Group:
    """The face-up row and the piles."""
    state, top = view.state, box.y + 20
    shapes: list[Shape] = [heading(box.x, box.y + 12, "Face up")]
    row = [kind for kind in CARDS for _ in range(state["face_up"][kind])]
    row_size = view.map.rules.cards.row
    for slot in range(row_size):
        x = box.x + slot * 52
        if slot < len(row):
            shapes += card(x, top, 46, 30, row[slot], "")
        else:
            shapes.append(Rect(x + 0.5, top + 0.5, 45, 29, palette.SHADE, palette.RULE, 1.0, 3))
    piles = [("deck", state["deck"]), ("discarded", state["discard"])]
    piles += [("tickets", state["ticket_pile"]), ("discarded", state["ticket_discard"])]
    left = box.x + row_size * 52 + 14
    step = (box.right - left) / len(piles)
    for index, (name, pile) in enumerate(piles):
        middle = left + step * (index + 0.5)
        shapes.append(Text(middle, box.y + 12, name, 12, palette.FAINT, anchor="middle"))
        shapes.append(Rect(middle - 23, top, 46, 30, palette.SHADE, radius=3))
        shapes.append(Text(middle, top + 20.5, str(size(pile)), 15, palette.INK, True, "middle"))
    return Group(tuple(shapes))


def players(view: View, box: Box) -> list[Group]:
    """A few lines for each player, and for the neutral one."""
    tolls = view.state["tolls"]
    columns = {name: box.x + box.w * right for name, right in _COLUMNS.items() if tolls or name not in ("tolls", "loans")}
    heads: list[Shape] = [heading(box.x, box.y + 12, "Players")]
    heads += [Text(right, box.y + 12, name, 12, palette.FAINT, anchor="end") for name, right in columns.items()]
    groups = [Group(tuple(heads))]
    for seat in range(view.state["players"]):
        row = Box(box.x, box.y + 20 + ROW * seat, box.w, ROW)
        groups.append(Group(tuple(_player(view, seat, row, columns)), f"player {seat}"))
    if view.state["neutral"] is not None:
        row = Box(box.x, box.y + 20 + ROW * view.state["players"], box.w, ROW)
        groups.append(Group(tuple(_neutral(view, row, columns)), "the neutral player"))
    return groups


def _player(view: View, seat: int, row: Box, columns: dict[str, float]) -> list[Shape]:
    facts = view.state["seats"][seat]
    shapes = _row(row, seat == view.state["player"])
    shapes += [*swatch(row.x + 8, row.y + 6, SEAT_STYLES[seat])]
    shapes.append(Text(row.x + 66, row.y + 19, f"Player {seat}", 14, palette.INK, bold=True))
    if view.state["neutral"] is not None and view.state["neutral"]["marker"] == seat:
        shapes.append(Circle(row.x + 136, row.y + 14, 8, NEUTRAL_STYLE.fill, NEUTRAL_STYLE.mark, 1.2))
        shapes.append(Text(row.x + 136, row.y + 18, NEUTRAL_STYLE.label, 10.5, palette.INK, True, "middle"))
    for name, right in columns.items():
        text = _figure(facts, name)
        shapes.append(Text(right, row.y + 19, text, 15, palette.INK, name == "points", "end"))
    whole = isinstance(facts["hand"], dict)
    shapes.append(Text(row.x + 58, row.y + 37, "hand" if whole else "known", 11, palette.FAINT, anchor="end"))
    cards = facts["hand"] if whole else facts["known"]
    for index, kind in enumerate(CARDS):
        if cards[kind]:
            known = facts["known"][kind] if whole else None
            shapes += chip(row.x + 66 + 34 * index, row.y + 25, kind, cards[kind], known)
    return shapes


def _figure(facts: dict[str, Any], name: str) -> str:
    if name == "cards":
        return str(size(facts["hand"]))
    if name == "tickets":
        offered = size(facts["offered"])
        return f"{size(facts['tickets'])}+{offered}" if offered else str(size(facts["tickets"]))
    return "?" if facts[name] is None else str(facts[name])


def _neutral(view: View, row: Box, columns: dict[str, float]) -> list[Shape]:
    neutral = view.state["neutral"]
    shapes = [*_row(row, False), *swatch(row.x + 8, row.y + 6, NEUTRAL_STYLE)]
    shapes.append(Text(row.x + 66, row.y + 19, "Neutral player", 14, palette.INK, bold=True))
    shapes.append(Text(columns["trains"], row.y + 19, str(neutral["trains"]), 15, palette.INK, anchor="end"))
    if neutral["ticket"] is not None:
        a, b = view.map.tickets[neutral["ticket"]].neutral or (0, 0)
        note = f"turned up: {view.map.cities[a]} – {view.map.cities[b]}"
    elif neutral["active"]:
        note = f"moved by player {neutral['marker']}"
    else:
        note = "out of the game"
    shapes.append(Text(row.x + 66, row.y + 37, note, 12, palette.FAINT))
    return shapes


def _row(row: Box, moving: bool) -> list[Shape]:
    """The ground of a row; the player to move stands out."""
    if not moving:
        return [Rect(row.x, row.y, row.w, row.h - 4, palette.SHADE, radius=4)]
    left, middle = row.x - 10, row.y + row.h / 2 - 2
    pointer = Polygon(((left, middle - 6), (left + 8, middle), (left, middle + 6)), palette.ACCENT)
    return [Rect(row.x + 1, row.y + 1, row.w - 2, row.h - 6, "#fff6df", palette.ACCENT, 2.0, 4), pointer]
