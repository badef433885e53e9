"""Data sets: what is written is what was played, and what is loaded is what players saw."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_env import Game, agents, data
from ttr_env.data.manifest import MAX_GAMES, MAX_SEED
from ttr_env.errors import BadAgent, RecordError
from ttr_env.options import Sight, Variant

AGENTS = ["planner", "greedy"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of five games in three files."""
    folder = tmp_path_factory.mktemp("games")
    data.write(folder, AGENTS, games=5, shard_size=2, seed=3)
    return folder


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with what two kinds of teachers think."""
    folder = tmp_path_factory.mktemp("taught")
    data.write(folder / "network", ["racer", "greedy"], games=1, teacher="champion")
    return folder


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


def broken(folder: Path, target: Path, change: Any) -> Path:
    """A copy of a data set in which the first file's lines are changed, and its digest is right."""
    target.mkdir()
    for file in folder.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((target / "manifest.json").read_text())
    first = target / manifest["shards"][0]["file"]
    lines = [json.loads(line) for line in gzip.decompress(first.read_bytes()).splitlines()]
    change(lines, manifest)
    first.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    manifest["shards"][0]["sha256"] = hashlib.sha256(first.read_bytes()).hexdigest()
    (target / "manifest.json").write_text(json.dumps(manifest))
    return target


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines, _: lines[1]["actions"].__setitem__(30, 600), "jsonl.gz, line 2: step 30: action 600"),
        (lambda lines, _: lines[0]["actions"].__setitem__(3, 10**30), "line 1: actions: a list of whole numbers"),
        (lambda lines, _: lines[0]["actions"].__setitem__(3, 1.5), "line 1: actions: a list of whole"),
        (lambda lines, _: lines[0].update(actions="all"), "line 1: actions: a list of"),
        (lambda lines, _: lines[0].update(actions=[]), "line 1: actions: there are none"),
        (lambda lines, _: lines[0].update(seed=-1), "line 1: seed: a whole number from 0"),
        (lambda lines, _: lines[0].update(players=5), "line 1: players: 2 is needed, not 5"),
        (lambda lines, _: lines[0].pop("map"), "line 1: map: 'nederland' is needed, not None"),
        (lambda lines, _: lines[0].update(agents=["planner", "me"]), "line 1: agents: 2 of planner, greedy are needed"),
        (lambda lines, _: lines.__setitem__(0, [1]), "line 1: a record is a dictionary, not list"),
        (lambda lines, _: lines.pop(), "has 1 games, not 2"),
        (lambda _, told: told.update(format=99), "manifest.json is damaged or no manifest: format 99 is unknown"),
        (lambda _, told: told.update(map_digest="other"), "map_digest: the games were played on another"),
        (lambda _, told: told.update(map="nowhere"), "manifest.json: map: 'nowhere' is no map"),
        (lambda _, told: told.update(players=7), "manifest.json is damaged or no manifest: agents: 7 are needed"),
        (lambda _, told: told.update(players="2"), "manifest.json is damaged or no manifest: players: '2' is not of"),
        (lambda _, told: told.pop("seed"), "manifest.json is damaged or no manifest: 'seed' is missing"),
        (lambda _, told: told.update(more=1), "manifest.json is damaged or no manifest: 'more' is unknown"),
        (lambda _, told: told["shards"][1].update(file="../x"), "file '../x' is none of a data set"),
        (lambda _, told: told["shards"][1].update(games=0), "has 0 games; at least 1"),
        (lambda _, told: told["shards"].__setitem__(1, "x"), "shards: all of it must be dict"),
    ],
)
def test_a_damaged_data_set_is_one_clear_error(folder: Path, tmp_path: Path, change: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(data.load(broken(folder, tmp_path / "broken", change)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: told["counts"].__setitem__(0, 7000), "not as many thoughts"),
        (lambda told: told["actions"].__setitem__(0, 5000), "actions: there are 616 actions"),
        (lambda told: told["probability"].pop(), "probability: "),
        (lambda told: told.update(probability="high"), "probability: a list of numbers"),
        (lambda told: told.update(values=["high"] * len(told["values"])), "line 1: could not convert"),
        (lambda told: told.clear(), "choices: a list of whole numbers"),
    ],
)
def test_a_teacher_s_words_are_not_trusted_either(taught: Path, tmp_path: Path, change: Any, message: str) -> None:
    where = broken(taught / "network", tmp_path / "broken", lambda lines, _: change(lines[0]["teacher"]))
    with pytest.raises(RecordError, match=message):
        list(data.load(where))


def test_foreign_files_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"is no data set: manifest.json cannot be read"):
        data.load(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b"\x80\x04\x95nothing")
    with pytest.raises(RecordError, match="it is not JSON"):
        data.load(tmp_path)
    where = broken(folder, tmp_path / "cut", lambda *_: None)
    part = where / "part-00001.jsonl.gz"
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(RecordError, match=r"part-00001.jsonl.gz is damaged or another file"):
        list(data.load(where))
    manifest = json.loads((where / "manifest.json").read_text())
    for content, message in ((b"no gzip", "is no gzip file"), (part.read_bytes(), "is cut off")):
        part.write_bytes(content)
        manifest["shards"][1]["sha256"] = hashlib.sha256(content).hexdigest()
        (where / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(RecordError, match=message):
            list(data.load(where))
    part.unlink()
    with pytest.raises(RecordError, match=r"part-00001.jsonl.gz cannot be read"):
        list(data.load(where))


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


def test_data_sets_have_seeds_of_their_own() -> None:
    first = data.Manifest.plan(AGENTS, Variant.of(), games=10, seed=0)
    assert first.deal_seed(0) == data.SEEDS[0] == 2**40
    last = data.Manifest.plan(AGENTS, Variant.of(), games=MAX_GAMES, seed=MAX_SEED)
    assert last.deal_seed(MAX_GAMES - 1) == data.SEEDS[-1]
