"""Agents play each other, and the results say who is how strong."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ttr_env.agents import make
from ttr_env.agents.base import check_map
from ttr_env.arena.tables import Played, Table, tables
from ttr_env.maps.faults import shortened
from ttr_env.options import GAME_DEFAULTS, GameOptions, MapLike, Variant, check_seed, whole_number
from ttr_env.text import Tally

if TYPE_CHECKING:
    from ttr_env.arena.matchups import Matchup
    from ttr_env.arena.ratings import Pairs, Standing

MOST_GAMES = 10_000_000  # at a table: what is kept of each takes memory


@dataclass(frozen=True)
class Results:
    """What was played, and what came of it."""

    map: str  # a built-in map's name, or a folder
    options: GameOptions  # what was played on it
    games: int  # asked for at each table
    seed: int
    standings: list[Standing]  # of every agent that played, the best rating first
    matchups: list[Matchup]  # how every agent did at every table
    pairs: Pairs  # between every two agents who met: how often the first ranked ahead, level, and behind
    tables: list[Played]  # the games themselves, in whole deals
    replies: dict[str, Tally] = field(default_factory=dict)  # of agents that ask a model: how many could be read

    def as_dict(self) -> dict[str, Any]:
        """The results as plain JSON types; the games are not among them."""
        return {
            "map": self.map,
            **self.options,
            "games": self.games,
            "seed": self.seed,
            "agents": [standing.as_dict() for standing in self.standings],
            "matchups": [matchup.as_dict() for matchup in self.matchups],
            "pairs": self.pairs,
            **({"replies": {name: tally.as_dict() for name, tally in self.replies.items()}} if self.replies else {}),
        }


class Stopped(KeyboardInterrupt):
    """Ctrl-C while games were played; `results` are those of what had been played by then."""

    def __init__(self, results: Results) -> None:
        super().__init__("stopped before all games were played")
        self.results = results


def evaluate(
    agents: Sequence[str],
    against: Sequence[str] = (),
    map: MapLike = "nederland",
    *,
    games: int = 2000,
    seed: int = 1,
    keep_records: bool = False,
    folder: str | os.PathLike[str] = "",
    progress: Callable[[int, int], None] | None = None,
    blind: bool = False,
    **options: Unpack[GameOptions],
) -> Results:
    """Let agents play each other, or each of `against`, and say how every one of them did.

    Agents are named as for `ttr_env.agents.make`. More agents than seats: every combination of them is a table that
    plays `games` games; fewer: agents repeat. With `against`, each agent meets each of those in all other seats. Every
    deal is played from every seat, so that luck and seat cancel; a shared win counts its share, and intervals are over
    deals. The same `seed` gives the same results.

    `keep_records` keeps every game, to be replayed. `folder` is where the position goes in which an agent returned an
    illegal action. `progress` is told again and again how many games are finished, and how many there are in all.
    `blind` shows agents only what their seat knows, and deals the rest anew for them: the honest play the same games.
    Ctrl-C raises `Stopped`, which holds the results so far, once a whole deal has been played.

    >>> results = evaluate(["planner"], against=["racer", "random"], games=10)
    >>> results.as_dict()["agents"][0]["name"], results.pairs["planner"]["random"]
    ('planner', [10, 0, 0])
    """
    from ttr_env.arena import ratings  # noqa: F401 - it needs an extra: better missed now than after the games

    variant = Variant.of(map, **options)
    players = variant.players
    games, seed = whole_number(games, "games"), check_seed(seed)
    if not players <= games <= MOST_GAMES:
        raise ValueError(
            f"games: at least {players} are needed to play a deal from every seat, and at most {MOST_GAMES:,}, "
            f"not {shortened(games)}"
        )
    names = list(dict.fromkeys([*agents, *against]))
    for name in names:
        check_map(make(name), variant.map)
    seated = seating(agents, against, players)
    terms = {"map": variant.map.name, "options": GAME_DEFAULTS | options, "games": games, "seed": seed}
    begun: list[Table] = []
    whole = -(-games // players) * players  # deals
    try:
        for at_table in seated:
            begun.append(Table(at_table, variant, seed, Path(folder), keep_records, blind))
            before = whole * (len(begun) - 1)
            for finished in begun[-1].play(whole):
                if progress:
                    progress(before + finished, whole * len(seated))
    except KeyboardInterrupt as stop:
        if any(len(table.played().games) for table in begun):
            raise Stopped(_results(names, begun, terms)) from stop
        raise
    finally:
        for table in begun:
            table.close()
    return _results(names, begun, terms)


def _results(names: Sequence[str], begun: Sequence[Table], terms: dict[str, Any]) -> Results:
    """What has been played so far; agents that have not played are left out."""
    from ttr_env.arena.matchups import matchups
    from ttr_env.arena.ratings import pairs, standings

    played = [table for table in (each.played() for each in begun) if len(table.games)]
    met = {name for table in played for name in table.names}
    ranked = standings([name for name in names if name in met], played, terms["seed"])
    return Results(
        **terms,
        standings=ranked,
        matchups=matchups(played),
        pairs=pairs(played),
        tables=played,
        replies=_replies(begun),
    )


def _replies(begun: Sequence[Table]) -> dict[str, Tally]:
    """What became of the replies of agents that ask a model."""
    replies: dict[str, Tally] = {}
    for table in begun:
        for name, tally in table.tallies().items():
            replies[name] = replies.get(name, Tally()) + tally
    return replies


def seating(agents: Sequence[str], against: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who sits together at each table; nobody plays the same games twice.

    >>> seating(["a", "b"], ["c"], players=3)
    [('a', 'c', 'c'), ('b', 'c', 'c')]
    """
    if not agents:
        raise ValueError("agents: at least one is needed")
    if against:
        met = dict.fromkeys((name, other) for name in agents for other in against if other != name)
        if not met:
            raise ValueError("against: the agents would only meet themselves; name another one")
        return [(name, *[other] * (players - 1)) for name, other in met]
    names = list(dict.fromkeys(agents))
    return tables(names if len(names) >= players else agents, players)
