"""Pictures of the other maps: names apart, tunnels and ferries to be seen, waiting claims in words."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.helpers.positions import act, game_at, track
from ttr_env import Game, maps, render
from ttr_env.render.metrics import text_width
from ttr_env.render.plan import NAME_SIZE, plan
from ttr_env.render.shapes import Box

BOXES = {"nordic": Box(0, 0, 648, 800), "usa": Box(0, 0, 1200, 720)}


@pytest.mark.parametrize("name", BOXES)
def test_names_are_apart_and_on_the_board(name: str) -> None:
    board, box = maps.load(name), BOXES[name]
    boxes = [
        Box(x, y - 0.75 * NAME_SIZE, text_width(city, NAME_SIZE), 0.95 * NAME_SIZE)
        for (x, y), city in zip(plan(board, box).names, board.cities, strict=True)
    ]
    for one, other in itertools.combinations(boxes, 2):
        beside = one.right <= other.x or other.right <= one.x
        assert beside or one.bottom <= other.y or other.bottom <= one.y
    assert all(each.x > 0 and each.right < box.right and each.y > 0 and each.bottom < box.bottom for each in boxes)


@pytest.mark.parametrize("name", BOXES)
def test_a_track_has_as_many_spaces_as_it_is_long(name: str) -> None:
    board = maps.load(name)
    for it, row in zip(board.tracks, plan(board, BOXES[name]).rows, strict=True):
        assert len(row.spaces) == it.length
        assert row.length > 15


def test_a_track_bends_around_a_city_on_its_way() -> None:
    usa = maps.load("usa")
    laid_out = plan(usa, BOXES["usa"])
    row = laid_out.rows[track("El Paso", "Los Angeles", "black", "usa")]
    phoenix = laid_out.cities[usa.cities.index("Phoenix")]
    assert len(row.way) == 2 + 6
    assert min(math.dist(phoenix, space.origin) for space in row.spaces) > 25


def titles(game: Game) -> str:
    return "\n".join(group.title for group in render.scene(game).groups)


def test_tunnels_and_ferries_are_drawn_and_explained() -> None:
    game = Game("nordic", players=2, seed=1)
    assert "Bergen to Oslo, 4 blue, tunnel" in titles(game)
    assert "Helsinki to Stockholm, 4 grey, ferry with 2 locomotives" in titles(game)
    assert {"tunnel", "ferry"} <= set(render.scene(game).texts())
    symbols = [text for group in render.scene(game).groups if "ferry with" in group.title for text in group.shapes]
    assert sum(getattr(shape, "text", "") == "L" for shape in symbols) == 30
    text = render.to_text(game, colour=False)
    assert "yellow T" in text and "grey F2 yellow F1" in text
    assert not {"tunnel", "ferry"} & set(render.scene(Game("usa", seed=1)).texts())


def test_a_claim_that_waits_at_a_tunnel_in_words() -> None:
    blue = track("Bergen", "Oslo", "blue", "nordic")
    where = {"deck": {"blue": 2, "red": 1}, "rest": "discard", "face_up": {}}
    game = game_at(map="nordic", hands=[{"blue": 7}], **where)
    act(game, "claim", track=blue, card="blue", locomotives=0, sets=0)
    note = "Bergen to Oslo: 2 blue, 1 red turned up, 2 cards more asked for"
    assert note in render.scene(game).texts()
    assert f"Waits: {note}" in render.to_text(game, colour=False)
    act(game, "tunnel_pay", locomotives=0)
    assert "Last: Player 0 paid what the tunnel asked for" in render.scene(game).texts()


def test_a_set_in_words() -> None:
    ferry = track("Kristiansand", "Stavanger", "orange", "nordic")
    game = game_at(map="nordic", hands=[{"orange": 2, "red": 3}])
    act(game, "claim", track=ferry, card="orange", locomotives=0, sets=1)
    assert "Kristiansand to Stavanger: 3 cards of a set still to be chosen" in render.scene(game, 1).texts()
    assert "Player 0 claimed Kristiansand to Stavanger with 2 orange and 1 set" in render.to_text(game, colour=False)
    for _ in range(3):
        act(game, "set_card", card="red")
    assert "Last: Player 0 put a red card into a set" in render.scene(game).texts()
