"""`ttr dataset`: games to learn from, by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ttr_env import data
from ttr_env.cli.app import app


def run(*arguments: str, status: int = 0) -> str:
    """What the command prints; on failure its one line of complaint."""
    done = CliRunner().invoke(app, ["dataset", *arguments], prog_name="ttr")
    assert done.exit_code == status, done.output
    if status == 2:
        assert done.stderr.startswith("ttr: ") and done.stderr.count("\n") == 1
        return done.stderr
    return done.stdout


def test_a_data_set_is_written_and_gone_on_with(tmp_path: Path) -> None:
    wanted = ("--agents", "greedy", "random", "racer", "--games", "3", "--map", "usa", "--seed", "5")
    told = run(*wanted, "--out", str(tmp_path), "--shard", "2")
    manifest = data.Manifest.read(tmp_path)
    assert told == f"3 games with {manifest.decisions:,} decisions are in {tmp_path}\n"
    assert (manifest.agents, manifest.map, manifest.seed) == (("greedy", "random", "racer"), "usa", 5)
    assert [shard.games for shard in manifest.shards] == [2, 1]
    before = (tmp_path / "manifest.json").read_bytes()
    assert run(*wanted, "--out", str(tmp_path), "--shard", "2") == told
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_its_files_can_be_stepped_through(tmp_path: Path) -> None:
    run("--agents", "greedy", "random", "--games", "2", "--out", str(tmp_path))
    part = str(tmp_path / "part-00000.jsonl.gz")
    done = CliRunner().invoke(app, ["replay", part, "--game", "2", "--to", "3"], prog_name="ttr")
    assert done.exit_code == 0 and "greedy" in done.stdout
    Path(part).write_bytes(Path(part).read_bytes()[:-9])
    cut = CliRunner().invoke(app, ["replay", part], prog_name="ttr")
    assert cut.exit_code == 2 and "it is damaged, or not packed by gzip" in cut.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agents", "greedy", "--games", "3"), "agents: 2 are needed"),
        (("--agents", "greedy", "gredy", "--games", "3"), "agent 'gredy' is unknown (did you mean 'greedy'?)"),
        (("--agents", "greedy", "random", "--games", "0"), "--games"),
        (("--agents", "greedy", "random", "--games", "3", "--map", "usa", "--no-tolls"), "USA has no tolls"),
        (("--agents", "greedy", "random", "--games", "3", "--seed", "-1"), "seed: a number from 0"),
        (("--games", "3"), "--agents"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    assert message in run(*arguments, "--out", str(tmp_path / "new"), status=2)
    assert not (tmp_path / "new").exists()


def test_another_data_set_is_left_alone(tmp_path: Path) -> None:
    run("--agents", "random", "random", "--games", "1", "--out", str(tmp_path))
    complaint = run("--agents", "random", "random", "--games", "2", "--out", str(tmp_path), status=2)
    assert "has another data set (games: 1 there, 2 here)" in complaint


def test_ctrl_c_stops_and_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(data, "write", stop)
    done = CliRunner().invoke(app, ["dataset", "--agents", "random", "random", "--games", "1", "--out", str(tmp_path)])
    assert done.exit_code == 130 and "the same command goes on from here" in done.stderr
