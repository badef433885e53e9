"""Observations in whatever form: arrays, or dictionaries of them, one inside the other too."""

from __future__ import annotations

from typing import Any

import numpy as np


def row(seen: Any, number: int) -> Any:
    """What is seen in one of many rows."""
    if isinstance(seen, dict):
        return {name: row(each, number) for name, each in seen.items()}
    return seen[number]


def same(one: Any, other: Any) -> bool:
    """Whether two observations are of the same form, and alike to the byte."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def copied(seen: Any) -> Any:
    """The same, to keep."""
    if isinstance(seen, dict):
        return {name: copied(each) for name, each in seen.items()}
    return np.array(seen)


def as_bytes(seen: Any) -> bytes:
    """All there is to see."""
    if isinstance(seen, dict):
        return b"".join(as_bytes(each) for _, each in sorted(seen.items()))
    return seen.tobytes()
