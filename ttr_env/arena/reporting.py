"""The arena's results as files and plots."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draws to files; there may be no screen

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from ttr_env.arena.contest import Results
from ttr_env.arena.matchups import Matchup, worth_telling
from ttr_env.arena.ratings import Standing
from ttr_env.arena.showing import ahead, short
from ttr_env.arena.writing import write_all
from ttr_env.engine.scoring import TOTAL


def write_folder(folder: Path, results: Results) -> None:
    """Write everything or nothing: results as JSON and CSV, plots as PNG and SVG, and games that were kept."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "ratings": draw_ratings(results.standings),
        "scores": draw_scores(results),
        "wins": draw_wins(results.matchups),
        "pairs": draw_pairs(results),
    }
    contents = {"results.json": as_json(results), "results.csv": _as_csv(results.standings), **_as_images(figures)}
    records = [record for table in results.tables for record in table.records]
    if records:
        contents["records.jsonl"] = "".join(json.dumps(record) + "\n" for record in records)
    write_all({folder / name: content for name, content in contents.items()})


def as_json(results: Results) -> str:
    """The results as a file of JSON has them."""
    return json.dumps(results.as_dict(), indent=2) + "\n"


def _as_csv(ranked: Sequence[Standing]) -> str:
    rows = [standing.as_dict() for standing in ranked]
    for row in rows:
        for name in ("ci", "mean_total_ci"):
            low, high = row.pop(name) or (None, None)
            row |= {f"{name}_low": low, f"{name}_high": high}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _as_images(figures: Mapping[str, Figure]) -> dict[str, str | bytes]:
    """Each figure as PNG and SVG, by the names of the files."""
    images: dict[str, str | bytes] = {}
    for name, figure in figures.items():
        for ending in ("png", "svg"):
            drawn = io.BytesIO()
            figure.savefig(drawn, format=ending, dpi=150, bbox_inches="tight")
            images[f"{name}.{ending}"] = drawn.getvalue()
        plt.close(figure)
    return images


def label(name: str) -> str:
    """An agent's name in a plot, where two dollar signs would be taken for a formula."""
    return short(name).replace("$", r"\$")


def draw_ratings(ranked: Sequence[Standing]) -> Figure:
    """Ratings with two standard errors."""
    figure, axes = plt.subplots(figsize=(7, 1 + 0.5 * len(ranked)))
    names = [label(standing.name) for standing in ranked][::-1]
    values = [standing.rating for standing in ranked][::-1]
    errors = [2 * (standing.rating_error or 0.0) for standing in ranked][::-1]
    axes.errorbar(values, names, xerr=errors, fmt="o", color="#1f5fa8", capsize=4)
    axes.axvline(0, color="#bbbbbb", linewidth=1, zorder=0)
    axes.set_xlabel("rating (400 points: odds of ten to one; bars: two standard errors, over deals)")
    axes.margins(y=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_wins(found: Sequence[Matchup]) -> Figure:
    """Win rates against each opponent, with intervals and numbers of games."""
    rows = worth_telling(found)[::-1]
    figure, axes = plt.subplots(figsize=(7, 1 + 0.4 * len(rows)))
    rates = np.array([each.win_rate for each in rows])
    bounds = np.array([each.interval for each in rows])
    names = [f"{label(each.agent)} against {', '.join(map(label, each.against)) or 'itself'}" for each in rows]
    places = np.arange(len(rows))
    axes.errorbar(rates, places, xerr=[rates - bounds[:, 0], bounds[:, 1] - rates], fmt="o", color="#1f5fa8", capsize=4)
    for place, each in enumerate(rows):
        axes.annotate(f"{each.games:,} games", (1.02, place), va="center", color="#666666", fontsize=8)
    axes.axvline(rows[0].even, color="#bbbbbb", linewidth=1, zorder=0)
    axes.set_yticks(places, names)
    axes.set(xlim=(0, 1), xlabel="win rate (bars: 95 %, over deals; line: a table of equals)")
    axes.margins(y=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_scores(results: Results) -> Figure:
    """The distribution of every agent's totals."""
    names = [standing.name for standing in results.standings][::-1]
    figure, axes = plt.subplots(figsize=(7, 1 + 0.6 * len(names)))
    totals = [_totals(name, results) for name in names]
    axes.boxplot(
        totals, orientation="horizontal", tick_labels=[label(name) for name in names], showfliers=False, whis=(5, 95)
    )
    axes.set_xlabel("total (box: quartiles, whiskers: 5 % and 95 %)")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _totals(name: str, results: Results) -> np.ndarray:
    """All totals of an agent."""
    found = [
        table.scores[:, place, TOTAL]
        for table in results.tables
        for place, seated in enumerate(table.names)
        if seated == name
    ]
    return np.concatenate(found)


def draw_pairs(results: Results) -> Figure:
    """Who finishes ahead of whom, as a table of colours."""
    names, met = [standing.name for standing in results.standings], results.pairs
    tallies = [[met.get(a, {}).get(b) for b in names] for a in names]
    shares = np.array([[ahead(tally) if tally else np.nan for tally in row] for row in tallies], float)
    figure, axes = plt.subplots(figsize=(1.5 + 1.2 * len(names), 1 + 0.8 * len(names)))
    axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(names)), map(label, names), rotation=30, ha="right")
    axes.set_yticks(range(len(names)), map(label, names))
    for (row, column), share in np.ndenumerate(shares):
        tally = tallies[row][column]
        if tally:
            colour = "white" if abs(share - 0.5) > 0.3 else "black"
            axes.text(column, row, f"{share:.1%}\nof {sum(tally):,}", ha="center", va="center", color=colour)
    axes.set_title("row finishes ahead of column")
    return figure
