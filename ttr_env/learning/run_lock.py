"""Whose a run's folder is: of one process at a time, so that no file in it is written by two."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
import weakref
from pathlib import Path
from typing import IO, Any

from ttr_env.errors import SettingsError

FILE = "run.lock"
SILENT_SECONDS = 600.0  # after which a process on another machine that does not stir is taken for dead

_held: weakref.WeakSet[RunLock] = weakref.WeakSet()


class RunLock:
    """Holds a folder until it is released, or the process ends, in whatever way.

    The system lets go of the lock of a process that is dead. On folders that machines share, not every system sees the
    others' locks; so who holds one says now and then that it is alive.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, RunLock(Path(folder)):
    ...     RunLock(Path(folder))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ttr_env.errors.SettingsError: the run in ... is going on: process ... wait for it, stop it, or choose another --out
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is there; a `SettingsError` names who holds it."""
        self._path = folder.resolve() / FILE
        self._file = self._open()
        if not _lock(self._file) or self._lives_elsewhere():
            holder = self._told()
            self._file.close()
            raise _refusal(folder, holder)
        _held.add(self)
        self._sign()

    def _open(self) -> IO[str]:
        try:
            descriptor = os.open(
                self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o644
            )
        except OSError as error:
            raise SettingsError(f"{self._path} cannot be written: {error.strerror}; choose another --out") from error
        return os.fdopen(descriptor, "r+", encoding="utf-8")

    def _told(self) -> dict[str, Any]:
        """What the holder wrote; nothing where that cannot be read."""
        self._file.seek(0)
        with contextlib.suppress(ValueError):
            told = json.loads(self._file.read(10_000))
            if isinstance(told, dict):
                return told
        return {}

    def _lives_elsewhere(self) -> bool:
        """Whether a process on another machine, whose lock may not be seen here, has stirred lately."""
        told = self._told()
        if not told or told.get("host") == socket.gethostname():
            return False
        return time.time() - os.fstat(self._file.fileno()).st_mtime < SILENT_SECONDS

    def _sign(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(json.dumps(_signature()))
        self._file.flush()

    def stir(self) -> None:
        """Say that the process is alive."""
        with contextlib.suppress(OSError):
            os.utime(self._file.fileno())

    def release(self) -> None:
        """Let others have the folder."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                self._file.truncate(0)  # emptied, not removed: somebody may be waiting with the file open
            self._file.close()

    def abandon(self) -> None:
        """Know nothing of the lock any more, in a process that was forked from the one that holds it."""
        self._file.close()

    def __enter__(self) -> RunLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _signature() -> dict[str, Any]:
    return {
        "process": os.getpid(),
        "program": " ".join(sys.argv)[:200],
        "host": socket.gethostname(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }


def _refusal(folder: Path, holder: dict[str, Any]) -> SettingsError:
    process, program, host, since = (holder.get(key, "unknown") for key in ("process", "program", "host", "since"))
    who = f"process {process} ({program}) on {host}, since {since}"
    return SettingsError(f"the run in {folder} is going on: {who}; wait for it, stop it, or choose another --out")


def _lock(file: IO[str]) -> bool:
    """Lock a file, if nobody has."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # the file system has no locks, and what is written in the file has to do
    return True


def _let_go() -> None:
    """A forked process has the lock too, and would keep it when the run is dead."""
    for lock in list(_held):
        lock.abandon()


os.register_at_fork(after_in_child=_let_go)
