"""What is offered: everything that is legal, each once, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.visitor import offered
from ttr_env import Game
from ttr_env.game.knowledge import View
from ttr_env.web.offers import offer

GAMES = [
    ("nederland", {"players": 2}),
    ("nederland", {"players": 2, "neutral_player": True}),
    ("nordic", {"players": 3}),
    ("usa", {"players": 2}),
]


@pytest.mark.parametrize(("map", "options"), GAMES)
def test_every_legal_action_is_offered_once(map: str, options: dict[str, int]) -> None:
    game, rng = Game(map, seed=5, **options), np.random.default_rng(5)
    while not game.over:
        told = offer(game, View.of(game, game.player))
        assert sorted(offered(told)) == game.legal_actions().tolist()
        assert told["question"]
        game.step(game.sample(rng))


def test_it_is_told_when_no_route_can_be_claimed() -> None:
    game, rng = Game("usa", players=2, seed=5), np.random.default_rng(5)
    seen = set()
    while not game.over:
        told = offer(game, View.of(game, game.player))
        if game.phase == "turn":
            assert ("you cannot claim any route now" in told["note"]) == (not told["tracks"])
            seen.add(bool(told["tracks"]))
        game.step(game.sample(rng))
    assert seen == {False, True}


def test_ways_to_pay_begin_with_those_that_keep_locomotives() -> None:
    game = Game("usa", players=2, seed=5)
    rng = np.random.default_rng(5)
    seen = 0
    while not game.over:
        for track in offer(game, View.of(game, game.player))["tracks"].values():
            locomotives = [way["cards"].get("locomotive", 0) for way in track["ways"]]
            assert locomotives == sorted(locomotives)
            seen += len(locomotives) > 1
        game.step(game.sample(rng))
    assert seen > 20
