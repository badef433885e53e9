"""Whether what is given as the state of a batch is one: it may come from a file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ttr_env.engine.layout import OVER
from ttr_env.errors import SnapshotError
from ttr_env.game.checking import check_record
from ttr_env.options import Variant


def check_state(
    state: Mapping[str, np.ndarray], kept: Mapping[str, np.ndarray], variant: Variant, max_decisions: int
) -> None:
    """Refuse a state that differs in form from what a batch has `kept`, or in which a row is no game of the variant."""
    for name, own in kept.items():
        given = state.get(name)
        if not isinstance(given, np.ndarray) or (given.dtype, given.shape) != (own.dtype, own.shape):
            raise ValueError(f"state: {name!r} must be an array of {own.shape} like that of this batch")
        if given.dtype.kind == "f" and not np.isfinite(given).all():
            raise ValueError(f"state: not all numbers of {name!r} are finite")
    _check_rows(state, variant, max_decisions)
    _check_games(state["games"], "games", variant)
    if "ends" in kept:
        seen = state["ends"]["player"] >= 0  # nothing is read of the others
        _check_games(state["ends"][seen], "ends", variant)


def _check_rows(state: Mapping[str, np.ndarray], variant: Variant, max_decisions: int) -> None:
    """What is used as an index, or to tell who is to move."""
    rows, outcomes, games = state["rows"], state["outcomes"], state["games"]
    seats = [rows["seat"], outcomes["seat"].astype(np.int64)]
    if any((seat < 0).any() or (seat >= variant.players).any() for seat in seats):
        raise ValueError(f"state: a row's seat is none of 0 to {variant.players - 1}")
    if (rows["decisions"] < 0).any() or (rows["decisions"] > max_decisions).any() or (rows["episode"] < 0).any():
        raise ValueError("state: a row has made an impossible number of decisions")
    movers = np.where(games["phase"] == OVER, -1, games["player"])
    if not np.array_equal(outcomes["mover"], movers):
        raise ValueError("state: a row's mover is not the player to move")


def _check_games(games: np.ndarray, name: str, variant: Variant) -> None:
    for row, record in enumerate(games):
        try:
            check_record(variant, record)
        except SnapshotError as error:
            raise ValueError(f"state: row {row} of {name!r} is no position: {error}") from error
