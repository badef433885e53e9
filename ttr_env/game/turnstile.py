"""What belongs to one thread at a time."""

from __future__ import annotations

import os
import threading
from typing import Any

from ttr_env.errors import SharedByThreads


def shared(what: str) -> SharedByThreads:
    """The error for the second thread."""
    return SharedByThreads(f"{what} is in use already: it belongs to one thread at a time, so give each its own")


class Turnstile:
    """Lets one thread through at a time: a second one is refused at once, since to wait would hide a mistake.

    >>> turnstile = Turnstile("a Batch")
    >>> with turnstile:
    ...     with turnstile:
    ...         pass
    Traceback (most recent call last):
    ttr_env.errors.SharedByThreads: a Batch is in use already: it belongs to one thread at a time, so give each its own
    """

    __slots__ = ("_process", "_what", "lock")

    lock: (
        threading.Lock
    )  # held while a thread is inside; who is in a hurry takes it itself, and asks `check` if it cannot

    def __init__(self, what: str) -> None:
        self._what = what
        self._renew()

    def _renew(self) -> None:
        self._process = os.getpid()
        self.lock = threading.Lock()

    def check(self) -> None:
        """Refuse a thread that could not take the lock, unless it is in a process that was forked meanwhile."""
        if self._process == os.getpid():
            raise shared(self._what)
        self._renew()  # in a forked process the thread that was inside is not there
        self.lock.acquire()

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.check()

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return Turnstile, (self._what,)
