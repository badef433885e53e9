"""Colours, and the second sign beside each of them: a letter for a card, a pattern for a player.

Nothing in a picture is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from ttr_env.maps.model import GREY, LOCOMOTIVE

INK = "#22303c"
FAINT = "#6b7884"
RULE = "#d9dee2"
PAPER = "#fefefe"
SHADE = "#f4f6f7"
SEA = "#dbe8ef"
LAND = "#fbf9f3"
ABROAD = "#efebe0"
BORDER = "#cdc5b3"
CASING = "#1d262e"
ACCENT = "#ffb000"  # what matters now
GLOW = "#fff6df"  # a pale ground of the same hue
DONE = "#2e7d4f"
FAILED = "#b3382c"
ON_LIGHT = "#212f3b"  # letters and marks on what stays as light, or as dark, by day and night
ON_DARK = "#ffffff"
_BLACK_EDGE = "#22272c"

NIGHT = {  # what else the colours of paper, land and letters are where the reader's system is dark
    INK: "#e6ebef",
    FAINT: "#a3b0ba",
    RULE: "#4a5863",
    PAPER: "#1c242b",
    SHADE: "#27323b",
    SEA: "#16212a",
    LAND: "#2d373f",
    ABROAD: "#242c33",
    BORDER: "#56636d",
    GLOW: "#453815",
    CASING: "#05080a",
    _BLACK_EDGE: "#98a4ad",
}


@dataclass(frozen=True)
class CardStyle:
    """How a card, and the free track of its colour, looks."""

    fill: str
    edge: str
    ink: str
    letter: str


CARD_STYLES = {
    "purple": CardStyle("#9a63b0", "#6f4182", ON_DARK, "P"),
    "white": CardStyle("#ffffff", "#8b949c", ON_LIGHT, "W"),
    "blue": CardStyle("#4a90d0", "#2a659c", ON_DARK, "B"),
    "yellow": CardStyle("#f7d448", "#b3921a", ON_LIGHT, "Y"),
    "orange": CardStyle("#f0923a", "#b3621a", ON_LIGHT, "O"),
    "black": CardStyle("#4a4f55", _BLACK_EDGE, ON_DARK, "K"),
    "red": CardStyle("#d9534a", "#9c2f28", ON_DARK, "R"),
    "green": CardStyle("#63ab5c", "#3b7a36", ON_DARK, "G"),
    LOCOMOTIVE: CardStyle("#ffffff", "#5a646d", ON_LIGHT, "L"),
    GREY: CardStyle("#c3c9ce", "#8b949c", ON_LIGHT, ""),
}


@dataclass(frozen=True)
class OwnerStyle:
    """How a player's trains look: a colour, and a pattern on it in the colour `mark`."""

    name: str  # of the colour
    fill: str
    mark: str
    pattern: str  # a key of `patterns.PATTERNS`
    label: str  # what stands on a train


# By seat. Light and dark alternate, and neighbours differ also for those who cannot tell red from green.
SEAT_STYLES = (
    OwnerStyle("blue", "#1668b3", ON_DARK, "plain", "0"),
    OwnerStyle("yellow", "#f5c518", ON_LIGHT, "stripes", "1"),
    OwnerStyle("vermilion", "#d4502a", ON_DARK, "dots", "2"),
    OwnerStyle("green", "#0f8a6b", ON_DARK, "rail", "3"),
    OwnerStyle("pink", "#d678b0", ON_LIGHT, "zigzag", "4"),
)
NEUTRAL_STYLE = OwnerStyle("white", "#f2f4f5", "#5a646d", "crosses", "N")


def owner_style(owner: int | str) -> OwnerStyle:
    """The style of an owner as snapshots name it: a seat, or "neutral".

    >>> owner_style(2).pattern, owner_style("neutral").pattern
    ('dots', 'crosses')
    """
    return NEUTRAL_STYLE if isinstance(owner, str) else SEAT_STYLES[owner]
