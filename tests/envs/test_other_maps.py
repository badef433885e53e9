"""The other maps by the names under which Gymnasium and PettingZoo find them."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import ttr_env
from ttr_env import mini_v0, nordic_v0, usa_v0

MODULES = {"mini": mini_v0, "nordic": nordic_v0, "usa": usa_v0}
IDS = {"mini": "ttr_env/Mini-v0", "nordic": "ttr_env/Nordic-v0", "usa": "ttr_env/USA-v0"}
MOST = {"mini": 2, "nordic": 3, "usa": 3}  # players at the tables here


@pytest.fixture(autouse=True)
def dict_observations_are_meant() -> Any:
    """PettingZoo's suites warn of every Dict observation, masked or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_pettingzoo_suites(name: str) -> None:
    module, players = MODULES[name], MOST[name]
    assert str(module.env(players=players)) == f"{name}_v0"
    api_test(module.env(players=players), num_cycles=200)
    api_test(module.raw_env(players=2, features="planning", reward="dense"), num_cycles=200)
    api_test(module.raw_env(players=2, features="actions"), num_cycles=200)
    seed_test(lambda: module.env(players=players), num_cycles=60)
    parallel_api_test(turn_based_aec_to_parallel(module.env(players=players)), num_cycles=100)
    render_test(lambda **options: module.env(**options))


@pytest.mark.parametrize("name", MODULES)
def test_registries(name: str) -> None:
    if hasattr(pettingzoo, "make"):  # there was none before 1.27
        env = pettingzoo.make("aec", f"ttr_env/{name}-v0", players=MOST[name])
        env.reset(seed=1)
        assert env.unwrapped.game.map.name == name
    single = gymnasium.make(IDS[name], players=MOST[name], opponents="planner")
    assert single.unwrapped.game.map.name == name
    many = gymnasium.make_vec(IDS[name], num_envs=3, players=2, opponents="greedy")
    observations, infos = many.reset(seed=1)
    assert observations.shape == (3, ttr_env.observation.size(name))
    for _ in range(40):
        _, _, _, _, infos = many.step(infos["action_mask"].argmax(axis=1))
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("name", MODULES)
def test_gymnasium_checker(name: str) -> None:
    check_env(gymnasium.make(IDS[name], players=2, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", MODULES)
def test_the_fast_sampler_plays_whole_games(name: str) -> None:
    env = MODULES[name].env(players=2, reward="score")
    env.reset(seed=3)
    returns: dict[str, float] = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        returns[agent] = reward
        env.step(None if terminated or truncated else env.unwrapped.sample())
        if terminated:
            assert np.isclose(reward, info["total"] / 100)
    assert set(returns) == {"player_0", "player_1"}
