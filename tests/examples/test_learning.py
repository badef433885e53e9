"""The examples that learn: each learns something in seconds, and what it writes plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from training.examples import against_own_bot, behaviour_cloning, dqn_with_masks, expert_iteration, ppo_over_batch
from ttr_env import Game, agents, data


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """What the examples do themselves when they are run: two threads on a busy machine wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def plays(file: Path) -> bool:
    """Whether a policy file is an agent that plays a game to its end."""
    return agents.play(Game("nederland", players=2, seed=7), [f"policy:{file}", "random"]).over


@pytest.mark.slow
def test_behaviour_cloning_agrees_with_its_agent(tmp_path: Path) -> None:
    data.write(tmp_path / "games", ["planner", "planner"], games=40)
    network, agreement = behaviour_cloning.train(tmp_path / "games", "planner", epochs=2)
    assert agreement[-1] > 0.5, "any of some twenty legal actions would agree on a twentieth"
    behaviour_cloning.save(network, tmp_path / "games", tmp_path / "clone.npz")
    assert plays(tmp_path / "clone.npz")


@pytest.mark.slow
def test_expert_iteration_comes_closer_to_its_search(tmp_path: Path) -> None:
    torch.manual_seed(0)
    lessons = expert_iteration.play(expert_iteration.Network(), 2, np.random.default_rng(0))
    network, divergences = expert_iteration.learn(lessons)
    assert divergences[-1] < 0.95 * divergences[0]
    expert_iteration.save(network, tmp_path / "expert.npz")
    assert plays(tmp_path / "expert.npz")


@pytest.mark.slow
def test_dqn_scores_more_and_more(tmp_path: Path) -> None:
    network, curve = dqn_with_masks.train(steps=300, tables=16)
    assert curve[-1] > curve[0] + 10
    dqn_with_masks.save(network, tmp_path / "dqn.npz")
    assert plays(tmp_path / "dqn.npz")


def test_dqn_never_seeks_the_best_among_illegal_actions() -> None:
    values, masks = torch.tensor([[5.0, 1.0, -3.0]]), torch.tensor([[0, 0, 1]], dtype=torch.int8)
    assert dqn_with_masks.best(values, masks).tolist() == [2]
    memory = dqn_with_masks.Memory(2, 3)
    one, two = np.ones((1, 2)), np.full((1, 2), 2.0)
    memory.add(one, np.array([1]), np.array([0.5]), np.array([False]), two, np.array([[0, 1, 1]]))
    seen, actions, rewards, ended, next_seen, next_masks = memory.sample(np.random.default_rng(0))
    assert (seen == 1).all() and (next_seen == 2).all() and (next_masks == torch.tensor([0, 1, 1])).all()
    assert (actions == 1).all() and (rewards == 0.5).all() and (ended == 0).all()


@pytest.mark.slow
def test_training_against_one_s_own_bot(tmp_path: Path) -> None:
    network, curve = against_own_bot.train(updates=30, tables=32)
    assert curve[-1] > curve[0] + 10
    against_own_bot.save(network, tmp_path / "beater.npz")
    assert plays(tmp_path / "beater.npz")


def test_advantages_stop_where_a_game_ends() -> None:
    rewards, ended = np.array([[0.0], [1.0], [0.0]]), np.array([[0.0], [1.0], [0.0]])
    found = against_own_bot.advantages(rewards, ended, torch.zeros(3, 1), torch.full((1,), 7.0))
    gamma, decay = against_own_bot.GAMMA, against_own_bot.DECAY
    assert found[:, 0].tolist() == pytest.approx([gamma * decay, 1.0, 7.0 * gamma])


def test_ppo_s_network_plays(tmp_path: Path) -> None:
    from ttr_env import Batch

    batch = Batch("nederland", games=1, players=2, seed=0)
    ppo_over_batch.save(ppo_over_batch.Network(batch.observation_size, batch.num_actions), tmp_path / "ppo.npz")
    assert plays(tmp_path / "ppo.npz")
