"""The names under which Gymnasium and PettingZoo find the environments."""

import importlib
import subprocess
import sys

import gymnasium
import pettingzoo
import pytest

from ttr_env.envs.registration import IDS, PETTINGZOO_IDS

ENTRIES = {"aec": "env", "parallel": "parallel_env"}  # what is in each registry

# PettingZoo as it was before 1.27, which had no registry.
WITHOUT_REGISTRY = """
import pettingzoo
for name in ("aec_registry", "parallel_registry", "register", "make"):
    if hasattr(pettingzoo, name):
        delattr(pettingzoo, name)
import gymnasium, ttr_env
env = ttr_env.env(players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    _, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else env.unwrapped.sample())
print(env.agents, "ttr_env/Nederland-v0" in gymnasium.registry)
"""


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_pettingzoo_may_have_no_registry() -> None:
    assert python(WITHOUT_REGISTRY) == "[] True\n"


@pytest.mark.parametrize("name", PETTINGZOO_IDS)
@pytest.mark.parametrize("kind", ENTRIES)
def test_pettingzoo_finds_each_map(kind: str, name: str) -> None:
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make(kind, name, players=2)
    else:  # there was no registry before 1.27, but what would be in it is there
        env = getattr(importlib.import_module(PETTINGZOO_IDS[name]), ENTRIES[kind])(players=2)
    assert len(env.possible_agents) == 2
    assert env.unwrapped.metadata["name"] == name.removeprefix("ttr_env/").replace("-", "_")


@pytest.mark.parametrize(("name", "board"), IDS.items())
def test_gymnasium_finds_each_map(name: str, board: str) -> None:
    assert gymnasium.make(name).unwrapped.game.map.name == board


def test_gymnasium_imports_the_package_that_a_name_begins_with() -> None:
    code = "import gymnasium; print(gymnasium.make('ttr_env:ttr_env/USA-v0').unwrapped.game.map.name)"
    assert python(code) == "usa\n"
