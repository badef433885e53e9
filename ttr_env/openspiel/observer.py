"""What a player is shown of a state: our vector in its named parts, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ttr_env import text
from ttr_env.game import Game, observation, words

if TYPE_CHECKING:
    from ttr_env.openspiel.game import TicketGame
    from ttr_env.openspiel.state import TicketState


class Observer:
    """An observation that is written anew by each `set_from`: copy what you keep.

    `tensor` is the vector and `dict` has its parts by name, on the same memory. With perfect recall there is no tensor,
    and the string is the information state.
    """

    def __init__(self, game: TicketGame, perfect_recall: bool) -> None:
        self._game, self._perfect_recall = game, perfect_recall
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not perfect_recall:
            self.tensor = np.zeros(game.observation_size, np.float32)
            self.dict = observation.named(self.tensor, game.variant.map, game.sight.features)

    def set_from(self, state: TicketState, player: int) -> None:
        """Write what a player sees; zeros where nothing is dealt yet."""
        seat = self._game.seat(player)
        if self.tensor is None:
            return
        if not state.dealt:
            self.tensor[:] = 0.0
            return
        self._game.show(state.position, seat, self.tensor)

    def string_from(self, state: TicketState, player: int) -> str:
        """What a player sees, in words; with perfect recall, all that it has seen and done."""
        seat = self._game.seat(player)
        if not state.dealt:
            return "Not dealt yet"
        if not self._perfect_recall:
            return f"{text.position(state.position, seat)}\n{_discarded(state.position, seat)}"
        if state.recall is None:
            raise ValueError(
                "information states remember the past, which is kept with the parameter deals=N alone; "
                "observation strings say what is known now (use_observation_string=True in IS-MCTS)"
            )
        return state.recall.seen[seat]


def _discarded(game: Game, player: int) -> str:
    """The discard piles as a player sees them, with which the words that it reads say all that can be done."""
    known = game.information_state(player)
    cards = [f"{number} {card}" for card, number in known["discard"].items() if number]
    tickets = known["ticket_discard"]
    names = [words.ticket_name(game.map, ticket) for ticket in tickets] if isinstance(tickets, list) else []
    return f"Discarded: {', '.join([*cards, *names]) or 'nothing'}"
