"""The end of the game: tickets, bonuses, loans and the winners (B10, B11, N7 to N9, S9, U3)."""

from typing import Any

from .board import Track, board_of
from .state import State

TOLL_BONUS = {5: (55, 35, 20, 10, 0), 4: (55, 35, 20, 0), 3: (55, 35, 0), 2: (35, 0)}  # N7, by rank
LOAN_PENALTY = -5  # N8


def score(state: State) -> dict[str, Any]:
    numbers = board_of(state).numbers
    seats = [_breakdown(state, player) for player in range(state["players"])]
    for field, measure, bonus in (
        ("longest_path", "path", numbers.path_bonus or 0),
        ("most_tickets", "completed", numbers.ticket_bonus),
    ):
        most = max(seat[measure] for seat in seats)
        for seat in seats:  # S9, U3: all who tie score it, also at zero
            seat[field] = bonus if seat[measure] == most else 0
            seat["total"] += seat[field]
    for seat in seats:
        seat["rank"] = 1 + sum(_strength(other) > _strength(seat) for other in seats)
    winners = [player for player, seat in enumerate(seats) if seat["rank"] == 1]
    return {"seats": seats, "winners": winners}


def _strength(seat: dict[str, Any]) -> tuple[int, int, int]:
    """B11: most points, then most completed tickets, then the longer path, which is 0 where none is measured."""
    return seat["total"], seat["completed"], seat["path"]


def _breakdown(state: State, player: int) -> dict[str, Any]:
    """One seat's score, without the bonuses that depend on the others."""
    here = board_of(state)
    seat = state["seats"][player]
    done = [ticket for ticket in seat["tickets"] if is_done(state, player, ticket)]
    failed = [ticket for ticket in seat["tickets"] if ticket not in done]
    start = player if here.numbers.staggered else 0  # N1
    parts = {
        "routes": seat["points"] - start,
        "start": start,
        "tickets": sum(here.tickets[ticket].points for ticket in done),
        "tickets_failed": -sum(here.tickets[ticket].points for ticket in failed),
        "toll_bonus": _toll_bonus(state, player),
        "loans": LOAN_PENALTY * seat["loans"],
        "longest_path": 0,
        "most_tickets": 0,
    }
    return {**parts, "total": sum(parts.values()), "completed": len(done), "path": _path(state, player)}


def _path(state: State, player: int) -> int:
    """U3: the longest continuous path, where the board measures one."""
    here = board_of(state)
    if here.numbers.path_bonus is None:
        return 0
    own = [track for track, owner in zip(here.tracks, state["owners"], strict=True) if owner == player]
    return max((longest_from(city, own) for city in {city for track in own for city in track.cities}), default=0)


def longest_from(city: str, tracks: list[Track]) -> int:
    """The longest path from a city that uses no track twice: every way to go on is tried."""
    ways = [
        track.length + longest_from(next(iter(track.cities - {city})), tracks[:i] + tracks[i + 1 :])
        for i, track in enumerate(tracks)
        if city in track.cities
    ]
    return max(ways, default=0)


def is_done(state: State, player: int, ticket: int) -> bool:
    """B10: the player's own tracks connect the two cities."""
    ends = board_of(state).tickets[ticket]
    return ends.city_b in _reachable(state, player, ends.city_a)


def _reachable(state: State, player: int, city: str) -> set[str]:
    own = [
        track.cities for track, owner in zip(board_of(state).tracks, state["owners"], strict=True) if owner == player
    ]
    reached, size = {city}, 0
    while len(reached) > size:
        size = len(reached)
        reached = reached.union(*(ends for ends in own if ends & reached))
    return reached


def _toll_bonus(state: State, player: int) -> int:
    """N7: those without loans are ranked by tokens; ties share a rank, and the next is skipped."""
    seats = state["seats"]
    if not state["tolls"] or seats[player]["loans"]:
        return 0
    richer = sum(not seat["loans"] and seat["tolls"] > seats[player]["tolls"] for seat in seats)
    return TOLL_BONUS[state["players"]][richer]
