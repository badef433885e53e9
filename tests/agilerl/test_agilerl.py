"""AgileRL's own training loops over the vector environment, with masks, and the pages about it and Minari."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
import torch
from agilerl.algorithms import DQN, PPO
from agilerl.components import ReplayBuffer
from agilerl.training.train_off_policy import train_off_policy
from agilerl.training.train_on_policy import train_on_policy

import ttr_env
from tests.helpers.pages import AGILERL, ROOT, run_blocks

SMALL = {"encoder_config": {"hidden_size": [32]}}


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002 - AgileRL explores with it


@pytest.fixture
def envs() -> Any:
    return gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=8, players=2, reward="dense", max_decisions=60)


def taken(envs: Any, monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """A list that will have, for every step to come, whether the actions taken are legal."""
    table, legal = envs.unwrapped, []
    step = table.step

    def watched(actions: Any) -> Any:
        legal.append(table.action_masks()[np.arange(len(actions)), np.asarray(actions)])
        return step(actions)

    monkeypatch.setattr(table, "step", watched)
    return legal


def test_masked_dqn(envs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    legal = taken(envs, monkeypatch)
    agent = DQN(envs.single_observation_space, envs.single_action_space, net_config=SMALL, batch_size=16)
    before = [each.clone() for each in agent.actor.parameters()]
    memory = ReplayBuffer(max_size=1000)
    train_off_policy(envs, "ttr", "DQN", [agent], memory, max_steps=400, evo_steps=400, eval_steps=10, verbose=False)
    assert len(legal) > 50 and np.all(legal)
    assert any(not torch.equal(*pair) for pair in zip(before, agent.actor.parameters(), strict=True))


def test_masked_ppo(envs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    legal = taken(envs, monkeypatch)
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config=SMALL,
        batch_size=64,
        learn_step=32,
        num_envs=8,
    )
    before = [each.clone() for each in agent.actor.parameters()]
    train_on_policy(envs, "ttr", "PPO", [agent], max_steps=512, evo_steps=512, eval_steps=10, verbose=False)
    assert len(legal) > 50 and np.all(legal)
    assert any(not torch.equal(*pair) for pair in zip(before, agent.actor.parameters(), strict=True))


def test_its_pettingzoo_has_no_registry_yet_and_plays() -> None:
    assert not hasattr(pettingzoo, "aec_registry")
    env = ttr_env.env(players=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        ended = terminated or truncated
        env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    assert not env.agents


@pytest.mark.parametrize("name", AGILERL)
def test_code_blocks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    assert run_blocks(ROOT / "docs" / name, tmp_path, monkeypatch) > 0
