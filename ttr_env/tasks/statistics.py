"""How numbers of a result and their intervals follow from its deals, as each format of results has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ttr_env.arena import intervals
from ttr_env.arena.intervals import Interval


class Statistics(Protocol):
    """What of the numbers depends on the format."""

    def of_mean(self, means: np.ndarray) -> Interval | None:
        """The interval of a mean, given that of each deal."""

    def error(self, means: np.ndarray) -> float | None:
        """The error of a mean, given that of each deal."""

    def of_share(self, won: Sequence[np.ndarray], credited: Sequence[np.ndarray], games: int) -> Interval:
        """The interval of a share of wins, given that of each deal at each table, and what is credited for others."""


class Present:
    """As results are written now."""

    def of_mean(self, means: np.ndarray) -> Interval | None:
        """Student's interval, which a single deal has not."""
        return intervals.of_mean(means)

    def error(self, means: np.ndarray) -> float | None:
        """The standard error, larger where deals are few."""
        return intervals.error_of_mean(means)

    def of_share(self, won: Sequence[np.ndarray], credited: Sequence[np.ndarray], games: int) -> Interval:
        """The interval of what was won; what is credited is certain."""
        low, high = intervals.of_share(np.mean(won, axis=0), games)
        tables = len(won) + len(credited)
        weight, credit = len(won) / tables, sum(float(shares.mean()) for shares in credited) / tables
        return credit + weight * low, credit + weight * high


class Former:
    """As results of format 1 have them: too narrow where deals are few, and as if a credit might have been lost."""

    def of_mean(self, means: np.ndarray) -> Interval:
        """What comes of drawing deals again."""
        return intervals.resampled(means)

    def error(self, means: np.ndarray) -> float:
        """The standard error, whatever the number of deals."""
        return float(means.std(ddof=1) / math.sqrt(len(means))) if len(means) > 1 else 0.5

    def of_share(self, won: Sequence[np.ndarray], credited: Sequence[np.ndarray], games: int) -> Interval:
        """The interval of what was won and credited together."""
        return intervals.of_share(np.mean([*won, *credited], axis=0), games)


def of_format(number: int) -> Statistics:
    """The statistics of a format of results."""
    return Former() if number == 1 else Present()
