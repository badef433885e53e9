"""What a view shows: how tickets stand, what is on the way to them, what was done last, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import act, claim, finished, game_at, ticket, track
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, observation
from ttr_env.game.knowledge import Standing, View, last_deed, seen_cards
from ttr_env.maps.model import CARDS

RED_3 = track("'s-Hertogenbosch", "Utrecht", "red")
BLUE_1 = track("'s-Hertogenbosch", "Eindhoven", "blue")
ORANGE_2 = track("'s-Hertogenbosch", "Breda", "orange")
DONE = ticket("Breda", "Eindhoven")
FAR = ticket("Groningen", "Middelburg")

every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


# What is hidden ---------------------------------------------------------------------------------


@every_variant
def test_a_view_of_a_seat_is_the_same_however_the_hidden_parts_are_dealt(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    told_apart = 0
    for number, game in enumerate(positions(options, seed=4, every=23)):
        if game.over:  # then the scores are open to all
            continue
        seat = number % game.players
        here, there = Game.from_snapshot(game.snapshot()), game.determinize(seat, rng)
        assert View.of(here, seat) == View.of(there, seat)
        told_apart += View.of(here) != View.of(there)
    assert told_apart > 0, "the hidden parts did not change"


def test_the_last_deed_does_not_hold_which_tickets_were_kept() -> None:
    views = []
    for choice in (0, 1):
        game = game_at(phase="keep_tickets", offered=[[1, 2, 3]], tickets=[[], [5]])
        keeps = [index for index in game.legal_actions() if len(game.describe(index).as_dict()["tickets"]) == 2]
        game.step(keeps[choice])
        views.append(View.of(game, 1))
    assert views[0].last == views[1].last
    assert str(views[0].last) == "Player 0 kept 2 tickets"


def test_of_a_hidden_hand_only_what_everybody_saw_is_told() -> None:
    game = game_at(hands=[{"red": 2}, {"blue": 3}], known=[{}, {"blue": 1}])
    mine, theirs = View.of(game, 0).state["seats"]
    none = dict.fromkeys(CARDS, 0)
    assert seen_cards(mine) == ("hand", {**none, "red": 2})
    assert seen_cards(theirs) == ("known", {**none, "blue": 1})


# Tickets ----------------------------------------------------------------------------------------


@every_variant
def test_trains_and_tracks_are_those_of_the_observation(options: dict[str, Any]) -> None:
    for game in positions(options, seed=5, every=37):
        seat = game.players - 1
        seen, vector = View.of(game, seat), game.observe(seat, "planning")
        places, trains = observation.layout(game.map, "planning"), game.map.rules.trains
        assert seen.on_the_way == set(vector[places["on_cheapest"]].nonzero()[0].tolist())
        offered = [standing for standing in seen.tickets if standing.how == "offered"]
        shares = [(standing, vector[places["offer_need"]][slot]) for slot, standing in enumerate(offered)]
        kept = [standing for standing in seen.tickets if standing.how != "offered"]
        shares += [(standing, vector[places["ticket_need"]][standing.ticket]) for standing in kept]
        for standing, share in shares:
            expected = trains if standing.trains is None else standing.trains
            assert share == pytest.approx(expected / trains)


def test_what_a_ticket_still_needs() -> None:
    game = game_at(owned={ORANGE_2: 0, BLUE_1: 0}, tickets=[[DONE, FAR]])
    open_one, done_one = View.of(game, 0).tickets
    assert done_one == Standing(DONE, "done", 0)
    assert (open_one.ticket, open_one.how) == (FAR, "open") and open_one.trains is not None and open_one.trains > 10


def test_a_ticket_that_cannot_be_connected_any_more_needs_no_number_of_trains() -> None:
    board = game_at().map
    groningen = board.cities.index("Groningen")
    around = [index for index, each in enumerate(board.tracks) if groningen in (each.a, each.b)]
    taken = {index: 1 if index < (board.partners[index] or 99) else 2 for index in around}
    seen = View.of(game_at(players=4, owned=taken, tickets=[[FAR]]), 0)
    assert seen.tickets == (Standing(FAR, "open", None),)
    assert not seen.on_the_way


def test_at_the_end_what_is_not_done_has_failed() -> None:
    game = finished(players=2, owned={ORANGE_2: 0, BLUE_1: 0}, tickets=[[DONE, FAR]])
    assert [(each.ticket, each.how) for each in View.of(game, 0).tickets] == [(FAR, "failed"), (DONE, "done")]


# What was done last -----------------------------------------------------------------------------


def test_what_was_done_last_and_where() -> None:
    game = game_at(hands=[{"red": 3}])
    assert last_deed(game) is None and View.of(game).latest is None
    claim(game, RED_3, "red")
    seen = View.of(game, 1)
    assert str(seen.last) == "Player 0 claimed 's-Hertogenbosch to Utrecht with 3 red"
    assert seen.latest == RED_3
    act(game, "draw_deck")
    assert View.of(game).latest is None


def test_a_claim_that_waited_is_where_it_is_completed() -> None:
    blue = track("Bergen", "Oslo", "blue", "nordic")
    where = {"deck": {"blue": 2, "red": 1}, "rest": "discard", "face_up": {}}
    game = game_at(map="nordic", hands=[{"blue": 7}], **where)
    act(game, "claim", track=blue, card="blue", locomotives=0, sets=0)
    act(game, "tunnel_pay", locomotives=0)
    assert View.of(game).latest == blue


def test_games_that_begin_in_the_middle_have_no_last_deed() -> None:
    game = Game(seed=1)
    game.step(game.legal_actions()[0])
    assert last_deed(game) is not None
    assert last_deed(Game.from_snapshot(game.snapshot())) is None
    assert last_deed(game.determinize(0, np.random.default_rng(0))) is None
    assert last_deed(game.copy()) == last_deed(game)


# Perspectives -----------------------------------------------------------------------------------


def test_everything_is_shown_from_who_is_to_move_or_has_won() -> None:
    game = Game(players=3, seed=1)
    game.step(game.legal_actions()[0])
    assert View.of(game).shown == 1
    assert View.of(game) == View.of(game, "all")
    over = finished(players=3, owned={RED_3: 1})
    assert View.of(over).shown == over.result()["winners"][0]
    assert View.of(over, 0).result == over.result()


@pytest.mark.parametrize(("perspective", "error"), [(2, ValueError), ("me", ValueError), (0.5, TypeError)])
def test_a_perspective_that_is_none_is_refused(perspective: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        View.of(Game(players=2, seed=1), perspective)
