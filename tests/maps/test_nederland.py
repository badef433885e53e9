"""The built-in board of Nederland holds what the printed one does."""

from collections import Counter

import pytest

from ttr_env import maps
from ttr_env.maps import Map, Track
from ttr_env.maps.payments import payments


@pytest.fixture(scope="module")
def nederland() -> Map:
    return maps.load("nederland")


def routes(board: Map) -> dict[frozenset[int], list[Track]]:
    by_ends: dict[frozenset[int], list[Track]] = {}
    for track in board.tracks:
        by_ends.setdefault(frozenset((track.a, track.b)), []).append(track)
    return by_ends


def test_cities(nederland: Map) -> None:
    assert len(nederland.cities) == 30
    assert nederland.cities[0] == "'s-Gravenhage"
    assert "Liège" in nederland.cities
    assert (nederland.cities[3].latitude, nederland.cities[3].longitude) == (52.373, 4.893)


def test_routes_and_tracks(nederland: Map) -> None:
    assert len(nederland.tracks) == 97
    assert Counter(len(tracks) for tracks in routes(nederland).values()) == {1: 9, 2: 44}
    assert sum(track.length for track in nederland.tracks) == 306
    assert sum(len(payments(track, nederland.rules)) for track in nederland.tracks) == 571


def test_the_digest_that_records_name_is_the_one_it_always_had(nederland: Map) -> None:
    assert nederland.digest == "bde55a0534a5819a"


def test_tolls(nederland: Map) -> None:
    tolls = Counter(tracks[0].toll for tracks in routes(nederland).values())
    assert tolls == {1: 14, 2: 15, 3: 14, 4: 10}


def test_partners_are_the_other_tracks_of_doubles(nederland: Map) -> None:
    for index, partner in enumerate(nederland.partners):
        if partner is not None:
            assert partner != index
            assert nederland.partners[partner] == index
            assert (nederland.tracks[partner].a, nederland.tracks[partner].b) == (
                nederland.tracks[index].a,
                nederland.tracks[index].b,
            )
    assert sum(partner is not None for partner in nederland.partners) == 88


def test_tickets(nederland: Map) -> None:
    assert len(nederland.tickets) == 44
    assert sum(ticket.points for ticket in nederland.tickets) == 823
    assert sum(ticket.neutral is not None for ticket in nederland.tickets) == 35


def test_rules(nederland: Map) -> None:
    rules = nederland.rules
    assert (rules.players, rules.trains, rules.start_points) == ((2, 5), 40, (0, 1, 2, 3, 4))  # N1
    assert rules.route_points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}  # B8
    assert 8 * rules.cards.per_colour + rules.cards.locomotives == 110  # B1
    assert (rules.cards.hand, rules.cards.row, rules.cards.row_reset) == (4, 5, 3)  # B1, B4
    assert rules.cards.locomotive_ends_draw  # B3
    tickets = rules.tickets
    assert (tickets.deal, tickets.keep, tickets.draw, tickets.draw_keep) == (5, 3, 4, 1)  # N2
    assert tickets.discards == "public"  # N2
    assert rules.tolls is not None and (rules.tolls.tokens, rules.tolls.loan_penalty) == (30, 5)  # N3, N8
    assert (rules.doubles_open_from, rules.tolls.doubles_open_from) == (4, 2)  # B7, N4
    assert rules.tolls.bonus == {  # N7
        2: (35, 0),
        3: (55, 35, 0),
        4: (55, 35, 20, 0),
        5: (55, 35, 20, 10, 0),
    }
    assert rules.neutral is not None and (rules.neutral.trains, rules.neutral.first_round) == (40, 6)  # N11
