"""The PettingZoo environment in Tianshou: a game by its masks, episodes collected, and a step of learning."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, ReplayBuffer, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import ttr_env


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002 - Tianshou's random player draws from it


def table(**options: Any) -> PettingZooEnv:
    """A table that raises an error when an action is not legal."""
    return PettingZooEnv(ttr_env.raw_env(**options))


@pytest.mark.parametrize("players", [2, 5])
def test_game_by_the_masks(players: int) -> None:
    env = table(players=players, reward="score")
    rng = np.random.default_rng(0)
    observation, _ = env.reset(seed=4)
    terminated = False
    while not terminated:
        assert observation["obs"] in env.observation_space["observation"]
        action = int(rng.choice(np.flatnonzero(observation["mask"])))
        observation, rewards, terminated, truncated, info = env.step(action)
        assert not truncated
    assert not any(observation["mask"])
    result = env.env.game.result()
    assert rewards == pytest.approx([seat["total"] / 100 for seat in result["seats"]])
    assert info["total"] == result["seats"][0]["total"]


def collector(games: int, steps: int, learner: bool = False, **options: Any) -> tuple[Collector, Any]:
    """Random players at several tables, with a learner in the first seat if one is asked for; and their algorithm."""
    env = table(**options)
    players: list[Any] = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    if learner:
        players[0] = dqn(env)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    envs = DummyVectorEnv([lambda: table(**options)] * games)
    envs.seed(0)
    collecting = Collector(algorithm, envs, VectorReplayBuffer(steps, games), exploration_noise=True)
    collecting.reset()
    return collecting, algorithm


def dqn(env: PettingZooEnv) -> DQN:
    width = env.observation_space["observation"].shape[0]
    net = Net(state_shape=width, action_shape=int(env.action_space.n), hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(
        model=net,
        action_space=env.action_space,
        observation_space=env.observation_space["observation"],
        eps_training=0.5,
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))


@pytest.mark.parametrize("players", [2, 4])
def test_collected_episodes(players: int) -> None:
    collecting, _ = collector(games=3, steps=6000, players=players)
    collected = collecting.collect(n_episode=6)
    assert collected.n_collected_episodes == 6
    assert collected.returns.shape == (6, players)
    assert np.allclose(collected.returns.sum(axis=1), 0, atol=1e-6) and (collected.returns.max(axis=1) > 0).all()
    steps, _ = collecting.buffer.sample(0)  # all of them
    assert len(steps) == collected.n_collected_steps
    assert steps.obs.mask[np.arange(len(steps)), steps.act].all()
    assert steps.terminated.sum() == 6 and not steps.truncated.any()


def test_collected_truncations() -> None:
    collecting, _ = collector(games=2, steps=400, players=2, max_decisions=20)
    collected = collecting.collect(n_episode=4)
    steps, _ = collecting.buffer.sample(0)
    assert collected.n_collected_steps == 4 * 20
    assert steps.truncated.sum() == 4 and not steps.terminated.any()


def test_masked_dqn_learns_a_step() -> None:
    collecting, algorithm = collector(games=2, steps=2000, learner=True, players=2, reward="dense")
    collecting.collect(n_step=400)
    steps, _ = collecting.buffer.sample(0)
    assert steps.obs.mask[np.arange(len(steps)), steps.act].all()
    with policy_within_training_step(algorithm.policy):
        learned = algorithm.update(collecting.buffer, sample_size=64)
    losses = learned.get_loss_stats_dict()
    assert losses and all(np.isfinite(loss) for loss in losses.values())


def test_a_tie_is_stored_like_any_other_end(tiny_board: Path) -> None:
    env = table(map=tiny_board, players=2)
    buffer = ReplayBuffer(size=2000)
    ties = wins = 0
    while not (ties and wins):
        observation, _ = env.reset(seed=ties + wins)
        terminated = False
        while not terminated:
            before, action = observation, env.env.sample()
            observation, rewards, terminated, truncated, info = env.step(action)
        buffer.add(
            Batch(
                obs=before,
                act=action,
                rew=np.array(rewards),
                terminated=terminated,
                truncated=truncated,
                obs_next=observation,
                info=info,
            )
        )
        ties, wins = ties + (rewards[0] == rewards[1]), wins + (rewards[0] != rewards[1])
        assert ties + wins < 2000
    assert len(buffer) == ties + wins
