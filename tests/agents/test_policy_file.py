"""Policy files: what is written is read, and what does not fit is refused by name."""

import contextlib
import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_network
from ttr_env import agents
from ttr_env.agents import policy_file
from ttr_env.agents.inputs import Sight, advised_actions
from ttr_env.agents.policy_file import PolicyFileError
from ttr_env.agents.trained import FromFile


@pytest.mark.parametrize(("adviser", "features"), [(None, "base"), ("racer", "planning")])
def test_what_is_written_is_read(tmp_path: Path, adviser: str | None, features: str) -> None:
    network = random_network(adviser, features, "tanh")
    policy_file.save(network, tmp_path / "policy.npz")
    read = policy_file.load(tmp_path / "policy.npz")
    batch = ttr_env.Batch(games=9, seed=3)
    inputs, masks = read.sight.see(batch, np.arange(9))
    assert np.array_equal(read.logits(inputs, masks), network.logits(inputs, masks))
    assert np.array_equal(read.values(inputs), network.values(inputs))
    assert read.about == {"steps": 3} and read.activation == "tanh"
    assert [path.name for path in tmp_path.iterdir()] == ["policy.npz"]


def test_a_sight_shows_the_observation_the_mask_and_the_advice() -> None:
    batch = ttr_env.Batch(games=5, players=3, seed=3, features="planning")
    for _ in range(40):
        batch.step(batch.sample())
    sight = Sight("nederland", "planning", adviser="planner")
    rows = np.array([4, 0, 2])
    inputs, masks = sight.see(batch, rows)
    assert np.array_equal(inputs[:, :-1], batch.observations[rows])
    assert np.array_equal(masks, batch.masks[rows])
    advice = agents.make("planner:version=1").act_batch(batch, rows)  # the name means that, as an adviser
    assert advised_actions(inputs, sight.num_actions).tolist() == advice.tolist()


def test_an_adviser_with_enough_weight_is_followed() -> None:
    batch = ttr_env.Batch(games=5, players=3, seed=3)
    rows = np.arange(5)
    chosen = FromFile(random_network("racer")).act_batch(batch, rows)
    assert chosen.tolist() == agents.make("racer").act_batch(batch, rows).tolist()


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_plays_legally_one_game_or_many(tmp_path: Path, temperature: float) -> None:
    policy_file.save(random_network(), tmp_path / "policy.npz")
    agent = FromFile(tmp_path / "policy.npz", temperature, seed=1)
    batch = ttr_env.Batch(games=16, players=4, seed=1, views=False)
    for _ in range(150):
        batch.step(agent.act_batch(batch, np.arange(16)))
    if temperature == 0:
        assert agent.act(batch.game(3)) == agent.act_batch(batch, np.array([3]))[0]


def test_a_temperature_draws_by_probability() -> None:
    network = random_network()
    batch = ttr_env.Batch(games=1, seed=1)
    inputs, masks = network.sight.see(batch, np.zeros(4000, np.int64))
    logits = network.logits(inputs[:1], masks[:1])[0]
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    drawn = np.bincount(FromFile(network, 1.0, seed=2).choose(inputs, masks), minlength=len(expected)) / 4000
    assert np.abs(drawn - expected).max() < 0.03
    assert (drawn[masks[0] == 0] == 0).all()


def test_chooses_by_what_it_may_know() -> None:
    agent, dealer = FromFile(random_network("planner", "planning")), np.random.default_rng(0)
    game = ttr_env.Game(players=3, seed=1)
    others = agents.make("random", 4)
    while game.player >= 0:
        assert agent.act(game) == agent.act(game.determinize(game.player, dealer))
        game.step(others.act(game))


def rewrite(path: Path, **changes: Any) -> None:
    """Change what a policy file says of itself."""
    with np.load(path) as file:
        arrays = dict(file)
    description = json.loads(arrays["description"].tobytes()) | changes
    arrays["description"] = np.frombuffer(json.dumps(description).encode(), np.uint8)
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 99}, "format 99, and this version reads 1 and 2"),
        ({"map": "atlantis"}, "a map that is not here.*atlantis"),
        ({"map_digest": "0"}, "another version of the map 'nederland'"),
        ({"sight": "0"}, "another observation version"),
        ({"activation": "sine"}, "activation 'sine' is none of relu, tanh"),
        ({"layers": {"policy": 5, "value": 2}}, "damaged"),
        ({"layers": {"policy": 0, "value": 2}}, "its policy has 0 layers"),
        ({"layers": {"policy": 10**30, "value": 2}}, "its policy has 10+ layers"),
        ({"about": 3}, "what it says about itself"),
    ],
)
def test_refuses_what_does_not_fit(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "policy.npz"
    policy_file.save(random_network(), path)
    rewrite(path, **changes)
    with pytest.raises(PolicyFileError, match=message):
        agents.make(f"policy:{path}")


def test_refuses_what_is_no_policy_file(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="cannot be read: No such file"):
        agents.make(f"policy:{tmp_path / 'missing.npz'}")
    text = tmp_path / "text.npz"
    text.write_text("no policy")
    with pytest.raises(PolicyFileError, match="not a policy file"):
        agents.make(f"policy:{text}")
    with zipfile.ZipFile(tmp_path / "other.npz", "w") as file:
        file.writestr("readme", "hello")
    with pytest.raises(PolicyFileError, match="not a policy file"):
        agents.make(f"policy:{tmp_path / 'other.npz'}")
    for content in (b"", np.lib.format.MAGIC_PREFIX):  # NumPy has errors of its own for these
        text.write_bytes(content)
        with pytest.raises(PolicyFileError, match=r"not a policy file.*no whole \.npz archive"):
            agents.make(f"policy:{text}")


def test_damage_anywhere_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    policy_file.save(random_network(), path)
    whole, chance = path.read_bytes(), np.random.default_rng(0)
    for length in chance.integers(len(whole), size=10):
        path.write_bytes(whole[:length])
        with pytest.raises(PolicyFileError, match=r"policy\.npz"):
            policy_file.load(path)
    for place in chance.integers(len(whole), size=40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with contextlib.suppress(PolicyFileError):  # not every byte matters
            policy_file.load(path)


@pytest.mark.parametrize("part", ["policy", "value"])
def test_refuses_layers_of_other_widths(tmp_path: Path, part: str) -> None:
    path = tmp_path / "policy.npz"
    network = random_network()
    layers = getattr(network, part)
    policy_file.save(dataclasses.replace(network, **{part: [(layers[0][0][1:], layers[0][1]), *layers[1:]]}), path)
    size = network.sight.observation_size
    with pytest.raises(PolicyFileError, match=f"a {part} layer takes {size - 1} numbers where there are {size}"):
        policy_file.load(path)
    last = (layers[-1][0][:, :0], layers[-1][1][:0])
    policy_file.save(dataclasses.replace(network, **{part: [*layers[:-1], last]}), path)
    with pytest.raises(PolicyFileError, match=f"its {part} has 0 outputs"):
        policy_file.load(path)


def test_refuses_another_map(tmp_path: Path, tiny_board: Path) -> None:
    with pytest.raises(ValueError, match="trained on 'nederland' and cannot play"):
        FromFile(random_network()).act(ttr_env.Game(tiny_board, seed=0))
