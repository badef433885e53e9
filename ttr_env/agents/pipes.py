"""A program in a process of its own, which is sent lines and answers with lines, under a time limit."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from typing import IO

from ttr_env.errors import ProgramError

LONGEST_LINE = 1_000_000  # bytes
_CHUNK = 65536
_KEPT = 2000  # bytes of what a program wrote to its standard error
_LAST_WORDS = 1.0  # seconds in which a program that has failed can say why


class LineProcess:
    """A program that was started without a shell. It is ended when it is closed, forgotten, or Python ends."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that what it has started ends with it
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._heard, self._complaints = bytearray(), bytearray()
        self.close = weakref.finalize(self, _end, self._process, os.getpid())

    def ask(self, lines: str, seconds: float) -> str:
        """Send lines, and read the one that answers them. Whatever else happens is a `ProgramError`."""
        self._listen(self._stdout, self._heard)
        if self._heard:
            raise ProgramError(f"it wrote {_shown(self._heard)} without being asked")
        unsent, deadline = memoryview(lines.encode()), time.monotonic() + seconds
        with selectors.DefaultSelector() as pipes:
            for pipe in (self._stdout, self._stderr):
                pipes.register(pipe, selectors.EVENT_READ)
            pipes.register(self._stdin, selectors.EVENT_WRITE)
            while unsent or b"\n" not in self._heard:
                ready = {key.fileobj for key, _ in pipes.select(deadline - time.monotonic())}
                if time.monotonic() >= deadline:
                    raise ProgramError(f"it did not answer within {seconds:g} seconds")
                if self._stderr in ready and not self._listen(self._stderr, self._complaints):
                    pipes.unregister(self._stderr)
                if self._stdout in ready:
                    self._hear()
                if self._stdin in ready and not (unsent := self._send(unsent)):
                    pipes.unregister(self._stdin)
        return self._first_line()

    def complaints(self) -> str:
        """The last lines that the program has written to its standard error."""
        self._listen(self._stderr, self._complaints)
        lines = bytes(self._complaints[-_KEPT:]).decode("utf-8", "replace").split("\n")
        return " / ".join([line.strip()[:500] for line in lines if line.strip()][-5:])

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._stdin.fileno(), unsent[:_CHUNK]) :]
        except BlockingIOError:
            return unsent
        except OSError:  # nobody reads any more
            raise ProgramError(f"it ended{self._status()}") from None

    def _hear(self) -> None:
        if not self._listen(self._stdout, self._heard):
            raise ProgramError(f"it ended{self._status()}")
        if len(self._heard) > LONGEST_LINE:
            raise ProgramError(f"its answer is longer than {LONGEST_LINE:,} characters")

    def _first_line(self) -> str:
        line, _, rest = bytes(self._heard).partition(b"\n")
        self._heard[:] = rest
        return line.decode("utf-8", "replace")

    @staticmethod
    def _listen(pipe: IO[bytes], heard: bytearray) -> bool:
        """Take what waits in a pipe; whether it may still give more."""
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        heard += chunk
        return bool(chunk)

    def _status(self) -> str:
        """How the program has ended, if it does so soon."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f" with status {self._process.wait(_LAST_WORDS)}"
        return ""


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and what it has started; a fork of the process that started it leaves it alone."""
    if os.getpid() != owner:
        return
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
    process.wait()


def _shown(line: bytearray) -> str:
    return repr(bytes(line[:200]).decode("utf-8", "replace").strip())
