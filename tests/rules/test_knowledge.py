"""K: what a player knows, and the cards that everybody knows of."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.helpers.positions import Snapshot, act, cards, claim, game_at, position, size, take, ticket, track
from ttr_env import Game

RED_1 = track("Arnhem", "Nijmegen", "red")
RED_2 = track("Antwerpen", "Turnhout", "red")
GREY_3 = track("Emden", "Groningen", "grey")


def seen_by(me: int, snapshot: Snapshot) -> Snapshot:
    """The same position as seat `me` knows it."""
    view = deepcopy(snapshot)
    del view["rng"]
    view["deck"] = size(view["deck"])
    view["ticket_pile"] = len(view["ticket_pile"])
    if snapshot["setup"]:
        view["ticket_discard"] = len(view["ticket_discard"])
    for seat in (seat for number, seat in enumerate(view["seats"]) if number != me):
        seat["hand"] = size(seat["hand"])
        seat["tolls"] = None
        for field in ("tickets", "offered", "refused"):
            seat[field] = len(seat[field])
    return view


MIDDLE = position(
    players=3,
    player=1,
    phase="keep_tickets",
    hands=[{"red": 3, "locomotive": 1}, {"blue": 2}, {"green": 5, "black": 1}],
    known=[{"red": 2}, {}, {"green": 1, "black": 1}],
    discard={"white": 4, "locomotive": 2},
    owned={RED_1: 0, RED_2: 2, GREY_3: 1},
    tickets=[[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]],
    offered=[[], [10, 11, 12, 13], []],
    refused=[[20, 21], [22], []],
    ticket_discard=[20, 21, 22, 30],
    tokens=[27, 12, 5],
    loans=[0, 1, 2],
)
SETUP = position(
    players=3,
    player=1,
    phase="keep_tickets",
    setup=True,
    round=1,
    hands=[{"red": 4}, {"blue": 4}, {"green": 4}],
    tickets=[[0, 1, 2]],
    offered=[[], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]],
    refused=[[3, 4]],
    ticket_discard=[3, 4],
)
CHOICE = position(
    neutral_player=True,
    player=1,
    phase="neutral",
    hands=[{"red": 4}, {"blue": 4}],
    tickets=[[0, 1, 2], [3, 4, 5]],
    ticket_discard=[40],
    neutral={"ticket": ticket("Den Helder", "Rotterdam")},
)


@pytest.mark.parametrize("where", [MIDDLE, SETUP, CHOICE], ids=["middle", "setup", "neutral choice"])
def test_K_a_seat_knows_its_own_what_is_public_and_the_sizes_of_the_rest(where: Snapshot) -> None:
    game = Game.from_snapshot(where)
    for seat in range(where["players"]):
        assert game.information_state(seat) == seen_by(seat, where)


def test_K_knowing_changes_nothing() -> None:
    game = Game.from_snapshot(MIDDLE)
    for seat in range(3):
        game.information_state(seat)
    assert game.snapshot() == MIDDLE


@pytest.mark.parametrize("seat", [0, 2])
def test_K_what_others_hold_does_not_show(seat: int) -> None:
    # Seat 1 trades cards with the deck and tickets with the pile, and has other tokens: nobody can tell.
    changed = deepcopy(MIDDLE)
    mine = changed["seats"][1]
    mine["hand"], mine["tickets"], mine["offered"] = cards({"yellow": 2}), [34, 35, 36, 37], [38, 39, 40, 41]
    mine["tolls"] = 2
    changed["deck"] = changed["deck"] | {
        "blue": changed["deck"]["blue"] + 2,
        "yellow": changed["deck"]["yellow"] - 2,
    }
    changed["ticket_pile"] = sorted(set(changed["ticket_pile"]) - set(range(34, 42)) | {3, 4, 5, 6, 10, 11, 12, 13})
    changed["rng"] = "fedcba9876543210"
    ours, theirs = Game.from_snapshot(MIDDLE), Game.from_snapshot(changed)
    assert ours.information_state(seat) == theirs.information_state(seat)
    assert ours.information_state(1) != theirs.information_state(1)


def test_K_ruling_how_many_were_kept_at_first_is_public_at_once() -> None:
    game = Game.from_snapshot(SETUP)
    act(game, "keep_tickets", tickets=[5, 6, 7, 8])
    for seat in (0, 2):
        view = game.information_state(seat)
        assert (view["seats"][1]["tickets"], view["seats"][1]["refused"]) == (4, 1)
        assert view["ticket_discard"] == 3
    assert game.information_state(0)["seats"][0]["refused"] == [3, 4]
    assert game.information_state(2)["seats"][2]["offered"] == [10, 11, 12, 13, 14]


# `known`: the cards that everybody knows to be in a hand ---------------------------------------


def test_K_face_up_draws_are_known_blind_draws_are_not() -> None:
    game = game_at(face_up={"red": 3, "blue": 2}, deck={"red": 4}, rest="discard")
    assert take(game, "blue")["seats"][0]["known"] == cards({"blue": 1})
    after = act(game, "draw_deck")
    assert after["seats"][0]["hand"] == cards({"blue": 1, "red": 1})
    assert after["seats"][0]["known"] == cards({"blue": 1})
    assert after["seats"][1]["known"] == cards()


def test_K_a_face_up_locomotive_is_known() -> None:
    after = take(game_at(face_up={"red": 4, "locomotive": 1}), "locomotive")
    assert after["seats"][0]["known"] == cards({"locomotive": 1})


@pytest.mark.parametrize(
    ("locomotives", "left"),
    [(0, {"locomotive": 1}), (1, {}), (2, {"red": 1})],
)
def test_K_a_claim_uses_up_known_cards_first(locomotives: int, left: dict[str, int]) -> None:
    hand = {"red": 4, "blue": 1, "locomotive": 3}
    game = game_at(hands=[hand], known=[{"red": 2, "blue": 1, "locomotive": 1}])
    after = claim(game, GREY_3, "red", locomotives)
    assert after["seats"][0]["known"] == cards({"blue": 1} | left)


def test_K_known_cards_beyond_the_payment_stay_known() -> None:
    game = game_at(hands=[{"red": 4}, {"red": 1}], known=[{"red": 3}, {"red": 1}])
    after = claim(game, RED_2, "red")
    assert after["seats"][0]["hand"] == cards({"red": 2})
    assert [seat["known"] for seat in after["seats"]] == [cards({"red": 1})] * 2
