"""Masked policies in the manner of CleanRL, over Gymnasium's vector environments as they come."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

ID = "ttr_env/Nederland-v0"


def make() -> Any:
    return gymnasium.make(ID, players=2, max_decisions=20)


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_a_policy_always_finds_an_action_to_draw(kind: Any) -> None:
    """Where a mask had no action, all logits would be minus infinity, and the distribution would refuse them."""
    envs = kind([make] * 2)
    network = torch.nn.Linear(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    observations, infos = envs.reset(seed=1)
    ends = 0
    torch.manual_seed(0)
    for _ in range(45):
        masks = torch.as_tensor(infos["action_mask"], dtype=torch.bool)
        logits = network(torch.as_tensor(observations)).masked_fill(~masks, -torch.inf)
        actions = torch.distributions.Categorical(logits=logits).sample()
        observations, _, terminated, truncated, infos = envs.step(actions.numpy())
        ends += int(np.logical_or(terminated, truncated).sum())
        assert not infos["illegal_action"].any()
    envs.close()
    assert ends >= 4
