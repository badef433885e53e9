"""The commands: `ttr evaluate --task`, `ttr verify` and `ttr leaderboard`."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ttr_env.arena.tables import Table
from ttr_env.cli.app import app
from ttr_env.tasks import results


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
    shown = ttr("verify", result_file, "--agent", "greedy", status=1)
    assert "is not true: game 1 (against random on mini): decision" in shown
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
        ({"best_response": {"win_share": 2, "interval": [0, 1], "decisions": 1, "runs": 1}}, "numbers from 0 to 1"),
        ({"search": {"win_share": 0.5, "interval": 0.1, "agent": "ismcts", "games": 1}}, "numbers from 0 to 1"),
    ],
)
def test_whoever_beat_an_agent_says_what_it_is(told: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "beaten.json").write_text(json.dumps(told), encoding="utf-8")
    options = ("--task", "mini-2p", "--agents", "racer", "--deals", "2", "--out", tmp_path / "racer.jsonl.gz")
    assert message in ttr("evaluate", *options, "--beaten", tmp_path / "beaten.json", status=2)


def test_ctrl_c_stops_and_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "racer.jsonl.gz"
    command = ("evaluate", "--task", "mini-2p", "--agents", "racer", "--out", file, "--opponents", "held-out")
    with monkeypatch.context() as stopping:
        stopping.setattr(Table, "play", stopped_after_one_deal(Table.play))
        assert "the same command goes on with" in ttr(*command, "--deals", "4", status=130).replace("\n", " ")
    assert results.read(file).games == 2 and not results.read(file).complete
    ttr(*command, "--deals", "4")
    assert results.read(file).games == 4 * 2 * 4 and results.read(file).complete
