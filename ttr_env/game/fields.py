"""Reading the fields of a snapshot: the right value, or an error that names the field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ttr_env.errors import SnapshotError, did_you_mean
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import CARDS


def check_keys(value: Any, name: str, keys: Collection[str]) -> None:
    """Refuse what is no dictionary with just these keys."""
    if not isinstance(value, Mapping):
        raise SnapshotError(f"{name}: a dictionary is needed, not {type(value).__name__}")
    for key in value:
        if key not in keys:
            raise SnapshotError(f"{name}: {shortened(key)} is unknown{did_you_mean(str(key)[:100], keys, '; {}')}")
    for key in keys:
        if key not in value:
            raise SnapshotError(f"{name}: {key!r} is missing")


def number(value: Any, name: str, lowest: int, highest: int) -> int:
    """A whole number between two others."""
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        wanted = f"{lowest}" if lowest == highest else f"a whole number from {lowest} to {highest}"
        raise SnapshotError(f"{name}: {wanted} is needed, not {shortened(value)}")
    return value


def flag(value: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise SnapshotError(f"{name}: True or False is needed, not {shortened(value)}")
    return value


def whole_list(value: Any, name: str, length: int | None = None) -> list[Any]:
    """A list, perhaps of a given length."""
    if not isinstance(value, list):
        raise SnapshotError(f"{name}: a list is needed, not {type(value).__name__}")
    if length is not None and len(value) != length:
        raise SnapshotError(f"{name}: {length} entries are needed, not {len(value)}")
    return value


def card_counts(value: Any, name: str) -> list[int]:
    """Nine counts of cards, in the order of `CARDS`."""
    check_keys(value, name, CARDS)
    return [number(value[card], f"{name}.{card}", 0, 127) for card in CARDS]
