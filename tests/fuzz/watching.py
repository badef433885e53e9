"""Workers, each in a process of its own, and what befalls them: an end, a crash, or that they hang."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from pathlib import Path

import psutil

from tests.fuzz.tally import Tally
from tests.fuzz.worker import NOT_INSTALLED, Task, save, work

HANGING = 5.0  # seconds of processor time for one input
WAITING = 60.0  # seconds for one input, on a machine that may be busy with something else
STARTING = 600.0  # seconds until the first input, with everything to be compiled
MOST_RESTARTS = 20


class Watched:
    """A worker that is started anew after a crash, with the next input."""

    def __init__(self, task: Task, scratch: Path) -> None:
        self.task = task
        self.missing = False  # what takes this kind of input is not installed
        self.crashes = self.hangs = 0
        self._suspect = -1  # the input with which it seemed to hang when it was looked at last
        self.peak = 0  # the most memory that it had, in bytes
        self._file = scratch / f"{task.kind}.tally"
        self.tally = Tally(self._file)
        self._ends = time.monotonic() + task.seconds
        self._fork()

    def _fork(self) -> None:
        self._started, self._first = time.monotonic(), self.tally.inputs
        self.tally.rest()  # the input with which the last process ended is not given again
        left = Task(self.task.kind, self.task.seed, self._ends - self._started, self.task.inputs, self.task.out)
        self._process = multiprocessing.get_context("fork").Process(target=work, args=(left, self._file))
        self._process.start()
        self._seen = psutil.Process(self._process.pid)

    def look(self) -> bool:
        """See how it is; whether it goes on."""
        self._read()
        status = self._process.exitcode
        if status is None:
            before, self._suspect = self._suspect, self.tally.inputs if self._hangs() else -1
            # Seen twice, so that half of a number is not taken for one.
            if self._suspect < 0 or self._suspect != before:
                return True
            self._end_hanging()
        elif status in (0, NOT_INSTALLED):
            self.missing = status == NOT_INSTALLED
            return False
        else:
            self.crashes += 1
            name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            save(self.task.out, self.task.kind, self.tally.data, f"crash {self.tally.inputs}: {name}", self._said())
        if self.crashes + self.hangs >= MOST_RESTARTS or time.monotonic() > self._ends:
            return False
        self._fork()
        return True

    def _read(self) -> None:
        self.tally.close()
        self.tally = Tally(self._file)
        with contextlib.suppress(psutil.Error):
            self.peak = max(self.peak, self._seen.memory_info().rss)

    def _hangs(self) -> bool:
        if not self.tally.since:
            starting = self.tally.inputs == self._first
            return starting and time.monotonic() - self._started > STARTING
        with contextlib.suppress(psutil.Error):
            times = self._seen.cpu_times()
            if times.user + times.system - self.tally.processor > HANGING:
                return True
        return time.monotonic() - self.tally.since > WAITING

    def _end_hanging(self) -> None:
        """End it, after it has said where it is."""
        self.hangs += 1
        os.kill(self._seen.pid, signal.SIGABRT)
        self._process.join(5)
        self.end()
        save(self.task.out, self.task.kind, self.tally.data, f"hang {self.tally.inputs}", self._said())

    def _said(self) -> str:
        """The end of what it wrote, which says where it was."""
        log = self._file.with_suffix(".log")
        lines = log.read_text("utf-8", "replace").splitlines(keepends=True) if log.exists() else []
        told = "".join(line for line in lines if not line.startswith("Extension modules:"))  # hundreds of names
        return told[-20_000:]

    def end(self) -> None:
        """Leave no process behind."""
        if self._process.is_alive():
            with contextlib.suppress(psutil.Error):
                for child in self._seen.children(recursive=True):
                    child.kill()
            self._process.kill()
        self._process.join()
