"""The neutral player's phase (N11)."""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, bit
from ttr_env.engine.claims import occupy, receive_toll
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import FREE, NEUTRAL, NEUTRAL_OWNER
from ttr_env.engine.tickets import draw_ticket, recycle

# What a ticket can ask of the neutral player.
NOTHING = 0
TOO_MANY_TRAINS = 1
THE_FREE_TRACK = 2
A_CHOICE = 3


@kernel
def is_due(g, b):
    """Whether a neutral phase follows the last seat's turn of this round."""
    return g["with_neutral"] and g["neutral_active"] and g["round"] >= b["neutral_first_round"]


@kernel
def take(g, b, track):
    """The neutral player's trains go on a track."""
    g["neutral_trains"] -= b["track_length"][track]
    occupy(g, b, NEUTRAL_OWNER, track)


@kernel
def demand(g, b, ticket):
    """What a turned-up ticket asks for (N11, cases 2 to 6)."""
    lower = b["ticket_neutral"][ticket]
    if lower < 0:
        return NOTHING
    owner, other = g["owner"][lower], g["owner"][b["track_partner"][lower]]
    if owner == NEUTRAL_OWNER or other == NEUTRAL_OWNER or (owner != FREE and other != FREE):
        return NOTHING
    if g["neutral_trains"] < b["track_length"][lower]:
        return TOO_MANY_TRAINS
    return A_CHOICE if owner == FREE and other == FREE else THE_FREE_TRACK


@kernel
def follow_ticket(g, b, ticket):
    """Do what a turned-up ticket asks for; true if the marker's holder has to choose."""
    asked = demand(g, b, ticket)
    if asked == TOO_MANY_TRAINS:
        g["neutral_active"] = 0
    elif asked == THE_FREE_TRACK:
        lower = b["ticket_neutral"][ticket]
        higher = b["track_partner"][lower]
        owner, other = g["owner"][lower], g["owner"][higher]
        take(g, b, lower if owner == FREE else higher)
        receive_toll(g, max(owner, other), b["track_toll"][lower])
    return asked == A_CHOICE


@kernel
def turn_up(g, b):
    """The neutral phase; true if it waits for the marker's holder to choose."""
    if g["ticket_pile"] == NO_BITS:
        recycle(g)
        return False
    ticket = draw_ticket(g)
    if not follow_ticket(g, b, ticket):
        g["ticket_discard"] |= bit(ticket)
        return False
    g["phase"] = NEUTRAL
    g["player"] = g["neutral_marker"]
    g["neutral_ticket"] = ticket
    return True


@kernel
def choose(g, b, higher):
    """N11, case 6: the holder puts the neutral player on one track, and the marker passes."""
    ticket = g["neutral_ticket"]
    track = b["ticket_neutral"][ticket]
    if higher:
        track = b["track_partner"][track]
    take(g, b, track)
    g["ticket_discard"] |= bit(ticket)
    g["neutral_ticket"] = -1
    g["neutral_marker"] = 1 - g["neutral_marker"]
