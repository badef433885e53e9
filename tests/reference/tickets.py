"""Tickets: the pile, the offer and the choice (N2, S2, U1)."""

from itertools import combinations

from .board import board_of
from .chance import below
from .state import Action, State, mover


def pile_ran_out(state: State) -> None:
    """A ticket is needed and the pile is empty: the discarded ones become the pile (N2).

    N11: the first time this happens the neutral player is out for good, also if none was discarded.
    """
    if state["neutral"] is not None:
        state["neutral"]["active"] = False
    if board_of(state).numbers.discards == "out":  # S2: what was not kept has left the game
        return
    state["ticket_pile"], state["ticket_discard"] = state["ticket_discard"], []
    for seat in state["seats"]:
        seat["refused"] = []


def take_ticket(state: State) -> int:
    """One random ticket of a pile that is not empty."""
    pile: list[int] = state["ticket_pile"]
    return pile.pop(below(state, len(pile)))


def discard_tickets(state: State, tickets: list[int]) -> None:
    state["ticket_discard"] = sorted(state["ticket_discard"] + tickets)


def offer_tickets(state: State, player: int) -> None:
    """N2, S2, U1: offer what there is if fewer are left in all; tickets on offer are not shuffled in again."""
    first, later = board_of(state).numbers.offer
    number = first if state["setup"] else later
    offered: list[int] = []
    while len(offered) < number:
        if not state["ticket_pile"]:
            pile_ran_out(state)
        if not state["ticket_pile"]:
            break
        offered.append(take_ticket(state))
    state["seats"][player]["offered"] = sorted(offered)


def legal_ticket_draws(state: State) -> list[Action]:
    """N2, S2, U1: with no ticket left that could be drawn there is nothing to draw."""
    comes_back = state["ticket_discard"] if board_of(state).numbers.discards != "out" else []
    return [{"kind": "draw_tickets"}] if state["ticket_pile"] or comes_back else []


def legal_keeps(state: State) -> list[Action]:
    """N2, S2, U1: so many of the first offer, at least 1 of a later one, and never more than there are."""
    offered: list[int] = mover(state)["offered"]
    first, later = board_of(state).numbers.keep
    least = min(first if state["setup"] else later, len(offered))
    return [
        {"kind": "keep_tickets", "tickets": list(kept)}
        for number in range(least, len(offered) + 1)
        for kept in combinations(offered, number)
    ]


def keep_tickets(state: State, kept: list[int]) -> None:
    """N2: those not kept go to the discard pile; the seat remembers which it refused (K)."""
    seat = mover(state)
    refused = [ticket for ticket in seat["offered"] if ticket not in kept]
    seat["offered"] = []
    seat["tickets"] = sorted(seat["tickets"] + kept)
    seat["refused"] = sorted(seat["refused"] + refused)
    discard_tickets(state, refused)
