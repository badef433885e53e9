"""Agents who search: repeatable, blind to what they may not see, and better for searching."""

import numpy as np
import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents.ismcts import LEAST, SURE
from ttr_env.agents.searching import Budget, Tally
from ttr_env.engine.layout import DRAW_TICKETS

SPECS = ["ismcts:iterations=40", "ismcts:version=1,iterations=40", "champion+search:iterations=40"]


def played(options: dict[str, object], seed: int, decisions: int) -> ttr_env.Game:
    """A game of planners after some decisions."""
    game = ttr_env.Game(seed=seed, **options)
    planner = agents.make("planner:version=1")
    for _ in range(decisions):
        if game.player >= 0:
            game.step(planner.act(game))
    return game


every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
each_search = pytest.mark.parametrize("spec", SPECS)


@pytest.mark.slow
@each_search
@every_variant
def test_plays_every_variant_to_the_end(options: dict[str, object], spec: str) -> None:
    game = played(options, seed=1, decisions=60)
    agent = agents.make(spec, seed=1)
    while game.player >= 0:
        game.step(agent.act(game))
    assert game.result()["winners"]


@each_search
@every_variant
def test_chooses_by_what_it_may_know(options: dict[str, object], spec: str) -> None:
    check_choices(options, (1, 60), spec)


@pytest.mark.slow
@each_search
@every_variant
def test_chooses_by_what_it_may_know_all_through_a_game(options: dict[str, object], spec: str) -> None:
    check_choices(options, (0, 25, 50, 75, 90), spec)


def check_choices(options: dict[str, object], moments: tuple[int, ...], spec: str) -> None:
    dealer = np.random.default_rng(0)
    for decisions in moments:
        game = played(options, seed=decisions, decisions=decisions)
        if game.player < 0:
            continue
        worlds = [game, *(game.determinize(game.player, dealer) for _ in range(3))]
        first, *others = (agents.explain(agents.make(spec, seed=5), world) for world in worlds)
        assert others == [first] * 3
        assert agents.make(spec, seed=5).act(game) == first.choice


def test_a_game_is_as_it_was_after_a_search() -> None:
    game = played({"players": 2}, seed=3, decisions=30)
    before = game.snapshot()
    agents.make("ismcts:seconds=0.02").act(game)
    assert game.snapshot() == before


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=200", "ismcts:version=1,iterations=2000", "champion+search:iterations=200"]
)
def test_finds_the_claim_that_wins(spec: str) -> None:
    """With one turn left, what counts is the score: of what it tries, the search takes what brings most points.

    Tickets that are drawn then are a gamble, which may be right for who is behind.
    """
    found = 0
    for seed in range(40):
        game = played({"players": 2}, seed=seed, decisions=1000)
        start = ttr_env.Game.replay(game.record() | {"actions": game.record()["actions"][:-1]})
        explained = agents.explain(spec, start)
        if start.phase == "turn" and len(explained.options) > 1 and explained.choice != DRAW_TICKETS:
            leads = {thought.action: lead_after(start, thought.action) for thought in explained.options}
            assert leads[explained.choice] == max(leads.values())
            found += 1
    assert found >= 10


def lead_after(start: ttr_env.Game, action: int) -> int:
    """By how much the player to move is ahead at the end, after the last turn that begins with an action."""
    trial = start.copy()
    trial.step(action)
    while trial.player >= 0:  # a second card changes no score
        trial.step(int(trial.legal_actions()[0]))
    totals = [seat["total"] for seat in trial.result()["seats"]]
    return int(totals[start.player] - totals[1 - start.player])


def test_version_1_tries_whatever_could_win() -> None:
    """It has no network to rule anything out."""
    game = played({"players": 2}, seed=1, decisions=1000)
    start = ttr_env.Game.replay(game.record() | {"actions": game.record()["actions"][:-1]})
    tried = {thought.action for thought in agents.explain("ismcts:version=1,iterations=100", start).options}
    best = max(start.legal_actions().tolist(), key=lambda action: lead_after(start, action))
    assert lead_after(start, best) in {lead_after(start, action) for action in tried}


def test_who_is_sure_does_not_search() -> None:
    sure = searched = 0
    for seed in range(6):
        game = played({"players": 2}, seed=seed, decisions=10 * seed)
        likeliest = agents.explain("champion", game).options[0]
        explained = agents.explain("champion+search:iterations=10", game)
        if likeliest.probability >= SURE:
            assert [(thought.action, thought.worlds) for thought in explained.options] == [(likeliest.action, 0)]
            sure += 1
        else:
            assert len(explained.options) > 1 and min(thought.probability for thought in explained.options) >= LEAST
            searched += 1
    assert sure and searched


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
