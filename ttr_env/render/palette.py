"""Colours, and the second sign beside each of them: a letter for a card, a pattern for a player.

Nothing in a picture is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from ttr_env.maps.model import GREY, LOCOMOTIVE

INK = "#22303c"
FAINT = "#6b7884"
RULE = "#d9dee2"
PAPER = "#ffffff"
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


@dataclass(frozen=True)
class CardStyle:
    """How a card, and the free track of its colour, looks."""

    fill: str
    edge: str
    ink: str
    letter: str


CARD_STYLES = {
    "purple": CardStyle("#9a63b0", "#6f4182", "#ffffff", "P"),
    "white": CardStyle("#ffffff", "#8b949c", "#22303c", "W"),
    "blue": CardStyle("#4a90d0", "#2a659c", "#ffffff", "B"),
    "yellow": CardStyle("#f7d448", "#b3921a", "#22303c", "Y"),
    "orange": CardStyle("#f0923a", "#b3621a", "#22303c", "O"),
    "black": CardStyle("#4a4f55", "#22272c", "#ffffff", "K"),
    "red": CardStyle("#d9534a", "#9c2f28", "#ffffff", "R"),
    "green": CardStyle("#63ab5c", "#3b7a36", "#ffffff", "G"),
    LOCOMOTIVE: CardStyle("#ffffff", "#5a646d", "#22303c", "L"),
    GREY: CardStyle("#c3c9ce", "#8b949c", "#22303c", ""),
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
    OwnerStyle("blue", "#1668b3", "#ffffff", "plain", "0"),
    OwnerStyle("yellow", "#f5c518", "#22303c", "stripes", "1"),
    OwnerStyle("vermilion", "#d4502a", "#ffffff", "dots", "2"),
    OwnerStyle("green", "#0f8a6b", "#ffffff", "rail", "3"),
    OwnerStyle("pink", "#d678b0", "#22303c", "zigzag", "4"),
)
NEUTRAL_STYLE = OwnerStyle("white", "#f2f4f5", "#5a646d", "crosses", "N")


def owner_style(owner: int | str) -> OwnerStyle:
    """The style of an owner as snapshots name it: a seat, or "neutral".

    >>> owner_style(2).pattern, owner_style("neutral").pattern
    ('dots', 'crosses')
    """
    return NEUTRAL_STYLE if isinstance(owner, str) else SEAT_STYLES[owner]
