"""Thousands of games stepped together: the fast path."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ttr_env import options
from ttr_env.batch import stepping
from ttr_env.batch.threads import Crew
from ttr_env.engine import layout, planning, rewards, rows, scoring
from ttr_env.engine.board import board
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction
from ttr_env.game import Game, observation
from ttr_env.game.game import check_seed
from ttr_env.maps import Map, load

MAX_DECISIONS = 2000
ROWS_A_THREAD = 128  # fewer rows are stepped sooner than a thread is woken
ROWS_A_PIECE = 128  # fewer mean more calls, more mean longer waits


class Batch:
    """Many games of one kind, stepped together; finished games restart at once.

    The buffers below are allocated once and written in place by `step`: copy what you keep. With `n` games,
    `p` players, `d` observation entries and `a` actions they are

    - `observations` float32 [n, d], `masks` int8 [n, a], `players` int8 [n]: of the player to move in each game,
    - `rewards` float32 [n, p], `done` bool [n], `truncated` bool [n]: of the last step,
    - `totals` int32 [n, p], `scores` int32 [n, p, 12] (the columns are `engine.scoring.SCORES`), `lengths` int64 [n]
      (decisions) and `final_observations` float32 [n, d]: of each row's last finished game. The final observation is
      that of the player to move; where the game is over, of the player who moved last.

    Row `i` plays its game `k` from a seed that depends on `(seed, i, k)` alone.

    >>> batch = Batch("nederland", games=64, players=4, seed=0)
    >>> for _ in range(100):
    ...     batch.step(batch.sample())
    >>> batch.observations.shape == (64, batch.observation_size)
    True
    """

    def __init__(
        self,
        map: str | os.PathLike[str] | Map = "nederland",
        games: int = 1024,
        players: int = 2,
        seed: int = 0,
        tolls: bool | None = None,
        neutral_player: bool = False,
        features: str = "base",
        tolls_visible: bool = False,
        reward: str = "win",
        max_decisions: int = MAX_DECISIONS,
        threads: int = 1,
        views: bool = True,
    ) -> None:
        """Deal `games` games.

        Args:
            map: a built-in map's name, the folder of one's own, or a `Map`.
            games: how many rows.
            players: how many seats in each.
            seed: what every game's own seed is derived from.
            tolls: whether bridge tolls are paid; None is as the map has it.
            neutral_player: whether the neutral player joins 2 players.
            features: "base" or "planning" (`ttr_env.observation`).
            tolls_visible: whether observations hold the other players' tolls.
            reward: "win", "margin", "score" or "dense".
            max_decisions: a game with more decisions is cut off and counts as truncated.
            threads: how many processor threads share the rows.
            views: whether observations and masks are written; without them, games between built-in agents are quicker.
        """
        self.map = load(map)
        chosen = options.choose(self.map, players, tolls, neutral_player)
        self._boards = board(self.map)
        self._settings = np.zeros(1, stepping.SETTINGS)
        fill_settings(self._settings[0], chosen, features, tolls_visible, reward, max_decisions)
        self._settings["with_views"] = bool(views)
        self.observation_size = observation.size(self.map, features, tolls_visible)
        self.num_actions = int(self._boards[0]["actions"])
        self._allocate(positive(games, "games"), chosen.players, positive(threads, "threads"))
        self.reset(seed)

    def _allocate(self, games: int, players: int, threads: int) -> None:
        self._games = np.zeros(games, layout.GAME)
        self._rows = np.zeros(games, stepping.ROW)
        self.observations = np.zeros((games, self.observation_size), np.float32)
        self.final_observations = np.zeros_like(self.observations)
        self.masks = np.zeros((games, self.num_actions), np.int8)
        self.players = np.zeros(games, np.int8)
        self.rewards = np.zeros((games, players), np.float32)
        self.done = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)
        self.scores = np.zeros((games, players, len(scoring.SCORES)), scoring.SHEET_TYPE)
        self.lengths = np.zeros(games, np.int64)
        self._sample = np.zeros(games, np.int64)
        self._all_rows = np.arange(games)
        self._workers = min(threads, max(1, games // ROWS_A_THREAD))
        self._plans = aligned(self._workers, planning.PLAN)
        self._sheets = np.zeros((self._workers, *scoring.SHEET_SHAPE), scoring.SHEET_TYPE)
        self._crew: Crew | None = None  # made when it is first needed

    def __len__(self) -> int:
        return len(self._games)

    @property
    def totals(self) -> np.ndarray:
        """The final scores of each row's last finished game."""
        return self.scores[:, :, scoring.TOTAL]

    @property
    def seeds(self) -> np.ndarray:
        """The seed of each row's current game: `Game(seed=...)` with the same options deals it too."""
        return self._rows["seed"].copy()

    @property
    def episodes(self) -> np.ndarray:
        """How many games each row has finished."""
        return self._rows["episode"].copy()

    def reset(self, seed: int) -> None:
        """Deal every row anew, from its first game."""
        self._settings["seed"] = check_seed(seed)
        for buffer in (self.rewards, self.scores, self.lengths, self.final_observations):
            buffer[:] = 0
        stepping.seed_rows(self._settings, self._rows)
        self._step_all(np.full(len(self), stepping.DEAL))

    def sample(self) -> np.ndarray:
        """A random legal action for every row; the same array each time."""
        stepping.sample_rows(self._games, self._boards, self._rows, self._sample)
        return self._sample

    def deal(self, row_numbers: Any, seeds: Any) -> None:
        """Deal the games of these seeds in these rows, in place of what they are playing."""
        chosen = self._check_rows(row_numbers)
        given = np.array([check_seed(seed) for seed in seeds], np.uint64)
        if given.shape != chosen.shape:
            raise ValueError(f"seeds: {len(chosen)} are needed for these rows, not {len(given)}")
        self._rows["seed"][chosen] = given
        self._step_all(self._everywhere(chosen, stepping.DEAL))

    def step(self, actions: Any, row_numbers: Any = None) -> None:
        """Take one action in every row, or in these rows while the others wait.

        `IllegalAction` names the first row where an action is illegal, and no row moves.
        """
        chosen = self._all_rows if row_numbers is None else self._check_rows(row_numbers)
        given = self._check_actions(actions, chosen)
        self._step_all(given if row_numbers is None else self._everywhere(chosen, given))

    def _everywhere(self, chosen: np.ndarray, actions: Any) -> np.ndarray:
        """These actions in the chosen rows; the others wait."""
        every = np.full(len(self), stepping.SKIP)
        every[chosen] = actions
        return every

    def _check_rows(self, row_numbers: Any) -> np.ndarray:
        """The rows as the engine takes them, if they are rows, each named once."""
        given = np.asarray(row_numbers)
        if given.size == 0:
            return np.zeros(0, np.int64)
        whole = given.ndim == 1 and np.issubdtype(given.dtype, np.integer)
        if not whole or given.min() < 0 or given.max() >= len(self) or len(np.unique(given)) != len(given):
            raise IndexError(f"row_numbers: rows from 0 to {len(self) - 1}, each once, are needed, not {given}")
        return np.ascontiguousarray(given, np.int64)

    def _check_actions(self, actions: Any, chosen: np.ndarray) -> np.ndarray:
        """The actions as the engine takes them, if all are legal in the chosen rows."""
        try:
            given = np.asarray(actions)
        except ValueError as error:  # rows of different lengths
            raise IllegalAction(f"actions: {len(chosen)} whole numbers are needed; {error}") from error
        if given.shape != chosen.shape or not (np.issubdtype(given.dtype, np.integer) or given.size == 0):
            raise IllegalAction(
                f"actions: {len(chosen)} whole numbers are needed, not an array of {given.dtype} shaped {given.shape}"
            )
        whole = np.ascontiguousarray(given, np.int64)
        place = rows.first_illegal(self._games, self._boards, chosen, whole)
        if place >= 0:
            row = int(chosen[place])
            why = self._why(row, int(given[place]))
            raise IllegalAction(f"row {row}: {why}", row=row, action=why.action, reason=why.reason)
        return whole

    def _step_all(self, actions: np.ndarray) -> None:
        """Step all rows by actions that were checked."""
        self._in_threads(functools.partial(self._step_rows, actions))

    def _in_threads(self, work: Callable[[int, int, int], None]) -> None:
        """Do `work(worker, first, end)` for all rows, shared among the threads in small pieces.

        A thread that wakes up late finds less to do, and nobody waits long for the others.
        """
        if self._workers == 1:
            work(0, 0, len(self))
            return
        if self._crew is None or self._crew.process != os.getpid():  # a forked process has no threads
            self._crew = Crew(self._workers - 1)
        pieces = iter([(first, min(first + ROWS_A_PIECE, len(self))) for first in range(0, len(self), ROWS_A_PIECE)])

        def share(worker: int) -> None:
            for first, end in pieces:
                work(worker, first, end)

        self._crew.run(share)

    def _step_rows(self, actions: np.ndarray, worker: int, first: int, end: int) -> None:
        stepping.step_rows(
            self._games,
            self._boards,
            self._settings,
            self._rows,
            self._plans,
            self._sheets,
            worker,
            first,
            end,
            actions,
            self.observations,
            self.masks,
            self.players,
            self.rewards,
            self.done,
            self.truncated,
            self.scores,
            self.lengths,
            self.final_observations,
        )

    def _why(self, row: int, action: int) -> IllegalAction:
        try:
            self.game(row).step(action)
        except IllegalAction as error:
            return error
        raise AssertionError("the row's action is legal after all")

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        index = options.whole_number(row, "row")
        if not 0 <= index < len(self):
            raise IndexError(f"row: the rows are 0 to {len(self) - 1}, not {index}")
        return Game._from_record(self.map, np.frombuffer(self._games[index].tobytes(), np.int8).copy())

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_crew": None, "_boards": None, "_plans": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._boards = board(self.map)
        self._plans = aligned(self._workers, planning.PLAN)


def fill_settings(
    settings: Any, chosen: options.Variant, features: str, tolls_visible: bool, reward: str, max_decisions: int
) -> None:
    """Write checked options into a record with the fields of `stepping.GAME_SETTINGS`."""
    settings["players"], settings["with_tolls"] = chosen.players, chosen.tolls
    settings["with_neutral"] = chosen.neutral_player
    settings["with_planning"] = observation.check_features(features) == "planning"
    settings["with_tolls_visible"] = bool(tolls_visible)
    settings["reward"] = rewards.REWARDS.index(check_reward(reward))
    settings["max_decisions"] = positive(max_decisions, "max_decisions")


def check_reward(reward: str) -> str:
    """`reward`, if it is one of `engine.rewards.REWARDS`."""
    if reward not in rewards.REWARDS:
        raise ValueError(f"reward: {reward!r} is unknown; choose one of {', '.join(rewards.REWARDS)}")
    return reward


def positive(value: Any, name: str) -> int:
    """`value` as an `int`, if it is a whole number from 1 up to what 63 bits hold."""
    number = options.whole_number(value, name)
    if not 1 <= number < 2**63:
        raise ValueError(f"{name}: at least 1 is needed, and less than 2**63, not {number}")
    return number
