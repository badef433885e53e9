"""`SeatView`: what a seat knows is there, and nothing else of the true game is."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from tests.helpers.busy import TABLES, some_decisions, table_name
from ttr_env import Game, SeatView, agents, text
from ttr_env.game.actions import KeepTickets


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_it_holds_only_what_its_seat_knows(options: dict) -> None:
    """Views of two games that a seat cannot tell apart are the same to the last byte."""
    dealer = np.random.default_rng(0)
    for game in some_decisions(options, seed=3, every=40):
        for seat in range(game.players):
            other = game.determinize(seat, dealer)
            one, same = (SeatView.of(each, seat, np.random.default_rng(5)) for each in (game, other))
            assert one.memory(0).tobytes() == same.memory(0).tobytes()
            assert one.information_state(seat) == game.information_state(seat)
            assert one.seed is None and one.actions == [] and one.seat == seat
            assert one.record() == same.record()


def test_it_can_be_asked_what_a_game_can_be_asked() -> None:
    game = Game("nederland", players=3, seed=7)
    view = SeatView.of(game, 0, np.random.default_rng(0))
    assert np.array_equal(view.action_mask(), game.action_mask())
    assert np.array_equal(view.observe(0, "planning"), game.observe(0, "planning"))
    assert text.prompt(view) == text.prompt(game)
    for name in ("planner", "champion", "ismcts:iterations=10"):
        assert agents.make(name, 1).act(view) == agents.make(name, 1).act(game)


def test_what_was_done_last_is_told_but_for_the_tickets_of_others() -> None:
    game = Game("nederland", players=2, seed=7)
    kept = int(game.legal_actions()[0])
    game.step(kept)
    own, others = (SeatView.of(game, seat, np.random.default_rng(0)).last for seat in (0, 1))
    assert own == game.last and own is not None and own.action.tickets
    assert others is not None and others.action == KeepTickets(()) and others.player == 0
    game.step(int(game.legal_actions()[0]))
    game.step(0)
    view = SeatView.of(game, 1, np.random.default_rng(0))
    assert view.last == game.last
    view.step(0)
    assert view.last is not None and view.last.player == 0 and game.phase == "second_card"


def test_copies() -> None:
    view = SeatView.of(Game("nederland", players=2, seed=7), 1, np.random.default_rng(0))
    for twin in (view.copy(), copy.deepcopy(view)):
        assert twin == view and twin.seat == 1 and twin.last == view.last
    assert pickle.loads(pickle.dumps(view)) == view
    assert json.dumps(view.snapshot()) == json.dumps(view.copy().snapshot())
