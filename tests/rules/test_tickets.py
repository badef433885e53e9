"""N2: the tickets of Nederland."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.helpers.positions import act, game_at, keeps, kinds, rng
from ttr_env import Game


def subsets(offer: list[int], at_least: int) -> list[tuple[int, ...]]:
    return sorted(some for n in range(at_least, len(offer) + 1) for some in combinations(offer, n))


# The first keeps -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_N2_44_tickets_five_dealt_to_each(players: int) -> None:
    start = Game("nederland", players=players, seed=2).snapshot()
    offers = [seat["offered"] for seat in start["seats"]]
    assert [len(offer) for offer in offers] == [5] * players
    assert sorted(sum(offers, start["ticket_pile"])) == list(range(44))
    assert [seat["tickets"] for seat in start["seats"]] == [[]] * players


def test_N2_seats_keep_at_least_three_in_turn() -> None:
    game = Game("nederland", players=3, seed=2)
    offers = [seat["offered"] for seat in game.snapshot()["seats"]]
    for seat, offer in enumerate(offers):
        assert (game.player, game.phase, game.snapshot()["setup"]) == (seat, "keep_tickets", True)
        assert keeps(game) == subsets(offer, 3)
        assert kinds(game) == {"keep_tickets"}
        act(game, "keep_tickets", tickets=offer[: 3 + seat])
    after = game.snapshot()
    assert (after["player"], after["phase"], after["setup"], after["round"]) == (0, "turn", False, 1)
    assert [seat["tickets"] for seat in after["seats"]] == [offers[0][:3], offers[1][:4], offers[2]]
    assert [seat["refused"] for seat in after["seats"]] == [offers[0][3:], offers[1][4:], []]
    assert after["ticket_discard"] == sorted(offers[0][3:] + offers[1][4:])


def test_N2_nobody_sees_anothers_first_discards_before_all_have_chosen() -> None:
    offered = [[0, 1, 2, 3, 4], [10, 11, 12, 13, 14]]
    game = game_at(phase="keep_tickets", setup=True, round=1, offered=offered)
    act(game, "keep_tickets", tickets=[0, 2, 4])
    view = game.information_state(1)
    assert view["ticket_discard"] == 2
    assert (view["seats"][0]["tickets"], view["seats"][0]["refused"]) == (3, 2)
    act(game, "keep_tickets", tickets=[10, 11, 12, 13])
    assert game.information_state(1)["ticket_discard"] == [1, 3, 14]


# Drawing tickets -------------------------------------------------------------------------------


def test_N2_a_draw_is_four_keep_at_least_one() -> None:
    game = game_at(tickets=[[0, 1, 2], [3, 4, 5]])
    after = act(game, "draw_tickets")
    offer = after["seats"][0]["offered"]
    assert len(offer) == 4
    assert sorted(offer + after["ticket_pile"]) == list(range(6, 44))
    assert keeps(game) == subsets(offer, 1)


def test_N2_those_not_kept_go_to_the_discard_pile() -> None:
    game = game_at(phase="keep_tickets", tickets=[[0, 40]], offered=[[5, 6, 7, 8]], ticket_discard=[30])
    after = act(game, "keep_tickets", tickets=[6])
    assert after["seats"][0]["tickets"] == [0, 6, 40]
    assert after["seats"][0]["offered"] == []
    assert after["seats"][0]["refused"] == [5, 7, 8]
    assert after["ticket_discard"] == [5, 7, 8, 30]
    assert len(after["ticket_pile"]) == 44 - 7


def test_N2_the_discards_are_shuffled_into_a_new_pile_when_it_is_empty() -> None:
    game = game_at(ticket_discard=range(10), ticket_rest=1, refused=[[1], [2]])
    after = act(game, "draw_tickets")
    offer = after["seats"][0]["offered"]
    assert len(offer) == 4
    assert sorted(offer + after["ticket_pile"]) == list(range(10))
    assert after["ticket_discard"] == []
    assert [seat["refused"] for seat in after["seats"]] == [[], []]


def test_N2_ruling_not_before_a_ticket_is_needed() -> None:
    game = game_at(ticket_pile=[1, 2, 3, 4], ticket_discard=[20, 21], ticket_rest=1, refused=[[20]])
    after = act(game, "draw_tickets")
    assert after["seats"][0]["offered"] == [1, 2, 3, 4]
    assert (after["ticket_pile"], after["ticket_discard"]) == ([], [20, 21])
    after = act(game, "keep_tickets", tickets=[1])
    assert (after["ticket_pile"], after["ticket_discard"]) == ([], [2, 3, 4, 20, 21])
    assert after["seats"][0]["refused"] == [2, 3, 4, 20]


def test_N2_also_in_the_middle_of_a_draw() -> None:
    game = game_at(ticket_pile=[1, 2], ticket_discard=range(20, 30), ticket_rest=1)
    after = act(game, "draw_tickets")
    offer = after["seats"][0]["offered"]
    assert len(offer) == 4
    assert offer[:2] == [1, 2]
    assert sorted(offer[2:] + after["ticket_pile"]) == list(range(20, 30))
    assert after["ticket_discard"] == []


def test_N2_the_tickets_on_offer_are_not_shuffled_in() -> None:
    game = game_at(ticket_pile=[1, 2, 3], ticket_discard=[20], ticket_rest=1)
    after = act(game, "draw_tickets")
    assert after["seats"][0]["offered"] == [1, 2, 3, 20]
    assert (after["ticket_pile"], after["ticket_discard"]) == ([], [])


@pytest.mark.parametrize(("pile", "discard"), [([7], []), ([], [7]), ([7], [9]), ([], [7, 8, 9]), ([7, 8], [9])])
def test_N2_fewer_than_four_left_in_all_are_offered_as_they_are(pile: list[int], discard: list[int]) -> None:
    game = game_at(ticket_pile=pile, ticket_discard=discard, ticket_rest=1)
    after = act(game, "draw_tickets")
    assert after["seats"][0]["offered"] == sorted(pile + discard)
    assert keeps(game) == subsets(sorted(pile + discard), 1)


def test_N2_without_any_left_drawing_is_illegal() -> None:
    assert "draw_tickets" not in kinds(game_at(ticket_rest=1))
    assert "draw_tickets" in kinds(game_at(ticket_rest=1, ticket_discard=[3]))


def test_N2_ruling_discarded_tickets_are_public() -> None:
    game = game_at(players=3, ticket_discard=[4, 8, 15], refused=[[4], [8, 15]])
    for seat in range(3):
        assert game.information_state(seat)["ticket_discard"] == [4, 8, 15]


def test_N2_the_pile_is_shuffled() -> None:
    offers = set()
    for number in range(10):
        after = act(game_at(rng=rng(number)), "draw_tickets")
        offers.add(tuple(after["seats"][0]["offered"]))
    assert len(offers) == 10
