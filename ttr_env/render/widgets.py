"""Small things that the panels are made of."""

from __future__ import annotations

from . import palette
from .metrics import text_width
from .palette import CARD_STYLES, OwnerStyle
from .patterns import train
from .scene import Circle, Frame, Line, Rect, Shape, Text
from ttr_env.maps.model import COLOURS, LOCOMOTIVE


def heading(x: float, y: float, text: str) -> Text:
    """The title of a panel."""
    return Text(x, y, text, 12, palette.FAINT, bold=True)


def card(x: float, y: float, w: float, h: float, kind: str, label: str, held: bool = True) -> list[Shape]:
    """A card face up, with the letter of its colour and a label beside it; pale if there is none of it."""
    style = CARD_STYLES[kind]
    if not held:
        shapes: list[Shape] = [Rect(x + 0.5, y + 0.5, w - 1, h - 1, palette.SHADE, palette.RULE, 1.0, 3)]
        return [*shapes, Text(x + w / 2, y + h / 2 + 4.5, style.letter, 13, palette.RULE, True, "middle")]
    shapes = [Rect(x + 0.5, y + 0.5, w - 1, h - 1, style.fill, style.edge, 1.0, 3)]
    if kind == LOCOMOTIVE:
        shapes += _rainbow(x + 1, y + h - 8, w - 2, 6)
    middle = y + h / 2 + (4.5 if kind != LOCOMOTIVE else 1.5)
    if not label:
        return [*shapes, Text(x + w / 2, middle, style.letter, 13, style.ink, True, "middle")]
    wide = text_width(style.letter, 11) + text_width(label, 14) + 5
    left = x + (w - wide) / 2
    shapes.append(Text(left, middle, style.letter, 11, style.ink))
    shapes.append(Text(left + wide, middle, label, 14, style.ink, True, "end"))
    return shapes


def _rainbow(x: float, y: float, w: float, h: float) -> list[Shape]:
    """A locomotive stands for any colour."""
    step = w / len(COLOURS)
    return [
        Rect(x + step * index, y, step, h, CARD_STYLES[colour].fill) for index, colour in enumerate(COLOURS)
    ]


def chip(x: float, y: float, kind: str, number: int, known: int | None) -> list[Shape]:
    """A few cards of a kind, small; `known` is how many of them everybody knows of, if that is to be told."""
    style = CARD_STYLES[kind]
    shapes: list[Shape] = [
        Rect(x + 0.5, y + 0.5, 29, 15, style.fill, style.edge, 1.0, 3),
        Text(x + 4, y + 12, style.letter, 9, style.ink),
        Text(x + (15 if known else 18), y + 12, str(number), 11, style.ink, True, "middle" if number < 10 else "middle"),
    ]
    if known:
        shapes.append(Text(x + 27, y + 8, str(known), 7.5, style.ink, True, "end"))
    return shapes


def swatch(x: float, y: float, style: OwnerStyle) -> list[Shape]:
    """Two trains of a player, as they stand on the board: one with the pattern, one with the label."""
    left, right = Frame((x + 13, y + 8), 0.0), Frame((x + 37, y + 8), 0.0)
    return [
        Rect(x, y, 50, 16, palette.CASING, radius=2),
        *train(left, 22, 12, style),
        *train(right, 22, 12, style, patterned=False),
        Text(x + 37, y + 12, style.label, 11, style.mark, True, "middle"),
    ]


def tick(x: float, y: float) -> list[Shape]:
    """A ticket that is done."""
    mark = ((x - 3, y), (x - 0.8, y + 2.6), (x + 3.4, y - 2.8))
    return [Circle(x, y, 6.5, palette.DONE), Line(mark, palette.PAPER, 1.8)]


def cross(x: float, y: float) -> list[Shape]:
    """A ticket that has failed."""
    strokes = ((x - 2.6, y - 2.6), (x + 2.6, y + 2.6)), ((x - 2.6, y + 2.6), (x + 2.6, y - 2.6))
    return [Circle(x, y, 6.5, palette.FAILED), *(Line(stroke, palette.PAPER, 1.8) for stroke in strokes)]


def ring(x: float, y: float) -> list[Shape]:
    """A ticket still to be done."""
    return [Circle(x, y, 5.6, palette.PAPER, palette.FAINT, 1.6)]


def question(x: float, y: float) -> list[Shape]:
    """A ticket on offer."""
    return [Circle(x, y, 6.5, palette.ACCENT), Text(x, y + 3.8, "?", 11, palette.INK, True, "middle")]
