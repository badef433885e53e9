"""N1 and N3 to N10: trains and start points, tolls, loans, the end of the game on Nederland."""

from __future__ import annotations

import pytest

from tests.helpers.positions import MAP, Snapshot, claim, claims, filler, finished, game_at, legal, other, ticket, track
from ttr_env import Game

YELLOW = track("Breda", "Rotterdam", "yellow")  # toll 4
PURPLE = track("Breda", "Rotterdam", "purple")
SINGLE = track("Den Helder", "Waddeneilanden", "purple")  # toll 4


def tolls(position: Snapshot) -> list[int]:
    return [seat["tolls"] for seat in position["seats"]]


def loans(position: Snapshot) -> list[int]:
    return [seat["loans"] for seat in position["seats"]]


# N1 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "variant"),
    [
        (2, {"neutral_player": True}),
        *((players, {"tolls": tolls}) for players in (2, 3, 4, 5) for tolls in (True, False)),
    ],
)
def test_N1_40_trains_and_staggered_start_points_in_every_variant(players: int, variant: dict[str, bool]) -> None:
    start = Game("nederland", players=players, seed=1, **variant).snapshot()
    assert [seat["trains"] for seat in start["seats"]] == [40] * players
    assert [seat["points"] for seat in start["seats"]] == [0, 1, 2, 3, 4][:players]


@pytest.mark.parametrize("players", [1, 6])
def test_N1_two_to_five_players(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        Game("nederland", players=players, seed=1)


# N3: tolls -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
def test_N3_each_player_starts_with_30_and_no_loan(players: int) -> None:
    start = Game("nederland", players=players, seed=1).snapshot()
    assert (tolls(start), loans(start)) == ([30] * players, [0] * players)


def test_N3_every_route_has_a_toll_of_1_to_4_the_same_on_both_tracks() -> None:
    by_route: dict[frozenset[int], list[int]] = {}
    for t in MAP.tracks:
        by_route.setdefault(frozenset((t.a, t.b)), []).append(t.toll)
    assert {toll for route in by_route.values() for toll in route} == {1, 2, 3, 4}
    assert all(len(route) in (1, 2) and len(set(route)) == 1 for route in by_route.values())


def test_N3_a_single_route_pays_the_bank() -> None:
    after = claim(game_at(players=3, hands=[{"purple": 5}]), SINGLE, "purple")
    assert tolls(after) == [26, 30, 30]


def test_N3_the_rulebooks_example_of_breda_rotterdam() -> None:
    # Kirsten pays 4 to the bank for the first track, and gets 4 from Jasper for the second.
    game = game_at(players=3, hands=[{"yellow": 2}, {"purple": 2}])
    assert tolls(claim(game, YELLOW, "yellow")) == [26, 30, 30]
    assert tolls(claim(game, PURPLE, "purple")) == [30, 26, 30]


@pytest.mark.parametrize(
    ("colour", "length", "cities", "toll"),
    [
        ("black", 1, ("Leeuwarden", "Sneek"), 1),
        ("blue", 2, ("Breda", "Turnhout"), 2),
        ("red", 3, ("Emmen", "Groningen"), 3),
        ("red", 6, ("'s-Gravenhage", "Middelburg"), 4),
    ],
)
def test_N3_the_toll_is_the_routes_not_its_length(colour: str, length: int, cities: tuple[str, str], toll: int) -> None:
    game = game_at(hands=[{colour: length}])
    assert tolls(claim(game, track(*cities, colour), colour)) == [30 - toll, 30]


def test_N3_the_last_tokens_pay_a_toll_exactly() -> None:
    after = claim(game_at(hands=[{"yellow": 2}], tokens=[4]), YELLOW, "yellow")
    assert (tolls(after), loans(after)) == ([0, 30], [0, 0])


# N4: both tracks are in play -------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_N4_both_tracks_are_in_play_with_any_number_of_players(players: int) -> None:
    game = game_at(players=players, hands=[{"yellow": 2}, {"purple": 2}])
    claim(game, YELLOW, "yellow")
    after = claim(game, PURPLE, "purple")
    assert (after["owners"][YELLOW], after["owners"][PURPLE]) == (0, 1)


# N5: loans -------------------------------------------------------------------------------------


def test_N5_the_rulebooks_example_of_a_loan() -> None:
    # Jasper, with 2 tokens left, keeps them and takes a loan; Kirsten gets her 4 from the bank.
    game = game_at(players=3, player=1, hands=[{}, {"purple": 2}], tokens=[10, 2, 7], owned={YELLOW: 0})
    after = claim(game, PURPLE, "purple")
    assert tolls(after) == [14, 2, 7]
    assert loans(after) == [0, 1, 0]


@pytest.mark.parametrize("tokens", [0, 3])
def test_N5_a_loan_for_the_bank_costs_nobody_anything(tokens: int) -> None:
    after = claim(game_at(hands=[{"yellow": 2}], tokens=[tokens]), YELLOW, "yellow")
    assert (tolls(after), loans(after)) == ([tokens, 30], [1, 0])


def test_N5_one_loan_for_each_claim_that_cannot_be_paid() -> None:
    game = game_at(hands=[{"purple": 7}, {"yellow": 2}], tokens=[3, 1])
    assert loans(claim(game, PURPLE, "purple")) == [1, 0]
    assert loans(claim(game, YELLOW, "yellow")) == [1, 1]  # and so the bank pays 4 to seat 0,
    after = claim(game, SINGLE, "purple")  # which can pay again
    assert (tolls(after), loans(after)) == ([3, 1], [1, 1])


def test_N5_loans_add_up() -> None:
    game = game_at(hands=[{"purple": 2}], tokens=[3], loans=[2])
    assert loans(claim(game, PURPLE, "purple")) == [3, 0]


def test_N5_one_who_can_pay_must_pay() -> None:
    game = game_at(hands=[{"yellow": 2}], tokens=[4], loans=[2])
    assert claims(game, YELLOW) == {("yellow", 0)}
    after = claim(game, YELLOW, "yellow")
    assert (tolls(after), loans(after)) == ([0, 30], [2, 0])


def test_N5_a_loan_is_never_paid_back() -> None:
    game = game_at(player=1, hands=[{}, {"purple": 2}], tokens=[0, 30], loans=[1, 0], owned={YELLOW: 0})
    after = claim(game, PURPLE, "purple")
    assert (tolls(after), loans(after)) == ([4, 26], [1, 0])


def test_N5_ruling_neither_loan_cards_nor_the_bank_run_out() -> None:
    game = game_at(player=1, hands=[{}, {"purple": 2}], tokens=[120, 0], loans=[0, 25], owned={YELLOW: 0})
    after = claim(game, PURPLE, "purple")
    assert (tolls(after), loans(after)) == ([124, 0], [0, 26])


# N6: secrecy -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_N6_tokens_are_secret_loans_are_public(seat: int) -> None:
    game = game_at(players=3, tokens=[7, 8, 9], loans=[1, 0, 2])
    view = game.information_state(seat)
    assert tolls(view) == [own if i == seat else None for i, own in enumerate([7, 8, 9])]
    assert loans(view) == [1, 0, 2]


# N7, N8: the toll bonus and the loan penalty ---------------------------------------------------


def bonuses(tokens: list[int], loans: tuple[int, ...] = ()) -> list[int]:
    result = finished(players=len(tokens), tokens=tokens, loans=loans).result()
    return [seat["toll_bonus"] for seat in result["seats"]]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([9, 7, 5, 3, 1], [55, 35, 20, 10, 0]),
        ([1, 9, 3, 5, 7], [0, 55, 10, 20, 35]),
        ([9, 7, 5, 3], [55, 35, 20, 0]),
        ([9, 7, 5], [55, 35, 0]),
        ([9, 7], [35, 0]),
        ([0, 30], [0, 35]),
    ],
)
def test_N7_the_bonus_by_rank_and_number_of_players(tokens: list[int], expected: list[int]) -> None:
    assert bonuses(tokens) == expected


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([9, 9, 4, 4, 1], [55, 55, 20, 20, 0]),
        ([9, 9, 9, 4, 1], [55, 55, 55, 10, 0]),
        ([9, 5, 5, 5, 1], [55, 35, 35, 35, 0]),
        ([9, 8, 7, 2, 2], [55, 35, 20, 10, 10]),
        ([0, 0, 0, 0], [55, 55, 55, 55]),
        ([9, 5, 5], [55, 35, 35]),
        ([9, 9, 5], [55, 55, 0]),
        ([6, 6], [35, 35]),
    ],
)
def test_N7_equal_tokens_share_the_whole_bonus_and_the_next_rank_is_skipped(
    tokens: list[int], expected: list[int]
) -> None:
    assert bonuses(tokens) == expected


@pytest.mark.parametrize(
    ("tokens", "loans", "expected"),
    [
        ([9, 9, 3, 1], (0, 0, 1, 0), [55, 55, 0, 20]),  # the rulebook's example
        ([20, 9, 5, 1], (1, 0, 0, 0), [0, 55, 35, 20]),
        ([9, 9, 5], (1, 0, 0), [0, 55, 35]),
        ([9, 7], (3, 0), [0, 35]),
        ([9, 0], (1, 0), [0, 35]),
        ([9, 7], (1, 1), [0, 0]),
        ([9, 8, 7, 6, 5], (1, 1, 1, 1, 0), [0, 0, 0, 0, 55]),
    ],
)
def test_N7_players_with_a_loan_are_not_ranked(tokens: list[int], loans: tuple[int, ...], expected: list[int]) -> None:
    assert bonuses(tokens, loans) == expected


def test_N7_tokens_score_nothing_else() -> None:
    seats = finished(players=3, tokens=[9, 7, 5], points=[20, 20, 20]).result()["seats"]
    assert [seat["total"] for seat in seats] == [75, 55, 20]


@pytest.mark.parametrize("number", [0, 1, 4])
def test_N8_five_points_lost_for_each_loan(number: int) -> None:
    seat = finished(loans=[number, 1], points=[50, 50]).result()["seats"][0]
    assert seat["loans"] == -5 * number
    assert seat["total"] == 50 + seat["toll_bonus"] - 5 * number


def test_N9_no_bonus_for_the_longest_path_nor_for_most_tickets() -> None:
    tracks = [*filler(30), track("Amsterdam", "Rotterdam", "red")]
    game = finished(owned=dict.fromkeys(tracks, 0), tickets=[[ticket("Amsterdam", "Rotterdam")]])
    assert [seat["completed"] for seat in game.result()["seats"]] == [1, 0]
    for seat in game.result()["seats"]:
        assert (seat["longest_path"], seat["most_tickets"], seat["path"]) == (0, 0, 0)


# N10: without tolls ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_N10_without_tolls_there_are_no_tokens_nor_loans(players: int) -> None:
    start = Game("nederland", players=players, seed=1, tolls=False).snapshot()
    assert start["tolls"] is False
    assert (tolls(start), loans(start)) == ([0] * players, [0] * players)


def test_N10_without_tolls_a_claim_pays_none() -> None:
    after = claim(game_at(tolls=False, hands=[{"yellow": 2}]), YELLOW, "yellow")
    assert (tolls(after), loans(after)) == ([0, 0], [0, 0])


def test_N10_without_tolls_there_is_no_bonus() -> None:
    seats = finished(players=4, tolls=False, points=[9, 8, 7, 6]).result()["seats"]
    assert [(seat["toll_bonus"], seat["loans"], seat["total"]) for seat in seats] == [
        (0, 0, 9),
        (0, 0, 8),
        (0, 0, 7),
        (0, 0, 6),
    ]


@pytest.mark.parametrize(("players", "in_play"), [(2, False), (3, False), (4, True), (5, True)])
def test_N10_without_tolls_two_or_three_players_share_no_double(players: int, in_play: bool) -> None:
    game = game_at(players=players, tolls=False, hands=[{"locomotive": 6}], owned={YELLOW: 1})
    assert (PURPLE in {a.get("track") for a in legal(game)}) == in_play
    assert other(YELLOW) == PURPLE
