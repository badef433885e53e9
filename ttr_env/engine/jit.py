"""Compiling kernels, and a compilation cache that cannot go stale.

Numba stamps a cached function with the state of its own file alone: edit a function that it calls in another file, and
the old code runs on. Here the stamp is a digest of every source file that the kernel's module is
built on (`engine.sources`), wherever these are; what it does not import may change, and nothing is compiled anew.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core import caching

from ttr_env.engine.sources import source_digest

_OPTIONS = {"error_model": "numpy"}


class _StampedBySources:
    """Mixin for Numba's locators: the source stamp is a digest of all sources."""

    _py_file: str

    def get_source_stamp(self) -> str:
        return source_digest(Path(self._py_file).absolute())


class _ChosenFolder(_StampedBySources, caching.UserProvidedCacheLocator):
    """`NUMBA_CACHE_DIR`, where it is set."""


class _BesideTheSource(_StampedBySources, caching.InTreeCacheLocator):
    """`__pycache__`, where it can be written."""


class _UsersCache(_StampedBySources, caching.UserWideCacheLocator):
    """The user's own cache folder."""


class TemporaryFolder(_StampedBySources, caching.InTreeCacheLocator):
    """The last resort on a machine where nothing else can be written: compiled once per boot."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        user = os.getuid() if hasattr(os, "getuid") else "user"
        self._cache_path = str(Path(tempfile.gettempdir()) / f"ttr_env-kernels-{user}")

    def ensure_cache_path(self) -> None:
        """Make the folder, and use none that somebody else has made: code is loaded from there."""
        os.makedirs(self._cache_path, mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and os.stat(self._cache_path).st_uid != os.getuid():
            raise OSError(f"{self._cache_path} belongs to another user")
        super().ensure_cache_path()


class _EngineCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_ChosenFolder, _BesideTheSource, _UsersCache, TemporaryFolder]  # noqa: RUF012 - Numba's name


class _EngineCache(caching.FunctionCache):
    _impl_class = _EngineCacheImpl


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
            compiled._cache = _EngineCache(function)  # noqa: SLF001 - Numba has no other way to give one
    return compiled
