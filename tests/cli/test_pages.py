"""`ttr watch --html` and `ttr replay --html`: pages, and what is said of those that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ttr_env import Game, agents, render
from ttr_env.cli.app import app


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def complaint(*arguments: str) -> str:
    """The one line with which a command ends that cannot do what was asked."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "Traceback" not in done.output
    return done.stderr


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The file of a record of some decisions."""
    game = Game(players=2, seed=7)
    for _ in range(6):
        game.step(agents.make("planner").act(game))
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**game.record(), "agents": ["planner", "you"]}))
    return file


def test_a_record_becomes_a_page(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    said = run("replay", str(record), "--html", str(out), "--explain", "champion", "--explain", "planner")
    assert said.startswith(f"{out}: 7 positions, ") and said.endswith(" kB\n")
    assert out.read_text(encoding="utf-8") == str(
        render.page(json.loads(record.read_text()), explain=["champion", "planner"])
    )


def test_a_page_as_one_seat_sees_it_up_to_a_decision(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    run("replay", str(record), "--html", str(out), "--perspective", "1", "--to", "3")
    form = json.loads(record.read_text())
    assert out.read_text(encoding="utf-8") == str(render.page({**form, "actions": form["actions"][:3]}, 1))


def test_a_watched_game_becomes_a_page_film_and_record(tmp_path: Path, tiny_board: Path) -> None:
    page, film, saved = (tmp_path / name for name in ("game.html", "game.gif", "game.json"))
    files = ("--html", str(page), "--gif", str(film), "--width", "300", "--save", str(saved))
    said = run("watch", "planner", "racer", "--seed", "7", "--map", str(tiny_board), *files, "--explain", "racer")
    assert "game.html" in said and "game.gif" in said
    text = page.read_text(encoding="utf-8")
    assert '"name":"planner"' in text and '"agents":["racer"]' in text
    assert film.stat().st_size > 0 and json.loads(saved.read_text())["seed"] == 7


def test_what_cannot_be_done_is_said_in_one_line(record: Path, tmp_path: Path) -> None:
    out, damaged = str(tmp_path / "game.html"), tmp_path / "damaged.json"
    form = json.loads(record.read_text())
    damaged.write_text(json.dumps({**form, "map_digest": "0"}))
    source = str(record)
    assert "the seats are 0 to 1, not 7" in complaint("replay", source, "--html", out, "--perspective", "7")
    assert "agent 'chmpion' is unknown" in complaint("replay", source, "--html", out, "--explain", "chmpion")
    assert "there is no folder" in complaint("replay", source, "--html", str(tmp_path / "none" / "game.html"))
    assert "it is a folder" in complaint("replay", source, "--html", str(tmp_path))
    assert "another version of Nederland" in complaint("replay", str(damaged), "--html", out)
    damaged.write_text("{")
    assert "it is not JSON" in complaint("replay", str(damaged), "--html", out)
    assert "name its file with --html" in complaint("replay", source, "--explain", "champion")
    assert "name its file with --html" in complaint("watch", "racer", "racer", "--perspective", "0")
    assert "agent 'nobody' is unknown" in complaint("watch", "racer", "racer", "--html", out, "--explain", "nobody")
    assert {file.name for file in tmp_path.iterdir()} == {"game.json", "damaged.json"}
