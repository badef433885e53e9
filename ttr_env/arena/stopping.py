"""Being stopped: by Ctrl-C, and by whatever else asks a program to end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


@contextmanager
def stoppable() -> Iterator[None]:
    """A polite kill, or a closed terminal, is a `KeyboardInterrupt` like Ctrl-C, so that what has been done is saved.

    What is ignored stays so: `nohup` lets a program go on without its terminal.
    """
    if threading.current_thread() is not threading.main_thread():  # only there do programs hear of signals
        yield
        return
    kinds = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    before = {kind: signal.signal(kind, _stop) for kind in kinds if signal.getsignal(kind) != signal.SIG_IGN}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
