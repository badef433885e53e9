"""The Gymnasium environment for one learner: the other seats are taken by agents, who move inside `step`."""

from __future__ import annotations

import os
import secrets
from typing import Any

import gymnasium
import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.batch.batch import MAX_DECISIONS
from ttr_env.engine import calls
from ttr_env.envs import learners
from ttr_env.envs.drawing import RENDER_MODES, Drawing
from ttr_env.envs.playing import Playing
from ttr_env.envs.resetting import check_reset_options
from ttr_env.envs.seats import Opponents, check_limit, check_seat, make_opponents
from ttr_env.errors import IllegalAction
from ttr_env.game.game import check_seed
from ttr_env.maps import Map

ILLEGAL_REWARD = -1.0


class SingleAgentEnv(gymnasium.Env[np.ndarray, int]):
    """A seat at a table of agents.

    `info["action_mask"]` and `action_masks()` give the legal actions. An illegal one ends the episode with a reward of
    -1 and `info["illegal_action"]`. The last `info` of an episode holds the score in its parts.

    >>> import gymnasium, ttr_env
    >>> env = gymnasium.make("ttr_env/Nederland-v0", players=2, opponents="random")
    >>> observation, info = env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    >>> terminated
    False
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's name for it

    def __init__(
        self,
        map: str | os.PathLike[str] | Map = "nederland",
        players: int = 2,
        seat: int | None = None,
        opponents: Opponents = "random",
        tolls: bool | None = None,
        neutral_player: bool = False,
        features: str = "base",
        tolls_visible: bool = False,
        reward: str = "win",
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
        perspective: int | None = None,
    ) -> None:
        """Make a table; `reset` deals.

        Args:
            map: a built-in map's name, the folder of one's own, or a `Map`.
            players: how many seats.
            seat: the learner's seat; None draws one for every episode.
            opponents: an agent for all other seats, or a list with one for each, in turn order after the learner; by
                name (`ttr_env.agents`) or any object with `act(game)`.
            tolls: whether bridge tolls are paid; None is as the map has it.
            neutral_player: whether the neutral player joins 2 players.
            features: "base" or "planning" (`ttr_env.observation`).
            tolls_visible: whether observations hold the other players' tolls.
            reward: "win", "margin", "score" or "dense".
            max_decisions: a game with more decisions, of all players together, is truncated.
            render_mode: None, "human", "rgb_array" or "ansi".
            perspective: the seat whose knowledge is drawn; None draws everything.
        """
        self._playing = Playing(map, players, tolls, neutral_player, features, tolls_visible, reward, max_decisions)
        seats = self._playing.variant.players
        check_limit(max_decisions, seats)
        self._fixed_seat = check_seat(seat, seats)
        self._opponents = make_opponents(opponents, seats, self._playing.map)
        self._drawing = Drawing(render_mode, perspective, self.metadata["render_fps"])
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(0, 1, (self._playing.observation_size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self._playing.num_actions)
        self.seat = 0  # the learner's in this episode
        self._ended = True
        self._seed: int | None = None
        self._episode = 0

    @property
    def game(self) -> Any:
        """The running `Game`; stepping it from outside leaves the environment behind."""
        return self._playing.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a new game. A seed decides this episode and all that follow without one."""
        check_reset_options(options)
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = secrets.randbits(63) if seed is None else check_seed(seed)
            self._episode = 0
        else:
            self._episode += 1
        self._seat_players()
        self._playing.start(self._derived(learners.DEAL))
        self._ended = False
        self._play_opponents()
        return self._observe(), {"action_mask": self._mask()}

    def _derived(self, purpose: int) -> int:
        return int(calls.derive(np.uint64(self._seed or 0), purpose, self._episode))

    def _seat_players(self) -> None:
        players = self._playing.variant.players
        drawn = self._derived(learners.SEAT) % players
        self.seat = drawn if self._fixed_seat is None else self._fixed_seat
        for agent in {id(opponent): opponent for opponent in self._opponents}.values():
            if isinstance(agent, Agent):
                agent.reset(self._derived(learners.OPPONENTS_CHANCE))

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the opponents answer until it is to move again."""
        if self._ended:
            started = self._seed is not None
            raise gymnasium.error.ResetNeeded(
                "the episode is over; call reset() to start the next" if started else "call reset() before step()"
            )
        playing = self._playing
        try:
            playing.step(action)
        except IllegalAction:
            self._ended = True
            info = {"action_mask": self._no_mask(), "illegal_action": True}
            return self._observe(), ILLEGAL_REWARD, True, False, info
        reward = float(playing.rewards[self.seat]) + self._play_opponents()
        self._ended = playing.over or playing.truncated
        info = {"action_mask": self._no_mask() if self._ended else self._mask()}
        if playing.over:
            info |= playing.breakdown(self.seat)
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, playing.over, playing.truncated, info

    def _play_opponents(self) -> float:
        """Let the opponents play until the learner is to move or the episode ends; returns the learner's reward."""
        playing = self._playing
        reward = 0.0
        while not playing.over and not playing.truncated and playing.game.player != self.seat:
            place = (playing.game.player - self.seat) % playing.variant.players
            playing.step(self._opponents[place - 1].act(playing.game))
            reward += float(playing.rewards[self.seat])
        return reward

    def _observe(self) -> np.ndarray:
        return self._playing.observe(self.seat)

    def _mask(self) -> np.ndarray:
        return self._playing.mask(self.seat)

    def _no_mask(self) -> np.ndarray:
        return np.zeros(self._playing.num_actions, np.int8)

    def action_masks(self) -> np.ndarray:
        """The legal actions as bools; none when the episode is over."""
        return (self._no_mask() if self._ended else self._mask()).astype(np.bool_)

    def render(self) -> Any:
        """The picture or text of the position, as `render_mode` says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; give one at construction.")
            return None
        return self._drawing.draw(self._playing.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._drawing.close()
