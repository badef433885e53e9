"""The ways to pay for a track, in the order of their actions (`engine.numbering`)."""

from __future__ import annotations

import functools
from typing import NamedTuple

from .model import COLOURS, GREY, LOCOMOTIVE, Rules, Track


class Payment(NamedTuple):
    """Cards of one colour, locomotives and sets that together pay for a track; `colour_cards` is what is left over."""

    card: str  # the colour paid with, "locomotive" where no card of a colour is paid (S5)
    locomotives: int
    sets: int

    def colour_cards(self, length: int) -> int:
        """How many cards of the colour are paid for a track of this length."""
        return length - self.locomotives - self.sets


def payments(track: Track, rules: Rules) -> tuple[Payment, ...]:
    """Every payment for a track: colour by colour, with fewer and fewer cards of it, then those without (B6, S4 to S7).

    >>> from ttr_env import maps
    >>> rules = maps.load("nederland").rules
    >>> [tuple(payment) for payment in payments(Track(0, 1, length=2, colour="red"), rules)]
    [('red', 0, 0), ('red', 1, 0), ('locomotive', 2, 0)]
    >>> len(payments(Track(0, 1, length=3, colour="grey"), rules))
    25
    """
    sets, jokers = rules.set_size(track) > 0, rules.takes_locomotives(track)
    return _payments(track.colour, track.length, track.ferry, sets, jokers)


@functools.lru_cache(maxsize=1024)  # many tracks are alike, and several tables are made from these lists
def _payments(track_colour: str, length: int, ferry: int, sets: bool, jokers: bool) -> tuple[Payment, ...]:
    coloured = [
        Payment(colour, locomotives, others - locomotives)
        for colour in (COLOURS if track_colour == GREY else (track_colour,))
        for others in range(ferry, length)
        for locomotives in _locomotives(others, sets, jokers)
    ]
    alone = [
        Payment(LOCOMOTIVE, locomotives, length - locomotives) for locomotives in _locomotives(length, sets, jokers)
    ]
    return (*coloured, *alone)


def _locomotives(others: int, sets: bool, jokers: bool) -> range:
    """How many locomotives there can be among so many that are no cards of the colour; sets are the rest."""
    return range(0 if sets else others, (others if jokers else 0) + 1)


def is_special(track: Track, rules: Rules) -> bool:
    """Whether a track is not paid for like a plain one of its board."""
    sets, jokers = rules.set_size(track), rules.takes_locomotives(track)
    return track.ferry > 0 or sets > 0 or jokers != rules.cards.plain_locomotives


def special_kind(track: Track, rules: Rules) -> tuple[int, ...]:
    """What decides, beside the colour, in which ways a special track can be paid for."""
    return track.length, track.ferry, rules.set_size(track), rules.takes_locomotives(track)
