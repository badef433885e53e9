"""One compiled loop steps many games, whoever asks: docs/fast-path.md says so."""

from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from ttr_env import Batch, arena
from ttr_env.learning.sb3 import LearnerVecEnv


def single_agent() -> None:
    env = gymnasium.make("ttr_env/Nederland-v0", opponents="planner")
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax())


def vector() -> None:
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=2)
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(axis=1))


def stable_baselines() -> None:
    env = LearnerVecEnv(games=2)
    env.reset()
    env.step(env.action_masks().argmax(axis=1))


def evaluation() -> None:
    arena.evaluate(["greedy", "random"], games=2)


@pytest.mark.parametrize("play", [single_agent, vector, stable_baselines, evaluation])
def test_it_is_a_batch_that_steps(play: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    stepped, take = [], Batch._take  # noqa: SLF001 - what `step`, `take` and `deal` all come to

    def seen(batch: Batch, *arguments: Any) -> None:
        stepped.append(batch)
        take(batch, *arguments)

    monkeypatch.setattr(Batch, "_take", seen)
    play()
    assert len(stepped) >= 2  # a deal, and a step
