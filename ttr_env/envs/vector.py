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
from ttr_env.batch import SKIP, Batch
from ttr_env.engine.scoring import SCORES
from ttr_env.envs.learners import NO_ACTION, Learners, Opponents, Outcome
from ttr_env.envs.spaces import as_observation, learner_space, only_rows, with_mask
from ttr_env.game import Game
from ttr_env.game.resetting import check_reset_options, closed, games_to_go_on_from
from ttr_env.game.turnstile import Turnstile
from ttr_env.options import MapLike, Masking, MaskOptions, TableOptions, check_seed, of_kind, positive, refuse_unknown


class VectorEnvOptions(TableOptions, MaskOptions, total=False):
    """All options but the map, who sits where, and how rows are stepped."""


class GameVectorEnv(gymnasium.vector.VectorEnv[Any, np.ndarray, np.ndarray]):
    """Many tables at once, each with one learner.

    `infos["action_mask"]` and `action_masks()` give the legal actions, `infos["illegal_action"]` and
    `infos["action_taken"]` tell what became of the last one. When an episode ends, `autoreset_mode` says what follows:

    - `SAME_STEP`: the next one begins in the same step. `infos["final_obs"]` and `infos["final_info"]` hold the last
      observation and the learner's score in its parts, as arrays with an entry for every row; `infos["_final_obs"]`
      says which rows they are for.
    - `NEXT_STEP`: its last observation is shown, with a mask of ones, and the score is in `infos`; the next step of
      this row begins the next episode, whatever its action. Gymnasium's wrappers of observations want this.
    - `DISABLED`: likewise, but the row waits for `reset(options={"reset_mask": ...})`.

    With `features="actions"` observations are dictionaries of three arrays, and so is the last one.

    >>> import gymnasium, ttr_env
    >>> envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=8, players=3)
    >>> observations, infos = envs.reset(seed=7)
    >>> step = envs.step(infos["action_mask"].argmax(axis=1))
    >>> step[1].shape
    (8,)
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium's name for it

    def __init__(
        self,
        num_envs: int = 1,
        map: MapLike = "nederland",
        *,
        seat: int | None = None,
        opponents: Opponents = "random",
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: None = None,
        **options: Unpack[VectorEnvOptions],
    ) -> None:
        """Make `num_envs` tables; the options that are not explained here are those of the single-agent environment.

        Args:
            num_envs: how many rows.
            map: the name of a built-in map, the folder of your own, or a `Map`.
            seat: the learner's seat; None draws one for every episode.
            opponents: an agent for all other seats, or a list with one for each, in turn order after the learner.
            threads: how many processor threads share the rows.
            autoreset_mode: what follows an episode, a `gymnasium.vector.AutoresetMode` or its value: "SameStep",
                "NextStep" or "Disabled".
            render_mode: nothing can be drawn.
            options: those of every table, and `ttr_env.options.MaskOptions`.
        """
        if render_mode is not None:
            raise ValueError("render_mode: a thousand tables are not drawn; use game(row) and its to_svg()")
        own = ["num_envs", "map", "seat", "opponents", "threads", "autoreset_mode", "render_mode"]
        refuse_unknown(options, [*own, *VectorEnvOptions.__annotations__])
        self.num_envs = positive(num_envs, "num_envs")
        self.autoreset_mode = _autoreset_mode(autoreset_mode)  # where TorchRL looks for it
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self._masking = Masking(**of_kind(options, MaskOptions))
        self._learners = Learners(
            map,
            self.num_envs,
            seat,
            opponents,
            autoreset=self.autoreset_mode is AutoresetMode.SAME_STEP,
            threads=threads,
            masking=self._masking,
            **of_kind(options, TableOptions),
        )
        self._batch, self._fixed_seat = self._learners.batch, seat
        self.map = self._batch.map
        self.single_observation_space = learner_space(self._batch.variant, self._batch.table.sight, self._masking)
        self.single_action_space = gymnasium.spaces.Discrete(self._batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._started = False
        self._turnstile = Turnstile("an environment")

    @property
    def positions(self) -> Batch:
        """The running games, for agents who look at many at once."""
        return self._batch

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal everywhere. A whole number `seed` seeds row `i` with `seed + i`; a list has a seed for each row.

        `options["reset_mask"]`, a bool array, restarts those rows alone. `options["snapshot"]` begins their episodes in
        that position instead (`Game.snapshot`), or in each row in that of a list, whose entries may also be None; the
        learner is the player to move there.
        """
        check_reset_options(options, known=["reset_mask", "snapshot"])
        given = options or {}
        chosen = self._chosen(given.get("reset_mask"))
        positions = games_to_go_on_from(
            given.get("snapshot"), chosen.tolist(), self.num_envs, self._batch.variant, self._fixed_seat
        )
        seeds = self._seeds(seed, chosen)
        if not self._started:
            seeds = [secrets.randbits(63) if number is None else number for number in seeds]
        with self._turnstile:
            self._batch.renew_views(keep=True)  # of the rows that go on
            self._restart(chosen, seeds, positions)
            self._started, self.closed = True, False
            nowhere = np.zeros(self.num_envs, np.bool_)
            infos = self._infos(nowhere, np.full(self.num_envs, NO_ACTION))
            if self.autoreset_mode is not AutoresetMode.SAME_STEP:
                infos |= self._scores(nowhere, self._batch.seats)
            return self._shown(), infos

    def close_extras(self, **options: Any) -> None:
        """End the programs of opponents that were named; `close` calls this, also where construction has failed."""
        if hasattr(self, "_learners"):
            self._learners.close()

    def _chosen(self, mask: Any) -> np.ndarray:
        """The rows that are to be restarted."""
        if mask is None:
            return np.arange(self.num_envs)
        chosen = np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
            needed = f"an array of {self.num_envs} bools"
            raise ValueError(f"reset_mask: {needed} is needed, not one of {chosen.dtype} shaped {chosen.shape}")
        return np.flatnonzero(chosen)

    def _restart(self, rows: np.ndarray, seeds: list[int | None], positions: list[Game | None]) -> None:
        dealt = [place for place, position in enumerate(positions) if position is None]
        begun = {place: position for place, position in enumerate(positions) if position is not None}
        if dealt:
            self._learners.restart(rows[dealt], [seeds[place] for place in dealt])
        if begun:
            self._learners.go_on(rows[[*begun]], [seeds[place] for place in begun], [*begun.values()])

    def _seeds(self, seed: int | list[int | None] | None, rows: np.ndarray) -> list[int | None]:
        if seed is None:
            return [None] * len(rows)
        if isinstance(seed, list | tuple | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {self.num_envs} seeds are needed, not {len(seed)}")
            return [seed[row] for row in rows]
        first = check_seed(seed)
        return [first + int(row) for row in rows]

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take the learner's action in every row."""
        if self.closed:
            raise closed()
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        try:
            given = np.asarray(actions)
        except (ValueError, OverflowError) as error:  # rows of different lengths
            raise ValueError(f"actions: {self.num_envs} whole numbers are needed; {error}") from error
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions: {self.num_envs} whole numbers are needed, not {given.dtype} {given.shape}")
        chosen = np.maximum(given, NO_ACTION, dtype=np.int64, casting="unsafe")
        with self._turnstile:
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                return self._step_same(chosen)
            return self._step_next(chosen)

    def _step_same(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step all rows; where an episode ends, the next is begun."""
        self._batch.renew_views()  # Gymnasium's checks refuse buffers that are used again
        outcome = self._learners.step(actions)
        ended = outcome.ended
        if not ended.any():
            infos = self._infos(outcome.illegal, outcome.taken)
        else:
            infos = self._infos(outcome.illegal & ~ended, np.where(ended, NO_ACTION, outcome.taken))
            infos |= self._final(outcome)
        return self._shown(), outcome.rewards, outcome.terminated, outcome.truncated, infos

    def _step_next(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Step the rows whose episodes go on, and begin the next in the others."""
        over = self._batch.done.copy()
        if over.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise gymnasium.error.ResetNeeded(
                f'the episodes of rows {np.flatnonzero(over).tolist()} are over; reset(options={{"reset_mask": ...}})'
            )
        self._batch.renew_views(keep=bool(over.any()))
        actions[over] = SKIP
        outcome = self._learners.step(actions)
        outcome.terminated[over] = outcome.truncated[over] = False
        if over.any():
            self._learners.restart(np.flatnonzero(over), [None] * int(over.sum()))
        infos = self._infos(outcome.illegal & ~over, outcome.taken) | self._scores(outcome.ended, outcome.seats)
        return self._shown(), outcome.rewards, outcome.terminated, outcome.truncated, infos

    def _shown(self) -> Any:
        """The observations; with a mask of their own where that is where it belongs."""
        seen = as_observation(self._batch.observations)
        return with_mask(seen, self._masks(), self._masking) if self._masking.in_observation else seen

    def _masks(self) -> np.ndarray:
        """A copy of the masks; all actions, which do not count then, where an episode is over."""
        masks = self._batch.masks.copy()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            masks[self._batch.done] = 1
        return masks

    def _infos(self, illegal: np.ndarray, taken: np.ndarray) -> dict[str, Any]:
        """What is told at every step."""
        infos = {} if self._masking.in_observation else {"action_mask": self._masks()}
        return {**infos, "illegal_action": illegal, "action_taken": taken}

    def _scores(self, ended: np.ndarray, seats: np.ndarray) -> dict[str, np.ndarray]:
        """The scores of these seats in their parts, 0 where no episode ended."""
        scores = np.zeros((len(SCORES), self.num_envs), np.int32)
        scores[:, ended] = self._batch.scores[ended, seats[ended]].T
        return dict(zip(SCORES, scores, strict=True))

    def _final(self, outcome: Outcome) -> dict[str, Any]:
        """What Gymnasium's infos say of episodes that ended in this step."""
        ended = outcome.ended
        seen = as_observation(only_rows(self._batch.final_observations, ended))
        masks = np.repeat(ended[:, None], self._batch.num_actions, axis=1).astype(np.int8)
        told = {"illegal_action": outcome.illegal, "action_taken": outcome.taken} | self._scores(ended, outcome.seats)
        return {
            "final_obs": with_mask(seen, masks, self._masking),
            "_final_obs": ended.copy(),
            "final_info": told | {f"_{name}": ended.copy() for name in told},
            "_final_info": ended.copy(),
        }

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
        """Go on from a `state`; a `ValueError` if it is that of other games, or names opponents that are not here."""
        if any(
            (numbers < -len(self.outside)).any() for numbers in (state["line_up"][:, 1:], state["rows"]["bots"][:, 1:])
        ):
            raise ValueError("state: it has opponents that are not enlisted here")
        self._batch.restore(state)
        self._started, self.closed = True, False

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row as bools; all of them where the episode is over."""
        return self._masks().astype(np.bool_)

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        return self._batch.game(row)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(each.value for each in AutoresetMode)
        raise ValueError(f"autoreset_mode: {mode!r} is unknown; choose one of {known}") from None
