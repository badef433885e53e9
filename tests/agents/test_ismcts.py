"""The searching agent: repeatable, blind to what it may not see, and better for searching."""

import numpy as np
import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents.searching import Budget, Tally

SPEC = "ismcts:iterations=40"


def played(options: dict[str, object], seed: int, decisions: int) -> ttr_env.Game:
    """A game of planners after some decisions."""
    game = ttr_env.Game(seed=seed, **options)
    planner = agents.make("planner")
    for _ in range(decisions):
        if game.player >= 0:
            game.step(planner.act(game))
    return game


every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


@pytest.mark.slow
@every_variant
def test_plays_every_variant_to_the_end(options: dict[str, object]) -> None:
    game = played(options, seed=1, decisions=60)
    agent = agents.make(SPEC, seed=1)
    while game.player >= 0:
        game.step(agent.act(game))
    assert game.result()["winners"]


@every_variant
def test_chooses_by_what_it_may_know(options: dict[str, object]) -> None:
    check_choices(options, (1, 60))


@pytest.mark.slow
@every_variant
def test_chooses_by_what_it_may_know_all_through_a_game(options: dict[str, object]) -> None:
    check_choices(options, (0, 25, 50, 75, 90))


def check_choices(options: dict[str, object], moments: tuple[int, ...]) -> None:
    dealer = np.random.default_rng(0)
    for decisions in moments:
        game = played(options, seed=decisions, decisions=decisions)
        if game.player < 0:
            continue
        choices = {agents.make(SPEC, seed=5).act(game.determinize(game.player, dealer)) for _ in range(3)}
        assert choices == {agents.make(SPEC, seed=5).act(game)}


def test_a_game_is_as_it_was_after_a_search() -> None:
    game = played({"players": 2}, seed=3, decisions=30)
    before = game.snapshot()
    agents.make("ismcts:seconds=0.02").act(game)
    assert game.snapshot() == before


def test_finds_the_claim_that_wins() -> None:
    """With one turn left, what counts is the score: the search takes the most points, whatever the planner likes."""
    found = 0
    for seed in range(40):
        game = played({"players": 2}, seed=seed, decisions=1000)
        start = ttr_env.Game.replay(game.record() | {"actions": game.record()["actions"][:-1]})
        if start.phase != "turn":
            continue
        results = {}
        for action in start.legal_actions().tolist():
            trial = start.copy()
            trial.step(action)
            while trial.player >= 0:  # a second card changes no score
                trial.step(int(trial.legal_actions()[0]))
            totals = [seat["total"] for seat in trial.result()["seats"]]
            results[action] = totals[start.player] - totals[1 - start.player]
        chosen = agents.make("ismcts:iterations=2000", seed=1).act(start)
        assert results[chosen] == max(results.values())
        found += 1
    assert found >= 10


def test_tally_compares_within_worlds() -> None:
    tally = Tally(3)
    tally.add(np.array([0, 1, 2]), np.array([[0.5, 0.7, 0.1], [0.9, 1.1, 0.9]]))
    tally.add(np.array([0, 1]), np.array([[0.2, 0.4]]))
    assert tally.worlds == 3
    assert tally.gains() == pytest.approx([0, 0.2, -0.2])
    assert tally.lower_bounds(1.0) == pytest.approx([0, 0.2, -0.2 - 0.2 / np.sqrt(2)])
    for place, values in enumerate(([0.5, 0.9, 0.2], [0.7, 1.1, 0.4], [0.1, 0.9])):
        expected = (np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values)), len(values))
        assert tally.outcome(place) == pytest.approx(expected)
    assert Tally(1).outcome(0) == (None, None, 0)


def test_budgets() -> None:
    playouts, time = Budget(10, None), Budget(None, 1000.0)
    for budget in (playouts, time):
        budget.begin()
        budget.spend(5)
    assert playouts.used() == 0.5
    assert 0 <= time.used() < 0.5
