"""The keywords of a learner's games, in groups, so that editors complete them and each goes where it belongs."""

from __future__ import annotations

from typing import TypedDict

from ttr_env.options import GameOptions, MapLike, SightOptions


class LeagueOptions(TypedDict, total=False):
    """How opponents are drawn."""

    power: float  # how much more often hard opponents are met
    floor: float  # how much an opponent that always loses still counts
    active_snapshots: int  # how many snapshots are met: the hardest ones


class LearnerOptions(GameOptions, SightOptions, LeagueOptions, total=False):
    """Which game, what the learner sees of it, and how its opponents are drawn."""

    map: MapLike  # the name of a built-in map, the folder of your own, or a `Map`
    adviser: str | None  # a bot whose choice the learner is told
    critic: str | None  # "hidden": with `features="actions"`, facts for the critic alone under a key of their own
    threads: int  # how many processor threads share the games
