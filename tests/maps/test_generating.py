"""Boards from a seed: sound, planar, worth playing, and the same everywhere."""

from __future__ import annotations

import heapq
import itertools
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import ttr_env
from ttr_env import Game, maps, render
from ttr_env.errors import MapError
from ttr_env.maps import Map
from ttr_env.maps.generating.geometry import Point, cross

SEEDS = int(os.environ.get("TTR_BOARDS", "40"))  # 1000 for the whole run


def wishes(seed: int) -> dict[str, int | bool]:
    """All sizes, and every combination of special tracks."""
    cities = 4 + seed * 7 % 61
    special = [seed % 3 * cities // 8, seed // 3 % 3 * cities // 8]
    return {"cities": cities, "tolls": seed % 2 == 1, "tunnels": special[0], "ferries": special[1]}


def made(seed: int) -> Map:
    return maps.generate(seed, **wishes(seed))  # type: ignore[arg-type]


def cheapest(board: Map, a: int, b: int) -> int:
    """What connecting two cities costs in trains and tolls (Dijkstra's)."""
    known, todo = set(), [(0, a)]
    while todo:
        cost, city = heapq.heappop(todo)
        if city == b:
            return cost
        if city not in known:
            known.add(city)
            for track in board.tracks:
                if city in (track.a, track.b):
                    heapq.heappush(todo, (cost + track.length + track.toll, track.a + track.b - city))
    raise AssertionError("the board falls apart")


@pytest.mark.slow
def test_boards_load_and_play_to_the_end_and_draw(tmp_path: Path) -> None:
    for seed in range(SEEDS):
        board = made(seed)
        folder = tmp_path / str(seed)
        board.save(folder)
        loaded = maps.load(folder)
        assert (loaded.digest, loaded.land) == (board.digest, board.land)
        for players in {2, board.rules.players[1]}:
            result = ttr_env.playouts(board, players=players, games=4, seed=seed)
            assert result.totals.shape == (4, players)
        svg = render.to_svg(Game(board, players=2, seed=seed))
        assert all(city in svg for city in board.cities)


@pytest.mark.parametrize("seed", range(0, 60, 7))
def test_a_board_is_as_it_should_be(seed: int) -> None:
    board, wanted = made(seed), wishes(seed)
    routes = {(track.a, track.b): track for track in board.tracks}
    assert len(board.cities) == wanted["cities"] == len(set(board.cities))
    assert sum(track.tunnel for track in routes.values()) == wanted["tunnels"]
    assert sum(track.ferry > 0 for track in routes.values()) == wanted["ferries"]
    assert all((track.toll > 0) == wanted["tolls"] for track in board.tracks)
    points: list[Point] = [(round(100 * city.longitude), round(100 * city.latitude)) for city in board.cities]
    for one, other in itertools.combinations(routes, 2):
        assert not cross(*(points[city] for city in one + other))
    for ticket in board.tickets:
        assert ticket.points == cheapest(board, ticket.a, ticket.b)
    uses = np.bincount([city for ticket in board.tickets for city in (ticket.a, ticket.b)], minlength=len(board.cities))
    assert uses.max() - uses.min() <= 4
    assert all(sum(city in ends for ends in routes) > 1 for city in range(len(board.cities)))


def test_a_seed_gives_the_same_board_everywhere() -> None:
    digests = [made(seed).digest for seed in range(6)]
    assert digests == [
        "51b4396b83ae4486",
        "46ed52059af40117",
        "3197c247f5407b8b",
        "8117ce295a03b0c2",
        "06e5d0ac0e62fc1d",
        "bee20befd1c67f74",
    ]
    assert made(3) is made(3)
    assert maps.generate(0, 20).digest != maps.generate(1, 20).digest


def test_its_name_goes_wherever_a_map_goes() -> None:
    board = maps.generate(7, cities=12, tunnels=3)
    assert board.name == "generate:seed=7,cities=12,tunnels=3"
    assert maps.load(board.name) is board
    assert pickle.loads(pickle.dumps(board)).digest == board.digest
    game = Game(board.name, players=2, seed=1)
    game.step(game.legal_actions()[0])
    assert Game.replay(game.record()).snapshot() == game.snapshot()
    assert ttr_env.Batch(board, games=2, seed=0).masks.shape[0] == 2


@pytest.mark.parametrize("name", maps.names())
def test_every_map_can_be_saved(name: str, tmp_path: Path) -> None:
    board = maps.load(name)
    board.save(tmp_path / "copy")
    loaded = maps.load(tmp_path / "copy")
    assert (loaded.digest, loaded.title, loaded.land, loaded.places) == (
        board.digest,
        board.title,
        board.land,
        board.places,
    )
    assert [city.latitude for city in loaded.cities] == [city.latitude for city in board.cities]


def test_saving_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(MapError, match="is there already; name a new folder"):
        maps.load("usa").save(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed: a whole number from 0"),
        ({"seed": 1.5}, "seed: a whole number from 0"),
        ({"seed": 1, "cities": 3}, "cities: a whole number from 4 to 64 is needed, not 3"),
        ({"seed": 1, "cities": 65}, "cities: a whole number from 4 to 64 is needed, not 65"),
        ({"seed": 1, "players": 6}, "players: a whole number from 2 to 5"),
        ({"seed": 1, "trains": 0}, "trains: a whole number from 1"),
        ({"seed": 1, "cities": 4, "tickets": 7}, "tickets: a whole number from 1 to 6"),
        ({"seed": 1, "tickets": 3}, "tickets: 3 are too few for 5 players"),
        ({"seed": 1, "tolls": 1}, "tolls: True or False"),
        ({"seed": 1, "cities": 6, "tunnels": 9, "ferries": 9}, "too few for 9 tunnels and 9 ferries"),
        ({"seed": 1, "doubles": 90}, "doubles: this board has room for"),
    ],
)
def test_bad_arguments_are_map_errors(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(MapError, match=message):
        maps.generate(**arguments)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("generate:cities=20", "has no seed; write for example generate:seed=7,cities=20"),
        ("generate:", "'' is unknown"),
        ("generate:seed=1,citys=20", r"'citys' is unknown \(did you mean 'cities'"),
        ("generate:seed=1,seed=2", "seed is there twice"),
        ("generate:seed=x", "seed is 'x'; it must be a whole number"),
        ("generate:seed=1,tolls=1", "tolls is '1'; it must be true or false"),
    ],
)
def test_bad_names_are_map_errors(name: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        maps.load(name)
