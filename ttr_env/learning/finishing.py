"""A run from where it is to its end, or until somebody stops it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from rich.console import Console

from ttr_env.learning.progress import Progress
from ttr_env.learning.run import Run


def finish(trainer: Run, console: Console, stir: Callable[[], None] = lambda: None) -> bool:
    """Make the updates that are left, showing and saving; whether nobody stopped them. `stir` is called after each."""
    with Progress(trainer, console) as progress, Interruption() as interruption:
        saved = time.monotonic()
        for update in trainer.updates():
            progress.show(update)
            stir()
            if interruption.wanted or time.monotonic() - saved > 60 * trainer.settings.run.checkpoint_minutes:
                trainer.save()
                saved = time.monotonic()
            if interruption.wanted:
                break
    if trainer.done < trainer.goal:
        with contextlib.suppress(OSError):  # the terminal may be gone
            console.print(f"Stopped after {trainer.done} updates. Go on with the same command and --resume.")
        return False
    trainer.save()
    return True


class Interruption:
    """Turns the first Ctrl-C, polite kill or closed terminal into a wish to stop after the update.

    The second one stops at once.
    What is ignored stays so: `nohup` lets a program go on without its terminal.
    """

    wanted = False

    def __enter__(self) -> Interruption:
        kinds = [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)]
        heeded = [kind for kind in kinds if signal.getsignal(kind) != signal.SIG_IGN]
        self._before = {kind: signal.signal(kind, self._note) for kind in heeded}
        return self

    def __exit__(self, *_: Any) -> None:
        for kind, handler in self._before.items():
            signal.signal(kind, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
