"""What games say of agents: win rates with intervals, means, who beats whom, and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import choix
import numpy as np

from ttr_env.arena.tables import Played
from ttr_env.engine.scoring import PARTS, RANK

Pairs = dict[str, dict[str, list[int]]]  # between two agents: how often the first was ahead, level, behind
RATING_SCALE = 400 / np.log(10)  # as in chess: 400 points are odds of ten to one
BOOTSTRAPS = 200


@dataclass(frozen=True)
class Standing:
    """How one agent did in all its games."""

    name: str
    games: int
    win_rate: float
    interval: tuple[float, float]  # 95 %, over deals
    means: dict[str, float]  # of the parts of the score
    decisions: float  # a game, of all players
    rating: float
    rating_error: float  # one standard error

    def as_dict(self) -> dict[str, Any]:
        """The standing as plain JSON types."""
        return {
            "name": self.name,
            "games": self.games,
            "win_rate": self.win_rate,
            "ci": list(self.interval),
            **{f"mean_{name}": value for name, value in self.means.items()},
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
    found = [_standing(name, tables, float(ratings[index]), float(errors[index])) for index, name in enumerate(names)]
    return sorted(found, key=lambda standing: -standing.rating)


def _standing(name: str, tables: Sequence[Played], rating: float, error: float) -> Standing:
    by_deal, scores, lengths = [], [], []
    for table in tables:
        places = [place for place, seated in enumerate(table.names) if seated == name]
        if not places or not len(table.games):
            continue
        share = table.shares()[:, places].mean(axis=1)
        by_deal.append(share.reshape(-1, len(table.names)).mean(axis=1))  # games of a deal are not independent
        scores.append(table.scores[:, places].reshape(-1, table.scores.shape[2]))
        lengths.append(table.lengths)
    if not scores:
        nothing = float("nan")
        return Standing(name, 0, nothing, (nothing, nothing), dict.fromkeys(PARTS, nothing), nothing, rating, error)
    deals, rows = np.concatenate(by_deal), np.concatenate(scores)
    rate = float(deals.mean())
    half = 1.96 * float(deals.std(ddof=1)) / np.sqrt(len(deals)) if len(deals) > 1 else float("nan")
    means = dict(zip(PARTS, rows[:, : len(PARTS)].mean(axis=0).tolist(), strict=True))
    return Standing(
        name,
        len(rows),
        rate,
        (max(0.0, rate - half), min(1.0, rate + half)),
        means,
        float(np.concatenate(lengths).mean()),
        rating,
        error,
    )


def rate(names: Sequence[str], tables: Sequence[Played], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Bradley-Terry ratings with mean 0, and their standard errors by resampling deals."""
    wins_by_deal = _wins_by_deal(names, tables)
    if not len(wins_by_deal):
        return np.zeros(len(names)), np.full(len(names), np.nan)
    rng = np.random.default_rng(seed)
    draws = [
        _fit(wins_by_deal[rng.integers(len(wins_by_deal), size=len(wins_by_deal))].sum(axis=0))
        for _ in range(BOOTSTRAPS)
    ]
    return _fit(wins_by_deal.sum(axis=0)), np.std(draws, axis=0)


def _wins_by_deal(names: Sequence[str], tables: Sequence[Played]) -> np.ndarray:
    """For each deal, how often one agent ranked ahead of another [deals, agents, agents]; level counts half."""
    place_of = {name: index for index, name in enumerate(names)}
    found = []
    for table in tables:
        players = len(table.names)
        wins = np.zeros((len(table.games) // players, len(names), len(names)))
        for one in range(players):
            for other in range(players):
                a, b = place_of[table.names[one]], place_of[table.names[other]]
                if a != b:
                    ranks = table.scores[:, one, RANK] - table.scores[:, other, RANK]
                    ahead = (ranks < 0) + 0.5 * (ranks == 0)
                    wins[:, a, b] += ahead.reshape(-1, players).sum(axis=1)
        found.append(wins)
    return np.concatenate(found) if found else np.zeros((0, len(names), len(names)))


def _fit(wins: np.ndarray) -> np.ndarray:
    """Ratings from a matrix of wins; a tenth of a win each way keeps agents who never lost at a finite rating."""
    if len(wins) == 1:
        return np.zeros(1)
    met = (wins + wins.T) > 0
    strengths = choix.ilsr_pairwise_dense(wins + 0.1 * met, alpha=1e-6)
    return RATING_SCALE * (strengths - strengths.mean())
