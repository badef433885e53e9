"""Small things that the panels are made of."""

from __future__ import annotations

from collections.abc import Callable

from ttr_env.maps.model import COLOURS, LOCOMOTIVE

from . import palette
from .metrics import text_width
from .palette import CARD_STYLES, OwnerStyle
from .patterns import train
from .plan import TOLL_RADIUS
from .shapes import Box, Circle, Frame, Group, Line, Rect, Shape, Text

Sign = Callable[[float, float], Group]  # drawn around a point


def label(
    x: float, y: float, text: str, size: float, colour: str = palette.INK, bold: bool = False, anchor: str = "start"
) -> Group:
    """A text that stands by itself."""
    return Group((Text(x, y, text, size, colour, bold, anchor),))


def heading(x: float, y: float, text: str) -> Group:
    """The title of a panel."""
    return label(x, y, text, 12, palette.FAINT, bold=True)


def ground(box: Box, marked: bool = False) -> Group:
    """What a line of a panel stands on."""
    return Group((Rect(box.x, box.y, box.w, box.h, palette.GLOW if marked else palette.SHADE, radius=4),))


def empty_card(box: Box, letter: str = "") -> Group:
    """The place of a card that is not there."""
    place = Rect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, palette.SHADE, palette.RULE, 1.0, 3)
    return Group((place, Text(*_middle(box), letter, 13, palette.RULE, True, "middle")))


def card(box: Box, kind: str, number: int | None = None) -> Group:
    """A card face up with the letter of its colour, and perhaps how many of it there are."""
    style = CARD_STYLES[kind]
    x, y = _middle(box)
    face: list[Shape] = [Rect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, style.fill, style.edge, 1.0, 3)]
    if kind == LOCOMOTIVE:
        face += _rainbow(Box(box.x + 2, box.bottom - 8, box.w - 4, 6))
        y -= 3
    if number is None:
        return Group((*face, Text(x, y, style.letter, 13, style.ink, True, "middle")))
    wide = text_width(style.letter, 11) + 5 + text_width(str(number), 14)
    letter = Text(x - wide / 2, y, style.letter, 11, style.ink)
    return Group((*face, letter, Text(x + wide / 2, y, str(number), 14, style.ink, True, "end")))


def _middle(box: Box) -> tuple[float, float]:
    """The middle of a card, and the baseline of a text there."""
    return box.x + box.w / 2, box.y + box.h / 2 + 4.5


def _rainbow(box: Box) -> list[Shape]:
    """A locomotive stands for any colour."""
    step = box.w / len(COLOURS)
    return [
        Rect(box.x + step * index, box.y, step, box.h, CARD_STYLES[colour].fill) for index, colour in enumerate(COLOURS)
    ]


def chip(x: float, y: float, kind: str, number: int, known: int = 0) -> Group:
    """A few cards of a kind, small; `known`, smaller still, is how many of them everybody knows of."""
    style = CARD_STYLES[kind]
    shapes: list[Shape] = [
        Rect(x + 0.5, y + 0.5, 30, 15, style.fill, style.edge, 1.0, 3),
        Text(x + 4, y + 12, style.letter, 9, style.ink),
        Text(x + (17 if known else 20), y + 12, str(number), 11, style.ink, True, "middle"),
    ]
    if known:
        shapes.append(Text(x + 29, y + 8, str(known), 7.5, style.ink, True, "end"))
    return Group(tuple(shapes))


def swatch(x: float, y: float, style: OwnerStyle) -> Group:
    """Two trains of a player, as they stand on the board: one with the pattern, one with the label."""
    left, right = Frame((x + 13, y + 8), 0.0), Frame((x + 37, y + 8), 0.0)
    trains = [*train(left, 22, 12, style), *train(right, 22, 12, style, patterned=False)]
    name = Text(x + 37, y + 12, style.label, 11, style.mark, True, "middle")
    return Group((Rect(x, y, 50, 16, palette.CASING, radius=2), *trains, name))


def tick(x: float, y: float) -> Group:
    """A ticket that is done."""
    mark = ((x - 3, y), (x - 0.8, y + 2.6), (x + 3.4, y - 2.8))
    return Group((Circle(x, y, 6.5, palette.DONE), Line(mark, palette.ON_DARK, 1.8)))


def cross(x: float, y: float) -> Group:
    """A ticket that has failed."""
    strokes = ((x - 2.6, y - 2.6), (x + 2.6, y + 2.6)), ((x - 2.6, y + 2.6), (x + 2.6, y - 2.6))
    return Group((Circle(x, y, 6.5, palette.FAILED), *(Line(stroke, palette.ON_DARK, 1.8) for stroke in strokes)))


def ring(x: float, y: float) -> Group:
    """A ticket still to be done."""
    return Group((Circle(x, y, 5.8, palette.ACCENT, palette.CASING, 1.4), Circle(x, y, 1.8, palette.CASING)))


def question(x: float, y: float) -> Group:
    """A ticket on offer."""
    return Group((Circle(x, y, 6.5, palette.INK), Text(x, y + 3.9, "?", 11, palette.PAPER, True, "middle")))


def coin(x: float, y: float, toll: int) -> Group:
    """The toll of a route."""
    rim = Circle(x, y, TOLL_RADIUS, palette.PAPER, palette.INK)
    figure = Text(x, y + 3.2, str(toll), 9, palette.INK, True, "middle")
    return Group((rim, figure))


def ferry_symbol(x: float, y: float) -> list[Shape]:
    """A space of a ferry that wants a locomotive (S5)."""
    letter = Text(x, y + 2.7, CARD_STYLES[LOCOMOTIVE].letter, 7.5, palette.INK, True, "middle")
    return [Circle(x, y, 4.6, palette.PAPER, palette.INK, 0.9), letter]


def tunnel_marks(space: Frame, length: float, width: float) -> list[Shape]:
    """Teeth along both sides of a space in a tunnel (S6)."""
    inner, outer = width / 2 - 0.5, width / 2 + 2.6
    steps = max(2, round(length / 6))
    places = [length * ((step + 0.5) / steps - 0.5) for step in range(steps)]
    return [
        Line((space.at(x, side * inner), space.at(x, side * outer)), palette.INK, 1.7)
        for x in places
        for side in (-1, 1)
    ]
