"""Guessing what the others are after: tickets that fit their tracks are likelier to be theirs.

Dealing hidden tickets anew with the same chance for all (`engine.hidden`) agrees with what a player has been shown, but
not with what the others have done: somebody who has connected the cities of a ticket most likely holds it.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import NO_BITS, bit, has, lowest, popcount, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import WORDS
from ttr_env.engine.rng import below
from ttr_env.engine.tickets import is_completed

# How likely a ticket is to be somebody's, compared with one neither of whose cities has a track of theirs: by the
# number of its cities that have one, and at last for cities that their tracks connect. Rounded from counts in games
# of the champion; those of planners, on other maps and at larger tables are of the same order.
FITS = np.array([1, 4, 35, 120])


@kernel
def reached_cities(g, b, seat):
    """The set of cities at which a seat has a track."""
    reached = NO_BITS
    for word in range(WORDS):
        left = g["claimed"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if g["owner"][track] == seat:
                reached |= bit(b["track_a"][track]) | bit(b["track_b"][track])
    return reached


@kernel
def fit(g, b, seat, reached, ticket):
    """How well a ticket fits the tracks of a seat."""
    if is_completed(g, b, seat, ticket):
        return FITS[3]
    return FITS[int(has(reached, b["ticket_a"][ticket])) + int(has(reached, b["ticket_b"][ticket]))]


@kernel
def total_fit(g, b, seat, reached, tickets):
    """How well a set of tickets fits, all together."""
    total = 0
    while tickets != NO_BITS:
        total += fit(g, b, seat, reached, lowest(tickets))
        tickets = without_lowest(tickets)
    return total


@kernel
def draw_fitting(g, b, seat, reached, pool):
    """A ticket out of a pool, the likelier the better it fits."""
    left = below(g["rng"], total_fit(g, b, seat, reached, pool))
    ticket = lowest(pool)
    left -= fit(g, b, seat, reached, ticket)
    while left >= 0:
        pool = without_lowest(pool)
        ticket = lowest(pool)
        left -= fit(g, b, seat, reached, ticket)
    return ticket


@kernel
def guess_tickets(g, b, player):
    """Deal the tickets that the others hold anew, out of these and the pile, by how well they fit their tracks."""
    pool = g["ticket_pile"]
    for seat in range(g["players"]):
        if seat != player:
            pool |= g["tickets"][seat]
    for seat in range(g["players"]):
        if seat != player:
            held = NO_BITS
            reached = reached_cities(g, b, seat)
            for _ in range(popcount(g["tickets"][seat])):
                held |= bit(draw_fitting(g, b, seat, reached, pool & ~held))
            g["tickets"][seat] = held
            pool &= ~held
    g["ticket_pile"] = pool
