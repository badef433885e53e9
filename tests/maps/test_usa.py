"""The built-in board of the USA holds what the printed one does."""

from collections import Counter

import pytest

from ttr_env import maps
from ttr_env.maps import Map


@pytest.fixture(scope="module")
def usa() -> Map:
    return maps.load("usa")


def test_cities_and_tickets(usa: Map) -> None:
    assert (len(usa.cities), len(usa.tickets)) == (36, 30)
    assert sum(ticket.points for ticket in usa.tickets) == 349


def test_tracks(usa: Map) -> None:
    assert len(usa.tracks) == 100
    assert len({frozenset((track.a, track.b)) for track in usa.tracks}) == 78
    assert sum(track.length for track in usa.tracks) == 309
    assert Counter(track.colour for track in usa.tracks if track.colour != "grey") == dict.fromkeys(
        ("purple", "white", "blue", "yellow", "orange", "black", "red", "green"), 7
    )


def test_rules(usa: Map) -> None:
    rules = usa.rules
    assert (rules.players, rules.trains, rules.start_points) == ((2, 5), 45, (0,) * 5)  # U1
    tickets = rules.tickets
    assert (tickets.deal, tickets.keep, tickets.draw, tickets.draw_keep) == (3, 2, 3, 1)  # U1
    assert tickets.discards == "under"  # U1
    assert (rules.cards.row_reset, rules.cards.locomotive_ends_draw, rules.cards.plain_locomotives) == (3, True, True)
    assert (rules.doubles_open_from, rules.most_tickets, rules.tolls) == (4, 0, None)  # U2
    assert rules.longest_path is not None and rules.longest_path.bonus == 10  # U3
