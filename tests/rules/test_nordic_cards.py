"""S1 to S3, S8, S9: the Nordic map but for how its tracks are paid."""

from typing import Any

import pytest

from tests.helpers.positions import act, face_up_draws, game_at, keeps, kinds, legal, position, ticket, track
from ttr_env import Game, maps

NORDIC = maps.load("nordic")


def at(**where: Any) -> Game:
    return game_at(map="nordic", **where)


def way(a: str, b: str, colour: str) -> int:
    return track(a, b, colour, "nordic")


def over(**where: Any) -> dict[str, Any]:
    """The result when the last card of the last turn has been drawn."""
    players = where.get("players", 2)
    game = at(player=players - 1, phase="second_card", turns_left=1, **where)
    act(game, "draw_deck")
    return game.result()


# S1, S2 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_S1_forty_trains_and_no_start_points(players: int) -> None:
    seats = Game("nordic", players=players, seed=1).snapshot()["seats"]
    assert [(seat["trains"], seat["points"], seat["tolls"]) for seat in seats] == [(40, 0, 0)] * players


@pytest.mark.parametrize("players", [1, 4])
def test_S1_two_or_three_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 3 players"):
        Game("nordic", players=players)


def test_S2_five_are_dealt_and_two_kept() -> None:
    game = Game("nordic", players=3, seed=1)
    offered = game.snapshot()["seats"][0]["offered"]
    assert len(offered) == 5
    assert {len(kept) for kept in keeps(game)} == {2, 3, 4, 5}


def test_S2_a_later_draw_is_three_and_one_is_kept() -> None:
    game = at()
    state = act(game, "draw_tickets")
    assert len(state["seats"][0]["offered"]) == 3
    assert {len(kept) for kept in keeps(game)} == {1, 2, 3}


def test_S2_tickets_not_kept_leave_the_game() -> None:
    game = at(ticket_pile=[3, 8, 9], ticket_rest=1)
    act(game, "draw_tickets")
    state = act(game, "keep_tickets", tickets=[8])
    assert (state["ticket_discard"], state["seats"][0]["refused"], state["ticket_pile"]) == ([3, 9], [3, 9], [])
    assert "draw_tickets" not in kinds(game)


def test_S2_fewer_than_three_are_offered_when_there_are_no_more() -> None:
    game = at(ticket_pile=[3, 8], ticket_discard=[9], refused=[[9]], ticket_rest=1)
    state = act(game, "draw_tickets")
    assert state["seats"][0]["offered"] == [3, 8]
    assert state["ticket_discard"] == [9]


def test_S2_nobody_else_sees_what_was_not_kept() -> None:
    game = at(ticket_pile=[3, 8, 9], ticket_rest=1)
    act(game, "draw_tickets")
    act(game, "keep_tickets", tickets=[8])
    mine, theirs = game.information_state(0), game.information_state(1)
    assert (mine["ticket_discard"], mine["seats"][0]["refused"]) == (2, [3, 9])
    assert (theirs["ticket_discard"], theirs["seats"][0]["refused"]) == (2, 2)


# S3 -------------------------------------------------------------------------------------------


def test_S3_a_face_up_locomotive_is_a_card_like_any_other() -> None:
    game = at(face_up={"locomotive": 2, "red": 3})
    act(game, "draw_face_up", card="locomotive")
    assert game.phase == "second_card"
    assert "locomotive" in face_up_draws(game)
    state = act(game, "draw_face_up", card="locomotive")
    assert (state["seats"][0]["hand"]["locomotive"], state["player"]) == (2, 1)


def test_S3_any_number_of_locomotives_may_lie_face_up() -> None:
    game = at(face_up={"locomotive": 4, "red": 1}, deck={"locomotive": 1}, rest="discard")
    state = act(game, "draw_face_up", card="red")
    assert state["face_up"]["locomotive"] == 5


# S8 -------------------------------------------------------------------------------------------

DOUBLE = way("Boden", "Kiruna", "black"), way("Boden", "Kiruna", "orange")
UNEQUAL = way("Kristiansand", "Stavanger", "green"), way("Kristiansand", "Stavanger", "orange")  # tunnel, ferry
PLENTY = dict.fromkeys(("black", "orange", "green"), 6)


def claimable(game: Game) -> set[int]:
    return {action["track"] for action in legal(game) if action["kind"] == "claim"}


@pytest.mark.parametrize("double", [DOUBLE, UNEQUAL])
def test_S8_with_two_players_a_claim_closes_the_other_track(double: tuple[int, int]) -> None:
    for mine, other in (double, double[::-1]):
        game = at(player=1, owned={mine: 0}, hands=[{}, {**PLENTY, "locomotive": 6}])
        assert not claimable(game) & {mine, other}


@pytest.mark.parametrize("double", [DOUBLE, UNEQUAL])
def test_S8_with_three_players_both_tracks_are_open_to_different_players(double: tuple[int, int]) -> None:
    for mine, other in (double, double[::-1]):
        rich = {**PLENTY, "locomotive": 4}
        assert other in claimable(at(players=3, player=1, owned={mine: 0}, hands=[{}, rich]))
        assert other not in claimable(at(players=3, player=0, owned={mine: 0}, hands=[rich]))


# S9 and B11 -----------------------------------------------------------------------------------

OSLO_STOCKHOLM = ticket("Oslo", "Stockholm", "nordic")
OSLO_OREBRO, OREBRO_STOCKHOLM = way("Oslo", "Örebro", "green"), way("Örebro", "Stockholm", "black")


def test_S9_most_completed_tickets_earn_ten_points() -> None:
    owned = {OSLO_OREBRO: 0, OREBRO_STOCKHOLM: 0}
    seats = over(tickets=[[OSLO_STOCKHOLM], []], owned=owned)["seats"]
    assert [seat["most_tickets"] for seat in seats] == [10, 0]
    assert seats[0]["total"] == 2 + 2 + 4 + 10


@pytest.mark.parametrize("players", [2, 3])
def test_S9_all_who_tie_score_it_also_at_zero(players: int) -> None:
    seats = over(players=players)["seats"]
    assert [(seat["most_tickets"], seat["total"]) for seat in seats] == [(10, 10)] * players


def test_S9_the_longest_path_earns_nothing_but_breaks_ties() -> None:
    # Six points each: three tracks of 2 in a row, or two of 2 and two of 1 that lie apart.
    row = [OSLO_OREBRO, OREBRO_STOCKHOLM, way("Göteborg", "Oslo", "orange")]
    apart = [way("Tampere", "Vaasa", "purple"), way("Oulu", "Rovaniemi", "orange")]
    apart += [way("Kuopio", "Lieksa", "black"), way("Ålborg", "Århus", "purple")]
    result = over(owned=dict.fromkeys(row, 1) | dict.fromkeys(apart, 0))
    assert [seat["total"] for seat in result["seats"]] == [16, 16]
    assert [seat["path"] for seat in result["seats"]] == [2, 6]
    assert [seat["longest_path"] for seat in result["seats"]] == [0, 0]
    assert ([seat["rank"] for seat in result["seats"]], result["winners"]) == ([2, 1], [1])


def test_S9_equal_paths_share_the_win() -> None:
    result = over(owned={OSLO_OREBRO: 0, DOUBLE[0]: 1, way("Ålborg", "Århus", "purple"): 0})
    assert [seat["path"] for seat in result["seats"]] == [2, 3]
    result = over(owned={OSLO_OREBRO: 0, way("Oulu", "Rovaniemi", "orange"): 1})
    assert result["winners"] == [0, 1]


def test_B8_nine_trains_score_27() -> None:
    assert position(map="nordic", owned={way("Lieksa", "Murmansk", "grey"): 0})["seats"][0]["points"] == 27
    assert at(owned={way("Lieksa", "Murmansk", "grey"): 0}).snapshot()["seats"][0]["trains"] == 31
