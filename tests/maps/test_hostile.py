"""Boards made to break something: refused with file, line and field, or a sound game."""

from __future__ import annotations

import dataclasses
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ttr_env import Game, agents, maps, render
from ttr_env.errors import MapError
from ttr_env.maps import Map, Track
from ttr_env.maps.checks import MAX_PATH_TRAINS
from ttr_env.maps.tangle import sweep_width

NEDERLAND = Path(maps.__file__).parent / "nederland"
NEUTRAL_TRAINS = "trains = 40                     # of the neutral"
TITLE = 'title = "Nederland"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(NEDERLAND, tmp_path / "board", ignore=shutil.ignore_patterns("__*")))


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("map.toml", NEUTRAL_TRAINS, "trains = 0 #", "neutral.trains: is 0; who builds"),
        ("map.toml", "tokens = 30", "tokens = 0", "tolls.tokens: is 0; who pays tolls needs tokens"),
        ("map.toml", "row_reset = 3 ", "row_reset = 1 ", "cards.row_reset: is 1; with 14 locomotives and 5 other"),
        ("map.toml", "row = 5 ", "row = 90 ", "cards.row_reset: is 3; with 14 locomotives and 88 other cards"),
        ("map.toml", TITLE, 'title = "\\u001b[2J"', r"map.toml, title: is '\\x1b\[2J'; a name has printable"),
        ("map.toml", TITLE, f'title = "{"x" * 61}"', "title: is .*; a name has at most 60 letters"),
        ("map.toml", "trains = 40", "trains = " + "4" * 5000, r"map.toml, line \d+: has 50\d\d letters; a line"),
        ("map.toml", "trains = 40", "trains = " + "4" * 900, r"trains: is 44+ \.\.\.; it must be an integer from 0"),
        ("map.toml", "trains = 40", "trains = 0x" + "f" * 900, r"trains: is \d+ \.\.\.; it must be an integer from 0"),
        ("map.toml", "trains = 40", "a." * 20000 + "a = 1\ntrains = 40", r"map.toml, line \d+: has 40005 letters"),
        ("map.toml", TITLE, "a." * 21 + "a = 1\n" + TITLE, r"map.toml, line \d+: has a key of too many parts"),
        ("map.toml", TITLE, "[" + "a." * 21 + "a]\n" + TITLE, r"map.toml, line \d+: has a key of too many parts"),
        ("map.toml", TITLE, '""' + '.""' * 21 + " = 1\n" + TITLE, r"map.toml, line \d+: has a key of too many parts"),
        ("map.toml", "trains = 40", "trains = " + "[\n" * 5000 + "]\n" * 5000, "nested too deeply|trains"),
        ("map.toml", "trains = 40", '"\\u001b[2J" = 1\ntrains = 40', r"map.toml, \?\[2J: the key"),
        ("cities.csv", "Groningen", "Gron\x1b[31mingen", r"cities.csv, line \d+, city: is 'Gron\\x1b\[31mingen'"),
        ("cities.csv", "Groningen", "Gron‮ingen", r"cities.csv, line \d+, city: is .*printable letters alone"),
        ("cities.csv", "53.219", "1e400", r"cities.csv, line \d+, latitude: is '1e400'"),
    ],
)  # fmt: skip
def test_refused_with_file_line_and_field(folder: Path, name: str, old: str, new: str, message: str) -> None:
    change(folder, name, old, new)
    with pytest.raises(MapError, match=message) as refused:
        maps.load(folder)
    assert len(str(refused.value)) < 1000 and "\x1b" not in str(refused.value)


def test_a_line_of_dots_is_a_line_like_any_other(folder: Path) -> None:
    change(folder, "map.toml", TITLE, f"# {'.' * 80} see 1.2.3\n{TITLE}")
    assert maps.load(folder).title == "Nederland"


@pytest.mark.parametrize("line", ["{}.b{} = 1", "[{}.b{}]", "[[{}.b{}]]"])
def test_a_megabyte_of_keys_takes_no_minutes(folder: Path, line: str) -> None:
    key = ".".join("a" * 19)
    lines = "\n".join(line.format(key, number) for number in range(20_000))
    (folder / "map.toml").write_text(lines, encoding="utf-8")
    began = time.process_time()
    with pytest.raises(MapError, match=r"map.toml, a: the key 'a' is unknown"):
        maps.load(folder)
    assert time.process_time() - began < 5


def rewrite_places(folder: Path, place: Callable[[int], str]) -> None:
    names = [line.split(",")[0] for line in (folder / "cities.csv").read_text(encoding="utf-8").splitlines()[1:]]
    lines = [f"{name},{place(index)}" for index, name in enumerate(names)]
    (folder / "cities.csv").write_text("city,latitude,longitude\n" + "\n".join(lines) + "\n", encoding="utf-8")
    for scenery in ("land.csv", "places.csv"):
        (folder / scenery).unlink(missing_ok=True)


def test_cities_in_one_point_are_refused(folder: Path) -> None:
    rewrite_places(folder, lambda index: "52,5")
    with pytest.raises(MapError, match=r"cities.csv, line \d+, latitude: is that of all other cities"):
        maps.load(folder)


@pytest.mark.parametrize("longitude", ["1e300", "-361", "inf", "nan"])
def test_cities_out_of_the_world_are_refused(folder: Path, longitude: str) -> None:
    rewrite_places(folder, lambda index: f"{51 + index / 10:.1f},{longitude}")
    with pytest.raises(MapError, match=r"cities.csv, line 2, longitude: is "):
        maps.load(folder)


def plays(board: Map) -> None:
    """See that a board is sound: it is played, observed, drawn, saved and scored."""
    game = Game(board, players=2, seed=1)
    agents.play(game, ["planner", "racer"])
    assert game.over
    assert np.isfinite(Game(board, players=2, seed=1).observe(0, "planning")).all()
    assert render.to_svg(game).startswith("<svg") and render.to_text(game)
    assert render.to_rgb(game, width=400).shape[1] == 400
    assert Game.from_snapshot(game.snapshot()).result() == game.result()


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [
        lambda index: f"52,{4 + index / 10:.1f}",
        lambda index: f"{51 + index / 10:.1f},5",
        lambda index: f"{50 + index % 2 * 1e-9:.9f},5",
        lambda index: f"{89.9 if index % 2 else -89.9},{360 if index % 3 else -360}",
    ],
    ids=["on a parallel", "on a meridian", "nearly in one point", "at the ends of the world"],
)
def test_odd_places_make_a_sound_game(folder: Path, place: Callable[[int], str]) -> None:
    rewrite_places(folder, place)
    plays(maps.load(folder))


@pytest.mark.parametrize(("row", "reset"), [(0, 3), (0, 0), (1, 1), (3, 5)])
def test_rows_of_any_size_make_a_sound_game(folder: Path, row: int, reset: int) -> None:
    change(folder, "map.toml", "row = 5 ", f"row = {row} ")
    change(folder, "map.toml", "row_reset = 3 ", f"row_reset = {reset} ")
    plays(maps.load(folder))


def test_names_that_mean_something_elsewhere(folder: Path) -> None:
    for name in ("cities.csv", "tracks.csv", "tickets.csv"):
        text = (folder / name).read_text(encoding="utf-8").replace("Groningen", "[/]<b>&'").replace("Breda", "{0}%s\\n")
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "places.csv").unlink(missing_ok=True)
    plays(maps.load(folder))


def test_a_file_that_is_too_large_or_no_file(folder: Path) -> None:
    with (folder / "map.toml").open("a", encoding="utf-8") as file:
        file.write("# " + "x" * 2**20)
    with pytest.raises(MapError, match=r"map\.toml: is larger than 1048576 bytes"):
        maps.load(folder)
    (folder / "map.toml").unlink()
    os.mkfifo(folder / "map.toml")
    with pytest.raises(MapError, match=r"map\.toml: is no file but a pipe or a device"):
        maps.load(folder)


def tangled(trains: int) -> Map:
    """64 cities, and 128 tracks between any of them."""
    rng = np.random.default_rng(1)
    board = maps.generate(1, cities=64, trains=trains, doubles=0)
    pairs = {(int(rng.integers(city)), city) for city in range(1, 64)}
    while len(pairs) < 128:
        one, other = sorted(rng.choice(64, 2, replace=False).tolist())
        pairs.add((one, other))
    tracks = tuple(Track(one, other, 1, "red") for one, other in sorted(pairs))
    return dataclasses.replace(board, tracks=tracks)


def test_the_longest_path_must_be_found_in_time(tmp_path: Path) -> None:
    tangled(MAX_PATH_TRAINS).save(tmp_path / "fewer")
    assert maps.load(tmp_path / "fewer").rules.trains == MAX_PATH_TRAINS
    tangled(MAX_PATH_TRAINS + 1).save(tmp_path / "more")
    with pytest.raises(MapError, match=r"map.toml, trains: is 101, and on a board as tangled .*drop \[longest_path\]"):
        maps.load(tmp_path / "more")


@pytest.mark.parametrize("name", maps.names())
def test_built_in_maps_are_not_tangled(name: str) -> None:
    board = maps.load(name)
    assert sweep_width(len(board.cities), board.tracks) <= 10


def test_made_boards_load_with_any_number_of_trains(tmp_path: Path) -> None:
    for seed in range(12):
        trains, tolls = (1, 127)[seed % 2], seed % 4 < 2
        board = maps.generate(seed, cities=64 - seed, trains=trains, tolls=tolls)
        board.save(tmp_path / str(seed))
        assert maps.load(tmp_path / str(seed)).digest == board.digest
