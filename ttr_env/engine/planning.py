"""Planning features: how far a player is from its tickets, and which tracks would bring it there.

Distances are counted in trains: a player's own tracks cost nothing, a track that is open to it costs its length, and
all others are barred. What a player has connected counts as one place, named by its component's label.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine import slices
from ttr_env.engine.bits import NO_BITS, bit, has, lowest, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import COLOURS, LENGTHS, WORDS
from ttr_env.engine.legal import longest_payable
from ttr_env.maps.limits import MAX_CITIES, MAX_TRACKS

UNREACHABLE = 255
_RING = 16  # distances that can be waiting at once: more than the longest track

# Scratch space, filled anew for every observation.
PLAN = np.dtype(
    [
        ("neighbours", "u8", (MAX_CITIES, LENGTHS)),  # by place and length, set of places
        ("ring", "u8", _RING),  # set of places to visit at each distance to come
        ("measured", "u8"),  # set of places whose distances are known
        ("distance", "u1", (MAX_CITIES, MAX_CITIES)),  # from a measured place to every place
        ("useful", "u1", MAX_TRACKS),  # whether a track lies on a cheapest completion
    ],
    align=True,
)


@kernel
def link_places(g, b, player, plan):
    """Note which places open tracks join."""
    component = g["component"][player]
    longest = int(b["longest"])
    for city in range(b["cities"]):
        for length in range(longest + 1):
            plan["neighbours"][city, length] = NO_BITS
    plan["measured"] = NO_BITS
    plan["ring"][:] = NO_BITS
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            one, other = component[b["track_a"][track]], component[b["track_b"][track]]
            length = b["track_length"][track]
            plan["neighbours"][one, length] |= bit(other)
            plan["neighbours"][other, length] |= bit(one)
            left = without_lowest(left)


@kernel
def measure(b, plan, source):
    """Find the distances from a place to all others: Dijkstra's algorithm, places waiting in a ring of bit sets."""
    if has(plan["measured"], source):
        return
    plan["measured"] |= bit(source)
    distance = plan["distance"][source]
    distance[:] = UNREACHABLE
    longest = int(b["longest"])
    visited = NO_BITS
    plan["ring"][0] = bit(source)
    now, last = 0, 0
    while now <= last:
        waiting = plan["ring"][now % _RING] & ~visited
        plan["ring"][now % _RING] = NO_BITS
        visited |= waiting
        while waiting != NO_BITS:
            place = lowest(waiting)
            distance[place] = now
            for length in range(1, longest + 1):
                reached = plan["neighbours"][place, length] & ~visited
                if reached != NO_BITS and now + length < UNREACHABLE:
                    plan["ring"][(now + length) % _RING] |= reached
                    last = max(last, now + length)
            waiting = without_lowest(waiting)
        now += 1


@kernel
def trains_needed(g, b, player, ticket, plan):
    """How many trains a ticket still needs at least, `UNREACHABLE` if it cannot be completed."""
    component = g["component"][player]
    source, target = component[b["ticket_a"][ticket]], component[b["ticket_b"][ticket]]
    if source == target:
        return 0
    if has(plan["measured"], target):
        return int(plan["distance"][target, source])
    measure(b, plan, source)
    return int(plan["distance"][source, target])


@kernel
def mark_useful(g, b, player, ticket, needed, plan):
    """Mark the open tracks on any cheapest completion of a ticket."""
    component = g["component"][player]
    source, target = component[b["ticket_a"][ticket]], component[b["ticket_b"][ticket]]
    measure(b, plan, source)
    measure(b, plan, target)
    here, there = plan["distance"][source], plan["distance"][target]
    for track in range(b["tracks"]):
        one, other = component[b["track_a"][track]], component[b["track_b"][track]]
        rest = needed - int(b["track_length"][track])
        if int(here[one]) + int(there[other]) == rest or int(here[other]) + int(there[one]) == rest:
            plan["useful"][track] = 1


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
        if 0 < needed < UNREACHABLE:
            mark_useful(g, b, player, ticket, needed, plan)
        left = without_lowest(left)
    slot = 0
    left = g["offered"][player]
    while left != NO_BITS:
        needed = trains_needed(g, b, player, lowest(left), plan)
        out[at[slices.OFFER_NEED] + slot] = scaled_need(b, needed)
        left = without_lowest(left)
        slot += 1


@kernel
def write_affordable(g, b, player, out):
    """Which tracks the hand can pay for now."""
    first = b["slices"][slices.AFFORDABLE]
    for colour in range(COLOURS + 1):
        for length in range(1, min(longest_payable(g, player, colour), b["longest"]) + 1):
            for word in range(WORDS):
                left = g["open"][player, word] & b["class_tracks"][colour, length, word]
                while left != NO_BITS:
                    out[first + 64 * word + lowest(left)] = 1.0
                    left = without_lowest(left)


@kernel
def write_planning(g, b, player, plan, out):
    """The planning features, from the board as it is now."""
    out[b["base_size"] : b["planning_size"]] = 0.0
    plan["useful"][:] = 0
    link_places(g, b, player, plan)
    write_needs(g, b, player, plan, out)
    first = b["slices"][slices.ON_CHEAPEST]
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            out[first + track] = plan["useful"][track]
            left = without_lowest(left)
    write_affordable(g, b, player, out)
