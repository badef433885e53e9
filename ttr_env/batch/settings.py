"""What all rows of a batch have in common, as steps take it."""

from __future__ import annotations

import numpy as np

from ttr_env.batch import stepping
from ttr_env.options import Table, whole_number


def settings_of(table: Table, seat: int | None, autoreset: bool, views: bool) -> np.ndarray:
    """The record `stepping.SETTINGS` of a table, with place 0 in this seat, or in one that is drawn.

    >>> int(settings_of(Table.of("nederland", players=3), 1, True, True)["players"][0])
    3
    """
    variant, sight, episode = table.variant, table.sight, table.episode
    settings = np.zeros(1, stepping.SETTINGS)
    settings["players"], settings["with_tolls"] = variant.players, variant.tolls
    settings["with_neutral"] = variant.neutral_player
    settings["with_planning"], settings["with_tolls_visible"] = sight.with_planning, sight.tolls_visible
    settings["reward"], settings["max_decisions"] = episode.reward_kind, episode.max_decisions
    settings["autoreset"], settings["with_views"] = autoreset, views
    settings["with_vectors"] = not sight.with_actions
    settings["seat"] = stepping.DRAWN if seat is None else _check_seat(seat, variant.players)
    return settings


def _check_seat(seat: int, players: int) -> int:
    number = whole_number(seat, "seat")
    if not 0 <= number < players:
        raise ValueError(f"seat: the seats are 0 to {players - 1}, not {number}; None draws one for every game")
    return number
