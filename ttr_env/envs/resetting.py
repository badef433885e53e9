"""What `reset(options=...)` of an environment takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def check_reset_options(options: Mapping[str, Any] | None, known: Iterable[str] = ()) -> None:
    """Refuse options that an environment does not know; None and no options at all are always right.

    >>> check_reset_options({"reset_mask": [True, False]}, known=["reset_mask"])
    >>> check_reset_options({"players": 3})
    Traceback (most recent call last):
    ValueError: options: 'players' is unknown; reset() takes none, the options of a game are given at construction
    """
    taken = list(known)
    for name in options or ():
        if name not in taken:
            offer = f"takes {', '.join(taken)}" if taken else "takes none"
            raise ValueError(
                f"options: {name!r} is unknown; reset() {offer}, the options of a game are given at construction"
            )
