"""U1 to U3: what the USA map adds to the base game."""

import random
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import act, claims, finished, game_at, keeps, kinds, track
from tests.reference.board import board
from tests.reference.scoring import longest_from
from ttr_env import Game, maps

USA = maps.load("usa")


def way(a: str, b: str, colour: str = "grey") -> int:
    return track(a, b, colour, "usa")


# U1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_U1_trains_points_and_first_tickets(players: int) -> None:
    game = Game("usa", players=players, seed=1)
    seats = game.snapshot()["seats"]
    assert [(seat["trains"], seat["points"], len(seat["offered"])) for seat in seats] == [(45, 0, 3)] * players
    assert {len(kept) for kept in keeps(game)} == {2, 3}


def test_U1_a_later_draw_is_three_and_one_is_kept() -> None:
    game = game_at(map="usa")
    assert len(act(game, "draw_tickets")["seats"][0]["offered"]) == 3
    assert {len(kept) for kept in keeps(game)} == {1, 2, 3}


def test_U1_tickets_not_kept_come_back_when_the_pile_is_drawn_through() -> None:
    game = game_at(map="usa", ticket_pile=[5], ticket_discard=[1, 2, 3], refused=[[1], [2, 3]], ticket_rest=1)
    state = act(game, "draw_tickets")
    offered = state["seats"][0]["offered"]
    assert len(offered) == 3 and 5 in offered and set(offered) <= {1, 2, 3, 5}
    assert len(state["ticket_pile"]) == 1 and state["ticket_discard"] == []
    assert [seat["refused"] for seat in state["seats"]] == [[], []]


def test_U1_they_stay_under_the_pile_until_then() -> None:
    game = game_at(map="usa", ticket_pile=[5, 6, 7], ticket_discard=[1, 2], ticket_rest=1)
    state = act(game, "draw_tickets")
    assert (state["seats"][0]["offered"], state["ticket_pile"], state["ticket_discard"]) == ([5, 6, 7], [], [1, 2])


def test_U1_no_ticket_left_none_drawn() -> None:
    assert "draw_tickets" not in kinds(game_at(map="usa", ticket_rest=1))
    assert "draw_tickets" in kinds(game_at(map="usa", ticket_discard=[4], ticket_rest=1))


def test_U1_nobody_sees_what_lies_under_the_pile() -> None:
    game = game_at(map="usa", players=3, ticket_discard=[1, 2], refused=[[1], [2]])
    seen = game.information_state(0)
    assert (seen["ticket_discard"], seen["seats"][0]["refused"], seen["seats"][1]["refused"]) == (2, [1], 1)
    dealt = {tuple(game.determinize(0, np.random.default_rng(seed)).snapshot()["ticket_discard"]) for seed in range(40)}
    assert all(1 in tickets and len(tickets) == 2 for tickets in dealt) and len(dealt) > 10


# U2 -------------------------------------------------------------------------------------------


def test_U2_locomotives_pay_for_any_track() -> None:
    game = game_at(map="usa", hands=[{"blue": 3, "locomotive": 3}])
    assert claims(game, way("Atlanta", "Miami", "blue")) == {("blue", 2), ("blue", 3)}
    assert claims(game, way("Atlanta", "Charleston")) == {("blue", 0), ("blue", 1), ("locomotive", 2)}


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_U2_doubles_open_with_four_players(players: int, is_open: bool) -> None:
    yellow, orange = (way("Atlanta", "New Orleans", colour) for colour in ("yellow", "orange"))
    game = game_at(map="usa", players=players, player=1, owned={yellow: 0}, hands=[{}, {"orange": 4}])
    assert bool(claims(game, orange)) == is_open


def test_U2_three_locomotives_clear_the_row() -> None:
    game = game_at(map="usa", face_up={"locomotive": 2, "red": 3}, deck={"locomotive": 1}, rest="discard")
    assert act(game, "draw_face_up", card="red")["face_up"]["locomotive"] < 3


# U3 -------------------------------------------------------------------------------------------


def result(players: int = 2, **owned_by: list[int]) -> dict[str, Any]:
    owned = {index: int(seat[1:]) for seat, tracks in owned_by.items() for index in tracks}
    return finished(map="usa", players=players, owned=owned).result()


LINE = [way("Los Angeles", "El Paso", "black"), way("El Paso", "Houston", "green"), way("Houston", "New Orleans")]
BRANCH = way("El Paso", "Santa Fe")


def test_U3_the_longest_path_earns_ten_points() -> None:
    seats = result(s0=[*LINE, BRANCH], s1=[way("Calgary", "Winnipeg", "white")])["seats"]
    assert [(seat["path"], seat["longest_path"]) for seat in seats] == [(14, 10), (6, 0)]
    assert seats[0]["total"] == 15 + 15 + 2 + 2 + 10


def test_U3_all_who_tie_score_it() -> None:
    seats = result(3, s0=[way("Calgary", "Winnipeg", "white")], s1=[way("El Paso", "Houston", "green")])["seats"]
    assert [seat["longest_path"] for seat in seats] == [10, 10, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_U3_also_at_zero(players: int) -> None:
    assert [seat["longest_path"] for seat in result(players)["seats"]] == [10] * players


def test_U3_cities_may_repeat_but_no_track() -> None:
    """A triangle with a tail at one corner: the path runs around and out again."""
    triangle = [way("Denver", "Kansas City", "black"), way("Kansas City", "Omaha"), way("Denver", "Omaha", "purple")]
    tail = way("Denver", "Santa Fe")
    assert result(s0=[*triangle, tail])["seats"][0]["path"] == 4 + 1 + 4 + 2
    two_tails = [tail, way("Omaha", "Chicago", "blue")]  # one of them has to be left out
    assert result(s0=[*triangle, *two_tails])["seats"][0]["path"] == 4 + 1 + 4 + 4
    assert result(s0=triangle)["seats"][0]["path"] == 9


def brute_force(name: str, owned: list[int]) -> int:
    tracks = [board(name).tracks[index] for index in owned]
    return max((longest_from(city, tracks) for city in {city for track in tracks for city in track.cities}), default=0)


def network(name: str, chance: random.Random, tracks: int, trains: int) -> list[int]:
    """A random network that grows from what is there, so that it has round trips; one track of each double."""
    here = maps.load(name)
    owned: list[int] = []
    for _ in range(1000):
        index = chance.randrange(len(here.tracks))
        it = here.tracks[index]
        cities = {city for each in owned for city in (here.tracks[each].a, here.tracks[each].b)}
        fits = sum(here.tracks[each].length for each in owned) + it.length <= trains
        near = {it.a, it.b} <= cities or (chance.random() < 0.4 and cities & {it.a, it.b}) or chance.random() < 0.02
        if index not in owned and here.partners[index] not in owned and fits and (near or not owned):
            owned.append(index)
        if len(owned) == tracks:
            break
    return sorted(owned)


@pytest.mark.parametrize(("name", "trains"), [("usa", 45), ("nordic", 40)])
def test_U3_the_longest_path_of_random_networks_is_exact(name: str, trains: int) -> None:
    chance = random.Random(name)
    for number in range(150):
        owned = network(name, chance, tracks=2 + number % 14, trains=trains)
        game = finished(map=name, owned=dict.fromkeys(owned, 0))
        assert game.result()["seats"][0]["path"] == brute_force(name, owned), owned


@pytest.mark.slow
@pytest.mark.parametrize(("name", "trains"), [("usa", 45), ("nordic", 40)])
def test_U3_large_networks_are_exact_too(name: str, trains: int) -> None:
    chance = random.Random(f"large {name}")
    for _ in range(60):
        owned = network(name, chance, tracks=17, trains=trains)
        game = finished(map=name, owned=dict.fromkeys(owned, 0))
        assert game.result()["seats"][0]["path"] == brute_force(name, owned), owned
