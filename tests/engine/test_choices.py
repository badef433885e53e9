"""Random legal actions: each as likely as any other."""

from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.positions import cards, filler, game_at
from ttr_env.engine import calls
from ttr_env.engine.board import board

RICH = {"hands": [{"red": 6, "blue": 3, "green": 2, "black": 1, "locomotive": 4}]}
DRAWS_PER_ACTION = 300
AT_TUNNEL = {
    "map": "nordic",
    "phase": "tunnel",
    "hands": [{"blue": 6, "locomotive": 3}],
    "pending": {
        "kind": "tunnel",
        "track": 8,  # Bergen to Oslo
        "card": "blue",
        "locomotives": 1,
        "turned_up": cards({"blue": 2, "red": 1}),
        "extra": 2,
    },
}
AT_SET = {
    "map": "nordic",
    "phase": "set",
    "hands": [{"orange": 3, "red": 2, "white": 1, "locomotive": 2}],
    "pending": {
        "kind": "set",
        "track": 44,  # Kristiansand to Stavanger
        "card": "orange",
        "locomotives": 0,
        "sets": 1,
        "chosen": cards({"white": 1}),
        "left": 2,
    },
}


@pytest.mark.parametrize(
    "where",
    [
        pytest.param(RICH, id="many claims"),
        pytest.param(RICH | {"owned": dict.fromkeys(filler(36), 0)}, id="few trains"),
        pytest.param({"face_up": {"red": 2, "blue": 2, "locomotive": 1}}, id="draws alone"),
        pytest.param({"phase": "second_card", "face_up": {"red": 3, "locomotive": 2}}, id="second card"),
        pytest.param({"face_up": {}, "rest": 0, "ticket_rest": 1}, id="claims alone"),
        pytest.param({"phase": "keep_tickets", "offered": [[1, 2, 3, 30]]}, id="keep one or more"),
        pytest.param(
            {"phase": "keep_tickets", "setup": True, "offered": [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]},
            id="keep three or more",
        ),
        pytest.param(
            {"neutral_player": True, "phase": "neutral", "player": 1, "neutral": {"ticket": 30}}, id="neutral"
        ),
        pytest.param({"face_up": {}, "rest": 1, "ticket_rest": 1}, id="pass"),
        pytest.param(
            {"map": "nordic", "hands": [{"red": 3, "blue": 2, "green": 4, "black": 1, "locomotive": 2}]},
            id="ferries and tunnels",
        ),
        pytest.param({"map": "nordic", "hands": [{"red": 9, "white": 8, "locomotive": 2}]}, id="the longest track"),
        pytest.param(AT_TUNNEL, id="tunnel"),
        pytest.param(AT_SET, id="set"),
    ],
)
def test_every_legal_action_is_equally_likely(where: dict[str, Any]) -> None:
    game = game_at(**where)
    legal = game.legal_actions()
    source = np.zeros(1, np.uint64)
    drawn = np.zeros(game.num_actions)
    for _ in range(DRAWS_PER_ACTION * len(legal)):
        drawn[calls.pick(game.records, 0, board(game.map), source)] += 1
    assert drawn.sum() == drawn[legal].sum()
    chi_square = ((drawn[legal] - DRAWS_PER_ACTION) ** 2 / DRAWS_PER_ACTION).sum()
    freedom = len(legal) - 1
    assert abs(chi_square - freedom) <= 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("name", "players", "decisions"),
    [
        ("nederland", 2, 142),
        ("nederland", 3, 209),
        ("nederland", 4, 269),
        ("nederland", 5, 327),
        ("nordic", 2, 239),
        ("nordic", 3, 340),
        ("usa", 2, 158),
        ("usa", 5, 364),
    ],
)
def test_random_games_have_the_usual_length(name: str, players: int, decisions: int) -> None:
    played = ttr_env.playouts(name, players=players, games=2000, seed=0)
    assert played.decisions / 2000 == pytest.approx(decisions, rel=0.02)
