"""Policy files of format 2, and the agent that plays them on every map."""

import copy
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.agents.test_policy_file import rewrite
from tests.helpers.networks import random_network, random_scorer
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents import policy_file
from ttr_env.agents.policy_file import PolicyFileError
from ttr_env.agents.scorer import Scorer, columns_digest
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots.features.columns import ACTION, STATE
from ttr_env.bots.scorer import MAX_FIRST, MAX_SECOND

ARRAYS = ("state", "action", "first_bias", "second", "second_bias", "score")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "policy.npz"


def test_what_is_written_is_read(path: Path) -> None:
    network = random_scorer()
    policy_file.save(network, path)
    read = policy_file.load(path)
    assert isinstance(read, Scorer)
    assert all(np.array_equal(getattr(read, name), getattr(network, name)) for name in ARRAYS)
    states = np.random.default_rng(0).random((5, len(STATE)), np.float32)
    assert read.values(states).tolist() == network.values(states).tolist()
    assert read.about == {"steps": 3}
    assert [(game["map"], game["players"], game["tolls"]) for game in read.games] == [
        ("nederland", 2, True),
        ("usa", 5, False),
    ]


@pytest.mark.parametrize(("first", "second"), [(64, 32), (MAX_FIRST, MAX_SECOND), (1, 1)])
def test_files_are_small_and_records_hold_the_same(path: Path, first: int, second: int) -> None:
    network = Scorer.random(np.random.default_rng(1), first, second)
    policy_file.save(network, path)
    weights = policy_file.load_scorer(path).weights(0.5)
    assert path.stat().st_size < (60_000 if first == 64 else 120_000)
    assert weights.shape == (1,) and weights[0]["temperature"] == 0.5
    again = Scorer.of_weights(weights, about={"again": 1})
    assert all(np.array_equal(getattr(again, name), getattr(network, name)) for name in ARRAYS)
    assert again.about == {"again": 1} and again.values(np.zeros((1, len(STATE)), np.float32)) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "tables"}, "kind 'tables', and this version reads 'actions'"),
        ({"features": 0}, f"other action features .version 0, .*these are version .*{columns_digest()}"),
        ({"columns": "0"}, "other action features .*columns '0'"),
        ({"units": [8, 16]}, "its layers have not the sizes that it says"),
        ({"value_units": [9, 1]}, "its layers have not the sizes that it says"),
        ({"value_units": [8, 8, 1]}, "damaged one: 'value2_weights'"),
        ({"value_units": 3}, "damaged"),
        ({"games": {"map": "usa"}}, "what it says about itself"),
        ({"games": [3]}, "what it says about itself"),
        ({"about": None}, "what it says about itself"),
    ],
)
def test_refuses_what_does_not_fit(path: Path, changes: dict[str, Any], message: str) -> None:
    policy_file.save(random_scorer(), path)
    rewrite(path, **changes)
    with pytest.raises(PolicyFileError, match=message):
        agents.make(f"policy:{path}")


def test_a_renamed_column_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = columns_digest()
    monkeypatch.setattr("ttr_env.agents.scorer.ACTION", (*ACTION[:-1], ACTION[-1]._replace(name="space")))
    assert columns_digest() != before


def test_shapes_are_checked_when_it_is_made() -> None:
    network = random_scorer()
    with pytest.raises(PolicyFileError, match=r"'action' has the shape \(3, 16\), where \(58, 16\) is needed"):
        dataclasses.replace(network, action=network.action[:3])
    with pytest.raises(PolicyFileError, match=f"1 to {MAX_FIRST} rows are needed"):
        Scorer.random(np.random.default_rng(0), MAX_FIRST + 1)
    with pytest.raises(PolicyFileError, match=f"1 to {MAX_SECOND} columns are needed"):
        Scorer.random(np.random.default_rng(0), 8, MAX_SECOND + 1)
    weights, biases = network.value[0]
    with pytest.raises(PolicyFileError, match="layer 0 of its value has the shapes"):
        dataclasses.replace(network, value=((weights[1:], biases), network.value[1]))
    with pytest.raises(PolicyFileError, match="layer 0 of its value has the shapes"):
        dataclasses.replace(network, value=network.value[:1])


def test_each_format_where_it_is_needed(path: Path) -> None:
    policy_file.save(random_scorer(), path)
    with pytest.raises(PolicyFileError, match="format 2, and 1 is needed here"):
        policy_file.load_network(path)
    policy_file.save(random_network(), path)
    with pytest.raises(PolicyFileError, match="format 1, and 2 is needed here"):
        ScoringAgent(path)


def scores(network: Scorer, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """What candidates score, worked out with NumPy."""
    first = np.maximum(states @ network.state + actions @ network.action + network.first_bias, 0)
    return np.maximum(first @ network.second + network.second_bias, 0) @ network.score


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_takes_the_candidate_with_the_highest_score(options: dict[str, Any]) -> None:
    network = random_scorer(3)
    agent = ScoringAgent(network)
    game, others = ttr_env.Game(seed=4, **options), agents.make("random", 1)
    while not game.over:
        index, states, actions = agent.look(game)
        best = scores(network, states, actions)
        place = index.tolist().index(agent.act(game))
        assert best[place] == pytest.approx(best.max(), abs=1e-4)
        game.step(others.act(game))


def test_a_temperature_draws_by_probability() -> None:
    network = random_scorer(2)
    game = ttr_env.Game(players=4, seed=3)
    index, states, actions = ScoringAgent(network).look(game)
    expected = np.exp(scores(network, states, actions) / 0.7)
    expected /= expected.sum()
    agent = ScoringAgent(network, temperature=0.7, seed=5)
    drawn = [index.tolist().index(agent.act(game)) for _ in range(4000)]
    assert np.abs(np.bincount(drawn, minlength=len(index)) / 4000 - expected).max() < 0.03
    agent.reset(5)
    assert [index.tolist().index(agent.act(game)) for _ in range(50)] == drawn[:50]


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "hot", "0.5,0.7"])
def test_no_temperature(path: Path, text: str) -> None:
    policy_file.save(random_scorer(), path)
    with pytest.raises(ValueError, match="temperature must be a number from 0 on"):
        agents.make(f"policy:{path},temperature={text}")


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_a_copy_goes_on_in_the_same_way(duplicate: Any) -> None:
    agent, game = ScoringAgent(random_scorer(), temperature=1.0, seed=3), ttr_env.Game(players=5, seed=1)
    agent.act(game)
    again = duplicate(agent)
    assert [agent.act(game) for _ in range(20)] == [again.act(game) for _ in range(20)]


def test_plays_a_map_of_ones_own(path: Path, tiny_board: Path) -> None:
    policy_file.save(random_scorer(), path)
    assert agents.play(ttr_env.Game(tiny_board, seed=0), [f"policy:{path}", "random"]).over
