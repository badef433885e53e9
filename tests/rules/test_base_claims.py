"""B6 to B8: claiming tracks."""

from __future__ import annotations

import pytest

from tests.helpers.positions import (
    COLOURS,
    MAP,
    act,
    cards,
    claim,
    claims,
    draw_turn,
    filler,
    game_at,
    legal,
    other,
    total,
    track,
)

RED_1 = track("Arnhem", "Nijmegen", "red")
RED_2 = track("Antwerpen", "Turnhout", "red")
RED_3 = track("Emmen", "Groningen", "red")
RED_4 = track("Amsterdam", "Rotterdam", "red")
RED_5 = track("Aarschot", "Liège", "red")
RED_6 = track("'s-Gravenhage", "Middelburg", "red")
GREY_3 = track("Emden", "Groningen", "grey")
BLUE_3 = track("Groningen", "Leeuwarden", "blue")

Payments = set[tuple[str, int]]


# B6: claiming ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "payments"),
    [
        ({"red": 2}, set()),
        ({"blue": 11}, set()),
        ({"red": 3}, {("red", 0)}),
        ({"red": 5}, {("red", 0)}),
        ({"red": 2, "locomotive": 1}, {("red", 1)}),
        ({"red": 3, "locomotive": 1}, {("red", 0), ("red", 1)}),
        ({"red": 1, "locomotive": 1}, set()),
        ({"red": 3, "locomotive": 3}, {("red", 0), ("red", 1), ("red", 2), ("locomotive", 3)}),
        ({"red": 1, "locomotive": 5}, {("red", 2), ("locomotive", 3)}),
        ({"locomotive": 3}, {("locomotive", 3)}),
        ({"locomotive": 2, "blue": 4}, set()),
    ],
)
def test_B6_a_coloured_track_takes_its_colour_and_any_number_of_locomotives(
    hand: dict[str, int], payments: Payments
) -> None:
    assert claims(game_at(hands=[hand]), RED_3) == payments


@pytest.mark.parametrize(
    ("hand", "payments"),
    [
        ({"red": 2, "blue": 2}, set()),
        ({"red": 3, "blue": 4, "green": 2}, {("red", 0), ("blue", 0)}),
        ({"red": 3, "blue": 2, "locomotive": 1}, {("red", 0), ("red", 1), ("blue", 1)}),
        ({"red": 1, "blue": 1, "locomotive": 2}, {("red", 2), ("blue", 2)}),
        (
            {"red": 2, "blue": 1, "locomotive": 3},
            {("red", 1), ("red", 2), ("blue", 2), ("locomotive", 3)},
        ),
    ],
)
def test_B6_a_grey_track_takes_any_one_colour(hand: dict[str, int], payments: Payments) -> None:
    game = game_at(hands=[hand])
    assert claims(game, GREY_3) == payments
    assert claims(game, other(GREY_3)) == payments


@pytest.mark.parametrize(
    "hand",
    [
        {"red": 2, "locomotive": 1},
        {"yellow": 4, "black": 6, "locomotive": 2},
        {"purple": 3, "white": 3, "orange": 1, "green": 5},
        {"blue": 12, "red": 12, "locomotive": 14},
    ],
)
def test_B6_every_payment_is_an_action_and_no_other(hand: dict[str, int]) -> None:
    game = game_at(hands=[hand], face_up={"purple": 5})
    held = cards(hand)
    expected = set()
    for track_id, here in enumerate(MAP.tracks):
        for colour in COLOURS if here.colour == "grey" else (here.colour,):
            for locomotives in range(here.length):
                if held[colour] >= here.length - locomotives and held["locomotive"] >= locomotives:
                    expected.add((track_id, colour, locomotives))
        if held["locomotive"] >= here.length:
            expected.add((track_id, "locomotive", here.length))
    found = [(a["track"], a["card"], a["locomotives"]) for a in legal(game) if a["kind"] == "claim"]
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize(
    ("card", "locomotives", "paid"),
    [
        ("red", 0, {"red": 3}),
        ("red", 2, {"red": 1, "locomotive": 2}),
        ("blue", 1, {"blue": 2, "locomotive": 1}),
        ("locomotive", 3, {"locomotive": 3}),
    ],
)
def test_B6_the_cards_named_go_to_the_discard_pile(card: str, locomotives: int, paid: dict[str, int]) -> None:
    hand = {"red": 4, "blue": 3, "locomotive": 4}
    game = game_at(hands=[hand], discard={"green": 1})
    after = claim(game, GREY_3, card, locomotives)
    assert after["discard"] == cards({"green": 1} | paid)
    assert total(after["seats"][0]["hand"], paid) == cards(hand)


def test_B6_the_track_is_the_players_and_its_trains_are_spent() -> None:
    after = claim(game_at(hands=[{"red": 4}]), RED_4, "red")
    assert after["owners"] == [0 if i == RED_4 else None for i in range(len(MAP.tracks))]
    assert [seat["trains"] for seat in after["seats"]] == [36, 40]


def test_B6_a_claimed_track_is_free_no_more() -> None:
    game = game_at(hands=[{"red": 10}, {"red": 2}], face_up={"purple": 5})
    claim(game, RED_5, "red")
    draw_turn(game)
    assert claims(game, RED_5) == set()


@pytest.mark.parametrize("left", [3, 4, 5])
def test_B6_a_claim_needs_as_many_trains_as_the_track_is_long(left: int) -> None:
    game = game_at(hands=[{"red": 12}], owned=dict.fromkeys(filler(40 - left), 0))
    lengths = {MAP.tracks[a["track"]].length for a in legal(game) if a["kind"] == "claim"}
    assert lengths == set(range(1, left + 1))


def test_B6_a_track_need_not_touch_the_players_own() -> None:
    game = game_at(hands=[{"red": 12}], owned={track("Maastricht", "Roermond", "black"): 0})
    after = claim(game, RED_3, "red")
    assert after["owners"][RED_3] == 0


# B7: double routes -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("tolls", [True, False])
def test_B7_no_player_claims_both_tracks(players: int, tolls: bool) -> None:
    game = game_at(players=players, tolls=tolls, hands=[{"red": 4}], owned={other(RED_4): 0})
    assert claims(game, RED_4) == set()
    assert claims(game, RED_3) == {("red", 0)}


def test_B7_nor_both_equal_grey_ones() -> None:
    game = game_at(hands=[{"red": 12}], owned={other(GREY_3): 0})
    assert claims(game, GREY_3) == set()


@pytest.mark.parametrize(("players", "open_to_others"), [(2, False), (3, False), (4, True), (5, True)])
def test_B7_one_claim_closes_the_other_track_with_two_or_three_players(players: int, open_to_others: bool) -> None:
    game = game_at(players=players, tolls=False, hands=[{"blue": 4}, {"red": 4}])
    claim(game, other(RED_4), "blue")
    assert claims(game, RED_4) == ({("red", 0)} if open_to_others else set())


def test_B7_single_routes_are_not_affected() -> None:
    game = game_at(tolls=False, hands=[{"red": 5}], owned={RED_4: 1})
    assert claims(game, RED_5) == {("red", 0)}


# B8: points ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track_id", "points"), [(RED_1, 1), (RED_2, 2), (RED_3, 4), (RED_4, 7), (RED_5, 10), (RED_6, 15)]
)
@pytest.mark.parametrize("player", [0, 1])
def test_B8_points_by_length_scored_at_once(track_id: int, points: int, player: int) -> None:
    game = game_at(player=player, hands=[{"red": 6}] * 2, points=[20, 30])
    after = claim(game, track_id, "red")
    expected = [20, 30]
    expected[player] += points
    assert [seat["points"] for seat in after["seats"]] == expected


def test_B8_cards_and_tickets_score_nothing_during_the_game() -> None:
    game = game_at(owned={RED_4: 0})
    draw_turn(game)
    act(game, "draw_tickets")
    game.step(game.legal_actions()[0])
    assert [seat["points"] for seat in game.snapshot()["seats"]] == [7, 1]
