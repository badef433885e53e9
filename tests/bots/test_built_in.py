"""The compiled players: they take legal actions to the end, and do the same alone as in rows."""

from typing import Any

import numpy as np
import pytest

from ttr_env import maps
from ttr_env.bots.built_in import BOTS, RANDOM, act_rows
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import calls, layout
from ttr_env.engine.board import board
from ttr_env.engine.scratch import aligned

every_bot = pytest.mark.parametrize("kind", range(len(BOTS)), ids=BOTS)


def deal(name: str, seeds: int) -> tuple[np.ndarray, np.ndarray]:
    """Games of two players, one for each seed, and their board."""
    games, boards = np.zeros(seeds, layout.GAME), board(maps.load(name))
    for seed in range(seeds):
        calls.start(games, seed, boards, np.uint64(seed), 2, name == "nederland", False)
    return games, boards


def scratch(seed: int = 1) -> tuple[np.ndarray, Any]:
    """A source of random numbers, and the space that bots work in."""
    source = np.zeros(1, np.uint64)
    calls.seed_source(source, np.uint64(seed))
    return source, aligned(1, NETWORK)


def act(games: np.ndarray, row: int, boards: np.ndarray, kind: int, source: np.ndarray, nets: Any) -> int:
    """A bot's action in one of the games."""
    actions = np.zeros(1, np.int64)
    act_rows(games, boards, np.array([row]), kind, source, nets, actions)
    return int(actions[0])


@every_bot
@pytest.mark.parametrize("name", maps.names())
def test_a_game_comes_to_its_end_by_legal_actions(kind: int, name: str) -> None:
    games, boards = deal(name, 1)
    source, nets = scratch()
    for _ in range(3000):
        if games[0]["phase"] == layout.OVER:
            return
        action = act(games, 0, boards, kind, source, nets)
        assert calls.step(games, 0, boards, action) >= 0
    pytest.fail("the game is not over")


@every_bot
def test_rows_are_played_like_single_games(kind: int) -> None:
    games, boards = deal("nederland", 4)
    rows, actions = np.array([3, 0, 2]), np.zeros(3, np.int64)
    one, many = scratch(), scratch()
    for _ in range(40):
        act_rows(games, boards, rows, kind, *many, actions)
        assert actions.tolist() == [act(games, row, boards, kind, *one) for row in rows]
        for row, action in zip(rows, actions, strict=True):
            assert calls.step(games, row, boards, action) >= 0


@pytest.mark.parametrize("kind", [kind for kind in range(len(BOTS)) if kind != RANDOM])
def test_only_the_random_bot_needs_chance(kind: int) -> None:
    games, boards = deal("usa", 1)
    source, nets = scratch()
    before = source.copy()
    for _ in range(60):
        action = act(games, 0, boards, kind, source, nets)
        assert action == act(games, 0, boards, kind, *scratch(seed=99))
        calls.step(games, 0, boards, action)
    assert source == before
