"""What games say of agents: win rates with intervals, means, who beats whom, and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import choix
import numpy as np

from ttr_env.arena import intervals
from ttr_env.arena.tables import Played
from ttr_env.engine.scoring import PARTS, RANK, TOTAL

Pairs = dict[str, dict[str, list[int]]]  # between two agents: how often the first was ahead, level, behind
RATING_SCALE = 400 / np.log(10)  # as in chess: 400 points are odds of ten to one
BOOTSTRAPS = 200


@dataclass(frozen=True)
class Standing:
    """How one agent did in all its games."""

    name: str
    games: int
    win_rate: float
    interval: intervals.Interval  # 95 %, over deals
    means: dict[str, float]  # of the parts of the score
    total_interval: intervals.Interval | None  # of the mean total, 95 %, over deals; None after a single one
    decisions: float  # a game, of all players
    rating: float
    rating_error: float | None  # one standard error, larger where deals are few; None after a single one

    def as_dict(self) -> dict[str, Any]:
        """The standing as plain JSON types."""
        return {
            "name": self.name,
            "games": self.games,
            "win_rate": self.win_rate,
            "ci": list(self.interval),
            **{f"mean_{name}": value for name, value in self.means.items()},
            "mean_total_ci": self.total_interval and list(self.total_interval),
            "decisions": self.decisions,
            "rating": self.rating,
            "rating_error": self.rating_error,
        }


def pairs(tables: Sequence[Played]) -> Pairs:
    """Between every two agents who met: how often the first ranked ahead, level, and behind."""
    found: Pairs = {}
    for table in tables:
        for one, other in combinations(range(len(table.names)), 2):
            first, second = table.names[one], table.names[other]
            if first == second:
                continue
            ranks = table.scores[:, one, RANK] - table.scores[:, other, RANK]
            counts = [int((ranks < 0).sum()), int((ranks == 0).sum()), int((ranks > 0).sum())]
            for a, b, tally in ((first, second, counts), (second, first, counts[::-1])):
                row = found.setdefault(a, {}).setdefault(b, [0, 0, 0])
                found[a][b] = [old + new for old, new in zip(row, tally, strict=True)]
    return found


def standings(names: Sequence[str], tables: Sequence[Played], seed: int = 0) -> list[Standing]:
    """How every agent did, the best rating first."""
    ratings, errors = rate(names, tables, seed)
    told = [float(error) if np.isfinite(error) else None for error in errors]
    found = [_standing(name, tables, float(ratings[index]), told[index]) for index, name in enumerate(names)]
    return sorted(found, key=lambda standing: -standing.rating)


def _standing(name: str, tables: Sequence[Played], rating: float, error: float | None) -> Standing:
    shares, scores, deals, lengths = [], [], [], []
    for table in tables:
        places = [place for place, seated in enumerate(table.names) if seated == name]
        if places:
            shares.append(table.shares()[:, places].mean(axis=1))
            scores.append(table.scores[:, places, : len(PARTS)].mean(axis=1))
            deals.append(table.deals)  # all tables play the same deals
            lengths.append(table.lengths)
    won, parts, dealt = np.concatenate(shares), np.concatenate(scores), np.concatenate(deals)
    of_deals = intervals.by_deal(won, dealt)
    return Standing(
        name,
        sum(len(table.games) * table.names.count(name) for table in tables),
        float(of_deals.mean()),
        intervals.of_share(of_deals, len(won)),
        dict(zip(PARTS, parts.mean(axis=0).tolist(), strict=True)),
        intervals.of_mean(intervals.by_deal(parts[:, TOTAL], dealt)),
        float(np.concatenate(lengths).mean()),
        rating,
        error,
    )


def rate(names: Sequence[str], tables: Sequence[Played], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Bradley-Terry ratings with mean 0, and their standard errors by resampling deals; NaN where one tells nothing."""
    wins_by_deal = _wins_by_deal(names, tables)
    deals = len(wins_by_deal)
    if not deals:
        return np.zeros(len(names)), np.full(len(names), np.nan)
    ratings = fit(wins_by_deal.sum(axis=0))
    if deals == 1:
        return ratings, np.full(len(names), np.nan)
    rng = np.random.default_rng(seed)
    draws = [fit(wins_by_deal[rng.integers(deals, size=deals)].sum(axis=0)) for _ in range(BOOTSTRAPS)]
    unbiased = (deals / (deals - 1)) ** 0.5  # deals that are drawn again differ less than new ones
    return ratings, np.std(draws, axis=0) * unbiased * intervals.widening(deals)


def _wins_by_deal(names: Sequence[str], tables: Sequence[Played]) -> np.ndarray:
    """For each deal, how often one agent ranked ahead of another [deals, agents, agents]; level counts half."""
    place_of = {name: index for index, name in enumerate(names)}
    numbers = np.unique(np.concatenate([table.deals for table in tables])) if tables else np.zeros(0)
    wins = np.zeros((len(numbers), len(names), len(names)))
    for table in tables:
        deals = np.searchsorted(numbers, table.deals)
        for one, other in permutations(range(len(table.names)), 2):
            a, b = place_of[table.names[one]], place_of[table.names[other]]
            if a != b:
                ranks = table.scores[:, one, RANK] - table.scores[:, other, RANK]
                wins[:, a, b] += np.bincount(deals, (ranks < 0) + 0.5 * (ranks == 0), len(numbers))
    return wins


def fit(wins: np.ndarray) -> np.ndarray:
    """Ratings from a matrix of wins; a tenth of a win each way keeps agents who never lost at a finite rating."""
    if len(wins) == 1:
        return np.zeros(1)
    met = (wins + wins.T) > 0
    strengths = choix.ilsr_pairwise_dense(wins + 0.1 * met, alpha=1e-6)
    return RATING_SCALE * (strengths - strengths.mean())
