"""Tickets for a board: from all over it, short and long, each worth what connecting its cities costs at least."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.maps.model import Ticket, Track

from .chance import Chance

_FAR = 10**6


def make_tickets(chance: Chance, cities: int, tracks: Sequence[Track], trains: int, number: int) -> list[Ticket]:
    """So many tickets, dearest first.

    Cities appear about equally often. Pairs of neighbours and pairs that take more than two thirds of the trains are
    last resorts.
    """
    worth = _cheapest([track.length + track.toll for track in tracks], cities, tracks)
    spaces = _cheapest([track.length for track in tracks], cities, tracks)
    neighbours = {(track.a, track.b) for track in tracks}
    pairs = [(a, b) for a in range(cities) for b in range(a + 1, cities)]
    rank = {pair: (pair in neighbours) + 2 * (3 * spaces[pair[0]][pair[1]] > 2 * trains) for pair in pairs}
    used = [0] * cities
    chosen: list[tuple[int, int]] = []
    left = chance.shuffled(pairs)
    for _ in range(number):
        best = min(left, key=lambda pair: (rank[pair], used[pair[0]] + used[pair[1]]))
        left.remove(best)
        chosen.append(best)
        for city in best:
            used[city] += 1
    made = [Ticket(a, b, worth[a][b]) for a, b in chosen]
    return sorted(made, key=lambda ticket: (-ticket.points, ticket.a, ticket.b))


def _cheapest(costs: Sequence[int], cities: int, tracks: Sequence[Track]) -> list[list[int]]:
    """What the cheapest way between any two cities costs (Floyd's and Warshall's)."""
    table = [[0 if a == b else _FAR for b in range(cities)] for a in range(cities)]
    for cost, track in zip(costs, tracks, strict=True):
        table[track.a][track.b] = table[track.b][track.a] = min(cost, table[track.a][track.b])
    for via, row in enumerate(table):
        for start in table:
            first = start[via]
            if first < _FAR:
                for end in range(cities):
                    if first + row[end] < start[end]:
                        start[end] = first + row[end]
    return table
