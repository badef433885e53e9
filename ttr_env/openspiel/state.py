"""A position as one of OpenSpiel's states."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyspiel

from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS
from ttr_env.openspiel.recall import Recall

if TYPE_CHECKING:
    from ttr_env.openspiel.game import TicketGame

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


class _Deal:
    """A game that is dealt when it is first asked for, also by copying or pickling it."""

    def __init__(self, deal: Callable[[], Game]) -> None:
        self._deal: Callable[[], Game] | None = deal
        self._game: Game | None = None

    @classmethod
    def of(cls, game: Game) -> _Deal:
        return cls(lambda: game)

    @property
    def game(self) -> Game:
        if self._deal is not None:
            self._game, self._deal = self._deal(), None
        return cast(Game, self._game)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Deal:
        return _Deal.of(self.game.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return _Deal.of, (self.game,)


class TicketState(pyspiel.State):
    """A position, and with `deals` what each player saw on the way to it.

    OpenSpiel copies a state by making a new one and setting its attributes to copies, and saves those with `pickle`. So
    a state takes its deal only when somebody asks for it: the one that is made for a copy takes none away.
    """

    def __init__(self, game: TicketGame, position: Game | None = None, decisions_left: int | None = None) -> None:
        """Make a state at the beginning, or in a position with so many decisions left before it is cut off."""
        super().__init__(game)
        self._held = _Deal(game.deal) if position is None else _Deal.of(position)
        self._mover = CHANCE if position is None and game.deals else None  # None: it is not worked out yet
        self._decisions_left = game.max_decisions if decisions_left is None else decisions_left
        self._recall: Recall | None = None  # with `deals`
        self._legal: np.ndarray | None = None  # the mask, once somebody has asked for it

    @property
    def position(self) -> Game:
        """The game as it stands; stepping it from outside leaves the state behind."""
        if self._mover == CHANCE:
            raise ValueError("position: the game is not dealt yet; the chance node picks a deal")
        return self._held.game

    @property
    def dealt(self) -> bool:
        """Whether there is a position: not at the chance node."""
        return self._mover != CHANCE

    @property
    def recall(self) -> Recall | None:
        """With `deals`, what each player has seen and done since."""
        return self._recall

    @recall.setter
    def recall(self, recall: Recall | None) -> None:
        self._recall = recall

    def current_player(self) -> int:
        if self._mover is None:
            player = self.position.player
            self._mover = TERMINAL if player < 0 or self._decisions_left == 0 else player
        return self._mover

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    # What may be done. The first two answer what OpenSpiel would ask `_legal_actions` for in several calls.

    def legal_actions(self, player: int | None = None) -> list[int]:
        mover = self.current_player()
        if mover == CHANCE:
            return list(range(self.get_game().deals))
        if mover == TERMINAL or player not in (None, mover):
            return []
        return self._mask().view(np.bool_).nonzero()[0].tolist()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        mover = self.current_player()
        if mover == CHANCE:
            return [1] * self.get_game().deals
        if mover == TERMINAL or player not in (None, mover):
            return [0] * self.num_distinct_actions()
        return self._mask().tolist()

    def _mask(self) -> np.ndarray:
        """The legal actions of the player to move, worked out once for whoever asks in whichever way."""
        if self._legal is None:
            self._legal = self.position.action_mask()
        return self._legal

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self._mover == CHANCE:
            self._held, self._mover = _Deal.of(self.get_game().deal(action)), None
            self._recall = Recall.of(self.position)
            return
        position, mover = self.position, self.current_player()
        deed = position.text(action) if self._recall else ""
        position.step(action)
        if self._recall:
            self._recall = self._recall.after(mover, deed, position)
        self._decisions_left -= 1
        self._mover = self._legal = None

    def returns(self) -> list[float]:
        """What a game that is over was worth, as `reward="win"` has it; nothing before, and where it was cut off."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        shares = self.position.returns("win").tolist()
        return [float(Fraction(share).limit_denominator(MAX_PLAYERS)) for share in shares]  # from float32, exactly

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TicketState:
        """A state that the player cannot tell from this one; `sampler` gives a random number from 0 to 1.

        It is dealt from all cards that could lie there, also with `deals`. It has no history, which would tell what
        others have done in secret; of what they saw there is what they know now.
        """
        chance = np.random.default_rng(int(sampler() * 2**53))
        position = self.position.determinize(player, chance)
        state = TicketState(self.get_game(), position, self._decisions_left)
        state.recall = self._recall and self._recall.shared_by(player, position)
        return state

    # Copies by Python's own means: OpenSpiel would ask for the game's generator, which a Python game cannot give it.

    def __deepcopy__(self, memo: dict[int, Any]) -> TicketState:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.get_game(), self.serialize())

    # In words, and as plain JSON types.

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE or not self.dealt:
            return f"Deal {action}"
        return self.position.text(action)

    def __str__(self) -> str:
        return json.dumps(self.position.snapshot()) if self.dealt else "Not dealt yet"

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Our observation vector, of the player to move if none is named; zeros where nothing is dealt yet."""
        game: TicketGame = self.get_game()
        mover = self.current_player()
        if player is None and mover < 0:
            raise ValueError("player: nobody is to move here; say whose view is wanted")
        seat = game.seat(mover if player is None else player)
        vector = np.zeros(game.observation_size, np.float32)
        if self.dealt:
            game.show(self.position, seat, vector)
        return vector.astype(np.float64).tolist()  # twice as fast as from float32

    def _to_struct(self) -> dict[str, Any]:
        return dict(self.position.snapshot()) if self.dealt else {}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return dict(self.position.information_state(player)) if self.dealt else {}

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return self.position.describe(action).as_dict() if self.dealt else {"deal": action}

    def _struct_to_actions(self, struct: dict[str, Any]) -> list[int]:
        return [self.position.index(struct) if self.dealt else struct["deal"]]


def _restored(game: TicketGame, saved: str) -> TicketState:
    return game.deserialize_state(saved)
