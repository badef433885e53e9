"""A closed environment ends the programs that it has started, and is not stepped any further."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import psutil
import pytest
from gymnasium.error import ClosedEnvironmentError

import ttr_env
from ttr_env import agents

ID = "ttr_env/Nederland-v0"

# It plays, has a child of its own, writes both numbers down, and neither listens to the end of its input.
PLAYER = """import json, os, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n{child.pid}\\n")
while True:
    asked = json.loads(sys.stdin.readline() or '{"type": "nothing"}')
    if asked["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif asked["type"] == "act":
        print(json.dumps({"id": asked["id"], "action": asked["legal"][-1]["action"]}), flush=True)
"""


class Players:
    """A program as an opponent, and the processes that were started for it."""

    def __init__(self, folder: Path) -> None:
        (folder / "player.py").write_text(PLAYER)
        self._log = folder / "pids"
        self.spec = "exec:" + shlex.join([sys.executable, str(folder / "player.py"), str(self._log)])

    @property
    def started(self) -> list[int]:
        return [int(line) for line in self._log.read_text().split()] if self._log.exists() else []

    @property
    def running(self) -> bool:
        return any(map(_runs, self.started))

    def all_end(self) -> bool:
        """Whether none of them is left; what was killed may take a moment."""
        for _ in range(600):
            if not self.running:
                return True
            time.sleep(0.05)
        return False


def _runs(pid: int) -> bool:
    """Whether a process does something: one that has ended may wait for whoever started it."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(tmp_path)


def single(opponents: Any) -> Any:
    return gymnasium.make(ID, seat=1, opponents=opponents)


def vector(opponents: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=3, seat=1, opponents=opponents)


def synchronous(opponents: Any) -> Any:
    return gymnasium.vector.SyncVectorEnv([lambda: single(opponents)] * 2)


@pytest.mark.parametrize("make", [single, vector, synchronous])
def test_programs_end_with_the_environment(make: Callable[[Any], Any], players: Players) -> None:
    env = make(players.spec)
    env.reset(seed=1)
    assert players.running
    env.close()
    assert players.all_end()
    env.close()


@pytest.mark.needs("sb3_contrib")
def test_programs_end_with_the_environments_of_stable_baselines(players: Players) -> None:
    from ttr_env.learning import sb3

    env = sb3.LearnerVecEnv(games=2, opponents={players.spec: 1.0}, seed=0)
    env.reset()
    while not players.running:
        env.step(env.action_masks().argmax(axis=1))
    env.close()
    assert players.all_end()


def test_an_opponent_that_was_given_is_its_makers_to_close(players: Players) -> None:
    opponent = agents.make(players.spec)
    env = single(opponent)
    env.reset(seed=1)
    env.close()
    assert opponent.running and players.running
    opponent.close()
    assert players.all_end()


def test_a_closed_environment_plays_again_after_reset(players: Players) -> None:
    env = single(players.spec)
    for _ in range(2):
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))
        env.close()
    assert len(players.started) == 4 and players.all_end()


def _aec(env: Any) -> None:
    env.reset(seed=1)
    env.step(env.unwrapped.sample())


def _parallel(env: Any) -> None:
    observations, _ = env.reset(seed=1)
    env.step({agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()})


def _gymnasium(env: Any) -> None:
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax(axis=-1))


ENVIRONMENTS: dict[str, tuple[Callable[[], Any], Callable[[Any], None], Callable[[Any], Any]]] = {
    "single": (lambda: gymnasium.make(ID), _gymnasium, lambda env: env.step(18)),
    "vector": (lambda: gymnasium.make_vec(ID, num_envs=2), _gymnasium, lambda env: env.step(np.full(2, 18))),
    "aec": (ttr_env.env, _aec, lambda env: env.step(18)),
    "raw aec": (ttr_env.raw_env, _aec, lambda env: env.step(18)),
    "parallel": (ttr_env.parallel_env, _parallel, lambda env: env.step(dict.fromkeys(env.possible_agents, 18))),
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_step_after_close_is_an_error_until_reset(name: str) -> None:
    make, play, step = ENVIRONMENTS[name]
    env = make()
    play(env)
    env.close()
    with pytest.raises(ClosedEnvironmentError, match=r"was closed; call reset\(\) before step\(\)"):
        step(env)
    play(env)
    env.close()
    env.close()
