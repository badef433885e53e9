"""Lists of numbers from a file as arrays: nothing but numbers, and none that an array does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

import numpy as np

from ttr_env.errors import RecordError

LARGEST = float(np.finfo(np.float32).max)  # number in a column


def whole_numbers(told: Mapping[str, Any], name: str) -> np.ndarray:
    """A list of whole numbers as an array; True is none, nor is "7"."""
    value = told.get(name)
    if not isinstance(value, list) or not set(map(type, value)) <= {int}:
        raise RecordError(f"{name}: a list of whole numbers is needed")
    try:
        return np.array(value, np.int64)
    except OverflowError:
        raise RecordError(f"{name}: a list of whole numbers is needed, none of them beyond 64 bits") from None


def numbers(told: Mapping[str, Any], name: str) -> np.ndarray:
    """A list of numbers as an array; not a number where the list has null."""
    value = told.get(name)
    if not isinstance(value, list) or not set(map(type, value)) <= {int, float, NoneType}:
        raise RecordError(f"{name}: a list of numbers is needed")
    try:
        found = np.array(value, np.float64)
    except OverflowError:
        found = np.array([np.inf])
    if (np.abs(found) > LARGEST).any():
        raise RecordError(f"{name}: finite numbers are needed, none of them beyond {LARGEST:.0e}")
    return found.astype(np.float32)
