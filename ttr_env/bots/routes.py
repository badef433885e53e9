"""Planning a network: which tracks would complete a set of tickets together, and what that would be worth.

A Steiner-like search: the tickets are connected one after the other along cheapest paths, nearest first, and what
one path has used is free for the next. Places are a player's components, as in `engine.planning`.
"""

from __future__ import annotations

from ttr_env.bots.beliefs import BELIEFS
from ttr_env.engine.bits import NO_BITS, bit, lowest, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import COLOURS, WORDS
from ttr_env.engine.planning import find_places, measure
from ttr_env.engine.scratch import whole_lines
from ttr_env.engine.vectors import FAR, relax
from ttr_env.maps.limits import MAX_CITIES, MAX_TRACKS

# The cost of a track in the search: for each train and locomotive symbol, and for being a tunnel.
TRAIN_COST, SYMBOL_COST, TUNNEL_COST = 4, 2, 3

FORGOTTEN = -1  # in place of a number of trains

# Scratch space for one decision. It has the fields of `engine.planning.PLAN`, and more.
NETWORK = whole_lines(
    [
        ("distance", "u1", (MAX_CITIES, MAX_CITIES)),  # between places, with what is planned for nothing
        ("exits", "u8", (MAX_CITIES, WORDS)),  # by place, set of open tracks that lead away from it
        ("unplanned", "u1", (MAX_CITIES, MAX_CITIES)),  # the distances when nothing is planned
        ("places", "u8"),  # set of places
        ("planned", "u8", WORDS),  # set of tracks to claim, one of each route
        ("served", "u8"),  # set of tickets that the plan completes
        ("trains", "i4"),  # that the plan needs
        ("tolls", "i4"),
        ("points", "i4"),  # for its tracks
        ("wanted", "i4", COLOURS),  # cards to collect
        ("surveyed", "i8"),  # the trains that were left when the distances were found, `FORGOTTEN`: no matter
        ("jokers", "i4"),  # locomotives to collect, for ferries and tunnels
        ("stack", "i4", MAX_TRACKS),  # of the search for the longest path
        ("toll_cost", "i4"),  # of a token, in the search
        ("beliefs", BELIEFS),  # of a planner, who looks for routes by them
    ]
)


@kernel
def track_cost(b, track, toll_cost):
    """What a track costs in the search, where a token costs so much."""
    cost = TRAIN_COST * int(b["track_length"][track]) + toll_cost * int(b["track_toll"][track])
    return cost + SYMBOL_COST * int(b["track_ferry"][track]) + TUNNEL_COST * int(b["track_tunnel"][track])


@kernel
def token_cost(g, net):
    """What a token costs in the search: nothing where no tolls are paid."""
    return int(net["toll_cost"]) if g["with_tolls"] else 0


@kernel
def trains_left(g):
    """The trains that are not on the board: while their number stays, so do the tracks."""
    trains = int(g["neutral_trains"])
    for seat in range(g["players"]):
        trains += int(g["trains"][seat])
    return trains


@kernel
def survey_if_changed(g, b, player, net):
    """Survey the board, unless the last survey of this player in this game still holds."""
    trains = trains_left(g)
    if net["surveyed"] != trains:
        survey(g, b, player, net)
        net["surveyed"] = trains


@kernel
def survey(g, b, player, net):
    """Find the places, the open tracks between them, and all distances."""
    find_places(g, b, player, net)
    component, toll_cost = g["component"][player], token_cost(g, net)
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            one, other = component[b["track_a"][track]], component[b["track_b"][track]]
            cost = track_cost(b, track, toll_cost)
            if b["track_length"][track] > g["trains"][player]:
                continue
            if cost < net["distance"][one, other]:
                net["distance"][one, other] = cost
                net["distance"][other, one] = cost
            net["exits"][one, word] |= bit(track & 63)
            net["exits"][other, word] |= bit(track & 63)
    measure(net)
    net["unplanned"][:, :] = net["distance"]


@kernel
def forget_plan(net):
    """Start again from the survey."""
    net["distance"][:, :] = net["unplanned"]
    net["planned"][:] = NO_BITS
    net["served"] = NO_BITS
    net["trains"] = 0
    net["tolls"] = 0
    net["points"] = 0


@kernel
def next_track(g, b, player, net, place, target):
    """The next track to claim on a cheapest path to the target, and the place that it leads to.

    It may leave from any place that the plan has joined to this one.
    """
    component, toll_cost = g["component"][player], token_cost(g, net)
    away = int(net["distance"][place, target])
    joined = net["places"]
    while joined != NO_BITS:
        start = lowest(joined)
        joined = without_lowest(joined)
        if net["distance"][place, start] > 0:
            continue
        for word in range(WORDS):
            left = net["exits"][start, word] & ~net["planned"][word]
            while left != NO_BITS:
                track = 64 * word + lowest(left)
                left = without_lowest(left)
                one, other = int(component[b["track_a"][track]]), int(component[b["track_b"][track]])
                onward = other if one == start else one
                if track_cost(b, track, toll_cost) + int(net["distance"][onward, target]) == away:
                    return track, start, onward
    return -1, -1, -1


@kernel
def path_trains(g, b, player, net, source, target):
    """How many trains a cheapest path needs, beside what is planned."""
    trains = 0
    place = source
    while net["distance"][place, target] > 0:
        track, _, place = next_track(g, b, player, net, place, target)
        trains += int(b["track_length"][track])
    return trains


@kernel
def make_free(net, one, other):
    """Two places are joined by the plan: no distance between them any more."""
    net["distance"][one, other] = 0
    net["distance"][other, one] = 0
    left = net["places"]
    while left != NO_BITS:
        row = net["distance"][lowest(left)]
        left = without_lowest(left)
        relax(row, net["distance"][other], row[one])
        relax(row, net["distance"][one], row[other])


@kernel
def add_path(g, b, player, net, source, target):
    """Plan the tracks of a cheapest path; they cost nothing from then on."""
    place = source
    while net["distance"][place, target] > 0:
        track, start, onward = next_track(g, b, player, net, place, target)
        net["planned"][track >> 6] |= bit(track & 63)
        net["trains"] += b["track_length"][track]
        net["tolls"] += b["track_toll"][track]
        net["points"] += b["track_points"][track]
        make_free(net, start, onward)
        place = onward


@kernel
def nearest_ticket(g, b, player, net, tickets):
    """Of a set of tickets, the one whose cities are nearest to each other; -1 if none can be completed."""
    component = g["component"][player]
    nearest, best = -1, FAR
    while tickets != NO_BITS:
        ticket = lowest(tickets)
        tickets = without_lowest(tickets)
        away = int(net["distance"][component[b["ticket_a"][ticket]], component[b["ticket_b"][ticket]]])
        if away < best:
            nearest, best = ticket, away
    return nearest


@kernel
def plan_tickets(g, b, player, net, tickets, trains):
    """Plan a network for as many of these tickets as so many trains can connect, the nearest first."""
    component = g["component"][player]
    forget_plan(net)
    nearest = nearest_ticket(g, b, player, net, tickets)
    while nearest >= 0:
        tickets &= ~bit(nearest)
        source, target = int(component[b["ticket_a"][nearest]]), int(component[b["ticket_b"][nearest]])
        if net["trains"] + path_trains(g, b, player, net, source, target) <= trains:
            add_path(g, b, player, net, source, target)
            net["served"] |= bit(nearest)
        nearest = nearest_ticket(g, b, player, net, tickets)
