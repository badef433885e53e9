"""Compiling kernels, which are kept on disk (`engine.cache`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from numba import config, njit

from ttr_env.engine.cache import EngineCache

_OPTIONS = {"error_model": "numpy"}


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled function that only other kernels call; it is cached as a part of them."""
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)


def entry(function: Callable[..., Any]) -> Any:
    """A compiled function that Python calls; it is cached on disk, and other threads run meanwhile."""
    return _cached(function, nogil=True)


def brief(function: Callable[..., Any]) -> Any:
    """An entry that takes less than a microsecond: to let other threads run would cost a third of that."""
    return _cached(function, nogil=False)


def _cached(function: Callable[..., Any], nogil: bool) -> Any:
    compiled = njit(nogil=nogil, **_OPTIONS)(function)
    if not config.DISABLE_JIT:
        with contextlib.suppress(RuntimeError):  # nowhere to write: compiled anew in every process
            compiled._cache = EngineCache(function)  # noqa: SLF001 - Numba has no other way to give one
    return compiled
