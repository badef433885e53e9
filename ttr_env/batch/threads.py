"""Threads that share compiled work, woken and awaited as cheaply as Python can."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

ROWS_A_THREAD = 128  # fewer rows are stepped sooner than a thread is woken
ROWS_A_PIECE = 128  # fewer mean more calls, more mean longer waits

Work = Callable[[int], None]  # takes the number of the worker


class Workers:
    """Threads that share rows among them; the calling thread is one.

    >>> Workers(threads=2, rows=64).count, Workers(threads=2, rows=1024).count
    (1, 2)
    """

    def __init__(self, threads: int, rows: int) -> None:
        self.count = min(threads, max(1, rows // ROWS_A_THREAD))
        self._rows = rows
        self._crew: Crew | None = None  # made when it is first needed

    def share(self, step: Callable[[int, int, int], None]) -> None:
        """Let all of them step the rows: `step` takes a worker's number, its first row and the end of its rows."""
        if self.count == 1:
            step(0, 0, self._rows)
            return
        if self._crew is None or self._crew.process != os.getpid():  # a forked process has no threads
            self._crew = Crew(self.count - 1)
        # A thread that wakes up late finds less to do, and nobody waits long for the others.
        pieces = iter(range(0, self._rows, ROWS_A_PIECE))

        def work(worker: int) -> None:
            for first in pieces:
                step(worker, first, min(first + ROWS_A_PIECE, self._rows))

        self._crew.run(work)

    def __reduce__(self) -> tuple[Any, ...]:
        return Workers, (self.count, self._rows)  # threads are made anew where it is unpacked


class Crew:
    """Helpers for the thread that calls `run`; they sleep in between, and leave when the crew is gone.

    A lock to wake each helper and one to wait for it cost a fraction of what queues and futures do.

    >>> done = []
    >>> Crew(helpers=1).run(done.append)
    >>> sorted(done)
    [0, 1]
    """

    def __init__(self, helpers: int) -> None:
        self.process = os.getpid()
        self._helpers = [_Helper(number + 1) for number in range(helpers)]
        weakref.finalize(self, _dismiss, self._helpers)

    def run(self, work: Work) -> None:
        """Call `work(0)` here and `work(1)`, `work(2)` ... in the helpers, and wait for all."""
        for helper in self._helpers:
            helper.begin(work)
        try:
            work(0)
        finally:
            errors = [helper.wait() for helper in self._helpers]
        for error in errors:
            if error is not None:
                raise error


class _Helper:
    """One thread and the two locks that stand for `begin` and `wait`."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._work: Work | None = None
        self._error: BaseException | None = None
        self._begin, self._end = threading.Lock(), threading.Lock()
        self._begin.acquire()
        self._end.acquire()
        threading.Thread(target=self._loop, name=f"ttr_env-{number}", daemon=True).start()

    def begin(self, work: Work | None) -> None:
        self._work = work
        self._begin.release()

    def wait(self) -> BaseException | None:
        self._end.acquire()
        return self._error

    def _loop(self) -> None:
        while True:
            self._begin.acquire()
            if self._work is None:
                return
            try:
                self._error = None
                self._work(self._number)
            except BaseException as error:
                self._error = error
            self._work = None
            self._end.release()


def _dismiss(helpers: list[_Helper]) -> None:
    for helper in helpers:
        helper.begin(None)
