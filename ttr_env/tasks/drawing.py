"""Plots of results, as SVG that stands inside of a page."""

from __future__ import annotations

import io
from collections.abc import Sequence

import matplotlib

matplotlib.use("Agg")  # draws to files; there may be no screen

import matplotlib.pyplot as plt
import numpy as np

from ttr_env.arena.reporting import label
from ttr_env.tasks.results import Result

_COLOURS = {"public": "#1f5fa8", "held_out": "#c4621a"}
_LABELS = {"public": "public opponents", "held_out": "held-out opponents"}


def draw(told: Sequence[Result]) -> str:
    """Shares of wins of agents on one task, with intervals, the best above."""
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.5 * len(told)))
    for kind, colour in _COLOURS.items():
        places = [place for place, result in enumerate(told[::-1]) if result.figures[kind]]
        if not places:
            continue
        found = [told[::-1][place].figures[kind] for place in places]
        shares, ends = np.array([each["win_share"] for each in found]), np.array([each["interval"] for each in found])
        sizes = [shares - ends[:, 0], ends[:, 1] - shares]
        offset = 0.1 if kind == "public" else -0.1
        axes.errorbar(
            shares, np.array(places) + offset, xerr=sizes, fmt="o", color=colour, capsize=4, label=_LABELS[kind]
        )
    axes.axvline(1 / told[0].terms.boards[0]["players"], color="#bbbbbb", linewidth=1, zorder=0)
    axes.set_yticks(range(len(told)), [label(result.terms.agent) for result in told[::-1]])
    axes.set(xlim=(0, 1), xlabel="share of wins (bars: 95 %, over deals; line: a table of equals)")
    axes.margins(y=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False, fontsize=8)
    written = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": told[0].terms.task}):  # the same results, the same page
        figure.savefig(written, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    text = written.getvalue()
    start = f'<svg role="img" aria-label="Shares of wins on {told[0].terms.task}"'
    return start + text[text.index("<svg") + len("<svg") :]
