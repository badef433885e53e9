"""Actions, through every way into the game. What is refused changes nothing."""

from __future__ import annotations

import json
from abc import abstractmethod
from random import Random
from typing import Any

import gymnasium
import numpy as np

import ttr_env
from tests.fuzz.kinds.base import Fault, Kind, check, check_complaint
from tests.fuzz.mutating import NUMBERS, TEXTS, damage_json
from ttr_env import Batch, Game
from ttr_env.errors import IllegalAction

TYPES = ("int8", "uint8", "int16", "int32", "int64", "uint64", "float32", "float64", "bool", "str", "object")
SCRIPTS: list[dict[str, Any]] = [
    {"seed": 1, "map": "nederland", "steps": [{"legal": 0}] * 6},
    {"seed": 2, "map": "nordic", "steps": [{"legal": 3}, 0, {"legal": 1}, 5, -1]},
    {"seed": 3, "map": "usa", "steps": [{"numpy": "int32", "of": 3}, {"legal": 2}, {"numpy": "float32", "of": 1.5}]},
    {"seed": 4, "map": "nederland", "steps": [[0], [1, 2], None, "0", True, {"legal": 1}]},
]


class Actions(Kind):
    """A script: legal actions by their place among the legal ones, and anything else as it stands there."""

    allowed = (IllegalAction,)
    plain_actions = True

    def seeds(self) -> list[bytes]:
        return [json.dumps(script).encode() for script in SCRIPTS]

    def damage(self, data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.4:
            return damage_json(data, rng)
        try:
            script = json.loads(data)
            steps = script["steps"]
            steps[rng.randrange(len(steps) + 1) : 0] = [_step(rng) for _ in range(rng.randrange(1, 6))]
        except (ValueError, KeyError, TypeError, RecursionError):
            return damage_json(data, rng)
        return json.dumps(script).encode()

    def give(self, data: bytes) -> int:
        try:
            script = json.loads(data)
        except (ValueError, RecursionError):
            return 1
        found = script if isinstance(script, dict) else {}
        seed = found.get("seed")
        board = found.get("map")
        board = board if isinstance(board, str) and board in ("nederland", "nordic", "usa") else "nederland"
        self.start(board, seed if type(seed) is int and 0 <= seed < 2**63 else 7)
        steps = found.get("steps")
        script = steps[:40] if isinstance(steps, list) else [steps]
        for step in script:
            try:
                self.step(step)
            except self.allowed as error:
                check_complaint(error)
        return max(1, len(script))

    @abstractmethod
    def start(self, board: str, seed: int) -> None:
        """Deal."""

    @abstractmethod
    def step(self, step: Any) -> None:
        """Take a step of the script."""


def _step(rng: Random) -> Any:
    match rng.randrange(5):
        case 0 | 1:
            return {"legal": rng.randrange(100)}
        case 2:
            return {"numpy": rng.choice(TYPES), "of": rng.choice([*NUMBERS[:24], [0], [1, 2], "3"])}
        case 3:
            return rng.randrange(-3, 700)
        case _:
            return rng.choice([*NUMBERS, *TEXTS, None, True, [], {}, [3], {"kind": "pass"}])


def meant(step: Any, legal: np.ndarray) -> Any:
    """What a step stands for."""
    if not isinstance(step, dict):
        return step
    if type(step.get("legal")) is int and len(legal):
        return int(legal[step["legal"] % len(legal)])
    if isinstance(step.get("numpy"), str) and step["numpy"] in TYPES:
        try:
            array = np.array(step.get("of"), step["numpy"])
        except (ValueError, TypeError, OverflowError):
            return step
        return array[()] if array.ndim == 0 else array
    return step


class GameActions(Actions):
    """`Game.step`."""

    def prepare(self) -> None:
        self._game = Game(seed=1)

    def start(self, board: str, seed: int) -> None:
        self._game = Game(board, players=2, seed=seed)

    def step(self, step: Any) -> None:
        game = self._game
        before, past = game.records.tobytes(), len(game.actions)
        try:
            game.step(meant(step, np.array([]) if game.over else game.legal_actions()))
        except IllegalAction:
            check(game.records.tobytes() == before and len(game.actions) == past, "a refused action changed the game")
            raise


class AecActions(Actions):
    """`raw_env`, where an illegal action raises, and `env`, where it ends the game."""

    allowed = (IllegalAction, ValueError, AssertionError)  # PettingZoo's customary way with what is not in its space

    def prepare(self) -> None:
        names = ("nederland", "nordic", "usa")
        self._raw = {name: ttr_env.raw_env(map=name, players=2) for name in names}
        self._whole = {name: ttr_env.env(map=name, players=2) for name in names}

    def start(self, board: str, seed: int) -> None:
        self._env = (self._raw if seed % 2 else self._whole)[board]
        self._env.reset(seed=seed)

    def step(self, step: Any) -> None:
        env, inner = self._env, self._env.unwrapped
        if not env.agents:
            return
        dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        legal = np.array([]) if inner.game.over or dead else inner.game.legal_actions()
        before = inner.game.records.tobytes()
        try:
            env.step(meant(step, legal))
        except IllegalAction:
            if inner.game.records.tobytes() != before:
                raise RuntimeError("a refused action changed the game") from None
            raise
        except (ValueError, AssertionError) as error:  # PettingZoo's own: nobody who is out of the game acts
            if not (dead and "action" in str(error)) and str(error) != "action is not in action space":
                raise RuntimeError(f"a refusal that is none: {error}") from error
            raise
        if env.agents:
            env.last()


class GymnasiumActions(Actions):
    """The Gymnasium environment, against a bot; an illegal action ends the episode, or is replaced."""

    allowed = (IllegalAction, gymnasium.error.ResetNeeded)

    def prepare(self) -> None:
        self._envs = {
            (name, illegal): gymnasium.make(
                "ttr_env/Nederland-v0", map=name, opponents="greedy", illegal=illegal, disable_env_checker=True
            ).unwrapped
            for name in ("nederland", "nordic", "usa")
            for illegal in ("end", "replace")
        }

    def start(self, board: str, seed: int) -> None:
        self._env: Any = self._envs[board, "replace" if seed % 3 == 0 else "end"]
        self._env.reset(seed=seed)

    def step(self, step: Any) -> None:
        legal = np.flatnonzero(self._env.action_masks())
        observation, reward, *_ = self._env.step(meant(step, legal))
        check(np.isfinite(observation).all() and np.isfinite(reward), "an observation or a reward is not finite")


class VectorActions(Actions):
    """The vector environment: one odd action among others, or something else than a row of actions."""

    allowed = (IllegalAction, gymnasium.error.ResetNeeded, ValueError)

    def prepare(self) -> None:
        self._envs = {
            name: gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=3, map=name, opponents="greedy")
            for name in ("nederland", "nordic", "usa")
        }

    def start(self, board: str, seed: int) -> None:
        self._env = self._envs[board]
        self._infos: Any = self._env.reset(seed=seed)[1]

    def step(self, step: Any) -> None:
        masks = self._infos["action_mask"]
        row = np.flatnonzero(masks[0])
        odd = meant(step, row)
        actions: Any = odd
        if not isinstance(odd, list | np.ndarray):
            actions = [odd, int(np.flatnonzero(masks[1])[0]), int(np.flatnonzero(masks[2])[-1])]
        try:
            observations, rewards, _, _, self._infos = self._env.step(actions)
        except ValueError as error:
            if not str(error).startswith("actions: ") and not isinstance(error, IllegalAction):
                raise Fault(f"a refusal that is not about the actions: {error}") from error
            raise
        check(np.isfinite(observations).all() and np.isfinite(rewards).all(), "something is not finite")


class BatchActions(Actions):
    """`Batch.step`, for all rows or for some."""

    allowed = (IllegalAction, IndexError)

    def prepare(self) -> None:
        self._batches = {name: Batch(name, 4, players=2) for name in ("nederland", "nordic", "usa")}

    def start(self, board: str, seed: int) -> None:
        self._batch = self._batches[board]
        self._batch.reset(seed)

    def step(self, step: Any) -> None:
        batch = self._batch
        before = batch.records.tobytes()
        odd = meant(step, np.flatnonzero(batch.masks[0]))
        legal = batch.sample()
        try:
            if isinstance(odd, list | np.ndarray):
                batch.step(odd)
            elif isinstance(odd, dict):
                batch.step(legal[:1], odd.get("rows", [0]))
            else:
                batch.step([odd, *legal[1:].tolist()])
        except self.allowed as error:
            check(batch.records.tobytes() == before, "a refused action changed a game")
            check(isinstance(error, IllegalAction) or "row" in str(error), f"a refusal about nothing: {error}")
            raise


class OpenSpielActions(Actions):
    """OpenSpiel's states: it hands on whole numbers alone."""

    def prepare(self) -> None:
        import pyspiel

        import ttr_env.openspiel  # noqa: F401 - which registers the game

        self.allowed = (IllegalAction, pyspiel.SpielError)  # OpenSpiel's own, of -1
        self._games = {name: pyspiel.load_game("ttr", {"map": name}) for name in ("nederland", "nordic", "usa")}

    def start(self, board: str, seed: int) -> None:
        self._state = self._games[board].new_initial_state()
        rng = np.random.default_rng(seed)
        for _ in range(seed % 4):
            self._state.apply_action(int(rng.choice(self._state.legal_actions())))

    def step(self, step: Any) -> None:
        state = self._state
        before = str(state.history())
        odd = meant(step, np.array(state.legal_actions()))
        if not isinstance(odd, int | np.integer) or not -(2**62) < odd < 2**62:
            return
        try:
            state.apply_action(odd)
        except self.allowed:
            check(str(state.history()) == before, "a refused action changed the state")
            raise
