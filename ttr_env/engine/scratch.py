"""Scratch space for kernels that work in vector instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

_LINE = 64  # bytes of a cache line: vectors that straddle two of them cost a tenth of the planning features' speed


def aligned(count: int, kind: np.dtype) -> np.ndarray:
    """An array of zeroed records whose memory begins at a cache line.

    >>> aligned(2, np.dtype("u8")).ctypes.data % 64
    0
    """
    memory = np.zeros(count * kind.itemsize + _LINE, np.uint8)
    begin = -memory.ctypes.data % _LINE
    return memory[begin : begin + count * kind.itemsize].view(kind)


def whole_lines(fields: list[tuple[Any, ...]]) -> np.dtype:
    """A record of these fields, filled up so that in an array every one begins at a cache line.

    >>> whole_lines([("sum", "u8"), ("count", "u4")]).itemsize
    64
    """
    kind = np.dtype(fields, align=True)
    return np.dtype([*fields, ("filler", "u1", -kind.itemsize % _LINE)], align=True)
