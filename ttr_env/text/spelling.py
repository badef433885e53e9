"""Words as they are compared: without case, diacritics, dashes and other signs, and with cities recognised."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter

from ttr_env.maps import Map

# Letters that are not a plain letter with a mark, and how they are written where there is no key for them.
_LETTERS = str.maketrans({"ø": "o", "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_WORD = re.compile(r"[a-z]+|[0-9]+")
CITY = "@"  # begins the word that stands for a city, before its number


def plain(text: str) -> str:
    """A text in small letters without marks.

    >>> plain("Liège - TROMSØ")
    'liege - tromso'
    """
    lowered = text.casefold().translate(_LETTERS)
    return "".join(letter for letter in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """The words and numbers of a text.

    >>> words("Claim 's-Gravenhage/Rotterdam (green track) with 1 green!")
    ['claim', 's', 'gravenhage', 'rotterdam', 'green', 'track', 'with', '1', 'green']
    """
    return _WORD.findall(plain(text))


@functools.lru_cache(maxsize=64)
def _cities(map: Map) -> tuple[re.Pattern[str], dict[str, int]]:
    """What finds a map's cities among words, the longest names first, and their numbers."""
    names = [" ".join(words(city)) for city in map.cities]
    alike = Counter(names)  # cities that are spelled alike cannot be told apart, and are not recognised
    numbers = {name: city for city, name in enumerate(names) if name and alike[name] == 1}
    longest_first = sorted(numbers, key=len, reverse=True) or [r"\Z."]
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b"), numbers


def with_cities(map: Map, text: str) -> list[str]:
    """The words of a text, a city's name as one word.

    >>> from ttr_env import maps
    >>> with_cities(maps.load("nederland"), "claim DEN HELDER - Waddeneilanden")
    ['claim', '@7', '@28']
    """
    pattern, numbers = _cities(map)
    return pattern.sub(lambda found: f"{CITY}{numbers[found.group()]}", " ".join(words(text))).split()
