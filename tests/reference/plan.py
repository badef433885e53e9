"""The plan: which tracks would complete a player's tickets together.

The tickets are connected one after the other, the nearest first, each along a cheapest path; what one path has used
costs the next ones nothing. A ticket for which the trains do not suffice is left out.
"""

import heapq
from dataclasses import dataclass, field
from math import inf

from .seen import Seen, ends

A_TRAIN, A_TOKEN, A_SYMBOL, A_TUNNEL = 4, 5, 2, 3
TOO_FAR = 255  # what costs as much or more cannot be reached


@dataclass
class Plan:
    """The tracks of a plan, and what it comes to."""

    tracks: list[int] = field(default_factory=list)
    served: set[int] = field(default_factory=set)  # tickets
    trains: int = 0
    tolls: int = 0
    points: int = 0


class Ways:
    """Costs and cheapest paths on a board."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self._found: dict[tuple[frozenset[int], int], dict[int, int]] = {}
        self._usable = [track for track in seen.open_tracks if seen.map.tracks[track].length <= seen.trains]

    def cost(self, track: int) -> int:
        one = self.seen.map.tracks[track]
        tolls = one.toll if self.seen.known["tolls"] else 0
        return A_TRAIN * one.length + A_TOKEN * tolls + A_SYMBOL * one.ferry + A_TUNNEL * one.tunnel

    def away(self, start: int, end: int, planned: frozenset[int] = frozenset()) -> float:
        """What the cheapest path from city to city costs; own tracks and planned ones are free."""
        if (planned, start) not in self._found:
            self._found[planned, start] = self._measure(start, planned)
        away = self._found[planned, start].get(end, TOO_FAR)
        return inf if away >= TOO_FAR else away

    def _measure(self, start: int, planned: frozenset[int]) -> dict[int, int]:
        """Dijkstra's algorithm."""
        free = [*self.seen.tracks_of[self.seen.player], *planned]
        steps: dict[int, list[tuple[int, int]]] = {}
        for track in self._usable + free:
            one, other = ends(self.seen.map.tracks[track])
            cost = 0 if track in free else self.cost(track)
            steps.setdefault(one, []).append((cost, other))
            steps.setdefault(other, []).append((cost, one))
        reached: dict[int, int] = {}
        ahead = [(0, start)]
        while ahead:
            so_far, city = heapq.heappop(ahead)
            if city not in reached:
                reached[city] = so_far
                for cost, neighbour in steps.get(city, ()):
                    heapq.heappush(ahead, (so_far + cost, neighbour))
        return reached

    def path(self, start: int, end: int, planned: frozenset[int]) -> list[int]:
        """The tracks of a cheapest path, from its start on.

        Where there are several, it leaves from the connected cities with the lowest label, over the lowest track.
        """
        tracks: list[int] = []
        here = start
        while self.away(here, end, planned) > 0:
            track, here = next(
                (track, onward)
                for _, track, onward in self._exits(here, planned)
                if self.cost(track) + self.away(onward, end, planned) == self.away(here, end, planned)
            )
            tracks.append(track)
        return tracks

    def _exits(self, here: int, planned: frozenset[int]) -> list[tuple[int, int, int]]:
        """The tracks that lead on from all that is connected or planned to be: label, track, city that it leads to."""
        found = []
        for track in set(self._usable) - planned:
            one, other = ends(self.seen.map.tracks[track])
            for leave, arrive in ((one, other), (other, one)):
                if self.away(here, leave, planned) == 0:
                    found.append((self.seen.labels[leave], track, arrive))
        return sorted(found)


def make_plan(ways: Ways, tickets: set[int], trains: int) -> Plan:
    """The plan for these tickets with so many trains."""
    board, plan, left = ways.seen.map, Plan(), set(tickets)
    while True:
        planned = frozenset(plan.tracks)
        aways = {t: ways.away(board.tickets[t].a, board.tickets[t].b, planned) for t in sorted(left)}
        if min(aways.values(), default=inf) == inf:
            return plan
        nearest = min(aways, key=lambda ticket: (aways[ticket], ticket))
        left.remove(nearest)
        tracks = ways.path(board.tickets[nearest].a, board.tickets[nearest].b, planned)
        path = [board.tracks[track] for track in tracks]
        if plan.trains + sum(track.length for track in path) <= trains:
            plan.tracks += tracks
            plan.served.add(nearest)
            plan.trains += sum(track.length for track in path)
            plan.tolls += sum(track.toll for track in path)
            plan.points += sum(board.rules.route_points[track.length] for track in path)
