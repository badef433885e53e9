"""Whole games of random legal actions in one compiled call."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from ttr_env import options
from ttr_env.batch.batch import positive
from ttr_env.engine import calls, layout, scoring
from ttr_env.engine.board import board
from ttr_env.game.game import check_seed
from ttr_env.maps import Map, load


@dataclass(frozen=True)
class Playouts:
    """What came of random games."""

    decisions: int  # in all games together
    totals: np.ndarray  # int32 [games, players]: final scores


def playouts(
    map: str | os.PathLike[str] | Map = "nederland",
    players: int = 2,
    games: int = 1000,
    seed: int = 0,
    tolls: bool | None = None,
    neutral_player: bool = False,
) -> Playouts:
    """Play games in which every decision is uniformly random among the legal actions.

    >>> played = playouts("nederland", players=4, games=10, seed=0)
    >>> played.totals.shape
    (10, 4)
    """
    board_map = load(map)
    chosen = options.choose(board_map, players, tolls, neutral_player)
    totals = np.zeros((positive(games, "games"), chosen.players), np.int32)
    decisions = calls.play_out(
        np.zeros(1, layout.GAME),
        board(board_map),
        np.zeros(1, np.uint64),
        np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE),
        np.uint64(check_seed(seed)),
        chosen.players,
        int(chosen.tolls),
        int(chosen.neutral_player),
        totals,
    )
    return Playouts(int(decisions), totals)
