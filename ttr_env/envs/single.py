"""The Gymnasium environment for one learner: the other seats are taken by agents, who move inside `step`."""

from __future__ import annotations

import secrets
from typing import Any, Unpack

import gymnasium
import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.engine import calls
from ttr_env.engine.scoring import SCORES
from ttr_env.envs.drawing import RENDER_MODES, Drawing
from ttr_env.envs.learners import Learners, Opponents
from ttr_env.envs.resetting import check_reset_options
from ttr_env.envs.spaces import as_observation, chosen_rows, observation_space
from ttr_env.game import Game
from ttr_env.options import EnvOptions, MapLike, TableOptions, check_seed, of_kind, refuse_unknown, whole_number

_OPPONENTS_CHANCE = 1  # what the seed of agents is derived for, as that of bots is


class SingleAgentEnv(gymnasium.Env[Any, int]):
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

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's name for it

    def __init__(
        self,
        map: MapLike = "nederland",
        *,
        seat: int | None = None,
        opponents: Opponents = "random",
        **options: Unpack[EnvOptions],
    ) -> None:
        """Make a table; `reset` deals.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            seat: the learner's seat; None draws one for every episode.
            opponents: an agent for all other seats, or a list with one for each, in turn order after the learner; by
                name (`ttr_env.agents`) or any object with `act(game)`.
            options: those of every environment (`ttr_env.options.EnvOptions`).
        """
        refuse_unknown(options, ["map", "seat", "opponents", *EnvOptions.__annotations__])
        self.render_mode = options.get("render_mode")
        self._drawing = Drawing(self.render_mode, options.get("perspective"), self.metadata["render_fps"])
        self._learners = Learners(map, 1, seat, opponents, autoreset=False, **of_kind(options, TableOptions))
        self._batch = self._learners.batch
        self._batch.keep_history()
        self.observation_space = observation_space(self._batch.variant, self._batch.table.sight)
        self.action_space = gymnasium.spaces.Discrete(self._batch.num_actions)
        self._actions = np.zeros(1, np.int64)
        self._ended = True
        self._seed: int | None = None
        self._episode = 0

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._batch.seats[0])

    @property
    def game(self) -> Game:
        """A copy of the running game, with its past."""
        return self._batch.game(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new game. A seed decides this episode and all that follow without one."""
        check_reset_options(options)
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = secrets.randbits(63) if seed is None else check_seed(seed)
            self._episode = 0
            seeds: list[int | None] = [self._seed]
        else:
            self._episode += 1
            seeds = [None]
        chance = int(calls.derive(np.uint64(self._seed), _OPPONENTS_CHANCE, self._episode))
        for agent in self._learners.outside:
            if isinstance(agent, Agent):
                agent.reset(chance)
        self._learners.restart(np.zeros(1, np.int64), seeds)
        self._ended = False
        return self._observation(), {"action_mask": self._mask()}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the opponents answer until it is to move again."""
        if self._ended:
            started = self._seed is not None
            raise gymnasium.error.ResetNeeded(
                "the episode is over; call reset() to start the next" if started else "call reset() before step()"
            )
        self._actions[0] = self._index(action)
        outcome = self._learners.step(self._actions)
        terminated, truncated = bool(outcome.terminated[0]), bool(outcome.truncated[0])
        self._ended = terminated or truncated
        info: dict[str, Any] = {"action_mask": self._mask()}
        if outcome.illegal[0]:
            info["illegal_action"] = True
        elif terminated:
            scores = self._batch.scores[0, outcome.seats[0]].tolist()
            info |= dict(zip(SCORES, scores, strict=True))
        if self.render_mode == "human":
            self.render()
        return self._observation(), float(outcome.rewards[0]), terminated, truncated, info

    def _index(self, action: Any) -> int:
        """An action as the engine takes it; what is none is as illegal as one out of range."""
        try:
            index = action if type(action) is int else whole_number(action, "action")
        except TypeError:
            return -1
        return index if 0 <= index < self._batch.num_actions else -1

    def _observation(self) -> Any:
        return as_observation(chosen_rows(self._batch.observations, 0))

    def _mask(self) -> np.ndarray:
        return self._batch.masks[0].copy()

    def action_masks(self) -> np.ndarray:
        """The legal actions as bools; none when the episode is over."""
        return self._batch.masks[0].astype(np.bool_)

    def render(self) -> Any:
        """The picture or text of the position, as `render_mode` says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; give one at construction.")
            return None
        return self._drawing.draw(self.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._drawing.close()
