"""The environments under random legal play, beside PettingZoo's own connect_four."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np

import ttr_env
from ttr_env import agents, render
from ttr_env.batch import stepping
from ttr_env.envs.single import SingleAgentEnv

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
    yield vector(num_envs=1024, steps=3 * effort)
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
    """The single-agent environment against a random opponent."""
    env, player = gymnasium.make("ttr_env/Nederland-v0", players=2).unwrapped, agents.make("random")
    assert isinstance(env, SingleAgentEnv)
    env.reset(seed=SEED)

    def play() -> None:
        for _ in range(steps):
            _, _, terminated, truncated, _ = env.step(player.act(env.game))
            if terminated or truncated:
                env.reset()

    play()
    return Case("single agent, 2 players, against random", "steps", lambda: (steps, timed(play)))


def vector(num_envs: int, steps: int) -> Case:
    """The vector environment against random opponents; choosing the actions is not counted."""
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=num_envs, players=2).unwrapped
    envs.reset(seed=SEED)
    chance, actions = np.zeros(num_envs, stepping.ROW), np.zeros(num_envs, np.int64)

    def run() -> tuple[float, float]:
        seconds = 0.0
        for _ in range(steps):
            stepping.sample_rows(envs.records, envs.board, chance, actions)
            seconds += timed(lambda: envs.step(actions))
        return steps * num_envs, seconds

    run()
    return Case(f"vector environment of {num_envs}, 2 players, random", "steps", run)


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
