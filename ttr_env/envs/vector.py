"""The Gymnasium vector environment: one compiled call steps all games and their built-in opponents.

Other opponents are asked for all the games that wait for them at once.
"""

from __future__ import annotations

import os
import secrets
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ttr_env import options
from ttr_env.agents.base import Actor, act_in_rows
from ttr_env.batch.batch import MAX_DECISIONS, fill_settings, positive
from ttr_env.bots.built_in import OPPONENTS
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import layout, planning, scoring
from ttr_env.engine.board import board
from ttr_env.engine.scratch import aligned
from ttr_env.envs import learners
from ttr_env.envs.resetting import check_reset_options
from ttr_env.envs.seats import Opponents, check_limit, check_seat, each_opponent, make_opponent
from ttr_env.errors import IllegalAction
from ttr_env.game import Game, observation
from ttr_env.game.game import check_seed
from ttr_env.maps import Map, load

_STATE = ("games", "rows", "line_ups", "waiting", "observations", "masks")  # what a state is made of


class GameVectorEnv(gymnasium.vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many tables at once, each with one learner; an episode that ends is followed by the next in the same step.

    `infos["action_mask"]` and `action_masks()` give the legal actions. Where an episode ended, `infos["final_obs"]` and
    `infos["final_info"]` hold its last observation and the learner's score in its parts, as arrays with an entry for
    every row; `infos["_final_obs"]` says which rows they are for.

    >>> import gymnasium, ttr_env
    >>> envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=8, players=3)
    >>> observations, infos = envs.reset(seed=7)
    >>> step = envs.step(infos["action_mask"].argmax(axis=1))
    >>> step[1].shape
    (8,)
    """

    autoreset_mode = AutoresetMode.SAME_STEP  # where TorchRL looks for it
    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium's name

    def __init__(
        self,
        num_envs: int = 1,
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
        render_mode: None = None,
    ) -> None:
        """Make `num_envs` tables; the other options are those of the single-agent environment."""
        if render_mode is not None:
            raise ValueError("render_mode: a thousand tables are not drawn; use game(row) and its to_svg()")
        self.num_envs = positive(num_envs, "num_envs")
        self.map = load(map)
        chosen = options.choose(self.map, players, tolls, neutral_player)
        fixed_seat = check_seat(seat, chosen.players)
        self._boards = board(self.map)
        self._settings = np.zeros(1, learners.SETTINGS)
        settings = self._settings[0]
        fill_settings(settings, chosen, features, tolls_visible, reward, max_decisions)
        check_limit(max_decisions, chosen.players)
        settings["seat"] = -1 if fixed_seat is None else fixed_seat
        self._allocate(observation.size(self.map, features, tolls_visible), chosen.players)
        self.outside: list[Actor] = []  # opponents that are not built in
        self._line_ups[:] = [self.enlist(opponent) for opponent in each_opponent(opponents, chosen.players)]

    def _allocate(self, observation_size: int, players: int) -> None:
        count, num_actions = self.num_envs, int(self._boards[0]["actions"])
        self.single_observation_space = gymnasium.spaces.Box(0, 1, (observation_size,), np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(num_actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._games = np.zeros(count, layout.GAME)
        self._rows = np.zeros(count, learners.ROW)
        self._plans = aligned(1, planning.PLAN)
        self._nets = aligned(1, NETWORK)
        self._sheets = np.zeros((1, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE)
        self._rewards_by_seat = np.zeros(players, np.float32)
        self._line_ups = np.zeros((count, players - 1), np.int64)  # the opponents of each row's next episode
        self._waiting = np.zeros(count, np.int64)  # the place of who is to move after the learner
        self._observations = np.zeros((count, observation_size), np.float32)
        self._masks = np.zeros((count, num_actions), np.int8)
        self._started = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal everywhere. A whole number `seed` seeds row `i` with `seed + i`; a list has a seed for each row.

        `options["reset_mask"]`, a bool array, restarts those rows alone.
        """
        check_reset_options(options, known=["reset_mask"])
        chosen = np.arange(self.num_envs)
        if options and options.get("reset_mask") is not None:
            chosen = np.flatnonzero(options["reset_mask"])
        for row, given in zip(chosen, self._seeds(seed, chosen), strict=True):
            if given is None and self._started:
                self._rows[row]["episode"] += 1
            else:
                self._rows[row]["seed"] = secrets.randbits(63) if given is None else check_seed(given)
                self._rows[row]["episode"] = 0
        self._started = True
        observations = self._observations.copy()
        step = _Step(self.num_envs, observations, self._masks)
        self._advance(chosen, np.zeros(len(chosen), np.int64), step, dealing=True)
        self._observations = observations
        self._answer(step)
        return observations, {"action_mask": self._masks.copy()}

    def _seeds(self, seed: int | list[int | None] | None, rows: np.ndarray) -> list[int | None]:
        if seed is None:
            return [None] * len(rows)
        if isinstance(seed, list | tuple | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {self.num_envs} seeds are needed, not {len(seed)}")
            return [seed[row] for row in rows]
        return [int(seed) + int(row) for row in rows]

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take the learner's action in every row."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions: {self.num_envs} whole numbers are needed, not {given.dtype} {given.shape}")
        step = _Step(self.num_envs, np.empty_like(self._observations), np.empty_like(self._masks))
        self._advance(np.arange(self.num_envs), given, step)
        self._observations, self._masks = step.observations, step.masks
        self._answer(step)
        infos: dict[str, Any] = {"action_mask": step.masks.copy()}
        ended = step.terminated | step.truncated
        if ended.any():
            infos |= _final(ended, step.illegal, step.final_observations, step.scores)
        return step.observations, step.rewards, step.terminated, step.truncated, infos

    def _answer(self, step: _Step) -> None:
        """Ask outside opponents for their actions until the learner is to move in every row."""
        waiting = np.flatnonzero(self._waiting)
        while len(waiting):
            numbers = self._rows["opponents"][waiting, self._waiting[waiting] - 1]
            for number in np.unique(numbers):
                rows = waiting[numbers == number]
                opponent = self.outside[-1 - number]
                row = self._advance(rows, np.asarray(act_in_rows(opponent, self, rows)), step)
                if row >= 0:
                    message = f"row {row}: an opponent, {opponent!r}, chose an illegal action"
                    raise IllegalAction(message, row=int(row))
            waiting = np.flatnonzero(self._waiting)

    def _advance(self, rows: np.ndarray, actions: np.ndarray, step: _Step, dealing: bool = False) -> int:
        """Take an action of the player to move in each of these rows, or deal them anew, whatever the actions are.

        Returns a row of an opponent's illegal action, -1 if there is none.
        """
        return learners.step_learners(
            self._games,
            self._boards,
            self._settings,
            self._rows,
            self._line_ups,
            rows,
            dealing,
            self._plans,
            self._nets,
            self._sheets,
            self._rewards_by_seat,
            np.ascontiguousarray(actions, np.int64),
            self._waiting,
            step.observations,
            step.masks,
            step.rewards,
            step.terminated,
            step.truncated,
            step.illegal,
            step.final_observations,
            step.scores,
        )

    def enlist(self, opponent: str | Actor) -> int:
        """The number of an opponent for `line_up`: an agent, or its specification."""
        if opponent in OPPONENTS:
            return OPPONENTS.index(opponent)
        agent = make_opponent(opponent, self.map)
        if agent not in self.outside:
            self.outside.append(agent)
        return -1 - self.outside.index(agent)

    def line_up(self, rows: np.ndarray, numbers: np.ndarray) -> None:
        """Seat opponents, by their numbers [rows, players - 1], in the next episode of each of these rows."""
        self._line_ups[rows] = numbers

    @property
    def facing(self) -> np.ndarray:
        """The numbers of the opponents in every row's running episode [rows, players - 1]."""
        return self._rows["opponents"][:, : self._line_ups.shape[1]].copy()

    def state(self) -> dict[str, np.ndarray]:
        """All running games, to go on from later; outside opponents are not part of it."""
        return {name: getattr(self, f"_{name}").copy() for name in _STATE}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a `state`."""
        for name in _STATE:
            getattr(self, f"_{name}")[...] = state[name]
        self._started = True

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row as bools."""
        return self._masks.astype(np.bool_)

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        memory = np.frombuffer(self._games[options.whole_number(row, "row")].tobytes(), np.int8).copy()
        return Game._from_record(self.map, memory)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_boards": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._boards = board(self.map)  # kernels would be compiled anew for a copy, which can be written to


class _Step:
    """What a step writes, freshly allocated: Gymnasium's checks refuse buffers that are used again."""

    def __init__(self, rows: int, observations: np.ndarray, masks: np.ndarray) -> None:
        self.observations, self.masks = observations, masks
        self.final_observations = np.zeros_like(observations)
        self.rewards = np.zeros(rows, np.float64)
        self.terminated, self.truncated, self.illegal = (np.zeros(rows, np.bool_) for _ in range(3))
        self.scores = np.zeros((rows, len(scoring.SCORES)), np.int32)


def _final(ended: np.ndarray, illegal: np.ndarray, observations: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """What Gymnasium's infos say of episodes that ended in this step."""
    info: dict[str, Any] = {"illegal_action": illegal, "_illegal_action": ended.copy()}
    for column, name in enumerate(scoring.SCORES):
        info[name] = scores[:, column].copy()
        info[f"_{name}"] = ended.copy()
    return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}
