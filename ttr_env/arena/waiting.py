"""What is shown while something takes its time: on a terminal alone, so that files and pipes hold what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn, track

Each = TypeVar("Each")


def note(console: Console, about: str) -> AbstractContextManager[Any]:
    """What is being done, until it is done."""
    return console.status(about) if console.is_terminal else nullcontext()


def along(console: Console, about: str, things: Iterable[Each]) -> Iterable[Each]:
    """These things, with a bar for how many have been taken."""
    return track(things, about, console=console, transient=True) if console.is_terminal else things


@contextmanager
def bar(console: Console, about: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for games that are played; what it gives is to be told how many are finished, and how many there are."""
    if not console.is_terminal:
        yield lambda finished, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(about, total=None, speed="")

        def show(finished: int, total: int) -> None:
            speed = progress.tasks[task].speed
            progress.update(task, completed=finished, total=total, speed=f"{speed:,.0f} games/s" if speed else "")

        yield show
