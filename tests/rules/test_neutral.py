"""N11: the neutral player."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.positions import (
    MAP,
    Snapshot,
    act,
    claim,
    draw_turn,
    filler,
    finished,
    game_at,
    keeps,
    legal,
    other,
    ticket,
    track,
)
from ttr_env import Game

BLANK = ticket("Amsterdam", "Rotterdam")
LELYSTAD_SNEEK = ticket("Den Helder", "Rotterdam")  # what is at its bottom: length 4, toll 3
BLUE = track("Lelystad", "Sneek", "blue")
GREEN = track("Lelystad", "Sneek", "green")


def before(turned_up: int | None, **where: Any) -> Game:
    """Seat 1 has one card to draw in round 8; then that ticket is turned up, the only one of the pile."""
    pile = [] if turned_up is None else [turned_up]
    usual = {"player": 1, "phase": "second_card", "ticket_pile": pile, "ticket_rest": "discard"}
    return game_at(neutral_player=True, **usual | where)


def turn_up(turned_up: int | None, **where: Any) -> Snapshot:
    return act(before(turned_up, **where), "draw_deck")


def tolls(position: Snapshot) -> list[int]:
    return [seat["tolls"] for seat in position["seats"]]


def on_to_next_round(position: Snapshot) -> bool:
    return (position["player"], position["phase"], position["round"]) == (0, "turn", 9)


# Its start -------------------------------------------------------------------------------------


def test_N11_it_starts_with_40_trains_and_the_second_player_with_the_marker() -> None:
    start = Game("nederland", players=2, seed=1, neutral_player=True).snapshot()
    assert start["neutral"] == {"trains": 40, "marker": 1, "active": True, "ticket": None}
    assert Game("nederland", players=2, seed=1).snapshot()["neutral"] is None


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 2, "tolls": False}])
def test_N11_it_joins_two_players_with_tolls_only(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="neutral"):
        Game("nederland", seed=1, neutral_player=True, **options)


@pytest.mark.parametrize(("round_", "turned_up"), [(1, False), (4, False), (5, False), (6, True), (7, True)])
def test_N11_it_plays_from_the_6th_round_on(round_: int, turned_up: bool) -> None:
    after = turn_up(BLANK, round=round_)
    assert (after["ticket_pile"] == []) == turned_up
    assert (after["player"], after["phase"], after["round"]) == (0, "turn", round_ + 1)


def test_N11_it_plays_after_both_turns_not_between_them() -> None:
    game = before(BLANK, player=0, phase="turn")
    after = draw_turn(game)
    assert (after["ticket_pile"], after["player"], after["round"]) == ([BLANK], 1, 8)
    after = draw_turn(game)
    assert (after["ticket_pile"], after["player"], after["round"]) == ([], 0, 9)


def test_N11_it_plays_after_a_claim_and_after_tickets_too() -> None:
    game = before(BLANK, phase="turn", hands=[{}, {"blue": 4}])
    assert BLANK in claim(game, BLUE, "blue")["ticket_discard"]
    game = before(BLANK, phase="keep_tickets", offered=[[], [1, 2]])
    assert BLANK in act(game, "keep_tickets", tickets=[1])["ticket_discard"]


# 1. The pile is empty --------------------------------------------------------------------------


def test_N11_1_an_empty_pile_puts_it_out_then_the_discards_become_the_pile() -> None:
    after = turn_up(None, tickets=[[0, 1], [2]], refused=[[5], [6]], owned={BLUE: "neutral"})
    assert after["neutral"] == {"trains": 36, "marker": 1, "active": False, "ticket": None}
    assert (after["ticket_pile"], after["ticket_discard"]) == (list(range(3, 44)), [])
    assert [seat["refused"] for seat in after["seats"]] == [[], []]
    assert on_to_next_round(after)


def test_N11_1_it_is_out_for_good() -> None:
    game = before(None)
    act(game, "draw_deck")
    for _ in range(4):
        after = draw_turn(game)
    assert after["ticket_pile"] == list(range(44))
    assert (after["phase"], after["round"], after["neutral"]["active"]) == ("turn", 11, False)


@pytest.mark.parametrize("pile", [[], [1], [1, 2, 3]])
def test_N11_1_ruling_so_does_a_draw_that_finds_the_pile_empty(pile: list[int]) -> None:
    game = before(None, phase="turn", player=0, ticket_pile=pile)
    after = act(game, "draw_tickets")
    assert after["neutral"]["active"] is False
    assert len(after["ticket_pile"]) == 44 - 4
    assert set(pile) <= set(after["seats"][0]["offered"])


def test_N11_1_ruling_even_if_there_are_no_discards_to_follow() -> None:
    game = before(None, phase="turn", player=0, ticket_pile=[1, 2], ticket_rest=1)
    after = act(game, "draw_tickets")
    assert (after["seats"][0]["offered"], after["neutral"]["active"]) == ([1, 2], False)


def test_N11_1_ruling_a_draw_that_just_empties_the_pile_does_not() -> None:
    game = before(None, phase="turn", player=0, ticket_pile=[1, 2, 3, 4])
    after = act(game, "draw_tickets")
    assert after["neutral"]["active"] is True
    assert len(keeps(game)) == 15


# 2. No cities at the bottom --------------------------------------------------------------------


@pytest.mark.parametrize("marker", [0, 1])
def test_N11_2_a_blank_ticket_does_nothing_and_the_marker_stays(marker: int) -> None:
    after = turn_up(BLANK, neutral={"marker": marker})
    assert after["neutral"] == {"trains": 40, "marker": marker, "active": True, "ticket": None}
    assert (after["ticket_pile"], after["ticket_discard"]) == ([], list(range(44)))
    assert tolls(after) == [30, 30]
    assert on_to_next_round(after)


# 3. The route is its own already, or full ------------------------------------------------------


@pytest.mark.parametrize(
    "owned",
    [
        {BLUE: "neutral"},
        {GREEN: "neutral"},
        {BLUE: "neutral", GREEN: 0},
        {BLUE: 1, GREEN: "neutral"},
        {BLUE: 0, GREEN: 1},
    ],
)
def test_N11_3_its_own_route_or_a_full_one_is_as_a_blank(owned: dict[int, int | str]) -> None:
    game = before(LELYSTAD_SNEEK, owned=owned)
    start = game.snapshot()
    after = act(game, "draw_deck")
    assert (after["owners"], after["neutral"], tolls(after)) == (start["owners"], start["neutral"], [30, 30])
    assert LELYSTAD_SNEEK in after["ticket_discard"]
    assert on_to_next_round(after)


@pytest.mark.parametrize("there", [{BLUE: "neutral"}, {BLUE: 0, GREEN: 1}])
def test_N11_3_comes_before_4_too_few_trains_do_not_matter_there(there: dict[int, int | str]) -> None:
    length = 37 - 4 * ("neutral" in there.values())
    after = turn_up(LELYSTAD_SNEEK, owned=there | dict.fromkeys(filler(length), "neutral"))
    assert after["neutral"]["trains"] == 3
    assert after["neutral"]["active"] is True


def test_N11_3_the_second_ticket_of_amsterdam_rotterdam_is_as_a_blank() -> None:
    game = before(None, ticket_pile=[ticket("'s-Gravenhage", "Liège"), ticket("Emmen", "Lelystad")])
    assert act(game, "draw_deck")["phase"] == "neutral"
    act(game, "neutral_claim", track=track("Amsterdam", "Rotterdam", "red"))
    draw_turn(game)
    after = draw_turn(game)
    assert (after["phase"], after["round"], after["ticket_pile"]) == ("turn", 10, [])
    assert (after["neutral"]["trains"], after["neutral"]["marker"]) == (36, 0)


# 4. Too few trains -----------------------------------------------------------------------------


@pytest.mark.parametrize("owned", [{}, {BLUE: 0}, {GREEN: 1}])
def test_N11_4_with_too_few_trains_it_is_out_and_nobody_is_paid(owned: dict[int, int | str]) -> None:
    game = before(LELYSTAD_SNEEK, owned=owned | dict.fromkeys(filler(37), "neutral"))
    start = game.snapshot()
    after = act(game, "draw_deck")
    assert after["neutral"] == {"trains": 3, "marker": 1, "active": False, "ticket": None}
    assert (after["owners"], tolls(after)) == (start["owners"], [30, 30])
    assert (after["ticket_pile"], after["ticket_discard"]) == ([], list(range(44)))
    assert on_to_next_round(after)


@pytest.mark.parametrize("turned_up", [BLANK, LELYSTAD_SNEEK, None])
def test_N11_4_once_out_it_stays_out(turned_up: int | None) -> None:
    game = before(turned_up, neutral={"active": False})
    start = game.snapshot()
    after = act(game, "draw_deck")
    for field in ("owners", "neutral", "ticket_pile", "ticket_discard"):
        assert after[field] == start[field]
    assert on_to_next_round(after)


@pytest.mark.parametrize("owned", [{}, {BLUE: 0}])
def test_N11_4_just_enough_trains_are_enough(owned: dict[int, int | str]) -> None:
    game = before(LELYSTAD_SNEEK, owned=owned | dict.fromkeys(filler(36), "neutral"))
    after = act(game, "draw_deck")
    if not owned:
        after = act(game, "neutral_claim", track=GREEN)
    assert (after["owners"][GREEN], after["neutral"]["trains"]) == ("neutral", 0)
    assert after["neutral"]["active"] is True


# 5. One track owned by a player ----------------------------------------------------------------


@pytest.mark.parametrize("marker", [0, 1])
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("taken", [BLUE, GREEN])
def test_N11_5_it_takes_the_other_track_and_the_bank_pays_the_owner(marker: int, owner: int, taken: int) -> None:
    after = turn_up(LELYSTAD_SNEEK, owned={taken: owner}, tokens=[10, 20], neutral={"marker": marker})
    assert (after["owners"][taken], after["owners"][other(taken)]) == (owner, "neutral")
    assert tolls(after) == ([13, 20] if owner == 0 else [10, 23])
    assert after["neutral"] == {"trains": 36, "marker": marker, "active": True, "ticket": None}
    assert LELYSTAD_SNEEK in after["ticket_discard"]
    assert on_to_next_round(after)


# 6. Both tracks are free -----------------------------------------------------------------------


@pytest.mark.parametrize("holder", [0, 1])
@pytest.mark.parametrize("chosen", [BLUE, GREEN])
def test_N11_6_the_holder_chooses_a_free_track_and_hands_the_marker_on(holder: int, chosen: int) -> None:
    game = before(LELYSTAD_SNEEK, neutral={"marker": holder}, tokens=[10, 20])
    turned = act(game, "draw_deck")
    assert (turned["player"], turned["phase"], turned["round"]) == (holder, "neutral", 8)
    assert turned["neutral"] == {"trains": 40, "marker": holder, "active": True, "ticket": LELYSTAD_SNEEK}
    assert turned["ticket_pile"] == []
    assert LELYSTAD_SNEEK not in turned["ticket_discard"]
    assert legal(game) == [{"kind": "neutral_claim", "track": here} for here in (BLUE, GREEN)]

    after = act(game, "neutral_claim", track=chosen)
    assert (after["owners"][chosen], after["owners"][other(chosen)]) == ("neutral", None)
    assert tolls(after) == [10, 20]
    assert after["neutral"] == {"trains": 36, "marker": 1 - holder, "active": True, "ticket": None}
    assert after["ticket_discard"] == list(range(44))
    assert [seat["points"] for seat in after["seats"]] == [0, 1]
    assert on_to_next_round(after)


def test_N11_6_the_choice_survives_a_snapshot() -> None:
    game = before(LELYSTAD_SNEEK)
    game = Game.from_snapshot(act(game, "draw_deck"))
    assert act(game, "neutral_claim", track=BLUE)["owners"][BLUE] == "neutral"


def test_N11_6_every_bottom_is_a_double_route() -> None:
    bottoms = [t.neutral for t in MAP.tickets if t.neutral is not None]
    assert len(bottoms) == 44 - 9
    for pair in bottoms:
        assert sum({t.a, t.b} == set(pair) for t in MAP.tracks) == 2


# Beside the neutral player ---------------------------------------------------------------------


def test_N11_ruling_the_second_track_beside_it_pays_the_bank() -> None:
    game = game_at(neutral_player=True, hands=[{"blue": 4}], owned={GREEN: "neutral"})
    after = claim(game, BLUE, "blue")
    assert tolls(after) == [27, 30]


def test_N11_ruling_or_takes_a_loan_beside_it() -> None:
    game = game_at(neutral_player=True, hands=[{"blue": 4}], owned={GREEN: "neutral"}, tokens=[1])
    after = claim(game, BLUE, "blue")
    assert tolls(after) == [1, 30]
    assert [seat["loans"] for seat in after["seats"]] == [1, 0]


# The end ---------------------------------------------------------------------------------------


def test_N11_ruling_its_trains_never_bring_the_end() -> None:
    after = turn_up(LELYSTAD_SNEEK, owned={BLUE: 0} | dict.fromkeys(filler(36), "neutral"))
    assert after["neutral"]["trains"] == 0
    assert after["turns_left"] is None


def test_N11_ruling_no_neutral_phase_follows_the_last_turn() -> None:
    after = turn_up(LELYSTAD_SNEEK, turns_left=1, owned=dict.fromkeys(filler(38), 1))
    assert (after["phase"], after["player"]) == ("over", -1)
    assert (after["ticket_pile"], after["neutral"]["ticket"]) == ([LELYSTAD_SNEEK], None)


def test_N11_the_neutral_phase_before_the_last_turns_is_played() -> None:
    # Seat 1 brings the end: the choice comes first, then both last turns, then no more tickets.
    where = {"hands": [{}, {"red": 1}], "owned": dict.fromkeys(filler(37), 1)}
    game = before(LELYSTAD_SNEEK, phase="turn", **where)
    turned = claim(game, track("Arnhem", "Nijmegen", "red"), "red")
    assert (turned["phase"], turned["turns_left"]) == ("neutral", 2)
    after = act(game, "neutral_claim", track=BLUE)
    assert (after["phase"], after["player"], after["turns_left"]) == ("turn", 0, 2)
    draw_turn(game)
    after = draw_turn(game)
    assert after["phase"] == "over"
    assert after["neutral"]["active"] is True


def test_N11_the_neutral_phase_within_the_last_turns_is_played() -> None:
    # Seat 0 brought the end: the last turn but one is seat 1's, and its round ends as ever.
    after = turn_up(LELYSTAD_SNEEK, turns_left=2, owned=dict.fromkeys(filler(38), 0))
    assert (after["phase"], after["turns_left"]) == ("neutral", 1)


@pytest.mark.parametrize(("tokens", "expected"), [([9, 7], [35, 0]), ([5, 5], [35, 35])])
def test_N11_the_two_player_column_of_the_toll_bonus_applies(tokens: list[int], expected: list[int]) -> None:
    result = finished(neutral_player=True, tokens=tokens, owned={BLUE: "neutral"}).result()
    assert [seat["toll_bonus"] for seat in result["seats"]] == expected
