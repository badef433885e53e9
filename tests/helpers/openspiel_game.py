"""Our games as one of OpenSpiel's, `python_ttr`, so that its test of game interfaces can be run on ours.

Chance is inside the game: a draw happens with the action that asks for it, from the game's own random numbers.
OpenSpiel calls that sampled stochastic. Each deal takes its seed from the OpenSpiel game's own generator, which
begins with the parameter `rng_seed`.
"""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import ttr_env
from ttr_env.game import observation

pyspiel = pytest.importorskip("pyspiel")

PARAMETERS = {"map": "nederland", "players": 2, "tolls": True, "neutral_player": False, "rng_seed": 0}
LONGEST = 5000  # decisions; far more than random play takes

GAME_TYPE = pyspiel.GameType(
    short_name="python_ttr",
    long_name="Ticket to Ride",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=False,  # OpenSpiel's would remember the past, ours is what is known now
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class TicketGame(pyspiel.Game):
    """A variant; each of its states is dealt anew."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = PARAMETERS | (params or {})
        self.options = {name: chosen[name] for name in ("map", "players", "tolls", "neutral_player")}
        self._seeds = random.Random(chosen["rng_seed"])
        info = pyspiel.GameInfo(
            num_distinct_actions=ttr_env.Game(seed=0, **self.options).num_actions,
            max_chance_outcomes=0,
            num_players=self.options["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> TicketState:
        return TicketState(self, self._seeds.getrandbits(64))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.options["map"])


class TicketState(pyspiel.State):
    """A position. OpenSpiel copies and saves what it finds in attributes, so the whole game is one of them."""

    def __init__(self, game: TicketGame, seed: int) -> None:
        super().__init__(game)
        self.position = ttr_env.Game(seed=seed, **game.options)

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.player

    def is_terminal(self) -> bool:
        return self.position.player < 0

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions().tolist()

    def _apply_action(self, action: int) -> None:
        self.position.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.describe(action).as_dict())

    def returns(self) -> list[float]:
        """The winners share 1 and the others -1; where all win, nobody gains."""
        players = self.position.players
        winners = self.position.result()["winners"] if self.is_terminal() else []
        if len(winners) in (0, players):
            return [0.0] * players
        lost = -1 / (players - len(winners))
        return [1 / len(winners) if player in winners else lost for player in range(players)]

    def __str__(self) -> str:
        return json.dumps(self.position.snapshot())


class Observer:
    """What a player sees: our vector in its named slices, and what the player knows as JSON."""

    def __init__(self, name: str) -> None:
        map = ttr_env.maps.load(name)
        self.tensor = np.zeros(observation.size(map), np.float32)
        self.dict = {name: self.tensor[part] for name, part in observation.layout(map).items()}

    def set_from(self, state: TicketState, player: int) -> None:
        self.tensor[:] = state.position.observe(player)

    def string_from(self, state: TicketState, player: int) -> str:
        return json.dumps(state.position.information_state(player))


pyspiel.register_game(GAME_TYPE, TicketGame)
