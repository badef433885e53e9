"""Intervals of 95 %, over deals: games of one deal are not independent, so that a deal counts as one observation."""

from __future__ import annotations

import numpy as np

BOOTSTRAPS = 1000
NORMAL = 1.96  # standard errors
Interval = tuple[float, float]


def by_deal(values: np.ndarray, deals: np.ndarray) -> np.ndarray:
    """The mean of the values of each deal that was played.

    >>> by_deal(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 5, 5])).tolist()
    [0.5, 1.0]
    """
    _, places = np.unique(deals, return_inverse=True)
    return np.bincount(places, values) / np.bincount(places)


def of_share(shares: np.ndarray, games: int) -> Interval:
    """The interval of a share of wins, given the share of each deal and the number of games.

    It is Wilson's, with the number of independent games that would tell as much, and never narrower than the plain one
    over deals. Where all deals agree, each counts as one game: ten wins in ten games of five deals are no certainty.

    >>> low, high = of_share(np.ones(5), games=10)
    >>> round(low, 2), high
    (0.57, 1.0)
    """
    from scipy.stats import t as student  # here, since it comes with an extra, and takes long

    share, deals = float(shares.mean()), len(shares)
    if deals == 1:
        return 0.0, 1.0
    variance = float(shares.var(ddof=1)) / deals
    independent = min(games, share * (1 - share) / variance) if variance > 0 else deals
    low, high = _wilson(share, independent)
    half = float(student.ppf(0.975, deals - 1)) * variance**0.5
    return max(0.0, min(low, share - half)), min(1.0, max(high, share + half))


def _wilson(share: float, games: float) -> Interval:
    weight = NORMAL**2 / games
    centre = (share + weight / 2) / (1 + weight)
    half = NORMAL * (share * (1 - share) / games + weight / (4 * games)) ** 0.5 / (1 + weight)
    return centre - half, centre + half


def of_mean(means: np.ndarray, seed: int = 0) -> Interval:
    """The interval of a mean, given that of each deal: by drawing as many deals again and again.

    >>> low, high = of_mean(np.array([90.0, 100.0, 110.0, 100.0]))
    >>> 90 <= low < 100 < high <= 110
    True
    """
    rng = np.random.default_rng(seed)
    drawn = [means[rng.integers(len(means), size=len(means))].mean() for _ in range(BOOTSTRAPS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)
