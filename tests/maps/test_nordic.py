"""The built-in board of the Nordic Countries holds what the printed one does."""

from collections import Counter

import pytest

from ttr_env import maps
from ttr_env.maps import Map
from ttr_env.maps.payments import payments


@pytest.fixture(scope="module")
def nordic() -> Map:
    return maps.load("nordic")


def test_cities_and_tickets(nordic: Map) -> None:
    assert (len(nordic.cities), len(nordic.tickets)) == (39, 46)
    assert sum(ticket.points for ticket in nordic.tickets) == 460


def test_tracks(nordic: Map) -> None:
    assert len(nordic.tracks) == 81
    assert len({frozenset((track.a, track.b)) for track in nordic.tracks}) == 67
    assert sum(track.length for track in nordic.tracks) == 207
    assert sum(track.tunnel for track in nordic.tracks) == 10
    assert Counter(track.ferry for track in nordic.tracks) == {0: 57, 1: 18, 2: 6}
    assert not any(track.tunnel and track.ferry for track in nordic.tracks)


def test_two_doubles_have_tracks_that_differ(nordic: Map) -> None:
    differing = {
        (nordic.cities[track.a], nordic.cities[track.b])
        for index, track in enumerate(nordic.tracks)
        if nordic.partners[index] is not None and nordic.tracks[nordic.partners[index] or 0].length != track.length
    }
    assert differing == {("Kristiansand", "Stavanger"), ("Mo I Rana", "Trondheim")}


def test_rules(nordic: Map) -> None:
    rules = nordic.rules
    assert (rules.players, rules.trains, rules.start_points) == ((2, 3), 40, (0, 0, 0))  # S1
    assert rules.route_points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}  # B8, S7
    assert 8 * rules.cards.per_colour + rules.cards.locomotives == 110  # B1
    assert (rules.cards.row_reset, rules.cards.locomotive_ends_draw) == (0, False)  # S3
    assert not rules.cards.plain_locomotives  # S4
    tickets = rules.tickets
    assert (tickets.deal, tickets.keep, tickets.draw, tickets.draw_keep, tickets.discards) == (5, 2, 3, 1, "out")  # S2
    assert rules.tunnels is not None and rules.tunnels.turned_up == 3  # S6
    assert rules.sets is not None and (rules.sets.ferry, rules.sets.length) == (3, {9: 4})  # S5, S7
    assert rules.doubles_open_from == 3  # S8
    assert (rules.most_tickets, rules.tolls) == (10, None)  # S9
    assert rules.longest_path is not None and rules.longest_path.bonus == 0  # B11, S9


def test_ways_to_pay(nordic: Map) -> None:
    ways = [payments(track, nordic.rules) for track in nordic.tracks]
    assert sum(map(len, ways)) == 468
    assert len(ways[52]) == 8 * 9 + 1  # S7: sets for none to eight of nine cards in each colour, or for all
