"""How far a player is from its tickets: shortest paths from city to city, one at a time."""

import heapq
from collections.abc import Iterable
from math import inf

from .board import Ticket, board_of
from .claims import payments
from .state import State

Network = dict[str, list[tuple[int, str]]]


def is_open(state: State, player: int, track: int) -> bool:
    """Whether the rules let the player claim the track some day, with the cards and trains for it (B7, N4, S8)."""
    here = board_of(state)
    twin = here.twins[track]
    beside = None if twin is None else state["owners"][twin]
    one_track_only = state["players"] < here.numbers.both_tracks_from and not state["tolls"]
    return state["owners"][track] is None and (beside is None or (beside != player and not one_track_only))


def affordable(state: State, player: int) -> set[int]:
    """The open tracks that the player's cards and trains suffice for now (B6, S4 to S7)."""
    seat = state["seats"][player]
    return {
        i
        for i, track in enumerate(board_of(state).tracks)
        if is_open(state, player, i) and track.length <= seat["trains"] and payments(state, seat["hand"], i)
    }


def network(state: State, player: int) -> Network:
    """What leads on from each city, and the trains that it takes: none on own tracks."""
    steps: Network = {}
    for i, track in enumerate(board_of(state).tracks):
        mine = state["owners"][i] == player
        if mine or is_open(state, player, i):
            one, other = track.cities
            cost = 0 if mine else track.length
            steps.setdefault(one, []).append((cost, other))
            steps.setdefault(other, []).append((cost, one))
    return steps


def distances(steps: Network, start: str) -> dict[str, int]:
    """The trains that it takes at least from `start` to every city within reach: Dijkstra's algorithm."""
    reached: dict[str, int] = {}
    ahead = [(0, start)]
    while ahead:
        so_far, city = heapq.heappop(ahead)
        if city not in reached:
            reached[city] = so_far
            for cost, neighbour in steps.get(city, ()):
                heapq.heappush(ahead, (so_far + cost, neighbour))
    return reached


def trains_needed(steps: Network, ticket: Ticket) -> float:
    """The fewest trains that complete the ticket, infinitely many if nothing does."""
    return distances(steps, ticket.city_a).get(ticket.city_b, inf)


def on_cheapest(state: State, player: int, tickets: Iterable[int]) -> set[int]:
    """The open tracks that some cheapest completion of one of the tickets uses."""
    steps = network(state, player)
    here_board = board_of(state)
    open_tracks = [i for i in range(len(here_board.tracks)) if is_open(state, player, i)]
    useful = set()
    for ticket in tickets:
        ends = here_board.tickets[ticket]
        here, there = (distances(steps, city) for city in (ends.city_a, ends.city_b))
        needed = here.get(ends.city_b, -1)
        for i in open_tracks:
            one, other = here_board.tracks[i].cities
            for a, b in ((one, other), (other, one)):
                if here.get(a, inf) + here_board.tracks[i].length + there.get(b, inf) == needed:
                    useful.add(i)
    return useful
