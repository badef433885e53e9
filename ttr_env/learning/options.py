"""The keywords of a learner's games, in groups, so that editors complete them and each goes where it belongs."""

from __future__ import annotations

import os
from typing import Any, TypedDict

from ttr_env.maps import Map


class GameOptions(TypedDict, total=False):
    """Which game is played."""

    map: str | os.PathLike[str] | Map
    players: int
    tolls: bool | None
    neutral_player: bool


class SightOptions(TypedDict, total=False):
    """What is observed."""

    features: str  # "base" or "planning"
    tolls_visible: bool


class LeagueOptions(TypedDict, total=False):
    """How opponents are drawn."""

    power: float  # how much more often hard opponents are met
    floor: float  # how much an opponent that always loses still counts
    active_snapshots: int  # the hardest so many snapshots are met


class LearnerOptions(GameOptions, SightOptions, LeagueOptions, total=False):
    """Which game, what the learner sees of it, and how its opponents are drawn."""

    adviser: str | None  # a built-in player whose choice the learner is told


def check_names(options: LearnerOptions, where: str) -> None:
    """Refuse options that there are not."""
    known = LearnerOptions.__annotations__
    for name in options:
        if name not in known:
            raise TypeError(f"{where} has no option {name!r}; its options are: {', '.join(known)}")


def part_of(options: LearnerOptions, group: type) -> dict[str, Any]:
    """Those of the options that belong to a group."""
    return {name: value for name, value in options.items() if name in group.__annotations__}
