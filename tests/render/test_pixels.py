"""Pixels: of the right shape, where they belong, quick, and without a screen."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.helpers.positions import claim, game_at, track
from tests.helpers.walks import build, walk
from ttr_env import Game, render
from ttr_env.render import pixels
from ttr_env.render.plan import plan
from ttr_env.render.shapes import Box, Circle, Group, Line, Polygon, Rect, Scene, Text

RED = track("Amsterdam", "Rotterdam", "red")
WHITE = Rect(0, 0, 20, 20, "#ffffff")


def drawn(*shapes: Line | Polygon | Rect | Circle | Text, width: int = 20) -> np.ndarray:
    return pixels.draw(Scene(20, 20, Group((WHITE,)), (Group(shapes),)), width)


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (333, 222), (60, 40)])
def test_shape_and_type(width: int, height: int) -> None:
    picture = render.to_rgb(Game(players=2, seed=1), width=width)
    assert picture.shape == (height, width, 3)
    assert picture.dtype == np.uint8
    assert picture.flags.writeable and picture.flags.c_contiguous


def test_the_same_position_gives_the_same_picture() -> None:
    game = Game(players=3, seed=5)
    assert np.array_equal(render.to_rgb(game, 1, width=500), render.to_rgb(game.copy(), 1, width=500))


def test_a_claim_changes_the_picture_where_the_track_is() -> None:
    game = game_at(hands=[{"red": 4}])
    before = render.to_rgb(game)
    claim(game, RED, "red")
    x, y = plan(game.map, Box(0, 0, 648, 800)).rows[RED].spaces[0].origin
    assert not np.array_equal(before[round(y), round(x)], render.to_rgb(game)[round(y), round(x)])


def test_every_shape_is_filled_and_stroked() -> None:
    red, blue = "#ff0000", "#0000ff"
    for shape in (
        Polygon(((4, 4), (16, 4), (16, 16), (4, 16)), red, blue, 2),
        Rect(4, 4, 12, 12, red, blue, 2),
        Circle(10, 10, 6, red, blue, 2),
    ):
        picture = drawn(shape)
        assert picture[10, 10].tolist() == [255, 0, 0]
        assert picture[10, 4].tolist() == [0, 0, 255]
        assert picture[1, 1].tolist() == [255, 255, 255]
    assert drawn(Line(((0, 10), (20, 10)), red, 4))[9, 10].tolist() == [255, 0, 0]


def test_edges_are_smooth() -> None:
    shades = np.unique(drawn(Circle(10, 10, 7, "#000000"))[:, :, 0])
    assert len(shades) > 5


def test_text_is_drawn_from_its_anchor() -> None:
    def columns(anchor: str) -> tuple[int, int]:
        dark = np.flatnonzero((drawn(Text(10, 15, "III", 8, "#000000", anchor=anchor))[:, :, 0] < 200).any(axis=0))
        return dark.min(), dark.max()

    assert columns("start")[0] >= 10 > columns("end")[1]
    assert columns("middle")[0] < 10 < columns("middle")[1]


def test_a_halo_is_around_the_letters() -> None:
    ground = Rect(0, 0, 20, 20, "#000000")
    picture = drawn(ground, Text(10, 15, "I", 14, "#ff0000", anchor="middle", halo="#00ff00"))
    assert (picture == (0, 255, 0)).all(axis=2).any()


def test_it_needs_no_screen() -> None:
    code = "from ttr_env import Game, render; print(render.to_rgb(Game(seed=1), width=300).shape)"
    done = subprocess.run([sys.executable, "-c", code], env={"PATH": ""}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(200, 300, 3)"


@pytest.mark.slow
def test_a_picture_takes_no_longer_than_a_film_frame() -> None:
    times = []
    for game in walk({"players": 4}, seed=1, style=build):
        start = time.process_time()
        render.to_rgb(game)
        times.append(time.process_time() - start)
    assert statistics.median(times) < 0.06
