"""What the letters and signs of a picture mean."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ttr_env.maps.model import CARDS

from . import palette
from .metrics import text_width
from .palette import CARD_STYLES
from .patterns import block
from .plan import SPACE_WIDTH
from .shapes import Box, Frame, Group, Polygon, Rect, Text, merge
from .widgets import Sign, chip, coin, cross, ferry_symbol, label, question, ring, tick, tunnel_marks

HEIGHT = 54.0
_SIZE = 11.0
_SIGN, _TRACK, _CHIP = 14.0, 24.0, 31.0  # widths of a sign

Entry = tuple[Sign, float, str]  # a sign, how wide it is, and what it means


@functools.lru_cache(maxsize=16)
def legend(tolls: bool, tunnels: bool, ferries: bool, over: bool, box: Box) -> Group:
    """Two lines at the foot of the picture: cards, and such signs as the picture can show."""
    cards: list[Entry] = [(_square(kind), _SIGN, kind) for kind in CARDS]
    signs: list[Entry] = [(_toll, _SIGN, "toll")] if tolls else []
    signs += [(_tunnel, _TRACK, "tunnel")] if tunnels else []
    signs += [(_ferry, _SIGN, "ferry")] if ferries else []
    if over:
        signs += [(tick, _SIGN, "ticket done"), (cross, _SIGN, "ticket failed")]
    else:
        signs += [(question, _SIGN, "ticket on offer"), (ring, _SIGN, "to be done"), (tick, _SIGN, "done")]
    signs.append((_chip, _CHIP, "3 in hand, 1 known" if tunnels or ferries else "3 in hand, 1 of them known to all"))
    rule = Group((Rect(box.x, box.y, box.w, 1, palette.RULE),))
    return merge([rule, *_line(box, box.y + 18, cards), *_line(box, box.y + 41, signs)], "what the signs mean")


def _line(box: Box, y: float, entries: Sequence[Entry]) -> list[Group]:
    """Entries spread over the width of the box."""
    widths = [width + 5 + text_width(meaning, _SIZE) for _, width, meaning in entries]
    gap = (box.w - sum(widths)) / max(1, len(entries) - 1)
    groups = []
    x = box.x
    for (sign, width, meaning), whole in zip(entries, widths, strict=True):
        groups.append(sign(x + width / 2, y))
        groups.append(label(x + width + 5, y + 4, meaning, _SIZE, palette.FAINT))
        x += whole + gap
    return groups


def _square(kind: str) -> Sign:
    """A small square with the letter of a card."""

    def sign(x: float, y: float) -> Group:
        style = CARD_STYLES[kind]
        letter = Text(x, y + 3.5, style.letter, 9, style.ink, True, "middle")
        return Group((Rect(x - 6.5, y - 6.5, 13, 13, style.fill, style.edge, 1.0, 2), letter))

    return sign


def _tunnel(x: float, y: float) -> Group:
    space = Frame((x, y), 0.0)
    style = CARD_STYLES["grey"]
    body = Polygon(block(space, _TRACK - 2, SPACE_WIDTH), style.fill, style.edge)
    return Group((body, *tunnel_marks(space, _TRACK - 2, SPACE_WIDTH)))


def _ferry(x: float, y: float) -> Group:
    return Group(tuple(ferry_symbol(x, y)))


def _toll(x: float, y: float) -> Group:
    return coin(x, y, 2)


def _chip(x: float, y: float) -> Group:
    return chip(x - _CHIP / 2, y - 8, "white", 3, known=1)
