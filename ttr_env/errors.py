"""The errors a user can meet, each a `ValueError` that says what is wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class IllegalAction(ValueError):
    """The action cannot be taken here; the game is as it was before."""


class IllegalActionType(IllegalAction, TypeError):
    """What was given as an action is no whole number."""


class MapError(ValueError):
    """A board's files are broken; the message names file, line and field."""


class SnapshotError(ValueError):
    """A snapshot does not describe a position of the game; the message names the field."""


class RecordError(ValueError):
    """A record cannot be replayed; the message names the step at which it fails."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint for a message: the nearest of the known names, if one is near.

    >>> did_you_mean("player", ["players", "tolls"])
    " (did you mean 'players'?)"
    """
    near = difflib.get_close_matches(name, list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
