"""What agents say they think: what they do, from what they may know, and without a trace."""

import dataclasses
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_network, random_scorer
from ttr_env import agents
from ttr_env.agents import Explanation, Thought, policy_file
from ttr_env.agents.trained import FromFile
from ttr_env.engine.layout import DRAW_TICKETS

WITH_PROBABILITIES = ["random", "champion", "flat", "drawing flat", "scorer", "drawing scorer"]
SEARCHING = ["ismcts:iterations=60", "ismcts:version=1,iterations=60", "champion+search:iterations=60"]
WITHOUT = ["greedy", "racer", "planner"]
EVERYBODY = [*WITH_PROBABILITIES, *SEARCHING, *WITHOUT]


@pytest.fixture(scope="module")
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """How an agent is specified: networks are in files."""
    makers = {"scorer": random_scorer, "flat": random_network}
    kind = request.param.removeprefix("drawing ")
    if kind not in makers:
        return str(request.param)
    path = tmp_path_factory.mktemp("policies") / "policy.npz"
    policy_file.save(makers[kind](), path)
    return f"policy:{path}" + (",temperature=1" if "drawing" in request.param else "")


def each(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("spec", names, indirect=True)


def positions(players: int = 3, every: int = 23) -> Iterator[ttr_env.Game]:
    """Some positions of a game in which planners play."""
    game, planner = ttr_env.Game(players=players, seed=4), agents.make("planner")
    while not game.over:
        if len(game.actions) % every == 0:
            yield game
        game.step(planner.act(game))


@each(EVERYBODY)
def test_it_would_do_what_it_says_and_is_as_before(spec: str) -> None:
    asked, silent = agents.make(spec, seed=3), agents.make(spec, seed=3)
    for game in positions():
        before = game.snapshot()
        explanations = [agents.explain(asked, game) for _ in range(2)]
        assert explanations[0] == explanations[1]
        assert game.snapshot() == before
        choice = asked.act(game)
        assert explanations[0].choice == choice == silent.act(game)
        assert choice in [thought.action for thought in explanations[0].options]


@each(EVERYBODY)
def test_it_speaks_of_what_it_may_know(spec: str) -> None:
    dealer = np.random.default_rng(0)
    for game in positions(every=29):
        explained = agents.explain(agents.make(spec, seed=3), game)
        for _ in range(2):
            other = game.determinize(game.player, dealer)
            assert agents.explain(agents.make(spec, seed=3), other) == explained


@each(WITH_PROBABILITIES)
def test_probabilities(spec: str) -> None:
    for game in positions():
        explained = agents.explain(spec, game)
        actions = [thought.action for thought in explained.options]
        chances = [thought.probability for thought in explained.options]
        assert set(actions) <= set(game.legal_actions().tolist()) and len(set(actions)) == len(actions)
        assert sum(chances) == pytest.approx(1) and chances == sorted(chances, reverse=True)
        assert {(thought.mean, thought.error, thought.worlds) for thought in explained.options} == {(None, None, None)}
        if spec == "random":
            assert chances == pytest.approx([1 / len(game.legal_actions())] * len(chances))
        if spec == "random":
            assert explained.value is None
        else:
            assert np.isfinite(explained.value)
        if spec != "random":
            assert "temperature" in spec or explained.choice == actions[0]


def test_probabilities_are_those_of_the_network() -> None:
    network = random_network()
    for game in positions():
        inputs, masks = network.sight.see(game, np.zeros(1, np.int64))
        raised = np.exp(network.logits(inputs, masks)[0] / 2)
        explained = FromFile(network, temperature=2.0).explain(game)
        told = {thought.action: thought.probability for thought in explained.options}
        assert told == pytest.approx({action: raised[action] / raised.sum() for action in np.flatnonzero(masks[0])})
        assert explained.value == pytest.approx(network.values(inputs)[0])


def test_how_often_random_draws_tells_what_it_says() -> None:
    game = ttr_env.Game(seed=1)
    agent = agents.make("random", seed=1)
    drawn = [agent.act(game) for _ in range(3000)]
    for thought in agents.explain(agent, game).options:
        assert drawn.count(thought.action) / 3000 == pytest.approx(thought.probability, abs=0.03)


@each(SEARCHING)
def test_what_a_search_found(spec: str) -> None:
    for game in positions():
        explained = agents.explain(spec, game)
        first = explained.options[0]
        assert first.action == explained.choice and explained.value == first.mean
        if len(explained.options) == 1:
            continue
        means = [thought.mean for thought in explained.options[1:]]
        assert means == sorted(means, reverse=True)
        for thought in explained.options:
            assert 0 <= thought.mean <= 1 and 0 <= thought.error < 0.5 and thought.worlds >= 2
            assert (thought.probability is None) == ("version=1" in spec)
        assert max(thought.worlds for thought in explained.options) == first.worlds


def test_what_is_worth_more_looks_better() -> None:
    """With one turn left, drawing tickets can only lose."""
    found = 0
    for seed in range(24):
        game = agents.play(ttr_env.Game(seed=seed), ["planner:version=1", "planner:version=1"])
        start = ttr_env.Game.replay(game.record() | {"actions": game.record()["actions"][:-1]})
        explained = agents.explain("ismcts:version=1,iterations=400", start)
        by_action = {thought.action: thought for thought in explained.options}
        if start.phase == "turn" and DRAW_TICKETS in by_action:
            assert by_action[explained.choice].mean >= by_action[DRAW_TICKETS].mean
            found += 1
    assert found >= 5


@each(WITHOUT)
def test_bots_have_their_choice_alone(spec: str) -> None:
    for game in positions():
        choice = agents.make(spec).act(game)
        assert agents.explain(spec, game) == Explanation(choice, (Thought(choice),))


class Own:
    """An agent of a user's, who explains nothing and remembers how often it was asked."""

    def __init__(self, seed: int = 0) -> None:
        self.rng, self.asked = np.random.default_rng(seed), 0

    def act(self, game: ttr_env.Game) -> int:
        self.asked += 1
        return int(self.rng.choice(game.legal_actions()))


class Locked(Own):
    """One that cannot be copied."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.lock = threading.Lock()


class Talker(Own):
    """One that explains itself."""

    def explain(self, game: ttr_env.Game) -> Explanation:
        return Explanation(7, (Thought(7, 0.5),), value=1.0)


def test_agents_of_ones_own() -> None:
    game = ttr_env.Game(seed=2)
    agent = Own(4)
    explained = agents.explain(agent, game)
    assert explained == Explanation(Own(4).act(game), (Thought(Own(4).act(game)),)) and agent.asked == 0
    assert agent.act(game) == explained.choice
    assert agents.explain(f"{__name__}:Own", game).choice in game.legal_actions()
    assert agents.explain(Locked(), game).choice in game.legal_actions()
    assert agents.explain(Talker(), game).value == 1.0


def test_nothing_to_explain() -> None:
    game = agents.play(ttr_env.Game(seed=2), ["random", "random"])
    with pytest.raises(ValueError, match="the game is over"):
        agents.explain("planner", game)
    with pytest.raises(ValueError, match="cannot play 'usa'"):
        agents.explain("champion:version=1", ttr_env.Game("usa", seed=1))


def test_thoughts_cannot_be_changed() -> None:
    explained = agents.explain("planner", ttr_env.Game(seed=2))
    with pytest.raises(dataclasses.FrozenInstanceError):
        explained.choice = 3  # type: ignore[misc]
    assert hash(explained) == hash(agents.explain("planner", ttr_env.Game(seed=2)))
