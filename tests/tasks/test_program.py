"""The commands: `ttr evaluate --task`, `ttr verify` and `ttr leaderboard`."""

import errno
import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ttr_env.arena.stopping import stoppable
from ttr_env.arena.tables import Table
from ttr_env.cli.app import app
from ttr_env.tasks import results
from ttr_env.tasks.results import Result


def ttr(*arguments: str | Path, status: int = 0) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="ttr")
    assert done.exit_code == status, done.output
    return done.output


def stopped_after_one_deal(play: Callable[..., Iterator[int]]) -> Callable[..., Iterator[int]]:
    """Playing that somebody stops by Ctrl-C when the first deal has been played."""

    def begin(table: Table, games: Sequence[int]) -> Iterator[int]:
        yield from play(table, games[:2])
        raise KeyboardInterrupt

    return begin


def test_play_verify_and_compare(tmp_path: Path) -> None:
    file, figures = tmp_path / "racer.jsonl.gz", tmp_path / "figures" / "racer.json"
    shown = ttr(
        "evaluate", "--task", "mini-2p", "--agents", "racer", "--out", file, "--deals", "3", "--track", "bot",
        "--opponents", "public",
    )  # fmt: skip
    assert "racer on mini-2p, version 1" in shown and "public opponents" in shown and "normalised" in shown
    figures.parent.mkdir()
    shown = ttr("verify", file, "--agent", "racer", "--figures", figures)
    assert "is true: 24 games were replayed, the agent and the opponents were asked again" in shown
    assert results.read(figures) == results.read(file).without_games()
    assert results.read(figures).terms.track == "bot"
    ttr("leaderboard", figures.parent)
    assert "| racer | bot |" in (figures.parent / "leaderboard.md").read_text(encoding="utf-8")
    assert "<svg" in (figures.parent / "leaderboard.html").read_text(encoding="utf-8")


def test_what_is_not_true_is_the_status(tmp_path: Path, result_file: Path) -> None:
    shown = ttr("verify", result_file, "--agent", "greedy", status=2)
    assert "the result is of agent 'planner:version=2', and not of 'greedy'" in shown
    true = results.read(result_file)
    made_with = {**true.made_with, "versions": {**true.made_with["versions"], "numpy": "1.0"}}
    results.write(replace(true, digest="0" * 64, made_with=made_with), tmp_path / "false.jsonl.gz")
    shown = ttr("verify", tmp_path / "false.jsonl.gz", status=1)
    assert "is not true: the checksum" in shown and "it was made with other versions: numpy 1.0 (here" in shown
    (tmp_path / "false.jsonl.gz").unlink()
    ttr("verify", tmp_path / "nothing.jsonl.gz", status=2)
    ttr("leaderboard", tmp_path, status=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--task": "atlantis"}, "task 'atlantis' is unknown"),
        ({"--agents": "planer"}, "did you mean 'planner'"),
        ({"--out": "result.txt"}, "a file NAME.jsonl.gz in a folder that is there is needed"),
        ({"--deals": "9999"}, "deals: mini-2p has 2,000"),
        ({"--track": "none"}, "track 'none' is unknown"),
        ({"--beaten": "none.json"}, "--beaten none.json cannot be read"),
    ],
)
def test_mistakes_are_one_line(
    changes: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = {"--task": "mini-2p", "--agents": "racer", "--out": "result.jsonl.gz", "--deals": "2", **changes}
    shown = ttr("evaluate", *(word for pair in options.items() for word in pair), status=2)
    assert message in shown and shown.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({}, "an object with best_response or search, or both, is needed"),
        ({"win_share": 0.5}, "an object with best_response or search, or both, is needed"),
        ({"best_response": {"win_share": 0.5}}, "best_response needs win_share, interval, decisions, runs"),
        ({"search": 0.5}, "search needs win_share, interval, agent, games"),
        ({"best_response": {"win_share": 2, "interval": [0, 1], "decisions": 1, "runs": 1}}, "a number from 0 to 1"),
        (
            {"best_response": {"win_share": 0.5, "interval": [0.6, 0.4], "decisions": 1, "runs": 1}},
            "lower end comes first",
        ),
        ({"best_response": {"win_share": 0.5, "interval": [0.6, 0.7], "decisions": 1, "runs": 1}}, "is not in it"),
        ({"best_response": {"win_share": 0.5, "interval": [0, 1], "decisions": -1, "runs": 1}}, "decisions: a whole"),
        ({"search": {"win_share": 0.5, "interval": 0.1, "agent": "ismcts", "games": 1}}, "two numbers"),
        ({"search": {"win_share": 0.5, "interval": [0, 1], "agent": "a\nb", "games": 1}}, "that can be printed"),
    ],
)
def test_whoever_beat_an_agent_says_what_it_is(told: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "beaten.json").write_text(json.dumps(told), encoding="utf-8")
    options = ("--task", "mini-2p", "--agents", "racer", "--deals", "2", "--out", tmp_path / "racer.jsonl.gz")
    assert message in ttr("evaluate", *options, "--beaten", tmp_path / "beaten.json", status=2)


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGHUP])
def test_whatever_asks_it_to_end_stops_it_like_ctrl_c(
    kind: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Table.play

    def killed_after_one_deal(table: Table, games: Sequence[int]) -> Iterator[int]:
        yield from play(table, games[:2])
        os.kill(os.getpid(), kind)
        yield from play(table, games[2:])

    monkeypatch.setattr(Table, "play", killed_after_one_deal)
    file, before = tmp_path / "racer.jsonl.gz", signal.getsignal(kind)
    signal.signal(kind, lambda *_: pytest.fail("nobody listened"))
    try:
        ttr("evaluate", "--task", "mini-2p", "--agents", "racer", "--out", file, "--deals", "4", status=130)
    finally:
        signal.signal(kind, before)
    assert results.read(file).games == 2 and not results.read(file).complete


def test_what_is_ignored_stays_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heeded = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stoppable():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    signal.signal(signal.SIGHUP, heeded)


def test_stopped_before_the_first_deal_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(table: Table, games: Sequence[int]) -> Iterator[int]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "play", begin)
    options = ("--task", "mini-2p", "--agents", "racer", "--deals", "2", "--out", tmp_path / "racer.jsonl.gz")
    assert "nothing is written" in ttr("evaluate", *options, status=130)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["policy:x[/red].npz", "policy:a[bold]b.npz"])
def test_names_are_no_markup(name: str, result: Result, tmp_path: Path) -> None:
    own, file = result.terms.agent, tmp_path / "renamed.jsonl.gz"
    records = [
        {**record, "agents": [name if seated == own else seated for seated in record["agents"]]}
        for record in result.records
    ]
    terms = replace(result.terms, agent=name)
    results.write(replace(result, terms=terms, records=records, digest=results.digest(records)), file)
    assert f"{name} on mini-2p" in ttr("verify", file)


def full_disk(file: Path, content: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_on_a_full_disk_tables_and_figures_stay_as_they_were(
    result: Result, result_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.write(result, tmp_path / "planner.jsonl.gz")
    out = tmp_path / "out.d"
    out.mkdir()
    for name in ("leaderboard.md", "figures"):
        (out / name).write_text("before")
    monkeypatch.setattr(Path, "write_bytes", full_disk)
    assert "leaderboard.md cannot be used: No space left" in ttr("leaderboard", tmp_path, "--out", out, status=2)
    options = ("--task", "mini-2p", "--agents", "racer", "--deals", "1", "--out", out / "racer.jsonl.gz")
    assert "racer.jsonl.gz cannot be used: No space left" in ttr("evaluate", *options, status=2)
    assert "figures cannot be used" in ttr("verify", result_file, "--figures", out / "figures", status=2)
    assert [file.read_text() for file in out.iterdir()] == ["before", "before"]


def test_ctrl_c_stops_and_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "racer.jsonl.gz"
    command = ("evaluate", "--task", "mini-2p", "--agents", "racer", "--out", file, "--opponents", "held-out")
    with monkeypatch.context() as stopping:
        stopping.setattr(Table, "play", stopped_after_one_deal(Table.play))
        assert "the same command goes on with" in ttr(*command, "--deals", "4", status=130).replace("\n", " ")
    assert results.read(file).games == 2 and not results.read(file).complete
    ttr(*command, "--deals", "4")
    assert results.read(file).games == 4 * 2 * 4 and results.read(file).complete
