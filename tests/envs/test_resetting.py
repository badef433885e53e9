"""`reset(options=...)`: what an environment does not know, it refuses, and plays on."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import ttr_env

MAKERS = {
    "env": ttr_env.env,
    "raw_env": ttr_env.raw_env,
    "single": lambda: gymnasium.make("ttr_env/Nederland-v0").unwrapped,
    "vector": lambda: gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=2),
}
TAKES = dict.fromkeys(MAKERS, "takes snapshot") | {"vector": "takes reset_mask, snapshot"}


@pytest.mark.parametrize("kind", MAKERS)
def test_unknown_options_are_refused_by_name(kind: str) -> None:
    env: Any = MAKERS[kind]()
    with pytest.raises(ValueError, match=rf"^options: 'players' is unknown; reset\(\) {TAKES[kind]}"):
        env.reset(seed=1, options={"players": 3})


@pytest.mark.parametrize("kind", MAKERS)
def test_no_options_are_fine(kind: str) -> None:
    env: Any = MAKERS[kind]()
    env.reset(seed=1, options=None)
    env.reset(seed=1, options={})


def test_the_vector_environment_takes_a_mask_of_rows() -> None:
    envs: Any = MAKERS["vector"]()
    before, _ = envs.reset(seed=1)
    after, _ = envs.reset(options={"reset_mask": np.array([False, True])})
    assert (before[0] == after[0]).all() and (before[1] != after[1]).any()


@pytest.mark.parametrize(
    "mask", [[True], [True, False, True], np.array([0, 1]), [[True, False]]], ids=["short", "long", "numbers", "deep"]
)
def test_a_mask_that_is_none_is_refused_and_no_row_restarts(mask: Any) -> None:
    envs: Any = MAKERS["vector"]()
    envs.reset(seed=1)
    before = [envs.unwrapped.game(row) for row in range(2)]
    with pytest.raises(ValueError, match=r"^reset_mask: an array of 2 bools is needed, not one of "):
        envs.reset(options={"reset_mask": mask})
    assert [envs.unwrapped.game(row) for row in range(2)] == before


@pytest.mark.parametrize("kind", ["env", "raw_env", "single"])
def test_a_refused_reset_leaves_the_game_as_it_was(kind: str) -> None:
    env: Any = MAKERS[kind]()
    env.reset(seed=1)
    before = env.unwrapped.game.snapshot()
    with pytest.raises(ValueError, match="nonsense"):
        env.reset(seed=2, options={"nonsense": 1})
    assert env.unwrapped.game.snapshot() == before
    env.step(int(env.unwrapped.game.legal_actions()[0]))


def test_a_refused_reset_starts_nothing() -> None:
    env = ttr_env.env()
    for bad in ({"options": {"nonsense": 1}}, {"seed": -1}):
        with pytest.raises(ValueError):
            env.reset(**bad)
        with pytest.raises(AttributeError, match="before reset"):
            _ = env.agents
