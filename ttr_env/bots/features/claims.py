"""What a claim would do: for the points, the cards, the tolls, the tickets and the others."""

from __future__ import annotations

import numpy as np

from ttr_env.bots.longest_path import added_path
from ttr_env.bots.planner import completes
from ttr_env.bots.search import is_planned
from ttr_env.engine.bits import NO_BITS, has, lowest, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.claims import is_open
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CLAIM,
    FREE,
    LOCOMOTIVE,
    NEUTRAL_OWNER,
    PAID_CARD,
    PAID_CARDS,
    PAID_LOCOMOTIVES,
    PAID_SETS,
)
from ttr_env.engine.turns import begins_last_turns


@kernel
def write_claim(g, b, player, net, view, action, a):
    """Write the features of a claim."""
    track = int(b["claim_track"][action - CLAIM])
    a["claim"] = 1.0
    write_track(g, b, player, track, a)
    write_payment(g, b, player, net, view, action - CLAIM, a)
    if g["with_tolls"]:
        write_toll(g, b, player, view, track, a)
    write_tickets(g, b, player, net, track, a)
    write_rivals(g, b, player, view, track, a)
    if view["own_path"] >= 0:
        alone = int(b["track_length"][track]) - view["own_path"]  # the path may also begin anew
        a["path_gain"] = max(alone, added_path(g, b, player, track, view["own_path"], net["stack"])) / 9.0


@kernel
def write_track(g, b, player, track, a):
    """The track itself."""
    length, partner = int(b["track_length"][track]), int(b["track_partner"][track])
    after = int(g["trains"][player]) - length
    a["length"] = length / 9.0
    a["points"] = b["track_points"][track] / 20.0
    a["last_of_route"] = int(partner < 0 or not is_open(g, player, partner))
    a["beside_other"] = int(partner >= 0 and g["owner"][partner] != FREE)
    a["trains_after"] = after / float(b["trains"])
    a["ends_game"] = int(g["turns_left"] < 0 and begins_last_turns(after))
    a["tunnel"] = float(b["track_tunnel"][track])
    a["ferry"] = b["track_ferry"][track] / 4.0


@kernel
def write_payment(g, b, player, net, view, claim, a):
    """What is paid, and what is left."""
    hand = g["hand"][player]
    track, card = int(b["claim_track"][claim]), int(b["claim_paid"][claim, PAID_CARD])
    cards, locomotives = int(b["claim_paid"][claim, PAID_CARDS]), int(b["claim_paid"][claim, PAID_LOCOMOTIVES])
    sets = int(b["claim_paid"][claim, PAID_SETS])
    left = int(hand[card]) - cards if card != LOCOMOTIVE else 0
    a["locomotives_paid"] = locomotives / 6.0
    a["cards_paid"] = cards / 9.0
    a["sets_paid"] = sets / 4.0
    a["cards_left"] = left / 6.0
    a["hand_after"] = (total(hand) - cards - locomotives - sets * int(b["track_set"][track])) / 30.0
    a["reserve"] = (left + int(hand[LOCOMOTIVE]) - locomotives) / 6.0
    if card != LOCOMOTIVE:
        wanted = int(view["wanted"][card])
        a["conflict"] = (max(0, wanted - 1) if is_planned(b, net, track) else wanted) / 6.0


@kernel
def write_toll(g, b, player, view, track, a):
    """What the bridge costs, and whom it pays."""
    toll, own, partner = int(b["track_toll"][track]), int(g["tolls"][player]), int(b["track_partner"][track])
    a["toll"] = toll / 4.0
    a["loan"] = int(own < toll)
    a["toll_a_train"] = toll / float(b["track_length"][track]) / 2.0
    a["tolls_lead_after"] = (own - toll - view["most_tolls"]) / 15.0
    a["paid_to_player"] = int(toll > 0 and partner >= 0 and 0 <= g["owner"][partner] < NEUTRAL_OWNER)


@kernel
def away(distance, one, other):
    """A distance that can be subtracted from: `int` of an unsigned number would be unsigned, too, and wrap around."""
    return np.int64(distance[one, other])


@kernel
def write_tickets(g, b, player, net, track, a):
    """What it does for the own tickets: distances before, and through this track."""
    component, distance = g["component"][player], net["unplanned"]
    one, other = int(component[b["track_a"][track]]), int(component[b["track_b"][track]])
    nearer, weighed, helped = 0.0, 0.0, 0
    left = g["tickets"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        left = without_lowest(left)
        start, end = int(component[b["ticket_a"][ticket]]), int(component[b["ticket_b"][ticket]])
        before = away(distance, start, end)
        there = away(distance, start, one) + away(distance, other, end)
        back = away(distance, start, other) + away(distance, one, end)
        gain = before - min(there, back)
        if gain > 0:
            nearer += gain
            weighed += int(b["ticket_points"][ticket]) * gain / before
            helped += 1
    a["completes"] = completes(g, b, player, track) / 30.0
    a["nearer"] = nearer / 40.0
    a["nearer_points"] = weighed / 30.0
    a["helps"] = helped / 4.0
    a["in_plan"] = int(is_planned(b, net, track))


@kernel
def write_rivals(g, b, player, view, track, a):
    """Whose networks it meets."""
    one, other = b["track_a"][track], b["track_b"][track]
    joins, touches = 0, 0
    for seat in range(g["players"]):
        if seat != player and g["component"][seat][one] != g["component"][seat][other]:
            ends = int(has(view["touched"][seat], one)) + int(has(view["touched"][seat], other))
            joins += int(ends == 2)
            touches += int(ends > 0)
    a["joins_others"] = joins / (g["players"] - 1.0)
    a["touches_others"] = touches / (g["players"] - 1.0)
    own = view["touched"][player]
    a["own_ends"] = 0.5 * (int(has(own, one)) + int(has(own, other)))
