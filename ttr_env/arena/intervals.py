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
    share, deals = float(shares.mean()), len(shares)
    if deals == 1:
        return 0.0, 1.0
    variance = float(shares.var(ddof=1)) / deals
    independent = min(games, share * (1 - share) / variance) if variance > 0 else deals
    low, high = _wilson(share, independent)
    half = student(deals) * variance**0.5
    return max(0.0, min(low, share - half)), min(1.0, max(high, share + half))


def student(deals: int) -> float:
    """How many standard errors an interval of 95 % reaches to each side; the fewer deals, the more.

    >>> round(student(3), 1), round(student(2000), 2)
    (4.3, 1.96)
    """
    from scipy.stats import t  # here, since it comes with an extra, and takes long

    return float(t.ppf(0.975, deals - 1))


def _wilson(share: float, games: float) -> Interval:
    weight = NORMAL**2 / games
    centre = (share + weight / 2) / (1 + weight)
    half = NORMAL * (share * (1 - share) / games + weight / (4 * games)) ** 0.5 / (1 + weight)
    return centre - half, centre + half


def of_mean(means: np.ndarray) -> Interval | None:
    """The interval of a mean, given that of each deal; None for a single deal, which says nothing of how others differ.

    It is Student's, and never narrower than what comes of drawing as many deals again and again: few deals that are
    drawn again do not show how far others may be off, and Student's does not see which way the deals lean.

    >>> low, high = of_mean(np.array([90.0, 100.0, 110.0, 100.0]))
    >>> round(low), round(high)
    (87, 113)
    """
    deals = len(means)
    if deals < 2:
        return None
    mean, half = float(means.mean()), student(deals) * _standard_error(means)
    low, high = resampled(means)
    return min(low, mean - half), max(high, mean + half)


def resampled(means: np.ndarray, seed: int = 0) -> Interval:
    """Where a mean lies in 95 % of cases when as many deals are drawn again and again."""
    rng = np.random.default_rng(seed)
    drawn = [means[rng.integers(len(means), size=len(means))].mean() for _ in range(BOOTSTRAPS)]  # in little memory
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def error_of_mean(means: np.ndarray) -> float | None:
    """The error of a mean, given that of each deal: 1.96 of it are Student's interval; None for a single deal."""
    return _standard_error(means) * widening(len(means)) if len(means) > 1 else None


def widening(deals: int) -> float:
    """How much larger a standard error has to be told so that 1.96 of it are right for so few deals."""
    return student(deals) / NORMAL


def _standard_error(means: np.ndarray) -> float:
    return float(means.std(ddof=1)) / len(means) ** 0.5
