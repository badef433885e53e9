"""Chance for making boards: whole numbers from a seed, the same on every machine.

It is the generator of the games (`docs/rules.md`, R1 and R2) in plain Python, for whoever makes a board needs no speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_BITS = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class Chance:
    """A stream of random whole numbers.

    >>> chance = Chance(7)
    >>> [chance.below(6) for _ in range(5)]
    [2, 0, 5, 3, 2]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; 64 bits are enough for its bias never to be seen."""
        self._state = (self._state + _STEP) & _BITS
        z = self._state
        z = ((z ^ (z >> 30)) * _FIRST) & _BITS
        z = ((z ^ (z >> 27)) * _SECOND) & _BITS
        return (z ^ (z >> 31)) * n >> 64

    def around(self, reach: int) -> int:
        """A number from -reach to reach."""
        return self.below(2 * reach + 1) - reach

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
