"""Data sets: what is written is what was played, and what is loaded is what players saw."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.data.conftest import AGENTS, broken, cut
from ttr_env import Game, agents, data
from ttr_env.data import shards
from ttr_env.data.manifest import MAX_GAMES, MAX_SEED
from ttr_env.errors import BadAgent, RecordError
from ttr_env.options import Sight, Variant


def records(folder: Path) -> list[dict[str, Any]]:
    parts = (gzip.decompress(file.read_bytes()) for file in sorted(folder.glob("part-*.gz")))
    return [json.loads(line) for part in parts for line in part.splitlines()]


def test_records_are_whole_games_of_the_agents_in_turn(folder: Path) -> None:
    found = records(folder)
    assert [record["agents"] for record in found] == [AGENTS, AGENTS[::-1]] * 2 + [AGENTS]
    assert [record["seed"] for record in found] == [data.SEEDS[3 * MAX_GAMES + game] for game in range(5)]
    for record in found:
        game = Game.replay(record)
        assert game.over
        again = agents.make("planner")
        early = Game.replay({**record, "actions": record["actions"][:20]})
        if record["agents"][early.player] == "planner":
            assert again.act(early) == record["actions"][20]


@pytest.mark.parametrize("sight", ["base", "planning", Sight("base", tolls_visible=True)], ids=str)
def test_what_is_loaded_is_what_players_saw(folder: Path, sight: Any) -> None:
    wanted = Sight(sight) if isinstance(sight, str) else sight
    batches = list(data.load(folder, sight, batch_size=64))
    assert {len(batch) for batch in batches[:-1]} == {64}
    rows = iter([(batch, row) for batch in batches for row in range(len(batch))])
    for number, record in enumerate(records(folder)):
        game, result = Game.replay({**record, "actions": []}), Game.replay(record)
        for step, action in enumerate(record["actions"]):
            batch, row = next(rows)
            seen, masks = game.look(np.zeros(1, np.int64), wanted)
            assert np.array_equal(batch.observations[row], seen[0]) and np.array_equal(batch.masks[row], masks[0])
            told = (batch.games[row], batch.steps[row], batch.actions[row], batch.movers[row])
            assert told == (number, step, action, game.player)
            assert AGENTS[batch.deciders[row]] == record["agents"][game.player]
            assert batch.returns[row] == result.returns()[game.player]
            assert batch.totals[row].tolist() == [seat["total"] for seat in result.result()["seats"]]
            game.step(action)
    assert next(rows, None) is None


def test_action_features_are_those_of_the_game(folder: Path) -> None:
    batches = data.load(folder, "actions", batch_size=100)
    seen = next(iter(batches))
    [record, *_] = records(folder)
    game = Game.replay({**record, "actions": []})
    for row, action in enumerate(record["actions"][: len(seen)]):
        expected = game.action_features()
        assert all(np.array_equal(one[row], other) for one, other in zip(seen.observations, expected, strict=True))
        game.step(action)


def test_batches_are_the_takers_own(folder: Path) -> None:
    first, second, *_ = data.load(folder, batch_size=50)
    assert not np.shares_memory(first.observations, second.observations)


def test_one_agent_alone(folder: Path) -> None:
    dataset = data.load(folder, only=["greedy"])
    shown = [batch for batch in dataset if len(batch)]
    assert {dataset.agents[number] for batch in shown for number in batch.deciders} == {"greedy"}
    total = sum(map(len, data.load(folder)))
    assert sum(map(len, shown)) + sum(map(len, data.load(folder, only=["planner"]))) == total
    with pytest.raises(ValueError, match=r"only: 'greddy' did not play \(did you mean 'greedy'\?\)"):
        data.load(folder, only=["greddy"])


def test_shuffling_keeps_every_decision(folder: Path) -> None:
    shuffled = data.load(folder, shuffle=1)
    orders = [np.concatenate([batch.games for batch in shuffled]) for _ in range(2)]
    plain = np.concatenate([batch.games for batch in data.load(folder)])
    assert all(np.array_equal(np.sort(order), plain) for order in orders)
    assert not np.array_equal(*orders), "anew every time"
    again = next(iter(data.load(folder, shuffle=1, batch_size=len(plain))))
    assert np.array_equal(again.games, orders[0])


def test_it_can_be_stopped_and_gone_on_with(folder: Path, tmp_path: Path) -> None:
    def stop(finished: int, total: int) -> None:
        if finished == 4:  # in the midst of the second file
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        data.write(tmp_path, AGENTS, games=5, shard_size=2, seed=3, progress=stop)
    assert data.Manifest.read(tmp_path).played == 2
    told: list[tuple[int, int]] = []
    data.write(tmp_path, AGENTS, games=5, shard_size=2, seed=3, progress=lambda *each: told.append(each))
    assert told[0] == (2, 5) and told[-1] == (5, 5)
    for file in folder.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_another_data_set_is_left_alone(folder: Path, tmp_path: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(ValueError, match="another data set \\(seed: 3 there, 4 here\\)"):
        data.write(folder, AGENTS, games=5, shard_size=2, seed=4)
    assert before == {file.name: file.read_bytes() for file in folder.iterdir()}
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="has other files in it"):
        data.write(tmp_path, AGENTS, games=5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"games": 0}, "games: a number from 1"),
        ({"seed": -1}, "seed: a number from 0"),
        ({"agents": ["planner"]}, "agents: 2 are needed"),
        ({"agents": ["planner"] * 3, "players": 2}, "agents: 2 are needed"),
        ({"agents": ["planner", "plannr"]}, "agent 'plannr' is unknown"),
        ({"teacher": "plannr"}, "agent 'plannr' is unknown"),
        ({"teacher": "blocker"}, "teacher: blocker is for evaluation alone"),
        ({"map": "nederlnd"}, "is no map and no folder"),
        ({"shard_size": 0}, "shard_size: at least 1"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is(
    wrong: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        data.write(tmp_path / "new", **{"agents": AGENTS, "games": 2, **wrong})
    assert not (tmp_path / "new").exists()


def test_what_a_network_thinks(taught: Path) -> None:
    [record] = records(taught / "network")
    dataset = data.load(taught / "network", batch_size=10_000)
    [batch] = dataset
    teacher, game = agents.make("champion"), Game.replay({**record, "actions": []})
    assert batch.means is None and batch.errors is None and batch.probabilities is not None
    for row, action in enumerate(record["actions"]):
        thought = agents.explain(teacher, game)
        assert batch.choices is not None and batch.choices[row] == thought.choice
        expected = np.full(game.num_actions, np.nan, np.float32)
        for option in thought.options:
            expected[option.action] = option.probability
        assert batch.probabilities[row] == pytest.approx(expected, abs=1e-5, nan_ok=True)
        assert batch.values is not None and batch.values[row] == pytest.approx(thought.value, abs=1e-4)
        game.step(action)


@pytest.mark.slow
def test_what_a_search_found(tmp_path: Path) -> None:
    data.write(tmp_path, ["racer", "racer"], games=1, teacher="ismcts:iterations=8")
    [batch] = data.load(tmp_path, batch_size=10_000)
    assert batch.means is not None and batch.errors is not None
    tried = ~np.isnan(batch.means)
    assert tried.any(axis=1).mean() > 0.2 and (batch.masks[tried] == 1).all()
    assert (batch.means[tried] >= 0).all() and (batch.means[tried] <= 1).all()
    assert (batch.errors[~np.isnan(batch.errors)] >= 0).all()


def test_more_players_and_other_maps(tmp_path: Path, tiny_board: Path) -> None:
    told = data.write(tmp_path / "three", ["greedy", "racer", "random"], games=2, map="nordic")
    assert (told.players, told.tolls, told.games) == (3, False, 2)
    assert {seat for batch in data.load(tmp_path / "three", "planning") for seat in batch.movers} == {0, 1, 2}
    data.write(tmp_path / "own", ["greedy", "random"], games=2, map=tiny_board)
    assert sum(map(len, data.load(tmp_path / "own"))) > 10


def test_agents_of_one_s_own_play_too(tmp_path: Path) -> None:
    told = data.write(tmp_path / "good", ["tests.helpers.odd_agents:Good", "random"], games=3)
    assert told.shard_size == 10, "what is asked decision by decision is slow"
    assert all(Game.replay(record).over for record in records(tmp_path / "good"))
    with pytest.raises(BadAgent, match=r"agent 'tests.helpers.odd_agents:Illegal' returned an illegal action"):
        data.write(tmp_path / "bad", ["random", "tests.helpers.odd_agents:Illegal"], games=3)
    assert data.Manifest.read(tmp_path / "bad").played == 0


def test_a_game_that_is_cut_off_where_all_are_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = data.write(tmp_path / "whole", ["random", "random"], games=1, map="mini")
    short = broken(tmp_path / "whole", tmp_path / "short", lambda lines, told: cut(lines, told, 1))
    monkeypatch.setattr(shards, "MAX_DECISIONS", made.decisions - 1)
    assert sum(map(len, data.load(short))) == made.decisions - 1
    monkeypatch.undo()
    with pytest.raises(RecordError, match="line 1: actions: they end before the game does"):
        list(data.load(short))


def test_data_sets_have_seeds_of_their_own() -> None:
    first = data.Manifest.plan(AGENTS, Variant.of(), games=10, seed=0)
    assert first.deal_seed(0) == data.SEEDS[0] == 2**40
    last = data.Manifest.plan(AGENTS, Variant.of(), games=MAX_GAMES, seed=MAX_SEED)
    assert last.deal_seed(MAX_GAMES - 1) == data.SEEDS[-1]
