"""The compiled network: to the last bit what adding in float32, one product after another, gives."""

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_scorer
from ttr_env import agents
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.routes import NETWORK
from ttr_env.bots.scorer import MAX_FIRST, MAX_SECOND, SCORES, appraise
from ttr_env.engine.scratch import aligned


def plainly(bias: np.ndarray, inputs: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A layer before `relu`, in the order of its inputs."""
    sums = bias.copy()
    for number, row in zip(inputs, rows, strict=True):
        if number != 0:
            sums += number * row
    return sums


@pytest.mark.parametrize(("first", "second"), [(64, 32), (1, 1), (31, 33), (33, 31), (MAX_FIRST, MAX_SECOND)])
@pytest.mark.parametrize("rubbish", [0.0, np.nan], ids=["clean", "used before"])
def test_scores(first: int, second: int, rubbish: float) -> None:
    network = random_scorer(1, first, second)
    weights = network.weights()
    net = weights[0]
    for name in ("state", "action", "first_bias"):
        net[name][..., first:] = rubbish  # what a larger network has left there
    for name in ("second", "second_bias", "score"):
        net[name][..., second:] = rubbish
    net["second"][first:] = rubbish
    routes, views, spaces = aligned(1, NETWORK), aligned(1, VIEW), aligned(1, SCORES)
    game, others, candidates = ttr_env.Game("nordic", players=3, seed=1), agents.make("planner"), 0
    while not game.over:
        if len(game.actions) % 7 == 0:
            appraise(game.records, 0, game.board, weights, routes, views, spaces)
            state = plainly(network.first_bias, views[0]["state_row"], network.state)
            for place in range(views[0]["count"]):
                hidden = np.maximum(plainly(state, views[0]["action_rows"][place], network.action), 0)
                last = np.maximum(plainly(network.second_bias, hidden, network.second), 0)
                score = np.float32(0.0)
                for unit, weight in zip(last, network.score, strict=True):
                    score += unit * weight
                assert spaces[0]["score"][place] == score
                candidates += 1
        game.step(others.act(game))
    assert candidates > 100
