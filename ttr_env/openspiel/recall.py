"""What each player saw and did from the deal on: information states with perfect recall, as OpenSpiel needs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ttr_env.game import Game
from ttr_env.game.types import InformationState
from ttr_env.maps import Map


@dataclass(frozen=True)
class Recall:
    """By seat, what each player has seen.

    It begins with all that the player knew after the deal. For every decision, whoever's it was, a line then has the
    player's own action, if it was its own, and all that changed in what it knows.
    """

    seen: tuple[str, ...]
    known: tuple[InformationState, ...]  # what each knows now

    @classmethod
    def of(cls, game: Game) -> Self:
        """What is seen of a game that begins here."""
        known = _known(game)
        return cls(tuple(_compact(each) for each in known), known)

    def after(self, mover: int, action: str, game: Game) -> Recall:
        """What has been seen once the mover's action has led to this position."""
        known = _known(game)
        lines = [_compact(dict(_changes(*pair))) for pair in zip(self.known, known, strict=True)]
        lines[mover] = f"{action}: {lines[mover]}"
        return Recall(tuple(f"{past}\n{line}" for past, line in zip(self.seen, lines, strict=True)), known)

    def shared_by(self, seat: int, game: Game) -> Recall:
        """What has been seen if one player's past is this one, and that of the others begins with this position."""
        fresh = Recall.of(game)
        return Recall((*fresh.seen[:seat], self.seen[seat], *fresh.seen[seat + 1 :]), fresh.known)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes


def _known(game: Game) -> tuple[InformationState, ...]:
    name = _name_everywhere(game.map)
    return tuple({**game.information_state(seat), "map": name} for seat in range(game.players))


def _name_everywhere(map: Map) -> str:
    """A map's name that is the same on every machine: that of a folder says what is in it, and not where it lies."""
    folder = Path(map.name)
    return f"{folder.name}@{map.digest}" if folder.is_absolute() else map.name


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _changes(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields that differ, each with its path and what it is now.

    >>> dict(_changes({"deck": 9, "hands": [4, 4]}, {"deck": 8, "hands": [5, 4]}))
    {'deck': 8, 'hands.0': 5}
    """
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        parts = [(name, before[name], after[name]) for name in after]
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        parts = [(index, *pair) for index, pair in enumerate(zip(before, after, strict=True))]
    else:
        yield path, after
        return
    for name, old, new in parts:
        yield from _changes(old, new, f"{path}.{name}".removeprefix("."))
