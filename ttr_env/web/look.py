"""What the renderer knows of looks, for the pages: colours and letters of cards, players' trains, and the night."""

from __future__ import annotations

import functools

from ttr_env.maps.model import COLOURS, LOCOMOTIVE
from ttr_env.render import palette, svg
from ttr_env.render.palette import CARD_STYLES, NEUTRAL_STYLE, SEAT_STYLES
from ttr_env.render.shapes import Group, Scene
from ttr_env.render.widgets import swatch

_READABLE = 4.6  # contrast of letters and their ground
_RAINBOW = "linear-gradient(90deg, {}) 50% 96% / 84% 12% no-repeat, {}"


@functools.cache
def stylesheet() -> str:
    """CSS that the page's own builds on."""
    rules = [f":root {{ --accent: {palette.ACCENT}; --done: {palette.DONE}; --failed: {palette.FAILED}; }}"]
    for kind, style in CARD_STYLES.items():
        fill, ink = readable(style.fill)
        ground = _rainbow() if kind == LOCOMOTIVE else fill
        rules.append(f'.card[data-card="{kind}"] {{ background: {ground}; border-color: {style.edge}; color: {ink}; }}')
    return "\n".join([*rules, svg.night()])


def readable(fill: str) -> tuple[str, str]:
    """A ground of about this colour, and letters that small print can be read in on it (WCAG 2 AA).

    >>> readable("#ffffff"), readable("#d9534a")
    (('#ffffff', '#212f3b'), ('#c74b44', '#ffffff'))
    """
    if _contrast(fill, palette.ON_LIGHT) >= _READABLE:
        return fill, palette.ON_LIGHT
    while _contrast(fill, palette.ON_DARK) < _READABLE:
        fill = "#" + "".join(f"{int(int(fill[place : place + 2], 16) * 0.96):02x}" for place in (1, 3, 5))
    return fill, palette.ON_DARK


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rainbow() -> str:
    """A locomotive stands for any colour."""
    width = 100 / len(COLOURS)
    bands = [f"{CARD_STYLES[colour].fill} {width * n:g}% {width * n + width:g}%" for n, colour in enumerate(COLOURS)]
    return _RAINBOW.format(", ".join(bands), CARD_STYLES[LOCOMOTIVE].fill)


@functools.cache
def swatches() -> list[str]:
    """Two trains of each seat as they stand on the board, and of the neutral player, as SVG."""
    styles = (*SEAT_STYLES, NEUTRAL_STYLE)
    return [svg.draw(Scene(50, 16, Group(()), (swatch(0, 0, style),)), 50) for style in styles]


@functools.cache
def letters() -> dict[str, str]:
    """The letter of each card."""
    return {kind: style.letter for kind, style in CARD_STYLES.items()}
