"""How agents did against each of those whom they met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ttr_env.arena import intervals
from ttr_env.arena.tables import Played
from ttr_env.engine.scoring import TOTAL


@dataclass(frozen=True)
class Matchup:
    """How an agent did at one table: with these others in all seats that are not its own."""

    agent: str
    against: tuple[str, ...]  # each named once; nobody else where it met only itself
    players: int
    games: int
    win_rate: float  # of one seat
    interval: intervals.Interval
    total: float  # its mean
    total_interval: intervals.Interval | None  # None after a single deal

    @property
    def even(self) -> float:
        """The win rate of a seat at a table of equals."""
        return 1 / self.players

    def as_dict(self) -> dict[str, Any]:
        """The matchup as plain JSON types."""
        return {
            "agent": self.agent,
            "against": list(self.against),
            "games": self.games,
            "win_rate": self.win_rate,
            "ci": list(self.interval),
            "even": self.even,
            "mean_total": self.total,
            "mean_total_ci": self.total_interval and list(self.total_interval),
        }


def matchups(tables: Sequence[Played]) -> list[Matchup]:
    """How every agent did at every table, in the order in which they were played."""
    return [_matchup(table, name) for table in tables for name in dict.fromkeys(table.names)]


def _matchup(table: Played, name: str) -> Matchup:
    places = [place for place, seated in enumerate(table.names) if seated == name]
    shares = intervals.by_deal(table.shares()[:, places].mean(axis=1), table.deals)
    totals = intervals.by_deal(table.scores[:, places, TOTAL].mean(axis=1), table.deals)
    return Matchup(
        name,
        tuple(other for other in dict.fromkeys(table.names) if other != name),
        len(table.names),
        len(table.games),
        float(shares.mean()),
        intervals.of_share(shares, len(table.games)),
        float(totals.mean()),
        intervals.of_mean(totals),
    )


def worth_telling(found: Sequence[Matchup]) -> list[Matchup]:
    """The matchups without those that say of the second of two agents what another says of the first."""
    told: dict[tuple[str, tuple[str, ...]], Matchup] = {}
    for each in found:
        mirrored = len(each.against) == 1 and (each.against[0], (each.agent,)) in told
        if not mirrored:
            told[each.agent, each.against] = each
    return list(told.values())


def comparable(tables: Sequence[Played], name: str) -> set[str]:
    """The agents whose win rates can be compared with that of one of them: they have met the same others."""
    met: dict[str, set[str]] = {}
    for table in tables:
        for seated in table.names:
            met.setdefault(seated, set()).update(set(table.names) - {seated})
    return {other for other in met if met[other] - {name} == met[name] - {other}}
