"""One side of `benchmarks.pairs`: reads names of cases, runs each once, and answers with seconds.

It is run with the package of any commit, so it keeps to what all versions have, and imports nothing of its own folder.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import ttr_env  # registers the environments too

GAMES = 1024
RNG = np.random.default_rng(1)
CASES: dict[str, tuple[str, dict[str, Any], int]] = {  # what is made, with which options, and how many steps a run has
    "Batch, base": ("batch", {"players": 4}, 40),
    "Batch, base, 2 threads": ("batch", {"players": 4, "threads": 2}, 80),
    "Batch, planning": ("batch", {"players": 4, "features": "planning"}, 20),
    "Batch with racers": ("batch", {"players": 4, "bots": [None, "racer", "racer", "racer"]}, 10),
    "Batch with planners": ("batch", {"players": 4, "bots": [None, "planner", "planner", "planner"]}, 5),
    "vector environment, against random": ("vector", {"players": 2, "opponents": "random"}, 30),
    "vector environment, against racer": ("vector", {"players": 2, "opponents": "racer"}, 30),
    "vector environment, against planner": ("vector", {"players": 2, "opponents": "planner"}, 15),
    "single-agent environment, against random": ("single", {"players": 2, "opponents": "random"}, 2000),
    "PettingZoo environment": ("aec", {"players": 4}, 4000),
}


def batch(**options: Any) -> Callable[[], float]:
    """Random play of many games, the choice of actions included."""
    rows = ttr_env.Batch("nederland", games=GAMES, seed=1, **options)
    return lambda: timed(lambda: rows.step(rows.sample()))[0]


def vector(**options: Any) -> Callable[[], float]:
    """Random play of a learner in many games."""
    envs: Any = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=GAMES, **options)
    mask = envs.reset(seed=1)[1]["action_mask"]

    def step() -> float:
        nonlocal mask
        actions = draw(mask)
        seconds, told = timed(lambda: envs.step(actions))
        mask = told[4]["action_mask"]
        return seconds

    return step


def single(**options: Any) -> Callable[[], float]:
    """Random play of a learner in one game after the other; dealing counts as well."""
    env: Any = gymnasium.make("ttr_env/Nederland-v0", **options).unwrapped
    mask = env.reset(seed=1)[1]["action_mask"]

    def step() -> float:
        nonlocal mask
        action = int(draw(mask))
        seconds, (_, _, terminated, truncated, info) = timed(lambda: env.step(action))
        if terminated or truncated:
            more, (_, info) = timed(env.reset)
            seconds += more
        mask = info["action_mask"]
        return seconds

    return step


def aec(**options: Any) -> Callable[[], float]:
    """Random play by all agents in one game after the other; dealing counts as well."""
    env = ttr_env.env(**options)
    env.reset(seed=1)

    def look() -> Any:
        if not env.agents:
            env.reset()
        return env.last()

    def step() -> float:
        looking, (observation, _, terminated, truncated, _) = timed(look)
        action = None if terminated or truncated else int(draw(observation["action_mask"]))
        return looking + timed(lambda: env.step(action))[0]

    return step


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """How many seconds it took, and what it returned."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def draw(mask: np.ndarray) -> np.ndarray:
    """A random legal action of each row."""
    return (mask * RNG.random(mask.shape, np.float32)).argmax(axis=-1)


MAKERS = {"batch": batch, "vector": vector, "single": single, "aec": aec}


def main() -> None:
    """Answer until the other end is closed."""
    ready: dict[str, Callable[[], float] | None] = {}
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name not in ready:
            ready[name] = prepared(name)
        play = ready[name]
        print(play() if play else "none", flush=True)


def prepared(name: str) -> Callable[[], float] | None:
    """The seconds that the steps of a case take, past its first run; None where this version lacks it."""
    what, options, steps = CASES[name]
    try:
        step = MAKERS[what](**options)
    except TypeError:  # no such option
        return None

    def play() -> float:
        return sum(step() for _ in range(steps))

    play()
    return play


if __name__ == "__main__":
    main()
