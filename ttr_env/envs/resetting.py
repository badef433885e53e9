"""What `reset(options=...)` of an environment takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium

from ttr_env.errors import SnapshotError
from ttr_env.game import Game
from ttr_env.options import Variant


def check_reset_options(options: Mapping[str, Any] | None, known: Iterable[str] = ("snapshot",)) -> None:
    """Refuse options that an environment does not know; None and no options at all are always right.

    >>> check_reset_options({"reset_mask": [True, False]}, known=["reset_mask"])
    >>> check_reset_options({"players": 3})
    Traceback (most recent call last):
    ValueError: options: 'players' is unknown; reset() takes snapshot, the options of a game are given at construction
    """
    taken = list(known)
    for name in options or ():
        if name not in taken:
            raise ValueError(
                f"options: {name!r} is unknown; reset() takes {', '.join(taken)}, "
                "the options of a game are given at construction"
            )


def closed() -> gymnasium.error.ClosedEnvironmentError:
    """The error of a step after `close`.

    >>> closed()
    ClosedEnvironmentError('the environment was closed; call reset() before step()')
    """
    return gymnasium.error.ClosedEnvironmentError("the environment was closed; call reset() before step()")


def game_to_go_on_from(snapshot: Any, variant: Variant, seat: int | None = None) -> Game:
    """The position that an episode begins in: of this variant, with a decision to be made, in this seat if it is fixed.

    >>> from ttr_env import Game
    >>> game_to_go_on_from(Game(players=3, seed=1).snapshot(), Variant.of(players=2))
    Traceback (most recent call last):
    ttr_env.errors.SnapshotError: players: 2 is needed here, not 3
    """
    game = Game.from_snapshot(snapshot)
    difference = variant.difference(game.variant)
    if difference:
        raise SnapshotError(difference)
    if game.over:
        raise SnapshotError("phase: the game is over; an episode needs a decision to be made")
    if seat is not None and seat != game.player:
        raise SnapshotError(
            f"player: the learner sits in seat {seat}, but player {game.player} is to move; "
            "with seat=None the learner takes the seat of whoever is"
        )
    return game
