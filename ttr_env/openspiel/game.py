"""A variant of the game as one of OpenSpiel's games, with the parameters that choose it."""

from __future__ import annotations

import random
from typing import Any, Self

import numpy as np
import pyspiel

from ttr_env.engine import calls, planning
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.maps.limits import MAX_PLAYERS
from ttr_env.openspiel.observer import Observer
from ttr_env.openspiel.state import TicketState
from ttr_env.options import MAX_DECISIONS, Sight, Variant, check_seed, check_vector, positive, whole_number

PARAMETERS: dict[str, Any] = {
    "map": "nederland",
    "players": 2,
    "tolls": True,  # where the map has them
    "neutral_player": False,
    "features": "base",  # of observation tensors
    "max_decisions": MAX_DECISIONS,  # after which a game is cut off, and nobody wins
    "rng_seed": 0,
    "deals": 0,  # how many there are, for a chance node to pick from; 0: any number, and no chance node
}


def _game_type(explicit: bool) -> Any:
    """How OpenSpiel files the game: with `explicit` chance, there are few deals, and the past is remembered."""
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name="ttr",
        long_name="Ticket to Ride",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if explicit else modes.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=2,
        provides_information_state_string=explicit,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


GAME_TYPE = _game_type(explicit=False)


class TicketGame(pyspiel.Game):
    """A variant, and where its deals come from.

    Draws follow from the deal's seed: after it there is no chance. Without `deals`, each new state is dealt from a seed
    of the game's own generator, which begins at `rng_seed`. With `deals=N`, a chance node at the root picks one of the
    N seeds from `rng_seed` on, each as likely as the others; only then do states give information states.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = PARAMETERS | (params or {})
        tolls = None if chosen["tolls"] else False  # as the map has it, or none
        self.variant = Variant.of(
            chosen["map"], players=chosen["players"], tolls=tolls, neutral_player=chosen["neutral_player"]
        )
        self.sight = Sight(check_vector(chosen["features"]))
        self.max_decisions = positive(chosen["max_decisions"], "max_decisions")
        self.deals = _check_deals(chosen["deals"])
        self._first_seed = check_seed(chosen["rng_seed"])
        self._seeds = random.Random(self._first_seed)
        self.observation_size = self.variant.observation_size(self.sight)
        self._plan = aligned(1, planning.PLAN)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.variant.num_actions,
            max_chance_outcomes=self.deals,
            num_players=self.variant.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_decisions,
        )
        super().__init__(_game_type(explicit=self.deals > 0), info, params or {})

    def new_initial_state(self) -> TicketState:
        """A state at the beginning: the chance node, or a game that is dealt when it is first looked at."""
        return TicketState(self)

    def deal(self, number: int | None = None) -> Game:
        """A new game: one of those that the chance node picks from, or of a seed that nobody has had."""
        if number is not None and not 0 <= number < self.deals:
            raise IllegalAction(f"the deals are 0 to {self.deals - 1}, not {number}", action=number)
        seed = self._seeds.getrandbits(64) if number is None else self._first_seed + number
        return Game.deal(self.variant, seed)

    def seat(self, player: int) -> int:
        """The seat of a player; OpenSpiel has numbers for chance and for nobody as well."""
        seat = whole_number(player, "player")
        if not 0 <= seat < self.variant.players:
            raise ValueError(f"player: the seats are 0 to {self.variant.players - 1}, not {seat}")
        return seat

    def show(self, position: Game, player: int, vector: np.ndarray) -> None:
        """Write what a player sees."""
        seat, sight = self.seat(player), self.sight
        calls.observe(
            position.records, 0, position.board, seat, sight.with_planning, sight.tolls_visible, self._plan, vector
        )

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.deals else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What shows states to players; OpenSpiel asks for one with perfect recall for information states."""
        return Observer(self, perfect_recall=iig_obs_type is not None and iig_obs_type.perfect_recall)

    def __reduce__(self) -> tuple[Any, ...]:
        """What `pickle` and `copy` keep: OpenSpiel would ask for its generator, which a Python game cannot give it."""
        return self._restored, (self.get_parameters(), self._seeds.getstate())

    @classmethod
    def _restored(cls, parameters: dict[str, Any], seeds: tuple[Any, ...]) -> Self:
        """A game whose next deals are those of the game that was saved."""
        game: Self = pyspiel.load_game(GAME_TYPE.short_name, parameters)
        game._seeds.setstate(seeds)
        return game


def _check_deals(deals: int) -> int:
    if deals < 0:
        raise ValueError(f"deals: 0 for a new deal in every game, or how many there are, is needed, not {deals}")
    return deals
