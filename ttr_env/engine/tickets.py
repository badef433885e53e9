"""Tickets: offering, keeping, and the pile of those not kept (N2, S2, U1)."""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, bit, has, lowest, nth, popcount, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import OUT
from ttr_env.engine.rng import below


@kernel
def can_draw_tickets(g):
    """N2, S2, U1: drawing tickets is illegal when none are left."""
    if g["discards"] == OUT:
        return g["ticket_pile"] != NO_BITS
    return g["ticket_pile"] | g["ticket_discard"] != NO_BITS


@kernel
def recycle(g):
    """The discarded tickets become the pile. N11: the first time this is needed, the neutral player is out."""
    g["neutral_active"] = 0
    if g["discards"] == OUT:  # S2: they have left the game
        return
    g["ticket_pile"] = g["ticket_discard"]
    g["ticket_discard"] = NO_BITS
    for seat in range(g["players"]):
        g["refused"][seat] = NO_BITS


@kernel
def draw_ticket(g):
    """Take one ticket from the pile, which is not empty, and return it (R4)."""
    pile = g["ticket_pile"]
    ticket = nth(pile, below(g["rng"], popcount(pile)))
    g["ticket_pile"] = pile & ~bit(ticket)
    return ticket


@kernel
def offer(g, player, count):
    """Lay tickets before a player, as many as there are up to `count`."""
    for _ in range(count):
        if g["ticket_pile"] == NO_BITS:
            recycle(g)
            if g["ticket_pile"] == NO_BITS:
                return
        g["offered"][player] |= bit(draw_ticket(g))


@kernel
def fewest_kept(g, b):
    """How many of the tickets on offer the player to move must keep at least."""
    required = b["keep"] if g["setup"] else b["draw_keep"]
    return min(required, popcount(g["offered"][g["player"]]))


@kernel
def keep(g, player, slots):
    """Keep the offered tickets at `slots`, a bit set; the others go to the discard pile."""
    left = g["offered"][player]
    slot = 0
    while left != NO_BITS:
        ticket = bit(lowest(left))
        if has(slots, slot):
            g["tickets"][player] |= ticket
        else:
            g["ticket_discard"] |= ticket
            g["refused"][player] |= ticket
        left = without_lowest(left)
        slot += 1
    g["offered"][player] = NO_BITS


@kernel
def is_completed(g, b, player, ticket):
    """B10: whether the player's own tracks connect the ticket's cities."""
    component = g["component"][player]
    return component[b["ticket_a"][ticket]] == component[b["ticket_b"][ticket]]
