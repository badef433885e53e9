"""What `reset(options=...)` of an environment takes, and what it says of a step before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium

from ttr_env.errors import SnapshotError
from ttr_env.game.game import Game
from ttr_env.maps.faults import shortened
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
                f"options: {shortened(name)} is unknown; reset() takes {', '.join(taken)}, "
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


def games_to_go_on_from(
    snapshots: Any, rows: Iterable[int], count: int, variant: Variant, seat: int | None = None
) -> list[Game | None]:
    """The positions that the episodes of some of so many rows begin in; None where a game is dealt.

    There is one snapshot for all, or none, or a list with a snapshot or None for every row.

    >>> snapshot = Game(players=2, seed=1).snapshot()
    >>> [game and game.phase for game in games_to_go_on_from([None, snapshot], [0, 1], 2, Variant.of())]
    [None, 'keep_tickets']
    """
    if not isinstance(snapshots, list | tuple):
        game = None if snapshots is None else game_to_go_on_from(snapshots, variant, seat)
        return [game for _ in rows]
    if len(snapshots) != count:
        raise ValueError(f"snapshot: one, or a list of {count}, is needed, not {len(snapshots)}")
    return [_of_row(snapshots[row], row, variant, seat) for row in rows]


def _of_row(snapshot: Any, row: int, variant: Variant, seat: int | None) -> Game | None:
    try:
        return None if snapshot is None else game_to_go_on_from(snapshot, variant, seat)
    except SnapshotError as error:
        raise SnapshotError(f"row {row}: {error}") from error
