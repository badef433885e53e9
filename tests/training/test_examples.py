"""Other people's pipelines, plugged in."""

import numpy as np
import pytest

from training.examples import ppo_over_batch


@pytest.mark.slow
def test_ppo_over_batch_learns() -> None:
    curve = ppo_over_batch.train(updates=22, games=128, steps=64)
    assert np.mean(curve[-3:]) > np.mean(curve[:3]) + 40


def test_returns_by_seat() -> None:
    seats = np.array([[0], [1], [0], [1]])
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[3, 0] = [-1, 1]
    done = np.array([[False], [False], [False], [True]])
    returns, known = ppo_over_batch.returns_by_seat(rewards, done, seats, np.zeros((4, 1), np.float32))
    gamma = ppo_over_batch.GAMMA
    assert known.all()
    assert returns[:, 0] == pytest.approx([-gamma, gamma, -1, 1])
