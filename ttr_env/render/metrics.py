"""How wide a text is, well enough to lay out a picture without a graphics library."""

from __future__ import annotations

import functools
import unicodedata

# Advance widths of Lato Bold for the characters from space to tilde, in hundredths of the font size.
# Lato Regular is narrower by a percent.
_ASCII = (
    *(
        19,
        36,
        42,
        58,
        58,
        80,
        71,
        24,
        30,
        30,
        40,
        58,
        22,
        36,
        22,
        39,
        58,
        58,
        58,
        58,
        58,
        58,
        58,
        58,
        58,
        58,
        26,
        26,
    ),
    *(
        58,
        58,
        58,
        42,
        82,
        71,
        65,
        67,
        75,
        57,
        56,
        72,
        76,
        31,
        44,
        70,
        52,
        93,
        76,
        80,
        62,
        80,
        66,
        54,
        60,
        73,
        71,
        105,
    ),
    *(
        68,
        65,
        62,
        30,
        39,
        30,
        58,
        39,
        32,
        52,
        57,
        48,
        57,
        53,
        35,
        52,
        57,
        27,
        27,
        55,
        27,
        84,
        57,
        57,
        57,
        57,
        41,
        44,
    ),
    *(39, 57, 53, 79, 54, 53, 47, 30, 30, 30, 58),
)
_OTHER = 60


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """The width of a text in the units of `size`.

    >>> round(text_width("Utrecht", 12))
    44
    """
    letters = (unicodedata.normalize("NFD", letter)[0] for letter in text)  # è is as wide as e
    hundredths = sum(_ASCII[ord(each) - 32] if " " <= each <= "~" else _OTHER for each in letters)
    return hundredths * size / 100


def fit(text: str, size: float, width: float) -> str:
    """The text, cut short with an ellipsis if it is wider than `width`.

    >>> fit("Schiermonnikoog", 12, 60)
    'Schiermo…'
    """
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"
