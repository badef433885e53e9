"""Data sets in other people's formats, read by their own libraries."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ttr_env import Game, data, text
from ttr_env.errors import install_command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    data.write(folder, ["racer", "random"], games=3, shard_size=2)
    return folder


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("sight", ["base", "actions"])
def test_parquet_has_the_same_columns(folder: Path, tmp_path: Path, sight: str) -> None:
    import pyarrow.parquet

    rows = data.to_parquet(folder, tmp_path / "games.parquet", sight)
    table = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    [batch] = data.load(folder, sight, batch_size=10_000)
    assert len(table) == rows == len(batch)
    for name in ("actions", "movers", "games", "steps", "returns"):
        assert np.array_equal(table[name].to_numpy(), getattr(batch, name))
    assert table["decider"].to_pylist() == [["racer", "random"][number] for number in batch.deciders]
    assert np.array_equal(np.stack(table["masks"].to_numpy()), batch.masks)
    if sight == "base":
        assert np.array_equal(np.stack(table["observations"].to_numpy()), batch.observations)
    else:
        count = int((batch.observations.index[5] >= 0).sum())
        assert table["candidates"][5].as_py() == batch.observations.index[5, :count].tolist()
        assert np.array_equal(np.array(table["features"][5].as_py()), batch.observations.actions[5, :count])
        assert np.array_equal(np.stack(table["state"].to_numpy()), batch.observations.state)


def test_parquet_says_what_it_needs(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ValueError, match="Parquet needs pyarrow") as refused:
        data.to_parquet(folder, tmp_path / "games.parquet")
    assert install_command("data") in str(refused.value)


def test_text_tells_what_the_player_knew_and_did(folder: Path, tmp_path: Path) -> None:
    count = data.to_text(folder, tmp_path / "games.jsonl", agent="racer")
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    decisions = np.concatenate([batch.actions for batch in data.load(folder, only=["racer"])])
    assert len(lines) == count == len(decisions)
    game = Game(seed=data.SEEDS[0])
    assert lines[0]["prompt"] == text.prompt(game)
    assert text.parse(game, lines[0]["completion"].removeprefix("Move: ")) == decisions[0]
    with pytest.raises(ValueError, match='scope must be "decision"'):
        data.to_text(folder, tmp_path / "turns.jsonl", task=text.Task(scope="turn"))


@pytest.mark.needs("minari")
def test_minari_loads_the_episodes_of_a_seat(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    data.to_minari(folder, "ttr/racer-v0", "racer", "planning")
    loaded = minari.load_dataset("ttr/racer-v0")
    [batch] = data.load(folder, "planning", only=["racer"], batch_size=10_000)
    episodes = list(loaded.iterate_episodes())
    assert loaded.total_steps == len(batch) and len(episodes) == 3
    for game, episode in enumerate(episodes):
        mine = batch.games == game
        assert np.array_equal(episode.observations[:-1], batch.observations[mine])
        assert np.array_equal(episode.actions, batch.actions[mine])
        assert episode.rewards.tolist() == [0.0] * (len(episode.rewards) - 1) + [float(batch.returns[mine][0])]
        assert episode.terminations.tolist() == [False] * (len(episode.rewards) - 1) + [True]
        masks = episode.infos["action_mask"]
        assert np.array_equal(masks[:-1], batch.masks[mine]) and masks[-1].all()
    env = loaded.recover_environment()
    assert env.observation_space.shape == batch.observations.shape[1:]
    assert env.reset(seed=1)[0].shape == env.observation_space.shape
