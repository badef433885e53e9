"""The Gymnasium environment for one learner: the other seats are taken by agents, who move inside `step`."""

from __future__ import annotations

import secrets
from typing import Any, NoReturn, Unpack

import gymnasium
import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.engine import calls
from ttr_env.engine.scoring import SCORES
from ttr_env.envs.drawing import RENDER_MODES, Drawing
from ttr_env.envs.learners import NO_ACTION, Learners, Opponents, Outcome
from ttr_env.envs.spaces import as_observation, chosen_rows, learner_space, with_mask
from ttr_env.game import Game
from ttr_env.game.actions import as_index
from ttr_env.game.resetting import check_reset_options, closed, game_to_go_on_from
from ttr_env.game.turnstile import shared
from ttr_env.options import (
    EnvOptions,
    MapLike,
    Masking,
    MaskOptions,
    TableOptions,
    check_seed,
    of_kind,
    refuse_unknown,
)

_OPPONENTS_CHANCE = 1  # what the seed of agents is derived for, as that of bots is
_NO_SCORE = dict.fromkeys(SCORES, 0)


class SingleEnvOptions(EnvOptions, MaskOptions, total=False):
    """All options but the map and who sits where."""


class SingleAgentEnv(gymnasium.Env[Any, int]):
    """A seat at a table of agents.

    `info["action_mask"]` and `action_masks()` give the legal actions; when the episode is over and no action counts,
    all of them, since a policy cannot choose from none. Every `info` has the same keys: the mask, `illegal_action`,
    `action_taken` (-1 for none), and the score in its parts, which are 0 before the end. An illegal action ends the
    episode with a reward of -1; with `illegal="replace"` a random legal one is taken in its place, at a price.

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
        **options: Unpack[SingleEnvOptions],
    ) -> None:
        """Make a table; `reset` deals.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            seat: the learner's seat; None draws one for every episode.
            opponents: an agent for all other seats, or a list with one for each, in turn order after the learner; by
                name (`ttr_env.agents`) or any object with `act(game)`.
            options: those of every environment (`ttr_env.options.EnvOptions`), and where the mask is and what an
                illegal action does (`ttr_env.options.MaskOptions`).
        """
        refuse_unknown(options, ["map", "seat", "opponents", *SingleEnvOptions.__annotations__])
        self.render_mode = options.get("render_mode")
        self._masking = Masking(**of_kind(options, MaskOptions))
        of_table = of_kind(options, TableOptions)
        self._learners = Learners(map, 1, seat, opponents, autoreset=False, masking=self._masking, **of_table)
        self._batch, self._fixed_seat = self._learners.batch, seat
        self._drawing = Drawing(
            self.render_mode, options.get("perspective"), self._batch.variant.players, self.metadata["render_fps"]
        )
        self._batch.keep_history()
        self._stepping = False
        self.observation_space = learner_space(self._batch.variant, self._batch.table.sight, self._masking)
        self._num_actions = self._batch.num_actions
        self.action_space = gymnasium.spaces.Discrete(self._num_actions)
        self._actions = np.zeros(1, np.int64)
        self._ended, self._closed = True, False
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
        """Deal a new game. A seed decides this episode and all that follow without one.

        `options["snapshot"]` begins the episode in that position instead (`Game.snapshot`); the learner is the player
        to move there.
        """
        check_reset_options(options)
        snapshot = (options or {}).get("snapshot")
        position = None if snapshot is None else game_to_go_on_from(snapshot, self._batch.variant, self._fixed_seat)
        given = None if seed is None else check_seed(seed)  # before Gymnasium, which shows all digits of a wrong one
        super().reset(seed=given)
        if given is not None or self._seed is None:
            self._seed = secrets.randbits(63) if given is None else given
            self._episode = 0
            seeds: list[int | None] = [self._seed]
        else:
            self._episode += 1
            seeds = [None]
        chance = int(calls.derive(np.uint64(self._seed), _OPPONENTS_CHANCE, self._episode))
        for agent in self._learners.outside:
            if isinstance(agent, Agent):
                agent.reset(chance)
        row = np.zeros(1, np.int64)
        if position is None:
            self._learners.restart(row, seeds)
        else:
            self._learners.go_on(row, seeds, [position])
        self._ended = self._closed = False
        mask = self._mask()
        return self._observation(mask), self._info(mask, None)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the opponents answer until it is to move again."""
        if self._ended:
            self._refuse_step()
        if self._stepping:  # the batch has a turnstile of its own, for the moment in which memory is written
            raise shared("an environment")
        index = action if type(action) is int else as_index(action)
        self._stepping = True
        self._actions[0] = index if 0 <= index < self._num_actions else -1
        try:
            outcome = self._learners.step(self._actions)
        finally:
            self._stepping = False
        terminated, truncated = bool(outcome.terminated[0]), bool(outcome.truncated[0])
        self._ended = terminated or truncated
        mask = self._mask()
        info = self._info(mask, outcome)
        if self.render_mode == "human":
            self.render()
        return self._observation(mask), float(outcome.rewards[0]), terminated, truncated, info

    def _refuse_step(self) -> NoReturn:
        """Say why there is nothing to step."""
        if self._closed:
            raise closed()
        started = self._seed is not None
        raise gymnasium.error.ResetNeeded(
            "the episode is over; call reset() to start the next" if started else "call reset() before step()"
        )

    def _info(self, mask: np.ndarray, outcome: Outcome | None) -> dict[str, Any]:
        """What is told beside an observation: always the same keys, as vector environments and datasets need them."""
        info: dict[str, Any] = {} if self._masking.in_observation else {"action_mask": mask}
        info["illegal_action"] = outcome is not None and bool(outcome.illegal[0])
        info["action_taken"] = NO_ACTION if outcome is None else int(outcome.taken[0])
        info.update(_NO_SCORE)
        if outcome is not None and self._ended:
            info.update(zip(SCORES, self._batch.scores[0, outcome.seats[0]].tolist(), strict=True))
        return info

    def _observation(self, mask: np.ndarray) -> Any:
        return with_mask(as_observation(chosen_rows(self._batch.observations, 0)), mask, self._masking)

    def _mask(self) -> np.ndarray:
        return np.ones_like(self._batch.masks[0]) if self._ended else self._batch.masks[0].copy()

    def action_masks(self) -> np.ndarray:
        """The legal actions as bools; all of them when the episode is over."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """The picture or text of the position, as `render_mode` says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; give one at construction.")
            return None
        return self._drawing.draw(self.game)

    def close(self) -> None:
        """End the episode, close the window, and end the programs of opponents that were named; `reset` begins anew."""
        self._ended = self._closed = True
        self._learners.close()
        self._drawing.close()
