"""Networks as bots: in compiled code they play what they would play if they were asked."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tests.helpers.networks import random_scorer, random_weights
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Batch
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.batch.threads import ROWS_A_THREAD
from ttr_env.bots.built_in import FIRST_NETWORK


def seen(batch: Batch) -> list[bytes]:
    shown = (batch.records, batch.observations, batch.movers, batch.rewards, batch.totals, batch.seeds)
    return [array.tobytes() for array in shown]


def play(batch: Batch, steps: int) -> list[list[bytes]]:
    told = []
    for _ in range(steps):
        batch.step(batch.sample())
        told.append(seen(batch))
    return told


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_network_plays_as_it_would_if_it_were_asked(options: dict[str, Any]) -> None:
    agent, others = ScoringAgent(random_scorer(1)), [None] * (options["players"] - 1)
    inside, outside = Batch(games=3, seed=5, bots=[*others, agent], **options), Batch(games=3, seed=5, **options)
    last = options["players"] - 1
    while inside.episodes.min() < 1:
        while (rows := np.flatnonzero(outside.movers == last)).size:
            outside.step(agent.act_batch(outside, rows), rows)
        assert outside.records.tobytes() == inside.records.tobytes()
        actions = inside.sample()
        assert (inside.movers != last).all()
        inside.step(actions)
        outside.step(actions)


@pytest.mark.parametrize("features", ["base", "actions"])
def test_games_with_networks_that_draw_depend_on_their_seeds_alone(features: str) -> None:
    options: dict[str, Any] = {
        "players": 3,
        "features": features,
        "seed": 4,
        "bots": [None, random_weights(1, temperature=1.0), "random"],
        "max_decisions": 60,
    }
    few, many = Batch(games=ROWS_A_THREAD, **options), Batch(games=2 * ROWS_A_THREAD, threads=2, **options)
    for _ in range(40):
        actions = many.sample()
        few.step(actions[: len(few)])
        many.step(actions)
        assert few.records.tobytes() == many.records[: len(few)].tobytes()
    assert few.episodes.min() >= 1


def test_a_higher_temperature_plays_otherwise() -> None:
    one, other = (Batch(games=4, bots=[None, random_weights(1, t)], seed=1) for t in (0.0, 5.0))
    for _ in range(10):
        one.step(one.masks.argmax(axis=1))
        other.step(other.masks.argmax(axis=1))
    assert one.records.tobytes() != other.records.tobytes()


def test_agents_with_weights_are_networks() -> None:
    agent = ScoringAgent(random_scorer(2))
    by_agent, by_weights = (Batch(games=4, bots=[None, bot], seed=1) for bot in (agent, agent.weights))
    assert by_agent.seated.tolist() == [[-1, FIRST_NETWORK]] * 4
    assert play(by_agent, 30) == play(by_weights, 30)


def test_networks_are_enlisted_in_turn_and_can_be_replaced() -> None:
    batch = Batch(games=2, players=3, bots=(), seed=1)
    numbers = [batch.enlist(random_weights(seed)) for seed in range(3)]
    assert numbers == [FIRST_NETWORK, FIRST_NETWORK + 1, FIRST_NETWORK + 2]
    assert batch.line_up is not None
    batch.line_up[:, 1:] = numbers[:2]
    batch.reset(1)
    assert batch.enlist(random_weights(2), numbers[0]) == numbers[0]
    fresh = Batch(games=2, players=3, bots=[None, random_weights(2), random_weights(1)], seed=1)
    assert play(batch, 40) == play(fresh, 40)


def test_enlisted_weights_are_copied() -> None:
    network = random_weights(2)
    batch, other = (Batch(games=2, bots=[None, network], seed=1) for _ in range(2))
    network["score"] = 0.0
    assert play(batch, 20) == play(other, 20)
    assert play(batch, 20) != play(Batch(games=2, bots=[None, network], seed=1), 40)[20:]


def test_a_pickled_batch_goes_on_identically() -> None:
    batch = Batch(games=3, bots=[None, random_weights(1, 1.0)], seed=8, max_decisions=50)
    play(batch, 30)
    twin = pickle.loads(pickle.dumps(batch))
    assert play(twin, 60) == play(batch, 60)


def test_goes_on_from_a_state_when_its_networks_are_there() -> None:
    batch, other, without = (Batch(games=3, bots=(), seed=seed, max_decisions=50) for seed in (1, 2, 3))
    for each in (batch, other):
        number = each.enlist(random_weights(1, 1.0))
    batch.line_up[:, 1] = number  # type: ignore[index]
    batch.reset(4)
    play(batch, 20)
    state = batch.state()
    other.restore(state)
    assert play(other, 60) == play(batch, 60)
    with pytest.raises(ValueError, match=f"the bots and networks are 0 to {FIRST_NETWORK - 1}, not {FIRST_NETWORK}"):
        without.restore(state)


def test_what_is_no_network_is_refused() -> None:
    batch = Batch(games=2, bots=())
    for bad in (np.zeros(3), object(), np.concatenate([random_weights(1), random_weights(2)])):
        with pytest.raises(ValueError, match="a network is needed"):
            batch.enlist(bad)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="a network is needed"):
            Batch(games=2, bots=[None, bad])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no network has the number"):
        batch.enlist(random_weights(), FIRST_NETWORK)
    with pytest.raises(ValueError, match="made without bots"):
        Batch(games=2).enlist(random_weights())
    with pytest.raises(ValueError, match="autoreset=False"):
        Batch(games=2, bots=[random_weights(), random_weights()])


def test_networks_alone_play_whole_games() -> None:
    batch = Batch(games=4, bots=[random_weights(1), random_weights(2)], autoreset=False, views=False, seed=3)
    assert batch.terminated.all() and batch.lengths.min() > 10
