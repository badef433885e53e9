"""Playing worlds out: as the network would in every seat."""

from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_scorer
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots import rollouts
from ttr_env.bots.search import HALF_SURE
from ttr_env.engine.jit import entry
from ttr_env.engine.scratch import aligned


@entry
def imagine(games: Any, boards: Any, player: Any, seed: Any) -> None:
    rollouts.imagine(games[0], boards[0], player, seed)


def worth_by_hand(game: ttr_env.Game, action: int, seed: int, agent: agents.Agent) -> float:
    """What an action is worth in a world, where the agent plays all seats after it."""
    world, player = game.copy(), game.player
    imagine(world.records, world.board, player, seed)
    world.step(action)
    agents.play(world, [agent] * world.players)
    totals = [seat["total"] for seat in world.result()["seats"]]
    margin = totals[player] - max(total for seat, total in enumerate(totals) if seat != player)
    return 0.5 + 0.5 * margin / (HALF_SURE + abs(margin))


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_world_is_played_as_by_hand(options: dict[str, Any]) -> None:
    scorer, planner = ScoringAgent(random_scorer()), agents.make("planner")
    spaces, values = aligned(2, rollouts.ROLLOUT), np.zeros(3)
    game = ttr_env.Game(seed=3, **options)
    while len(game.actions) < 60:
        game.step(planner.act(game))
    before = game.snapshot()
    actions = game.legal_actions()[:3].astype(np.int64)
    for seed in (1, 2):
        rollouts.try_out(game.records, 0, game.board, scorer.weights, actions, seed, spaces, 1, values)
        by_hand = [worth_by_hand(game, int(action), seed, scorer) for action in actions]
        assert values[: len(actions)].tolist() == pytest.approx(by_hand)
    assert game.snapshot() == before
