"""A compilation cache that cannot go stale, mends itself, and is nobody else's.

Numba stamps a cached function with the state of its own file alone: edit a function that it calls in another file, and
the old code runs on. Here the stamp is a digest of every source file that the kernel's module is
built on (`engine.sources`), wherever these are; what it does not import may change, and nothing is compiled anew.

What lies in the cache is code, and is run. So every file begins with a digest of its content, and one that is damaged,
or was written by something else, is as good as none; and folders and files are used only where nobody else could have
put them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching

from ttr_env.engine.sources import source_digest

_DIGEST = hashlib.sha256
_NOTICE = (
    "ttr_env: compiling what is needed for this machine; it takes from a few seconds to two minutes, once"
    " (`ttr compile` does all of it beforehand)"
)


def check_owner(folder: str) -> None:
    """Refuse a folder, with an `OSError`, if anybody but this user and the administrator could write to it.

    Nobody must be able to put another one in its place either, so the folders around it are looked at too.
    """
    if not hasattr(os, "getuid"):
        return
    for path in (Path(folder), *Path(folder).absolute().parents):
        for found in (path.lstat(), path.stat()):
            is_own = found.st_uid == os.getuid()
            if not is_own and (found.st_uid != 0 or str(path) == folder):
                raise OSError(f"{path} belongs to another user")
            is_sticky = found.st_mode & stat.S_ISVTX and str(path) != folder
            if _others_may_write(found) and not stat.S_ISLNK(found.st_mode) and not is_sticky:
                raise OSError(f"{path} can be written to by others")


def _others_may_write(found: os.stat_result) -> bool:
    return bool(found.st_mode & stat.S_IWOTH) or (bool(found.st_mode & stat.S_IWGRP) and not _is_private(found.st_gid))


def _is_private(group: int) -> bool:
    """Whether a group is the user's own, which on many systems has the user's name and no other member."""
    import grp
    import pwd

    try:
        named = grp.getgrgid(group)
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return named.gr_name == user and set(named.gr_mem) <= {user}


class _OwnFolder:
    """Mixin for Numba's locators: the stamp is a digest of all sources, and the folder is nobody else's."""

    _py_file: str
    _cache_path: str
    _mode = 0o777  # of a new folder, but for what the user's mask takes away

    def get_source_stamp(self) -> str:
        return source_digest(Path(self._py_file).absolute())

    def ensure_cache_path(self) -> None:
        os.makedirs(self._cache_path, mode=self._mode, exist_ok=True)
        check_owner(self._cache_path)
        super().ensure_cache_path()  # type: ignore[misc]


class _ChosenFolder(_OwnFolder, caching.UserProvidedCacheLocator):
    """`NUMBA_CACHE_DIR`, where it is set."""


class _BesideTheSource(_OwnFolder, caching.InTreeCacheLocator):
    """`__pycache__`, where it can be written."""


class _UsersCache(_OwnFolder, caching.UserWideCacheLocator):
    """The user's own cache folder."""


class TemporaryFolder(_OwnFolder, caching.InTreeCacheLocator):
    """The last resort on a machine where nothing else can be written: compiled once per boot."""

    _mode = 0o700

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        user = os.getuid() if hasattr(os, "getuid") else "user"
        self._cache_path = str(Path(tempfile.gettempdir()) / f"ttr_env-kernels-{user}")


class _SignedFile(caching.IndexDataCacheFile):
    """Numba's index and data files, each behind a digest of its content."""

    def _load_index(self) -> dict[Any, str]:
        content = _read_signed(self._index_path)
        if content is None:
            return {}
        version, stamp, names = pickle.loads(content)
        return names if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write_signed(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        content = _read_signed(self._data_path(name))
        return None if content is None else pickle.loads(content)

    def _save_data(self, name: str, data: Any) -> None:
        self._write_signed(self._data_path(name), data)

    def _write_signed(self, path: str, told: Any) -> None:
        content = self._dump(told)
        with self._open_for_write(path) as file:
            file.write(_DIGEST(content).digest() + content)


def _read_signed(path: str) -> bytes | None:
    """What a file says, None if there is none, it is damaged, or somebody else's."""
    try:
        owner, whole = os.lstat(path).st_uid, Path(path).read_bytes()
    except OSError:
        return None
    size = _DIGEST().digest_size
    is_own = not hasattr(os, "getuid") or owner == os.getuid()
    return whole[size:] if is_own and _DIGEST(whole[size:]).digest() == whole[:size] else None


class _EngineCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_ChosenFolder, _BesideTheSource, _UsersCache, TemporaryFolder]  # noqa: RUF012 - Numba's name


class EngineCache(caching.FunctionCache):
    """Where an entry is kept; a `RuntimeError` when it is made says that there is nowhere."""

    _impl_class = _EngineCacheImpl
    announces = True  # on stderr, the first time in a process that something has to be compiled

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _SignedFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, None if it is not there; whatever is wrong with it, it can be compiled anew."""
        loaded = None
        with contextlib.suppress(Exception):
            loaded = super().load_overload(sig, target_context)
        if loaded is None and EngineCache.announces:
            EngineCache.announces = False
            print(_NOTICE, file=sys.stderr, flush=True)
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function; where that is impossible, say on a full disk, it is compiled anew next time."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)
