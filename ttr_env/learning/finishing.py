"""A run from where it is to its end, or until somebody stops it."""

from __future__ import annotations

import signal
import time
from types import FrameType
from typing import Any

from rich.console import Console

from ttr_env.learning.progress import Progress
from ttr_env.learning.run import Run


def finish(trainer: Run, console: Console) -> bool:
    """Make the updates that are left, showing and saving; whether nobody stopped them."""
    with Progress(trainer, console) as progress, Interruption() as interruption:
        saved = time.monotonic()
        for update in trainer.updates():
            progress.show(update)
            if interruption.wanted or time.monotonic() - saved > 60 * trainer.settings.run.checkpoint_minutes:
                trainer.save()
                saved = time.monotonic()
            if interruption.wanted:
                break
    if trainer.done < trainer.goal:
        console.print(f"Stopped after {trainer.done} updates. Go on with the same command and --resume.")
        return False
    trainer.save()
    return True


class Interruption:
    """Turns the first Ctrl-C, or a polite kill, into a wish to stop after the update; the second stops at once."""

    wanted = False

    def __enter__(self) -> Interruption:
        self._before = {kind: signal.signal(kind, self._note) for kind in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: Any) -> None:
        for kind, handler in self._before.items():
            signal.signal(kind, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
