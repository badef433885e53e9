"""Playing worlds on: as the network would in every seat, to their end or until they are valued."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_layers, random_scorer
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots import rollouts
from ttr_env.bots.features.columns import STATE
from ttr_env.bots.search import HALF_SURE
from ttr_env.engine.jit import entry
from ttr_env.engine.scratch import aligned


@entry
def imagine(games: Any, boards: Any, player: Any, seed: Any) -> None:
    rollouts.imagine(games[0], boards[0], player, seed)


def worth_by_hand(game: ttr_env.Game, action: int, least: int, seed: int, agent: ScoringAgent) -> float:
    """What an action is worth in a world, where the agent plays all seats after it, for so many decisions at least."""
    world, player = game.copy(), game.player
    imagine(world.records, world.board, player, seed)
    world.step(action)
    played = 0
    while not world.over and (played < least or world.player != player):
        world.step(agent.act(world))
        played += 1
    if not world.over:
        [value] = agent.scorer.values(agent.look(world)[1][None])
        return float(value)
    totals = [seat["total"] for seat in world.result()["seats"]]
    margin = totals[player] - max(total for seat, total in enumerate(totals) if seat != player)
    return 0.5 + 0.5 * margin / (HALF_SURE + abs(margin))


@pytest.mark.parametrize("least", [0, 7, 1000])
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_world_is_played_as_by_hand(options: dict[str, Any], least: int) -> None:
    value = tuple(random_layers(np.random.default_rng(0), len(STATE), 12, 6, 1))
    agent, planner = ScoringAgent(dataclasses.replace(random_scorer(), value=value)), agents.make("planner")
    minds = rollouts.Minds(agent.weights, agent.scorer.appraiser(), least)
    spaces, values = aligned(2, rollouts.ROLLOUT), np.zeros(3)
    game = ttr_env.Game(seed=3, **options)
    while len(game.actions) < 60:
        game.step(planner.act(game))
    before = game.snapshot()
    actions = game.legal_actions()[:3].astype(np.int64)
    for seed in (1, 2):
        rollouts.try_out(game.records, 0, game.board, minds, actions, seed, spaces, 1, values)
        by_hand = [worth_by_hand(game, int(action), least, seed, agent) for action in actions]
        assert values[: len(actions)].tolist() == pytest.approx(by_hand)
    assert game.snapshot() == before


@pytest.mark.parametrize("sizes", [(1,), (8, 1), (8, 8, 8, 1), (129, 8, 1), (8, 65, 1)])
def test_layers_that_compiled_code_has_no_room_for(sizes: tuple[int, ...]) -> None:
    value = tuple(random_layers(np.random.default_rng(0), len(STATE), *sizes))
    with pytest.raises(ValueError, match="two layers of at most 128 and 64 units"):
        dataclasses.replace(random_scorer(), value=value).appraiser()
