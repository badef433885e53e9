"""The end of the game: tickets, toll bonus, loans and the winners (B10, B11, N7 to N9)."""

from typing import Any

from .board import TICKETS, TRACKS
from .state import State

TOLL_BONUS = {5: (55, 35, 20, 10, 0), 4: (55, 35, 20, 0), 3: (55, 35, 0), 2: (35, 0)}  # N7, by rank
LOAN_PENALTY = -5  # N8


def score(state: State) -> dict[str, Any]:
    seats = [_breakdown(state, player) for player in range(state["players"])]
    for seat in seats:
        seat["rank"] = 1 + sum(_strength(other) > _strength(seat) for other in seats)
    winners = [player for player, seat in enumerate(seats) if seat["rank"] == 1]
    return {"seats": seats, "winners": winners}


def _strength(seat: dict[str, Any]) -> tuple[int, int]:
    """B11: most points, then most completed tickets; Nederland has no third test."""
    return seat["total"], seat["completed"]


def _breakdown(state: State, player: int) -> dict[str, Any]:
    """One seat's score. N9: no bonus for paths or tickets, so those entries are always 0."""
    seat = state["seats"][player]
    done = [ticket for ticket in seat["tickets"] if is_done(state, player, ticket)]
    failed = [ticket for ticket in seat["tickets"] if ticket not in done]
    start = player  # N1
    parts = {
        "routes": seat["points"] - start,
        "start": start,
        "tickets": sum(TICKETS[ticket].points for ticket in done),
        "tickets_failed": -sum(TICKETS[ticket].points for ticket in failed),
        "toll_bonus": _toll_bonus(state, player),
        "loans": LOAN_PENALTY * seat["loans"],
        "longest_path": 0,
        "most_tickets": 0,
    }
    return {**parts, "total": sum(parts.values()), "completed": len(done), "path": 0}


def is_done(state: State, player: int, ticket: int) -> bool:
    """B10: the player's own tracks connect the two cities."""
    return TICKETS[ticket].city_b in _reachable(state, player, TICKETS[ticket].city_a)


def _reachable(state: State, player: int, city: str) -> set[str]:
    own = [track.cities for track, owner in zip(TRACKS, state["owners"], strict=True) if owner == player]
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
