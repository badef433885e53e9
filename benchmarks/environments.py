"""The environments under random legal play, beside PettingZoo's own connect_four."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np

import ttr_env
from ttr_env import agents, render
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.envs.single import SingleAgentEnv
from ttr_env.envs.vector import GameVectorEnv

from .measure import Case, timed

PLAYERS = 4
SEED = 1


def environment_cases(effort: int) -> Iterator[Case]:
    """All environments, and one frame of a picture."""
    raw, wrapped = ttr_env.raw_env(players=PLAYERS), ttr_env.env(players=PLAYERS)
    yield aec(f"raw_env, {PLAYERS} players", raw, raw.sample, 800 * effort)
    yield aec(f"env, {PLAYERS} players", wrapped, wrapped.unwrapped.sample, 800 * effort)
    if find_spec("pygame"):  # which PettingZoo's own games need
        yield connect_four(200 * effort)
    yield single(800 * effort)
    network = ScoringAgent(Scorer.random(np.random.default_rng(SEED)))  # as large as a trained one
    yield vector("random", 3 * effort)
    yield vector("planner", 3 * effort, opponents="planner")
    yield vector("a network", effort, opponents=network)
    yield vector("a network, actions", effort, opponents=network, features="actions")
    yield frame()


def aec(name: str, env: Any, choose: Callable[[], int], decisions: int) -> Case:
    """A PettingZoo environment: `last`, and a step by `choose`."""
    env.reset(seed=SEED)

    def play() -> None:
        for _ in range(decisions):
            if not env.agents:
                env.reset()
            _, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else choose())

    play()
    return Case(name, "decisions", lambda: (decisions, timed(play)))


def connect_four(decisions: int) -> Case:
    """PettingZoo's own connect_four, for comparison; its mask is short enough to choose from with NumPy."""
    from pettingzoo.classic import connect_four_v3

    env, rng = connect_four_v3.env(), np.random.default_rng(SEED)
    env.reset(seed=SEED)

    def play() -> None:
        for _ in range(decisions):
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated or truncated else int(rng.choice(legal)))

    play()
    return Case("PettingZoo's connect_four env", "decisions", lambda: (decisions, timed(play)))


def single(steps: int) -> Case:
    """The single-agent environment against a random opponent; choosing the learner's actions is not counted."""
    env, rng = gymnasium.make("ttr_env/Nederland-v0", players=2).unwrapped, np.random.default_rng(SEED)
    assert isinstance(env, SingleAgentEnv)
    env.reset(seed=SEED)

    def run() -> tuple[float, float]:
        seconds = 0.0
        for _ in range(steps):
            mask = env.action_masks()
            action = int((mask * rng.random(mask.shape, np.float32)).argmax())
            seconds += timed(functools.partial(step_or_reset, env, action))
        return steps, seconds

    run()
    return Case("single agent, 2 players, against random", "steps", run)


def step_or_reset(env: SingleAgentEnv, action: int) -> None:
    """Take an action, and deal the next game if that ended one."""
    _, _, terminated, truncated, _ = env.step(action)
    if terminated or truncated:
        env.reset()


def vector(name: str, steps: int, num_envs: int = 1024, **options: Any) -> Case:
    """The vector environment with 2 players; choosing the learners' actions, at random, is not counted."""
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=num_envs, players=2, **options).unwrapped
    assert isinstance(envs, GameVectorEnv)
    envs.reset(seed=SEED)

    def run() -> tuple[float, float]:
        seconds = 0.0
        for _ in range(steps):
            seconds += timed(functools.partial(envs.step, envs.positions.sample()))
        return steps * num_envs, seconds

    run()
    return Case(f"vector environment of {num_envs}, {name}", "steps", run)


def frame() -> Case:
    """A picture 1200 pixels wide of positions throughout a game of planners."""
    game, planner = ttr_env.Game(players=5, seed=SEED), agents.make("planner")
    positions = []
    while game.player >= 0:
        game.step(planner.act(game))
        positions.append(game.copy())
    chosen = positions[::12]
    render.to_rgb(chosen[0])

    def draw() -> None:
        for position in chosen:
            render.to_rgb(position)

    return Case("rgb_array, 1200 pixels wide", "frames", lambda: (len(chosen), timed(draw)))
