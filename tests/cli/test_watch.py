"""Watching and replaying: plain lines, a screen with keys, and films."""

from __future__ import annotations

import errno
import io
import json
import os
import pty
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console, ConsoleDimensions
from typer.testing import CliRunner

import ttr_env
from ttr_env.cli.app import app
from ttr_env.cli.commands.watch import play_out
from ttr_env.cli.options import Deal
from ttr_env.cli.screen import keys, show
from ttr_env.cli.screen.chart import Chart, ground
from ttr_env.cli.screen.screen import screen
from ttr_env.cli.screen.story import Story


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole game."""
    file = tmp_path_factory.mktemp("records") / "game.json"
    run("watch", "planner", "racer", "--seed", "7", "--save", str(file))
    return file


@pytest.fixture
def story() -> Story:
    return play_out(["planner", "racer", "greedy"], Deal(seed=7))


def test_without_a_terminal_the_game_is_told_in_lines() -> None:
    text = run("watch", "planner", "racer", "--seed", "7")
    assert "   1 <0> planner kept " in text and "<1> racer claimed " in text
    assert "Final scores" in text and text.endswith(" wins.\n")
    assert text == run("watch", "planner", "racer", "--seed", "7")


def test_variants_are_passed_on() -> None:
    assert "without tolls" in run("watch", "random", "random", "--seed", "1", "--no-tolls")
    assert "neutral player" in run("watch", "random", "random", "--seed", "1", "--neutral-player")


def test_a_saved_game_replays_to_the_same_end(record: Path) -> None:
    watched = run("watch", "planner", "racer", "--seed", "7")
    assert run("replay", str(record)) == watched
    form = json.loads(record.read_text())
    assert form["agents"] == ["planner", "racer"]
    shorter = run("replay", str(record), "--to", "5")
    assert shorter.splitlines()[:5] == watched.splitlines()[:5] and "Final scores" not in shorter


def test_the_arena_s_records_replay_by_number(tmp_path: Path) -> None:
    run("evaluate", "--agents", "greedy", "random", "--games", "4", "--out", str(tmp_path), "--records")
    assert "<0> greedy" in run("replay", str(tmp_path / "records.jsonl"), "--to", "1")
    assert "<0> random" in run("replay", str(tmp_path / "records.jsonl"), "--game", "2", "--to", "1")


def test_a_record_without_names_has_players(tmp_path: Path) -> None:
    game = ttr_env.Game(seed=7)
    game.step(int(game.legal_actions()[0]))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(game.record()))
    assert "<0> player 0 kept 3 tickets" in run("replay", str(file))


def test_films_show_the_names_of_the_agents(tmp_path: Path) -> None:
    films = []
    for name in ("greedy", "racer"):  # which begin alike
        game = ttr_env.Game(seed=7)
        file, film = tmp_path / "record.json", tmp_path / f"{name}.gif"
        file.write_text(json.dumps({**game.record(), "agents": [name, "random"]}))
        run("replay", str(file), "--to", "0", "--gif", str(film))
        films.append(film.read_bytes())
    assert films[0] != films[1]


def test_films(record: Path, tmp_path: Path) -> None:
    gif, mp4 = tmp_path / "game.gif", tmp_path / "game.mp4"
    text = run("replay", str(record), "--to", "4", "--gif", str(gif), "--mp4", str(mp4), "--width", "301")
    assert "game.gif: 5 pictures" in text and "game.mp4: 5 pictures" in text
    with Image.open(gif) as film:
        assert (film.n_frames, film.width) == (5, 301)
        assert film.info["duration"] == 500
        first = film.convert("RGB").tobytes()
        film.seek(4)
        assert film.convert("RGB").tobytes() != first
        assert film.info["duration"] == 4000
    assert mp4.read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (200, 60), (40, 12)])
def test_the_screen_fits(story: Story, size: tuple[int, int]) -> None:
    console = Console(width=size[0], height=size[1], file=io.StringIO(), color_system=None)
    for index in (0, 40, story.finish()):
        story.reach(index)
        lines = console.render_lines(screen(story, index, console.size, "keys"))
        assert len(lines) == size[1]
        text = "\n".join("".join(segment.text for segment in line) for line in lines)
        assert "keys" in text and "Nederland" in text
    if size[0] >= 80:
        assert "total" in text and " wins." in text


def test_the_chart_shows_owners_and_cities() -> None:
    map = ttr_env.maps.load("nederland")
    owners: list[int | str | None] = [None] * len(map.tracks)
    plan = ground(map, 60, 30)
    assert set(plan.letters).isdisjoint(cell for cells in plan.tracks for cell in cells)
    longest = max(range(len(owners)), key=lambda track: len(plan.tracks[track]))
    owners[longest] = 4
    text = Chart(map, owners, latest=longest).draw(60, 30).plain
    assert text.count("4") == len(plan.tracks[longest]) and text.count("●") == len(map.cities)
    assert len(text.splitlines()) == 30


def shown(story: Story, monkeypatch: pytest.MonkeyPatch, *typed: str | None, **settings: bool) -> str:
    """What a terminal gets while these keys are pressed."""
    upcoming: Iterator[str | None] = iter(typed)
    monkeypatch.setattr(keys, "wait", lambda seconds, forever: next(upcoming))
    file = io.StringIO()
    console = Console(width=100, height=30, file=file, force_terminal=True, color_system=None)
    show.show(story, console, speed=100, **settings)
    assert next(upcoming, "end") == "end"
    return file.getvalue()


def test_keys_step_and_quit(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(story, monkeypatch, None, None, "back", "back", "forth", "pause", "faster", "slower", "quit")
    decisions = [part.split()[0] for part in text.split("decision ")[1:]]
    assert decisions == ["0", "1", "2", "1", "0", "1", "1", "1", "1", "1;"]
    assert "paused" in text and "64 a second" in text and "Left at decision 1; racer is to move." in text


def test_at_the_end_any_key_leaves(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(story, monkeypatch, "last", "first", "last", "other", paused=True)
    assert "final scores" in text.splitlines()[-5]


def test_a_terminal_of_another_size_is_drawn_anew(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(width=100, height=30, file=io.StringIO(), force_terminal=True, color_system=None)
    drawn: list[tuple[int, int]] = []
    waits = iter(["nothing", "resize", "nothing", "quit"])

    def wait(seconds: float, forever: bool) -> str | None:
        event = next(waits)
        if event == "resize":
            console.size = ConsoleDimensions(140, 40)
        return "quit" if event == "quit" else None

    def draw(story: Story, index: int, size: ConsoleDimensions, footer: str) -> str:
        drawn.append(size)
        return "the screen"

    monkeypatch.setattr(keys, "wait", wait)
    monkeypatch.setattr(show, "screen", draw)
    show.show(story, console, speed=1, paused=True)
    assert drawn == [(100, 30), (140, 40)]


def test_a_film_that_cannot_be_written_leaves_nothing(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Image.Image, file: Path, *_: object, **__: object) -> None:
        Path(file).write_bytes(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    film = tmp_path / "game.gif"
    film.write_bytes(b"an older one")
    monkeypatch.setattr(Image.Image, "save", full)
    done = CliRunner().invoke(app, ["replay", str(record), "--to", "2", "--gif", str(film)])
    assert done.exit_code == 2 and "No space left" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["game.gif"] and film.read_bytes() == b"an older one"


def test_a_record_that_cannot_be_written_leaves_the_one_before(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, text: str, **_: object) -> None:
        self.write_bytes(text[:100].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    saved = tmp_path / "saved.json"
    saved.write_bytes(record.read_bytes())
    monkeypatch.setattr(Path, "write_text", full)
    done = CliRunner().invoke(app, ["watch", "random", "random", "--seed", "1", "--save", str(saved)])
    assert done.exit_code == 2 and "saved.json cannot be written: No space left" in done.stderr
    assert list(tmp_path.iterdir()) == [saved] and saved.read_bytes() == record.read_bytes()


@pytest.mark.parametrize(("option", "whole"), [("--save", 1), ("--html", 100_000), ("--gif", 10_000)])
def test_links_and_pipes_stay_what_they_are(record: Path, tmp_path: Path, option: str, whole: int) -> None:
    """Nothing is put in the place of a device such as /dev/null, whose stand-in is a pipe here."""
    target, link, pipe = (tmp_path / name for name in ("target", "link", "pipe"))
    target.write_text("")
    link.symlink_to(target)
    os.mkfifo(pipe)
    command = (
        ["watch", "random", "random", "--seed", "1"] if option == "--save" else ["replay", str(record), "--to", "1"]
    )
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    CliRunner().invoke(app, [*command, option, str(pipe)])
    assert pipe.is_fifo()
    run(*command, option, str(link))
    assert link.is_symlink() and target.stat().st_size > whole
    reader.join(10)
    assert heard and {file.name for file in tmp_path.iterdir()} == {"target", "link", "pipe"}


HOME_AND_END = (  # as xterm, the Linux console and tmux, and rxvt have them
    *((typed, "first") for typed in (b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x1b[7~")),
    *((typed, "last") for typed in (b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x1b[8~")),
)


def test_keys_from_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r", closefd=True) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with keys.single_keys():
            for typed, name in ((b"\x1b[C", "forth"), (b" ", "pause"), (b"q", "quit"), (b"z", "other"), *HOME_AND_END):
                os.write(ours, typed)
                assert keys.wait(5) == name
            assert keys.wait(0.01) is None
    os.close(ours)


def test_without_a_keyboard_nothing_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with keys.single_keys():
        assert keys.wait(0.0) is None
        assert keys.wait(60, forever=True) == "quit"
