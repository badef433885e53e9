"""The arena's results as tables, files and plots."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # draws to files; there may be no screen

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from ttr_env.arena.ratings import Pairs, Standing
from ttr_env.arena.tables import Played
from ttr_env.engine.scoring import SCORES

_HEADINGS = {  # of the parts of the score
    "routes": "routes",
    "tickets": "won",
    "tickets_failed": "lost",
    "toll_bonus": "tolls",
    "loans": "loans",
    "longest_path": "path",
    "most_tickets": "most",
    "completed": "tickets",
}


def print_standings(ranked: Sequence[Standing], console: Console) -> None:
    """How every agent did, and where its points came from; parts that nobody has are left out."""
    table = _table("Standings", ("agent", "games", "wins", "95 % interval", "total", "rating"))
    for standing in ranked:
        low, high = standing.interval
        table.add_row(
            standing.name,
            f"{standing.games:,}",
            f"{standing.win_rate:.1%}",
            f"{100 * low:.1f} to {100 * high:.1f}",
            f"{standing.means['total']:.1f}",
            f"{standing.rating:+.0f} ± {standing.rating_error:.0f}",
        )
    console.print(table)
    parts = [part for part in _HEADINGS if any(standing.means[part] for standing in ranked)]
    table = _table("Means a game", ("agent", *(_HEADINGS[part] for part in parts), "decisions"))
    for standing in ranked:
        means = (f"{standing.means[part]:.1f}" for part in parts)
        table.add_row(standing.name, *means, f"{standing.decisions:.0f}")
    console.print(table)


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    return table


def print_pairs(names: Sequence[str], met: Pairs, console: Console) -> None:
    """Who finished ahead of whom."""
    if not met:
        return
    table = _table("Who finishes ahead of whom", ("agent", *names))
    for name in names:
        table.add_row(name, *(_share(met.get(name, {}).get(other)) for other in names))
    console.print(table)


def _share(tally: list[int] | None) -> str:
    return f"{ahead(tally):.1%}" if tally else ""


def ahead(tally: Sequence[int]) -> float:
    """The share of games in which one finished ahead of another, level counted half.

    >>> ahead([6, 2, 2])
    0.7
    """
    wins, level, losses = tally
    return (wins + level / 2) / (wins + level + losses)


def write_folder(
    folder: Path, form: dict[str, Any], ranked: Sequence[Standing], met: Pairs, played: Sequence[Played]
) -> None:
    """Write everything: results as JSON and CSV, plots as PNG and SVG, and the games where they were kept."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(form, indent=2) + "\n", encoding="utf-8")
    with (folder / "results.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [standing.as_dict() for standing in ranked]
        flat = [{**row, "ci": None, "ci_low": row["ci"][0], "ci_high": row["ci"][1]} for row in rows]
        writer = csv.DictWriter(file, [key for key in flat[0] if key != "ci"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(flat)
    figures = {
        "ratings": draw_ratings(ranked),
        "scores": draw_scores([standing.name for standing in ranked], played),
        "pairs": draw_pairs([standing.name for standing in ranked], met),
    }
    for name, figure in figures.items():
        for ending in ("png", "svg"):
            figure.savefig(folder / f"{name}.{ending}", dpi=150, bbox_inches="tight")
        plt.close(figure)
    records = [record for table in played for record in table.records]
    if records:
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / "records.jsonl").write_text(text, encoding="utf-8")


def draw_ratings(ranked: Sequence[Standing]) -> Figure:
    """Ratings with two standard errors."""
    figure, axes = plt.subplots(figsize=(7, 1 + 0.5 * len(ranked)))
    names = [standing.name for standing in ranked][::-1]
    values = [standing.rating for standing in ranked][::-1]
    errors = [2 * standing.rating_error for standing in ranked][::-1]
    axes.errorbar(values, names, xerr=errors, fmt="o", color="#1f5fa8", capsize=4)
    axes.axvline(0, color="#bbbbbb", linewidth=1, zorder=0)
    axes.set_xlabel("rating (400 points: odds of ten to one)")
    axes.margins(y=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_scores(names: Sequence[str], played: Sequence[Played]) -> Figure:
    """The distribution of every agent's totals."""
    total = SCORES.index("total")
    figure, axes = plt.subplots(figsize=(7, 1 + 0.6 * len(names)))
    totals = [
        np.concatenate(
            [
                table.scores[:, place, total]
                for table in played
                for place, seated in enumerate(table.names)
                if seated == name
            ]
            or [np.zeros(1)]
        )
        for name in names[::-1]
    ]
    axes.boxplot(totals, orientation="horizontal", tick_labels=list(names[::-1]), showfliers=False, whis=(5, 95))
    axes.set_xlabel("total (box: quartiles, whiskers: 5 % and 95 %)")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_pairs(names: Sequence[str], met: Pairs) -> Figure:
    """Who finishes ahead of whom, as a table of colours."""
    shares = np.array(
        [[ahead(tally) if (tally := met.get(a, {}).get(b)) else np.nan for b in names] for a in names], float
    )
    figure, axes = plt.subplots(figsize=(1.5 + len(names), 1 + 0.8 * len(names)))
    axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    for (row, column), share in np.ndenumerate(shares):
        if not np.isnan(share):
            colour = "white" if abs(share - 0.5) > 0.3 else "black"
            axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=colour)
    axes.set_title("row finishes ahead of column")
    return figure
