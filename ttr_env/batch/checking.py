"""Whether rows and actions that are given to a batch can be such."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_env.errors import IllegalAction


def check_rows(row_numbers: Any, count: int) -> np.ndarray:
    """The rows as the engine takes them, if they are some of so many, each named once.

    >>> check_rows([2, 0], 4).tolist()
    [2, 0]
    """
    given = np.asarray(row_numbers)
    if given.size == 0:
        return np.zeros(0, np.int64)
    whole = given.ndim == 1 and np.issubdtype(given.dtype, np.integer)
    if not whole or given.min() < 0 or given.max() >= count or len(np.unique(given)) != len(given):
        raise IndexError(f"row_numbers: rows from 0 to {count - 1}, each once, are needed, not {given}")
    return np.ascontiguousarray(given, np.int64)


def check_whole(actions: Any, count: int) -> np.ndarray:
    """The actions as the engine takes them, if they are so many whole numbers.

    >>> check_whole([3, 5], 2).tolist()
    [3, 5]
    """
    try:
        given = np.asarray(actions)
    except ValueError as error:  # rows of different lengths
        raise IllegalAction(f"actions: {count} whole numbers are needed; {error}") from error
    if given.shape != (count,) or not (np.issubdtype(given.dtype, np.integer) or given.size == 0):
        raise IllegalAction(
            f"actions: {count} whole numbers are needed, not an array of {given.dtype} shaped {given.shape}"
        )
    return np.ascontiguousarray(given, np.int64)
