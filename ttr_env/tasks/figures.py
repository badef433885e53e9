"""The numbers of a result: shares of wins with intervals, totals, a rating and a normalised score.

All are recomputed from the games when a result is verified.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ttr_env.arena import intervals
from ttr_env.arena.tables import Played
from ttr_env.bots.built_in import HELD_OUT
from ttr_env.engine.scoring import RANK, TOTAL
from ttr_env.tasks import statistics
from ttr_env.tasks.definitions import ANCHOR, LOWEST, PUBLIC, Task
from ttr_env.tasks.statistics import Statistics

SCALE = 400 / math.log(10)  # as in chess: 400 points are odds of ten to one
_SPARE = 0.1  # of a win each way keeps those who never lost at a finite rating, as in the arena


def figures(task: Task, agent: str, played: Sequence[tuple[str, Played]], format: int) -> dict[str, Any]:
    """The numbers of an agent, as a format of results has them, from the map of each table and its games."""
    told_by = statistics.of_format(format)
    tables = [(board, table) for board, table in played if len(table.games)]
    public = [table for _, table in tables if opponent(table) in PUBLIC]
    held_out = [table for _, table in tables if opponent(table) in HELD_OUT]
    found = {
        "tables": [_matchup(board, table, told_by) for board, table in tables],
        "public": _overall(public, agent in PUBLIC, told_by),
        "held_out": _overall(held_out, agent in HELD_OUT, told_by),
    }
    return measured(found, task, agent)


def opponent(table: Played) -> str:
    """Who had all seats but the agent's at a table."""
    return table.names[-1]


def measured(found: dict[str, Any], task: Task, agent: str) -> dict[str, Any]:
    """The numbers with rating and normalised score, where all public opponents were met and references are there."""
    references, public = task.references, found["public"]
    met = {each["against"] for each in found["tables"]}
    if public is None or references is None or not set(PUBLIC) <= met | {agent}:
        return found
    against = [references.ratings[name] for name in PUBLIC if name in met]
    rating = 1000.0 if agent == ANCHOR else rate(public["ahead"], against, public["games"])
    steps = np.array([_chance(rating, each) for each in against])
    slope = float((steps * (1 - steps)).mean()) / SCALE
    low, high = references.shares[LOWEST], references.shares[ANCHOR]
    error = public["ahead_error"]
    numbers = {
        "rating": rating,
        "rating_error": 0.0 if agent == ANCHOR else None if error is None else error / slope,
        "normalised": 100 * (public["win_share"] - low) / (high - low),
    }
    return {**found, "public": {**public, **numbers}}


def rate(ahead: float, against: Sequence[float], games: int) -> float:
    """The rating with which an agent finishes ahead of opponents of these ratings so often, all met equally often.

    >>> round(rate(0.5, [1000.0], 100)), round(rate(10 / 11, [1000.0], 10**6))
    (1000, 1400)
    """
    spare = _SPARE * len(against)
    wanted = (ahead * games + spare) / (games + 2 * spare)
    low, high = min(against) - 4000.0, max(against) + 4000.0
    for _ in range(60):
        middle = (low + high) / 2
        below = np.mean([_chance(middle, each) for each in against]) < wanted
        low, high = (middle, high) if below else (low, middle)
    return (low + high) / 2


def told_rating(public: dict[str, Any], agent: str) -> str:
    """A rating with its error; nobody knows how far those who won, or lost, every game are from the others.

    >>> told_rating({"rating": 1130.9, "rating_error": 17.2}, "mine")
    '1131 ± 17'
    """
    error = public["rating_error"]
    if error is None:  # after a single deal
        return f"{public['rating']:.0f} ± ?"
    if agent != ANCHOR and error < 0.5:
        return f"beyond {public['rating']:.0f}"
    return f"{public['rating']:.0f} ± {error:.0f}"


def _chance(rating: float, other: float) -> float:
    """How often somebody finishes ahead of another, by their ratings."""
    return 1 / (1 + math.exp((other - rating) / SCALE))


def _matchup(board: str, table: Played, told_by: Statistics) -> dict[str, Any]:
    shares, totals = _by_deal(table, table.shares()[:, 0]), _by_deal(table, table.scores[:, 0, TOTAL])
    return {
        "map": board,
        "against": opponent(table),
        "games": len(table.games),
        "win_share": float(shares.mean()),
        "interval": list(intervals.of_share(shares, len(table.games))),
        "mean_total": float(totals.mean()),
        "mean_total_interval": _as_list(told_by.of_mean(totals)),
        "ahead": float(_ahead(table).mean()),
    }


def _by_deal(table: Played, values: np.ndarray) -> np.ndarray:
    return intervals.by_deal(values.astype(float), table.deals)


def _ahead(table: Played) -> np.ndarray:
    """How much of each deal the agent finished ahead of the others, level counted half."""
    ranks = table.scores[:, :1, RANK] - table.scores[:, 1:, RANK]
    return _by_deal(table, ((ranks < 0) + 0.5 * (ranks == 0)).mean(axis=1))


def _as_list(ends: intervals.Interval | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _overall(tables: Sequence[Played], meets_itself: bool, told_by: Statistics) -> dict[str, Any] | None:
    """The numbers over all these opponents, each counted alike; None if there are none.

    Nobody plays against itself: an agent that is one of the opponents would win its even share there, and is given it.
    """
    if not tables:
        return None
    whole = min(len(np.unique(table.deals)) for table in tables)  # of a test that was stopped: what all have played
    won = [_by_deal(table, table.shares()[:, 0])[:whole] for table in tables]
    boards = max(1, len(tables) // len({opponent(table) for table in tables}))
    credited = [np.full(whole, 1 / len(tables[0].names))] * boards if meets_itself else []
    shares = np.mean([*won, *credited], axis=0)
    ahead = np.mean([_ahead(table)[:whole] for table in tables], axis=0)
    totals = np.mean([_by_deal(table, table.scores[:, 0, TOTAL])[:whole] for table in tables], axis=0)
    games = sum(len(table.games) for table in tables)
    return {
        "games": games,
        "win_share": float(shares.mean()),
        "interval": list(told_by.of_share(won, credited, games)),
        "mean_total": float(totals.mean()),
        "mean_total_interval": _as_list(told_by.of_mean(totals)),
        "ahead": float(ahead.mean()),
        "ahead_error": told_by.error(ahead),
    }
