"""What a worker is doing, in memory that whoever watches it can read when it has crashed."""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

LARGEST = 16 * 2**20  # bytes of an input
_HEAD = struct.Struct("<qqqqqqdd")


class Tally:
    """Counts, the time at which the last input was given, and that input."""

    def __init__(self, path: Path) -> None:
        """Args:
        path: of the file that both processes share; it is made where there is none.
        """
        if not path.exists():
            path.write_bytes(bytes(_HEAD.size + LARGEST))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        (self.inputs, self.more, self.taken, self.refused, self.faults, self.size, self.since, self.processor) = (
            _HEAD.unpack_from(self._memory)
        )

    def begin(self, data: bytes) -> None:
        """An input is about to be given."""
        self._memory[_HEAD.size : _HEAD.size + len(data)] = data
        self.size, self.since, self.processor = len(data), time.monotonic(), time.process_time()
        self.inputs += 1
        self._write()

    def end(self, *, taken: int = 0, refused: int = 0, faults: int = 0, more: int = 0) -> None:
        """What came of it, and how many more inputs it was than one."""
        self.more += more
        self.taken, self.refused, self.faults = self.taken + taken, self.refused + refused, self.faults + faults
        self.since = 0.0
        self._write()

    def rest(self) -> None:
        """No input is being given: the next process has yet to begin."""
        self.since = 0.0
        self._write()

    def _write(self) -> None:
        counts = (self.inputs, self.more, self.taken, self.refused, self.faults, self.size, self.since, self.processor)
        self._memory[: _HEAD.size] = _HEAD.pack(*counts)  # in one piece: somebody may be reading it

    @property
    def data(self) -> bytes:
        """The input that was given last."""
        return bytes(self._memory[_HEAD.size : _HEAD.size + self.size])

    def close(self) -> None:
        """Let the memory go."""
        self._memory.close()
