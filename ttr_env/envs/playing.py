"""A game in progress, as the PettingZoo environment needs it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ttr_env.bots.features.rows import ActionFeatures
from ttr_env.engine import calls, legal, planning, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.game.actions import as_index
from ttr_env.options import Sight, Table


class RewardedGame(Game):
    """A game that tells what each decision was worth."""

    __slots__ = ("_kind", "_space", "rewards")

    def pay(self, kind: int, rewards: np.ndarray) -> Self:
        """Begin to write rewards of a kind (`engine.rewards`), one for each player."""
        self._kind, self.rewards = kind, rewards
        self._space = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
        return self

    def step(self, action: int) -> None:
        """Take an action for the player to move, and write what it was worth."""
        index = action if type(action) is int else as_index(action)
        before, mover = self._bytes.tobytes(), -legal.OUT_OF_RANGE
        if 0 <= index < self.variant.num_actions:
            paid = (self._kind, self.rewards, self._space)
            mover = calls.step_with_rewards(self.records, 0, self.board, index, *paid)
        self._remember(index, mover, before)

    def copy(self) -> Self:
        return super().copy().pay(self._kind, self.rewards.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        _, told = super().__reduce__()
        return _unpickle, (told, self._kind, self.rewards)


def _unpickle(told: tuple[Any, ...], kind: int, rewards: np.ndarray) -> RewardedGame:
    return RewardedGame.from_bytes(*told).pay(kind, rewards)


class Playing:
    """One game after another at the same table, with rewards and a limit of decisions."""

    def __init__(self, table: Table) -> None:
        self.variant = table.variant
        self._reward, self._max_decisions = table.episode.reward_kind, table.episode.max_decisions
        self._pays_always = table.episode.reward == "dense"
        self.sight = table.sight
        vector = Sight() if table.sight.with_actions else table.sight
        self._with_planning, self._tolls_visible = vector.with_planning, vector.tolls_visible
        self.vector_size = self.variant.observation_size(vector)
        self.num_actions = self.variant.num_actions
        self._plan = aligned(1, planning.PLAN)
        self._source = np.zeros(1, np.uint64)
        self.start(0)

    def start(self, seed: int, position: Game | None = None) -> None:
        """Deal a new game, or go on from a position; a seed decides the deal, and `random_action`."""
        if position is None:
            game = RewardedGame.deal(self.variant, seed)
        else:
            game = RewardedGame.from_positions(position, 0)
        self.game = game.pay(self._reward, np.zeros(self.variant.players, np.float32))
        chance = calls.derive(np.uint64(seed), 0, 1)  # the game's own is another
        calls.seed_source(self._source, np.uint64(chance))
        self.truncated = False
        self.decisions = 0

    def step(self, action: int) -> None:
        """Take an action for the player to move."""
        self.game.step(action)
        self.decisions += 1
        self.truncated = self.decisions >= self._max_decisions and not self.game.over

    @property
    def rewards(self) -> np.ndarray:
        """What the last decision was worth, by seat."""
        return self.game.rewards

    @property
    def pays(self) -> bool:
        """Whether the last decision could have brought rewards: all do with "dense", else the last of a game."""
        return self._pays_always or self.game.over

    def random_action(self) -> int:
        """A random legal action."""
        return calls.pick(self.game.records, 0, self.game.board, self._source)

    def observe(self, player: int) -> np.ndarray | ActionFeatures:
        """What a seat sees; of action features, one that is not to move sees none."""
        if not self.sight.with_actions:
            return self.observe_vector(player)
        return self.game.action_features() if player == self.game.player else ActionFeatures.blank()

    def observe_vector(self, player: int) -> np.ndarray:
        """A seat's observation vector, with base features where action features are seen."""
        vector = np.empty(self.vector_size, np.float32)
        game = self.game
        calls.observe(game.records, 0, game.board, player, self._with_planning, self._tolls_visible, self._plan, vector)
        return vector

    def mask(self, player: int) -> np.ndarray:
        """The legal actions of a seat; none for one who is not to move."""
        if player == self.game.player:
            return self.game.action_mask()
        return np.zeros(self.num_actions, np.int8)

    def breakdown(self, player: int) -> dict[str, Any]:
        """How a finished game came out for a seat: its score in parts and its rank, always the same keys and shapes."""
        return dict(self.game.result()["seats"][player])
