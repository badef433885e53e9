"""B1 to B5: the cards, the turn, drawing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.positions import (
    ALL_CARDS,
    act,
    cards,
    claim,
    draw_turn,
    face_up_draws,
    game_at,
    kinds,
    legal,
    rng,
    size,
    take,
    total,
    track,
)
from ttr_env import Game

RED_1 = track("Arnhem", "Nijmegen", "red")
BLUE_1 = track("'s-Hertogenbosch", "Eindhoven", "blue")
BLUE_3 = track("Groningen", "Leeuwarden", "blue")
RED_6 = track("'s-Gravenhage", "Middelburg", "red")


# B1: 110 train cards ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_B1_four_cards_to_each_player_five_face_up_the_rest_in_the_deck(players: int) -> None:
    start = Game("nederland", players=players, seed=3).snapshot()
    hands = [seat["hand"] for seat in start["seats"]]
    assert [size(hand) for hand in hands] == [4] * players
    assert size(start["face_up"]) == 5
    assert size(start["discard"]) == 0
    assert total(*hands, start["face_up"], start["deck"]) == ALL_CARDS


def test_B1_the_deal_differs_from_seed_to_seed_and_repeats_with_the_seed() -> None:
    deals = [Game("nederland", players=2, seed=seed).snapshot() for seed in (1, 1, 2)]
    assert deals[0] == deals[1]
    assert deals[0]["seats"] != deals[2]["seats"]


# B2: the turn ----------------------------------------------------------------------------------


def test_B2_seat_0_starts_and_seats_follow_in_order() -> None:
    game = Game("nederland", players=3, seed=1)
    for _ in range(3):
        game.step(game.legal_actions()[0])
    seen = []
    for _ in range(4):
        seen.append((game.phase, game.player))
        draw_turn(game)
    assert seen == [("turn", 0), ("turn", 1), ("turn", 2), ("turn", 0)]


def test_B2_a_turn_is_cards_or_a_claim_or_tickets() -> None:
    assert kinds(game_at(hands=[{"red": 1}])) == {"draw_deck", "draw_face_up", "claim", "draw_tickets"}


def test_B2_drawing_once_begun_goes_on_with_cards_alone() -> None:
    game = game_at(hands=[{"red": 1}])
    act(game, "draw_deck")
    assert (game.player, game.phase) == (0, "second_card")
    assert kinds(game) == {"draw_deck", "draw_face_up"}


def test_B2_a_claim_is_the_whole_turn() -> None:
    game = game_at(hands=[{"red": 1}])
    claim(game, RED_1, "red")
    assert (game.player, game.phase) == (1, "turn")


def test_B2_tickets_are_the_whole_turn() -> None:
    game = game_at(hands=[{"red": 1}])
    act(game, "draw_tickets")
    assert (game.player, game.phase, kinds(game)) == (0, "keep_tickets", {"keep_tickets"})
    game.step(game.legal_actions()[0])
    assert (game.player, game.phase) == (1, "turn")


# B3: drawing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["deck", "purple"])
@pytest.mark.parametrize("second", ["deck", "white"])
def test_B3_two_cards_each_blind_or_face_up(first: str, second: str) -> None:
    game = game_at()
    for number, source in enumerate((first, second)):
        assert game.player == 0
        after = act(game, "draw_deck") if source == "deck" else take(game, source)
        assert size(after["seats"][0]["hand"]) == number + 1
    assert game.player == 1
    hand = after["seats"][0]["hand"]
    assert all(hand[source] >= 1 for source in (first, second) if source != "deck")


def test_B3_the_face_up_cards_are_offered_by_colour() -> None:
    game = game_at(face_up={"red": 3, "green": 1, "locomotive": 1})
    assert face_up_draws(game) == {"red", "green", "locomotive"}


def test_B3_a_face_up_card_is_replaced_from_the_deck_at_once() -> None:
    game = game_at(face_up={"red": 4, "blue": 1}, deck={"green": 3}, rest="discard")
    after = take(game, "blue")
    assert after["phase"] == "second_card"
    assert after["face_up"] == cards({"red": 4, "green": 1})
    assert after["deck"] == cards({"green": 2})


def test_B3_a_blind_draw_leaves_the_row_alone() -> None:
    game = game_at(face_up={"red": 5}, deck={"green": 3}, rest="discard")
    after = act(game, "draw_deck")
    assert after["face_up"] == cards({"red": 5})
    assert after["seats"][0]["hand"] == cards({"green": 1})


def test_B3_a_face_up_locomotive_is_the_whole_draw() -> None:
    game = game_at(face_up={"red": 4, "locomotive": 1})
    after = take(game, "locomotive")
    assert after["seats"][0]["hand"] == cards({"locomotive": 1})
    assert (game.player, game.phase) == (1, "turn")


@pytest.mark.parametrize("first", ["deck", "red"])
def test_B3_a_face_up_locomotive_cannot_be_the_second_card(first: str) -> None:
    game = game_at(face_up={"red": 4, "locomotive": 1}, deck={"blue": 5}, rest="discard")
    act(game, "draw_deck") if first == "deck" else take(game, "red")
    assert face_up_draws(game) == ({"red"} if first == "deck" else {"red", "blue"})


def test_B3_not_even_a_locomotive_that_replaced_the_first_card() -> None:
    game = game_at(face_up={"red": 1, "blue": 4}, deck={"locomotive": 3}, rest="discard")
    after = take(game, "red")
    assert after["face_up"] == cards({"blue": 4, "locomotive": 1})
    assert face_up_draws(game) == {"blue"}
    assert kinds(game) == {"draw_deck", "draw_face_up"}


def test_B3_a_locomotive_drawn_blind_counts_as_one_card() -> None:
    game = game_at(face_up={"red": 5}, deck={"locomotive": 3}, rest="discard")
    act(game, "draw_deck")
    assert (game.player, game.phase) == (0, "second_card")
    after = act(game, "draw_deck")
    assert after["seats"][0]["hand"] == cards({"locomotive": 2})
    assert game.player == 1


# B4: three locomotives -------------------------------------------------------------------------


def test_B4_three_locomotives_clear_the_whole_row() -> None:
    cleared = 0
    for number in range(60):
        game = game_at(face_up={"locomotive": 2, "red": 3}, rng=rng(number))
        after = take(game, "red")
        assert size(after["face_up"]) == 5
        assert after["face_up"]["locomotive"] < 3
        if size(after["discard"]):
            cleared += 1
            assert after["discard"]["locomotive"] >= 3
            assert after["discard"]["red"] >= 2
            assert size(after["discard"]) % 5 == 0
    assert 0 < cleared < 60


def test_B4_also_in_the_first_deal() -> None:
    cleared = 0
    for seed in range(300):
        start = Game("nederland", players=2, seed=seed).snapshot()
        assert size(start["face_up"]) == 5
        assert start["face_up"]["locomotive"] < 3
        if size(start["discard"]):
            cleared += 1
            assert start["discard"]["locomotive"] >= 3
            assert size(start["discard"]) % 5 == 0
    assert 0 < cleared < 30


@pytest.mark.parametrize("number", range(5))
def test_B4_again_and_again(number: int) -> None:
    # The row goes, and so does the next one of five locomotives; the third comes from the discards.
    game = game_at(
        hands=[{}, {"locomotive": 6}],
        face_up={"locomotive": 2, "red": 3},
        deck={"locomotive": 6},
        rest="discard",
        rng=rng(number),
    )
    after = take(game, "red")
    assert size(after["face_up"]) == 5
    assert after["face_up"]["locomotive"] < 3
    assert size(after["deck"]) + size(after["discard"]) == 110 - 5 - 6 - 1


def stuck(**where: Any) -> Game:
    """Three locomotives face up, and only two other cards outside of the hands."""
    return game_at(face_up={"locomotive": 3, "red": 2}, deck={"locomotive": 2}, rest=1, **where)


def test_B4_ruling_the_row_stays_while_fewer_than_three_other_cards_are_about() -> None:
    game = game_at(face_up={"locomotive": 2, "red": 3}, deck={"locomotive": 3}, rest=1)
    after = take(game, "red")
    assert after["face_up"] == cards({"locomotive": 3, "red": 2})
    assert (after["deck"], after["discard"]) == (cards({"locomotive": 2}), cards())


def test_B4_ruling_a_stuck_row_may_be_taken_from() -> None:
    game = stuck()
    assert face_up_draws(game) == {"locomotive", "red"}
    after = take(game, "locomotive")
    assert after["face_up"] == cards({"locomotive": 3, "red": 2})


@pytest.mark.parametrize("number", range(5))
def test_B4_ruling_a_claim_frees_a_stuck_row(number: int) -> None:
    game = stuck(hands=[{"blue": 3}], rng=rng(number))
    after = claim(game, BLUE_3, "blue")
    assert size(after["face_up"]) == 5
    assert after["face_up"]["locomotive"] < 3
    supply = total(after["deck"], after["discard"], after["face_up"])
    assert supply == cards({"locomotive": 5, "red": 2, "blue": 3})


def test_B4_ruling_a_third_other_card_is_enough() -> None:
    after = claim(stuck(hands=[{"blue": 1}]), BLUE_1, "blue")
    assert after["face_up"] == cards({"locomotive": 2, "red": 2, "blue": 1})


def test_B4_ruling_a_claim_paid_with_locomotives_frees_nothing() -> None:
    after = claim(stuck(hands=[{"locomotive": 1}]), BLUE_1, "locomotive", 1)
    assert after["face_up"] == cards({"locomotive": 3, "red": 2})
    assert after["discard"] == cards({"locomotive": 1})


# B5: the empty deck ----------------------------------------------------------------------------


def test_B5_the_discard_pile_becomes_the_deck_when_a_blind_draw_needs_it() -> None:
    game = game_at(rest="discard")
    before = game.snapshot()
    assert size(before["deck"]) == 0
    after = act(game, "draw_deck")
    assert size(after["discard"]) == 0
    assert total(after["deck"], after["seats"][0]["hand"]) == before["discard"]


def test_B5_the_discard_pile_becomes_the_deck_when_the_row_needs_it() -> None:
    game = game_at(face_up={"red": 5}, discard={"blue": 4}, rest=1)
    after = take(game, "red")
    assert after["face_up"] == cards({"red": 4, "blue": 1})
    assert (after["deck"], after["discard"]) == (cards({"blue": 3}), cards())


def test_B5_ruling_not_before_a_card_is_needed() -> None:
    game = game_at(face_up={"red": 5}, deck={"blue": 1}, rest="discard")
    before = game.snapshot()
    after = act(game, "draw_deck")
    assert (after["deck"], after["discard"]) == (cards(), before["discard"])


def test_B5_a_claim_alone_does_not_turn_the_discards_over() -> None:
    game = game_at(hands=[{"blue": 3}], rest=1)
    after = claim(game, BLUE_3, "blue")
    assert (after["deck"], after["discard"]) == (cards(), cards({"blue": 3}))


def test_B5_without_deck_and_discards_the_row_stays_short_and_blind_draws_are_illegal() -> None:
    game = game_at(face_up={"red": 3, "blue": 2}, rest=1)
    assert "draw_deck" not in kinds(game)
    after = take(game, "red")
    assert after["face_up"] == cards({"red": 2, "blue": 2})
    assert "draw_deck" not in kinds(game)


def test_B5_ruling_cards_still_face_up_may_be_taken_all_the_same() -> None:
    game = game_at(face_up={"red": 1, "blue": 1}, rest=1)
    take(game, "red")
    assert legal(game) == [{"kind": "draw_face_up", "card": "blue"}]
    after = take(game, "blue")
    assert after["seats"][0]["hand"] == cards({"red": 1, "blue": 1})
    assert after["face_up"] == cards()
    assert game.player == 1


def test_B5_ruling_the_turn_ends_when_no_second_card_is_left() -> None:
    game = game_at(face_up={"red": 1}, rest=1)
    take(game, "red")
    assert (game.player, game.phase) == (1, "turn")


def test_B5_ruling_the_turn_ends_when_only_a_face_up_locomotive_is_left() -> None:
    game = game_at(face_up={"red": 1, "locomotive": 1}, rest=1)
    take(game, "red")
    assert (game.player, game.phase) == (1, "turn")


def test_B5_ruling_the_turn_ends_when_the_last_blind_card_leaves_only_locomotives() -> None:
    game = game_at(face_up={"locomotive": 5}, deck={"red": 1}, rest=1)
    act(game, "draw_deck")
    assert (game.player, game.phase) == (1, "turn")


def test_B5_ruling_a_claim_refills_a_short_row_at_once() -> None:
    game = game_at(hands=[{"blue": 3}], face_up={"red": 1}, rest=1)
    after = claim(game, BLUE_3, "blue")
    assert after["face_up"] == cards({"red": 1, "blue": 3})
    assert (after["deck"], after["discard"]) == (cards(), cards())


def test_B5_ruling_what_the_short_row_does_not_need_is_the_new_deck() -> None:
    game = game_at(hands=[{"red": 6}], face_up={"blue": 1}, rest=1)
    after = claim(game, RED_6, "red")
    assert after["face_up"] == cards({"blue": 1, "red": 4})
    assert (after["deck"], after["discard"]) == (cards({"red": 2}), cards())
