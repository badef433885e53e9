"""A game in progress, as the PettingZoo and the single-agent environment both need it."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ttr_env import options
from ttr_env.batch.batch import MAX_DECISIONS, check_reward, positive
from ttr_env.engine import calls, planning, rewards, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game, observation
from ttr_env.maps import Map, load


class Playing:
    """One game after another with the same options, with rewards and a limit of decisions."""

    def __init__(
        self,
        map: str | os.PathLike[str] | Map = "nederland",
        players: int = 2,
        tolls: bool | None = None,
        neutral_player: bool = False,
        features: str = "base",
        tolls_visible: bool = False,
        reward: str = "win",
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        self.map = load(map)
        self.variant = options.choose(self.map, players, tolls, neutral_player)
        self.observation_size = observation.size(self.map, features, tolls_visible)
        self._with_planning = features == "planning"
        self._tolls_visible = bool(tolls_visible)
        self._reward = rewards.REWARDS.index(check_reward(reward))
        self._max_decisions = positive(max_decisions, "max_decisions")
        self.rewards = np.zeros(self.variant.players, np.float32)  # of the last decision, by seat
        self._sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
        self._plan = aligned(1, planning.PLAN)
        self._dense = reward == "dense"
        self._source = np.zeros(1, np.uint64)
        self.start(0)
        self.num_actions = self.game.num_actions

    def start(self, seed: int) -> None:
        """Deal a new game."""
        options = self.variant
        self.game = Game(self.map, options.players, seed, options.tolls, options.neutral_player)
        chance = calls.derive(np.uint64(seed), 0, 1)  # the game's own is another
        calls.seed_source(self._source, np.uint64(chance))
        self.truncated = False
        self.decisions = 0
        self.rewards[:] = 0

    @property
    def over(self) -> bool:
        """Whether the game has come to its end by the rules."""
        return self.game.player < 0

    def step(self, action: int) -> None:
        """Take an action for the player to move."""
        self.game.step_with_rewards(action, self._reward, self.rewards, self._sheet)
        self.decisions += 1
        self.truncated = self.decisions >= self._max_decisions and not self.over

    @property
    def pays(self) -> bool:
        """Whether the last decision could have brought rewards: all do with "dense", else the last of a game."""
        return self._dense or self.over

    def random_action(self) -> int:
        """A random legal action."""
        return calls.pick(self.game._games, 0, self.game._boards, self._source)

    def observe(self, player: int) -> np.ndarray:
        """A seat's observation vector."""
        vector = np.empty(self.observation_size, np.float32)
        game = self.game
        calls.observe(
            game._games, 0, game._boards, player, self._with_planning, self._tolls_visible, self._plan, vector
        )
        return vector

    def mask(self, player: int) -> np.ndarray:
        """The legal actions of a seat; none for one who is not to move."""
        if player == self.game.player:
            return self.game.action_mask()
        return np.zeros(self.num_actions, np.int8)

    def breakdown(self, player: int) -> dict[str, Any]:
        """How a finished game came out for a seat: its score in parts and its rank, always the same keys and shapes."""
        return dict(self.game.result()["seats"][player])
