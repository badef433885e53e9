"""Whole games of random legal actions in one compiled call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from ttr_env.engine import calls, scoring
from ttr_env.game.positions import Positions
from ttr_env.options import GameOptions, MapLike, Variant, check_seed, positive


@dataclass(frozen=True)
class Playouts:
    """What came of games that were played to their end."""

    decisions: int  # in all games together
    totals: np.ndarray  # int32 [games, players]: final scores


def random_playouts(
    map: MapLike = "nederland", *, games: int = 1000, seed: int = 0, **options: Unpack[GameOptions]
) -> Playouts:
    """Play games from the deal in which every decision is uniformly random among the legal actions.

    >>> played = random_playouts("nederland", players=4, games=10, seed=0)
    >>> played.totals.shape
    (10, 4)
    """
    variant = Variant.of(map, **options)
    totals = np.zeros((positive(games, "games"), variant.players), np.int32)
    space = Positions(variant, 1)
    decisions = calls.play_out(
        space.records,
        space.board,
        np.zeros(1, np.uint64),
        np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE),
        np.uint64(check_seed(seed)),
        variant.players,
        int(variant.tolls),
        int(variant.neutral_player),
        totals,
    )
    return Playouts(int(decisions), totals)
