"""Planning features: how far a player is from its tickets, and which tracks would bring it there.

Distances are counted in trains: a player's own tracks cost nothing, a track that is open to it costs its length, and
all others are barred. What a player has connected is one place, named by its component's label, which is also the
index of one of its cities.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine import slices
from ttr_env.engine.bits import NO_BITS, bit, has, lowest, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import COLOURS, WORDS
from ttr_env.engine.legal import longest_payable
from ttr_env.engine.scratch import whole_lines
from ttr_env.engine.special import ways_to_pay
from ttr_env.engine.tickets import is_completed
from ttr_env.engine.vectors import FAR, relax, where_sum_is
from ttr_env.maps.limits import MAX_CITIES

# Scratch space, filled anew for every observation.
PLAN = whole_lines(
    [
        ("distance", "u1", (MAX_CITIES, MAX_CITIES)),  # between places
        ("exits", "u8", (MAX_CITIES, WORDS)),  # by place, set of open tracks that lead away from it
        ("places", "u8"),  # set of places
        ("useful", "u8", WORDS),  # set of tracks that lie on a cheapest completion
    ]
)


@kernel
def find_places(g, b, player, plan):
    """Every component is a place, out of reach of all others so far."""
    component = g["component"][player]
    plan["places"] = NO_BITS
    for city in range(b["cities"]):
        if component[city] == city:
            plan["places"] |= bit(city)
            plan["distance"][city, :] = FAR
            plan["distance"][city, city] = 0
            plan["exits"][city, :] = NO_BITS


@kernel
def join_places(g, b, player, plan):
    """Open tracks lead from place to place. Where two do, the shorter one counts."""
    component = g["component"][player]
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = lowest(left)
            length = b["track_length"][64 * word + track]
            one, other = (
                component[b["track_a"][64 * word + track]],
                component[b["track_b"][64 * word + track]],
            )
            if length < plan["distance"][one, other]:
                plan["distance"][one, other] = length
                plan["distance"][other, one] = length
            plan["exits"][one, word] |= bit(track)
            plan["exits"][other, word] |= bit(track)
            left = without_lowest(left)


@kernel
def measure(plan):
    """All distances between places: the Floyd-Warshall algorithm."""
    vias = plan["places"]
    while vias != NO_BITS:
        via = lowest(vias)
        onward = plan["distance"][via]
        starts = plan["places"]
        while starts != NO_BITS:
            reached = plan["distance"][lowest(starts)]
            relax(reached, onward, reached[via])
            starts = without_lowest(starts)
        vias = without_lowest(vias)


@kernel
def make_plan(g, b, player, plan):
    """Work out the player's places and all distances between them; no track is marked as useful yet."""
    plan["useful"][:] = NO_BITS
    find_places(g, b, player, plan)
    join_places(g, b, player, plan)
    measure(plan)


@kernel
def trains_needed(g, b, player, ticket, plan):
    """How many trains a ticket still needs at least, `FAR` if it cannot be completed."""
    component = g["component"][player]
    return int(plan["distance"][component[b["ticket_a"][ticket]], component[b["ticket_b"][ticket]]])


@kernel
def mark_useful(g, b, player, ticket, needed, plan):
    """Mark the open tracks on any cheapest completion of a ticket."""
    component = g["component"][player]
    here = plan["distance"][component[b["ticket_a"][ticket]]]
    there = plan["distance"][component[b["ticket_b"][ticket]]]
    places = where_sum_is(here, there, needed)
    while places != NO_BITS:
        place = lowest(places)
        for word in range(WORDS):
            left = plan["exits"][place, word] & ~plan["useful"][word]
            while left != NO_BITS:
                track = lowest(left)
                one, other = (
                    component[b["track_a"][64 * word + track]],
                    component[b["track_b"][64 * word + track]],
                )
                onward = other if one == place else one
                length = int(b["track_length"][64 * word + track])
                if int(here[place]) + length + int(there[onward]) == needed:
                    plan["useful"][word] |= bit(track)
                left = without_lowest(left)
        places = without_lowest(places)


@kernel
def write_set(members, first, out):
    """A bit set, an entry for each member."""
    while members != NO_BITS:
        out[first + lowest(members)] = 1.0
        members = without_lowest(members)


@kernel
def scaled_need(b, needed):
    """A number of trains as an observation, 1 for those that nobody has."""
    return min(np.float32(1.0), np.float32(needed) * b["scale_trains"])


@kernel
def write_needs(g, b, player, plan, out):
    """For own tickets and those on offer, the trains that each needs."""
    at = b["slices"]
    left = g["tickets"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        needed = trains_needed(g, b, player, ticket, plan)
        out[at[slices.TICKET_NEED] + ticket] = scaled_need(b, needed)
        if 0 < needed < FAR:
            mark_useful(g, b, player, ticket, needed, plan)
        left = without_lowest(left)
    slot = 0
    left = g["offered"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        needed = trains_needed(g, b, player, ticket, plan)
        out[at[slices.OFFER_NEED] + slot] = scaled_need(b, needed)
        left = without_lowest(left)
        slot += 1


@kernel
def write_affordable(g, b, player, out):
    """Which tracks the hand can pay for now."""
    first = b["slices"][slices.AFFORDABLE]
    for colour in range(COLOURS + 1):
        for length in range(1, min(longest_payable(g, b, player, colour), b["longest"]) + 1):
            for word in range(WORDS):
                payable = g["open"][player, word] & b["class_tracks"][colour, length, word]
                write_set(payable, first + 64 * word, out)
    if b["special"] > 0:
        write_special(g, b, player, first, out)


@kernel
def write_special(g, b, player, first, out):
    """Which special tracks the hand can pay for now."""
    hand = g["hand"][player]
    cards, trains = total(hand), int(g["trains"][player])
    for word in range(WORDS):
        left = g["open"][player, word] & b["special_tracks"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if b["track_length"][track] <= trains and ways_to_pay(b, hand, cards, track) > 0:
                out[first + track] = 1.0


@kernel
def write_planning(g, b, player, plan, out):
    """The planning features, from the board as it is now."""
    out[b["base_size"] : b["planning_size"]] = 0.0
    make_plan(g, b, player, plan)
    write_needs(g, b, player, plan, out)
    for word in range(WORDS):
        write_set(plan["useful"][word], b["slices"][slices.ON_CHEAPEST] + 64 * word, out)
    write_affordable(g, b, player, out)


@kernel
def assess(g, b, player, plan, needs, useful):
    """For each ticket that a player keeps or is offered, the trains it needs; for kept ones, the tracks on the way too.

    `needs` [tickets] gets 0 for a completed ticket and `FAR` for one that cannot be; `useful` [tracks] gets ones.
    """
    make_plan(g, b, player, plan)
    left = g["tickets"][player] | g["offered"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        needs[ticket] = 0 if is_completed(g, b, player, ticket) else trains_needed(g, b, player, ticket, plan)
        if has(g["tickets"][player], ticket) and 0 < needs[ticket] < FAR:
            mark_useful(g, b, player, ticket, needs[ticket], plan)
        left = without_lowest(left)
    for word in range(WORDS):
        write_set(plan["useful"][word], 64 * word, useful)
