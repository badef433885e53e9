"""A game as one seat knows it, for agents that must not be able to peek."""

from __future__ import annotations

from typing import Self

import numpy as np

from ttr_env.errors import RecordError
from ttr_env.game.actions import KeepTickets
from ttr_env.game.game import Game, Move


class SeatView(Game):
    """A game of which only what one seat knows is true; the rest was dealt anew, and has no seed and no history.

    All that can be asked of a game can be asked of it, and it can be played on, as a world that might be the true
    one. `last` is what everybody saw: of tickets that another player kept it tells nothing.

    >>> game = Game("nederland", players=2, seed=7)
    >>> view = SeatView.of(game, 0, np.random.default_rng(0))
    >>> view.information_state(0) == game.information_state(0), view.seed
    (True, None)
    """

    __slots__ = ("last_seen", "seat")

    seat: int  # whose knowledge it is
    last_seen: Move | None

    @classmethod
    def of(cls, game: Game, player: int, rng: np.random.Generator) -> Self:
        """What a player knows of a game; what is made up comes from `rng`."""
        view = cls.from_positions(game.determinize(player, rng), 0)
        view.seat, view.last_seen = player, _last_seen(game, player)
        return view

    @property
    def last(self) -> Move | None:
        """The last decision as the seat saw it, None if there was none yet, or none is known of."""
        return super().last if self._actions else self.last_seen

    def copy(self) -> Self:
        """The same view, to play on independently."""
        view = super().copy()
        view.seat, view.last_seen = self.seat, self.last_seen
        return view


def _last_seen(game: Game, player: int) -> Move | None:
    try:
        move = game.last
    except RecordError:  # one of many games, on a map that cannot be loaded again to see how it came about
        return None
    if move is not None and move.player != player and isinstance(move.action, KeepTickets):
        return move._replace(action=KeepTickets(()))
    return move
