"""Names for places that do not exist."""

from __future__ import annotations

from .chance import Chance


def _syllables(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_STARTS = _syllables(
    "Al Ber Cor Dan El Fal Gor Hal Is Jor Kel Lor Mar Nor Ost Pel Quin Ras Sol Tar Ul Ver Wil Yar Zan Bel Dru Fen Gal "
    "Hol Kar Lin Mel Nav Or Por Ril Sar Tor Val Win"
)
_ENDS = _syllables(
    "ba dale den dor ford gate holm by la mar mere mond na nes ra rum sta ton um vik wick field haven stad"
)
_COUNTRY = _syllables("land mark ia gard wald ora")


def country(chance: Chance) -> str:
    """The name of a country."""
    return chance.pick(_STARTS) + chance.pick(_COUNTRY)


def towns(chance: Chance, number: int) -> list[str]:
    """So many different names of towns, in alphabetical order; few of them begin alike.

    >>> towns(Chance(1), 3)
    ['Galgate', 'Kelsta', 'Orwick']
    """
    starts = chance.shuffled(_STARTS)
    names: list[str] = []
    for index in range(number):
        start = starts[index % len(starts)]
        names.append(chance.pick([name for name in (start + end for end in _ENDS) if name not in names]))
    return sorted(names)
