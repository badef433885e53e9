"""The neutral player's phase after both turns of a round (N11)."""

from .board import board_of
from .claims import pay_owner_beside
from .state import NEUTRAL, Action, State
from .tickets import discard_tickets, pile_ran_out, take_ticket

FIRST_ROUND = 6


def has_neutral_phase(state: State) -> bool:
    neutral = state["neutral"]
    return neutral is not None and neutral["active"] and state["round"] >= FIRST_ROUND


def turn_up_ticket(state: State) -> bool:
    """Begin the phase, and end it too unless the marker's holder has a choice. Returns whether there is one.

    The cases stand in the order of N11; the first that fits decides.
    """
    if not state["ticket_pile"]:  # case 1
        pile_ran_out(state)
        return False
    ticket = take_ticket(state)
    if _both_free(state, ticket) and _has_trains(state, ticket):  # case 6; cases 1 to 5 do not fit
        state["neutral"]["ticket"] = ticket
        state["phase"], state["player"] = "neutral", state["neutral"]["marker"]
        return True
    _settle_without_choice(state, ticket)
    discard_tickets(state, [ticket])
    return False


def _both_free(state: State, ticket: int) -> bool:
    route = board_of(state).tickets[ticket].neutral_tracks
    return bool(route) and all(state["owners"][track] is None for track in route)


def _has_trains(state: State, ticket: int) -> bool:
    route = board_of(state).tickets[ticket].neutral_tracks
    return state["neutral"]["trains"] >= board_of(state).tracks[route[0]].length


def _settle_without_choice(state: State, ticket: int) -> None:
    """Cases 2 to 5 of N11; the marker stays in all of them."""
    route = board_of(state).tickets[ticket].neutral_tracks
    owners = [state["owners"][track] for track in route]
    if not route or NEUTRAL in owners or None not in owners:  # cases 2 and 3: a blank, or as good as one
        return
    if not _has_trains(state, ticket):  # case 4
        state["neutral"]["active"] = False
        return
    free = route[owners.index(None)]  # case 5
    _place_trains(state, free)
    pay_owner_beside(state, free)


def _place_trains(state: State, track: int) -> None:
    state["owners"][track] = NEUTRAL
    state["neutral"]["trains"] -= board_of(state).tracks[track].length


def legal_neutral_claims(state: State) -> list[Action]:
    """Case 6 of N11: the holder chooses one of the two free tracks."""
    route = board_of(state).tickets[state["neutral"]["ticket"]].neutral_tracks
    return [{"kind": "neutral_claim", "track": track} for track in route]


def neutral_claim(state: State, track: int) -> None:
    """Case 6 of N11: nothing is paid, and the marker passes to the opponent."""
    neutral = state["neutral"]
    _place_trains(state, track)
    discard_tickets(state, [neutral["ticket"]])
    neutral["ticket"] = None
    neutral["marker"] = 1 - neutral["marker"]
