"""Where a board's files are broken, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttr_env.errors import MapError, did_you_mean


@dataclass(frozen=True)
class Place:
    """A spot in a board's files, for an error message to begin with.

    >>> print(Place("tracks.csv", "colour", line=5).error("is empty"))
    tracks.csv, line 5, colour: is empty
    """

    file: str
    field: str | None = None
    line: int | None = None

    def error(self, problem: str) -> MapError:
        """The error to raise; `problem` says what is wrong here and what would be right."""
        line = None if self.line is None else f"line {self.line}"
        field = self.field and "".join(letter if letter.isprintable() else "?" for letter in self.field[:100])
        return MapError(", ".join(part for part in (self.file, line, field) if part) + f": {problem}")

    def inner(self, key: str) -> Place:
        """The place of `key` within the section at this place.

        >>> Place("map.toml", "tickets").inner("keep").field
        'tickets.keep'
        """
        return Place(self.file, f"{self.field}.{key}" if self.field else key, self.line)


def shortened(value: object, most: int = 60) -> str:
    """A value as it would be written in a program, cut if it is long.

    >>> shortened("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ..."
    """
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of thousands of digits
        shown = f"{type(value).__name__} with thousands of digits"
    return shown if len(shown) <= most else f"{shown[:most]} ..."


def unknown(word: str, known: Iterable[str]) -> str:
    """The problem that `word` is none of the `known` names, with the nearest of them.

    >>> unknown("Gray", ["green", "grey"])
    "'Gray' is unknown; did you mean 'grey'?"
    """
    return f"{shortened(word)} is unknown{did_you_mean(word[:100], known, '; {}', likeness=0)}"
