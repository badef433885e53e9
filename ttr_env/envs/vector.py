"""The Gymnasium vector environment: one compiled call steps all games and their bots.

Other opponents are asked for all the games that wait for them at once.
"""

from __future__ import annotations

import secrets
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ttr_env.agents.base import Actor
from ttr_env.batch import Batch
from ttr_env.engine import scoring
from ttr_env.envs.learners import Learners, Opponents, Outcome
from ttr_env.envs.resetting import check_reset_options
from ttr_env.envs.spaces import as_observation, observation_space, only_rows
from ttr_env.game import Game
from ttr_env.options import MapLike, TableOptions, positive, refuse_unknown


class GameVectorEnv(gymnasium.vector.VectorEnv[Any, np.ndarray, np.ndarray]):
    """Many tables at once, each with one learner; an episode that ends is followed by the next in the same step.

    `infos["action_mask"]` and `action_masks()` give the legal actions. Where an episode ended, `infos["final_obs"]` and
    `infos["final_info"]` hold its last observation and the learner's score in its parts, as arrays with an entry for
    every row; `infos["_final_obs"]` says which rows they are for. With `features="actions"` observations are
    dictionaries of three arrays, and so is the last one.

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
        map: MapLike = "nederland",
        *,
        seat: int | None = None,
        opponents: Opponents = "random",
        threads: int = 1,
        render_mode: None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        """Make `num_envs` tables, shared by `threads`; the other options are those of the single-agent environment."""
        if render_mode is not None:
            raise ValueError("render_mode: a thousand tables are not drawn; use game(row) and its to_svg()")
        own = ["num_envs", "map", "seat", "opponents", "threads", "render_mode"]
        refuse_unknown(options, [*own, *TableOptions.__annotations__])
        self.num_envs = positive(num_envs, "num_envs")
        self._learners = Learners(map, self.num_envs, seat, opponents, threads=threads, **options)
        self._batch = self._learners.batch
        self.map = self._batch.map
        self.single_observation_space = observation_space(self._batch.variant, self._batch.table.sight)
        self.single_action_space = gymnasium.spaces.Discrete(self._batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._started = False

    @property
    def positions(self) -> Batch:
        """The running games, for agents who look at many at once."""
        return self._batch

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal everywhere. A whole number `seed` seeds row `i` with `seed + i`; a list has a seed for each row.

        `options["reset_mask"]`, a bool array, restarts those rows alone.
        """
        check_reset_options(options, known=["reset_mask"])
        chosen = np.arange(self.num_envs)
        if options and options.get("reset_mask") is not None:
            chosen = np.flatnonzero(options["reset_mask"])
        seeds = self._seeds(seed, chosen)
        if not self._started:
            seeds = [secrets.randbits(63) if given is None else given for given in seeds]
        self._started = True
        self._batch.renew_views(keep=True)  # of the rows that go on
        self._learners.restart(chosen, seeds)
        return as_observation(self._batch.observations), {"action_mask": self._batch.masks.copy()}

    def _seeds(self, seed: int | list[int | None] | None, rows: np.ndarray) -> list[int | None]:
        if seed is None:
            return [None] * len(rows)
        if isinstance(seed, list | tuple | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {self.num_envs} seeds are needed, not {len(seed)}")
            return [seed[row] for row in rows]
        return [int(seed) + int(row) for row in rows]

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take the learner's action in every row."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions: {self.num_envs} whole numbers are needed, not {given.dtype} {given.shape}")
        self._batch.renew_views()  # Gymnasium's checks refuse buffers that are used again
        outcome = self._learners.step(np.maximum(given, -1, dtype=np.int64, casting="unsafe"))
        infos: dict[str, Any] = {"action_mask": self._batch.masks.copy()}
        if outcome.ended.any():
            infos |= self._final(outcome)
        seen = as_observation(self._batch.observations)
        return seen, outcome.rewards, outcome.terminated, outcome.truncated, infos

    def _final(self, outcome: Outcome) -> dict[str, Any]:
        """What Gymnasium's infos say of episodes that ended in this step."""
        ended, batch = outcome.ended, self._batch
        observations = as_observation(only_rows(batch.final_observations, ended))
        scores = np.zeros((self.num_envs, len(scoring.SCORES)), np.int32)
        scores[ended] = batch.scores[ended, outcome.seats[ended]]
        info: dict[str, Any] = {"illegal_action": outcome.illegal, "_illegal_action": ended.copy()}
        for column, name in enumerate(scoring.SCORES):
            info[name] = scores[:, column].copy()
            info[f"_{name}"] = ended.copy()
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    # The opponents, for leagues that choose them game by game.

    @property
    def outside(self) -> list[Actor]:
        """The opponents that do not play in compiled code."""
        return self._learners.outside

    def enlist(self, opponent: str | Actor) -> int:
        """The number of an opponent for `line_up`: an agent, or its specification."""
        return self._learners.enlist(opponent)

    def line_up(self, rows: np.ndarray, numbers: np.ndarray) -> None:
        """Seat opponents, by their numbers [rows, players - 1], in the next episode of each of these rows."""
        self._learners.line_up(rows, numbers)

    @property
    def facing(self) -> np.ndarray:
        """The numbers of the opponents in every row's running episode [rows, players - 1]."""
        return self._learners.facing

    def state(self) -> dict[str, np.ndarray]:
        """All running games, to go on from later; outside opponents are not part of it."""
        return self._batch.state()

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a `state`."""
        self._batch.restore(state)
        self._started = True

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row as bools."""
        return self._batch.masks.astype(np.bool_)

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        return self._batch.game(row)
