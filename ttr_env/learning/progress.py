"""What a run shows while it goes on, and what it writes down of it."""

from __future__ import annotations

import contextlib
import csv
import time
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from torch.utils.tensorboard import SummaryWriter

from ttr_env.engine.scoring import PARTS
from ttr_env.learning.run import Run, Update

LINE_SECONDS = 20.0  # between two lines where there is no terminal


class Progress:
    """A live table on a terminal, a line now and then elsewhere; metrics go to CSV and TensorBoard."""

    def __init__(self, trainer: Run, console: Console) -> None:
        self._console = console
        self._trainer = trainer
        self._metrics = Metrics(trainer)
        columns = (BarColumn(None), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("elapsed,"))
        self._bar = Bar(*columns, TimeRemainingColumn(), TextColumn("left"), console=console)
        self._task = self._bar.add_task("", total=trainer.goal, completed=trainer.done)
        self._live = Live(self._bar, console=console, refresh_per_second=4, transient=True)
        self._last_line = time.monotonic()

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: Any) -> None:
        with contextlib.suppress(OSError):
            self._live.stop()
        self._metrics.close()

    def show(self, update: Update) -> None:
        """Write an update down, and show it, if there is still a terminal to show it on."""
        self._metrics.write(update)
        with contextlib.suppress(OSError):
            self._show(update)

    def _show(self, update: Update) -> None:
        goal = self._trainer.goal  # which may have moved a little
        self._bar.update(self._task, completed=update.number, total=goal)
        if update.note:
            self._console.print(update.note, style="yellow", highlight=False, markup=False, soft_wrap=True)
        if self._console.is_terminal:
            self._live.update(Group(_table(update), self._bar))
        elif time.monotonic() - self._last_line > LINE_SECONDS or update.number == goal:
            self._last_line = time.monotonic()
            self._console.print(_line(update, goal), highlight=False, soft_wrap=True)


def _speed(update: Update) -> float:
    return update.new_steps / update.seconds


def _known(update: Update) -> list[tuple[str, float]]:
    return [(name, rate) for name, rate in update.win_rates.items() if rate is not None]


def _table(update: Update) -> Table:
    table = Table(title=f"update {update.number}: {update.steps:,} decisions, {_speed(update):,.0f} a second")
    table.add_column("against")
    table.add_column("win rate", justify="right")
    table.add_column("")
    for name, rate in _known(update):
        table.add_row(name, f"{rate:.0%}", f"[green]{'━' * round(30 * rate)}[/green]")
    if update.means:
        table.caption = _points(update.means)
    return table


def _points(means: dict[str, float]) -> str:
    """What a game brought the learner, and where its points came from.

    >>> _points({"total": 151.3, "routes": 62, "tickets": 80.2, "toll_bonus": 9.6, "loans": 0.0, "completed": 5.25})
    '151 points a game: routes 62, tickets 80 (5.2 completed), toll bonus 10'
    """
    parts = {name: means[name] for name in PARTS if name in means and name not in ("total", "completed")}
    told = [
        f"{name.replace('_', ' ')} {value:.0f}"
        + (f" ({means['completed']:.1f} completed)" if name == "tickets" else "")
        for name, value in parts.items()
        if abs(value) >= 0.5
    ]
    return f"{means['total']:.0f} points a game: {', '.join(told)}"


def _line(update: Update, goal: int) -> str:
    rates = ", ".join(f"{name} {rate:.0%}" for name, rate in _known(update))
    wins = f"; wins against {rates}" if rates else ""
    points = f"; {_points(update.means)}" if update.means else ""
    speed = f"{_speed(update):,.0f} decisions/s"
    return f"update {update.number}/{goal}: {update.steps:,} decisions, {speed}{points}{wins}"


class Metrics:
    """The metrics of a run as CSV, one line an update, and for TensorBoard."""

    def __init__(self, trainer: Run) -> None:
        self._path = trainer.folder / "metrics.csv"
        kept = [row for row in read_metrics(trainer.folder) if int(row["update"]) <= trainer.done]
        self._file = self._path.open("w", newline="", encoding="utf-8")
        self._writer: csv.DictWriter[str] | None = None
        self._tensorboard = SummaryWriter(str(trainer.folder / "tensorboard"))
        for row in kept:
            self._write_row(row)

    def write(self, update: Update) -> None:
        """Write an update down."""
        row = update.as_row()
        self._write_row(row)
        self._file.flush()
        for name, value in row.items():
            if value != "":
                self._tensorboard.add_scalar(name, value, update.steps)
        self._tensorboard.flush()

    def _write_row(self, row: dict[str, Any]) -> None:
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, list(row), extrasaction="ignore")
            self._writer.writeheader()
        self._writer.writerow(row)

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._tensorboard.close()


def read_metrics(folder: Path) -> list[dict[str, str]]:
    """The lines of a run's metrics so far; those that are not whole, as a full disk may leave them, are left out."""
    try:
        with (folder / "metrics.csv").open(newline="", encoding="utf-8", errors="replace") as file:
            rows = csv.DictReader(file)
            return [row for row in rows if _is_whole(row)]
    except FileNotFoundError:
        return []


def _is_whole(row: dict[Any, Any]) -> bool:
    return None not in row and None not in row.values() and str(row.get("update")).isdecimal()
