"""Recorded decisions made ready for learning, in compiled code: what they were worth, and some of them in one piece."""

from __future__ import annotations

import numpy as np

from ttr_env.engine.jit import entry


@entry
def estimate_advantages(
    games: np.ndarray,
    seats: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    discounts: tuple[float, float],
    advantages: np.ndarray,
) -> None:
    """Generalised advantage estimation over the decisions of each seat, with one reward at the end of a game.

    `discounts` are gamma and lambda.
    """
    gamma, decay = discounts
    later_value = np.zeros(rewards.shape[1])
    later_advantage = np.zeros(rewards.shape[1])
    decides_later = np.zeros(rewards.shape[1], np.bool_)
    for decision in range(len(games) - 1, -1, -1):
        game, seat = games[decision], seats[decision]
        if decision == len(games) - 1 or games[decision + 1] != game:
            decides_later[:] = False
        if decides_later[seat]:
            advantage = gamma * later_value[seat] - values[decision] + gamma * decay * later_advantage[seat]
        else:
            advantage = rewards[game, seat] - values[decision]
        advantages[decision] = advantage
        later_value[seat], later_advantage[seat], decides_later[seat] = values[decision], advantage, True


@entry
def gather(
    source: np.ndarray,
    begins: np.ndarray,
    ends: np.ndarray,
    actions: np.ndarray,
    owners: np.ndarray,
    places: np.ndarray,
) -> None:
    """Copy the candidates of some decisions one after another, and say whose each of them is."""
    row = 0
    for owner in range(len(begins)):
        for candidate in range(begins[owner], ends[owner]):
            actions[row] = source[candidate]
            owners[row] = owner
            places[row] = candidate - begins[owner]
            row += 1
