"""The small board: its facts, and that games on it are short."""

import heapq

import numpy as np
import pytest

from ttr_env import Batch, maps
from ttr_env.maps import Map


@pytest.fixture(scope="module")
def mini() -> Map:
    return maps.load("mini")


def test_facts(mini: Map) -> None:
    assert (len(mini.cities), len(mini.tracks), len(mini.tickets)) == (12, 25, 14)
    assert sum(track.length for track in mini.tracks) == 56
    assert sum(ticket.points for ticket in mini.tickets) == 91
    assert (mini.rules.players, mini.rules.trains) == ((2, 2), 18)


def test_tickets_are_worth_what_they_cost(mini: Map) -> None:
    for ticket in mini.tickets:
        assert 0 <= ticket.points - trains_between(mini, ticket.a, ticket.b) <= 1


def trains_between(map: Map, start: int, end: int) -> int:
    """The fewest trains that connect two cities."""
    waiting, done = [(0, start)], set()
    while True:
        trains, city = heapq.heappop(waiting)
        if city == end:
            return trains
        if city not in done:
            done.add(city)
            for track in map.tracks:
                if city in (track.a, track.b):
                    heapq.heappush(waiting, (trains + track.length, track.a + track.b - city))


def test_planners_decide_20_to_30_times_a_seat() -> None:
    batch = Batch("mini", 200, bots=["planner", "planner"], autoreset=False, views=False, seed=1)
    assert batch.terminated.all()
    assert 20 <= np.mean(batch.lengths) / 2 <= 30
