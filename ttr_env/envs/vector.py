"""The Gymnasium vector environment: one compiled call steps all games and their built-in opponents."""

from __future__ import annotations

import os
import secrets
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ttr_env import observation, variant
from ttr_env.batch import MAX_DECISIONS, fill_settings, positive
from ttr_env.engine import layout, planning, scoring
from ttr_env.engine.tables import board
from ttr_env.envs import learners
from ttr_env.envs.seats import Opponents, check_limit, check_seat, each_opponent
from ttr_env.game import Game, check_seed
from ttr_env.maps import Map, load
from ttr_env.policies.network import NETWORK
from ttr_env.policies.opponents import OPPONENTS


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
        chosen = variant.choose(self.map, players, tolls, neutral_player)
        fixed_seat = check_seat(seat, chosen.players)
        self._boards = board(self.map)
        self._settings = np.zeros(1, learners.SETTINGS)
        settings = self._settings[0]
        fill_settings(settings, chosen, features, tolls_visible, reward, max_decisions)
        check_limit(max_decisions, chosen.players)
        settings["seat"] = -1 if fixed_seat is None else fixed_seat
        settings["opponents"][: chosen.players - 1] = _built_in(opponents, chosen.players)
        self._allocate(observation.size(self.map, features, tolls_visible), chosen.players)

    def _allocate(self, observation_size: int, players: int) -> None:
        count, num_actions = self.num_envs, int(self._boards[0]["actions"])
        self.single_observation_space = gymnasium.spaces.Box(0, 1, (observation_size,), np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(num_actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._games = np.zeros(count, layout.GAME)
        self._rows = np.zeros(count, learners.ROW)
        self._plans = np.zeros(1, planning.PLAN)
        self._nets = np.zeros(1, NETWORK)
        self._sheets = np.zeros((1, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE)
        self._rewards_by_seat = np.zeros(players, np.float32)
        self._observations = np.zeros((count, observation_size), np.float32)
        self._masks = np.zeros((count, num_actions), np.int8)
        self._started = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal everywhere. A whole number `seed` seeds row `i` with `seed + i`; a list has a seed for each row.

        `options["reset_mask"]`, a bool array, restarts those rows alone.
        """
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
        learners.start_learners(
            self._games,
            self._boards,
            self._settings,
            self._rows,
            chosen,
            self._plans,
            self._nets,
            self._sheets,
            self._rewards_by_seat,
            observations,
            self._masks,
        )
        self._observations = observations
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
        count = self.num_envs
        observations = np.empty_like(self._observations)
        final_observations = np.zeros_like(self._observations)
        masks = np.empty_like(self._masks)
        reward = np.empty(count, np.float64)
        terminated, truncated, illegal = (np.empty(count, np.bool_) for _ in range(3))
        scores = np.zeros((count, len(scoring.SCORES)), np.int32)
        ended = learners.step_learners(
            self._games,
            self._boards,
            self._settings,
            self._rows,
            self._plans,
            self._nets,
            self._sheets,
            self._rewards_by_seat,
            np.ascontiguousarray(given, np.int64),
            observations,
            masks,
            reward,
            terminated,
            truncated,
            illegal,
            final_observations,
            scores,
        )
        self._observations, self._masks = observations, masks
        infos: dict[str, Any] = {"action_mask": masks.copy()}
        if ended:
            infos |= _final(terminated | truncated, illegal, final_observations, scores)
        return observations, reward, terminated, truncated, infos

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row as bools."""
        return self._masks.astype(np.bool_)

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        memory = np.frombuffer(self._games[variant.whole_number(row, "row")].tobytes(), np.int8).copy()
        return Game._from_record(self.map, memory)


def _built_in(opponents: Opponents, players: int) -> list[int]:
    """The opponents as the engine numbers them."""
    kinds = []
    for opponent in each_opponent(opponents, players):
        if opponent not in OPPONENTS:
            raise ValueError(
                f"opponents: the vector environment plays the built-in {', '.join(OPPONENTS)}, not {opponent!r}; "
                "gymnasium.make takes any agent"
            )
        kinds.append(OPPONENTS.index(opponent))
    return kinds


def _final(ended: np.ndarray, illegal: np.ndarray, observations: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """What Gymnasium's infos say of episodes that ended in this step."""
    info: dict[str, Any] = {"illegal_action": illegal, "_illegal_action": ended.copy()}
    for column, name in enumerate(scoring.SCORES):
        info[name] = scores[:, column].copy()
        info[f"_{name}"] = ended.copy()
    return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}
