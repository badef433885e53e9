"""Pictures of how runs went, from the metrics in their folders: `python -m training.curves runs/one runs/two`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draws to files; there may be no screen

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console

from ttr_env.arena.command_line import reporting_errors
from ttr_env.learning.progress import read_metrics

_POINTS = {
    "total": "#1f5fa8",
    "routes": "#8a8a8a",
    "tickets": "#2f8f4e",
    "tickets_failed": "#b5483a",
    "toll_bonus": "#c98a1b",
}
_STYLES = ("-", "--", ":", "-.")  # of the runs in one picture, so that colour alone need not tell them apart
_OPPONENT = "against_"

Rows = list[dict[str, str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the runs that are named into one picture; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.curves", description="Draw the curves of runs into one picture."
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="DIR", help=f"folders of up to {len(_STYLES)} runs")
    parser.add_argument("--out", type=Path, default=Path("curves.png"), metavar="FILE", help="a .png, .svg or .pdf")
    return reporting_errors(run, parser.parse_args(arguments), "drawing")


def run(options: argparse.Namespace, console: Console) -> int:
    """Draw, and say where."""
    if len(options.runs) > len(_STYLES):
        raise ValueError(f"{len(options.runs)} runs are too many for one picture, which shows up to {len(_STYLES)}")
    draw_runs(options.runs, options.out)
    console.print(f"The curves are in {options.out}.", highlight=False, soft_wrap=True)
    return 0


def draw_curves(folder: Path) -> None:
    """Draw one run's win rates, and where its points came from, into its folder."""
    draw_runs([folder], folder / "curves.png")


def draw_runs(folders: Sequence[Path], out: Path) -> None:
    """Draw the win rates of runs, and where their points came from; each run has a style of line."""
    runs = [_metrics(folder) for folder in folders]
    opponents = list(dict.fromkeys(name for rows in runs for name in rows[0] if name.startswith(_OPPONENT)))
    figure, panels = plt.subplots(1, 2 if opponents else 1, figsize=(11, 4), squeeze=False)
    *others, totals = panels[0]  # no others where all seats learn
    for number, rows in enumerate(runs):
        for wins in others:
            _draw_wins(wins, rows, opponents, number)
        _draw_points(totals, rows, number)
    if len(folders) > 1:
        _name_styles(panels[0][0], [folder.name for folder in folders])
    for axes in panels[0]:
        _finish(axes)
    _write(figure, out)


def _metrics(folder: Path) -> Rows:
    if rows := read_metrics(folder):
        return rows
    raise ValueError(f"{folder} has no metrics to draw: the folder of a run with at least one update is needed")


def _draw_wins(axes: Axes, rows: Rows, opponents: Sequence[str], number: int) -> None:
    for place, opponent in enumerate(opponents):
        label = opponent.removeprefix(_OPPONENT) if number == 0 else None
        axes.plot(_steps(rows), _numbers(rows, opponent), _STYLES[number], color=f"C{place}", label=label)
    axes.set(ylabel="win rate, lately", ylim=(0, 1))


def _draw_points(axes: Axes, rows: Rows, number: int) -> None:
    for part, colour in _POINTS.items():
        label = part.replace("_", " ") if number == 0 else None
        axes.plot(_steps(rows), _numbers(rows, part), _STYLES[number], color=colour, label=label)
    axes.set(ylabel="mean points a game")


def _name_styles(axes: Axes, names: Sequence[str]) -> None:
    for name, style in zip(names, _STYLES, strict=False):
        axes.plot([], [], style, color="black", label=name)


def _finish(axes: Axes) -> None:
    axes.set_xlabel("decisions of the learner, millions")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)


def _write(figure: Figure, out: Path) -> None:
    try:
        figure.savefig(out, dpi=150, bbox_inches="tight")
    finally:
        plt.close(figure)


def _steps(rows: Rows) -> list[float]:
    return [int(row["steps"]) / 1e6 for row in rows]


def _numbers(rows: Rows, column: str) -> list[float]:
    """A column, with gaps where there was nothing to say yet."""
    return [float(row[column]) if row.get(column) else np.nan for row in rows]
