"""What a choice of tickets would be worth: the plan is made anew for each."""

from __future__ import annotations

import numpy as np

from ttr_env.bots.features.outlook import TOLL_WORTH
from ttr_env.bots.features.state import tokens_of
from ttr_env.bots.planner import open_tickets, total_points
from ttr_env.bots.routes import plan_tickets
from ttr_env.engine.bits import NO_BITS, bit, has, lowest, popcount, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import KEEP

SPARE_TRAIN_WORTH = 3.0  # of a train that no ticket needs, in points


@kernel
def tickets_at(offered, slots):
    """The offered tickets at some slots, a bit set."""
    kept = NO_BITS
    slot = 0
    while offered != NO_BITS:
        if has(np.uint64(slots), slot):
            kept |= bit(lowest(offered))
        offered = without_lowest(offered)
        slot += 1
    return kept


@kernel
def write_keep(g, b, player, net, view, action, a):
    """Write the features of keeping some tickets; returns what all tickets would be worth."""
    kept = tickets_at(g["offered"][player], action - KEEP + 1)
    tickets = g["tickets"][player] | kept
    unfinished = open_tickets(g, b, player, tickets)
    plan_tickets(g, b, player, net, unfinished, view["reach"])
    done = int(total_points(b, (tickets & ~unfinished) | net["served"]))
    failed = int(total_points(b, unfinished & ~net["served"]))
    room = int(view["reach"] - net["trains"])
    worth = done - failed + net["points"] + SPARE_TRAIN_WORTH * room
    if g["with_tolls"]:
        worth -= TOLL_WORTH * net["tolls"]
    a["keep"] = 1.0
    a["worth"] = worth / 150.0
    a["kept"] = popcount(kept) / 5.0
    a["kept_points"] = total_points(b, kept) / 80.0
    a["plan_trains"] = net["trains"] / float(b["trains"])
    a["plan_tolls"] = tokens_of(g, b, net["tolls"])
    a["plan_served"] = done / 150.0
    a["plan_unserved"] = failed / 60.0
    a["room"] = room / float(b["trains"])
    return worth


@kernel
def write_keeps(g, b, player, net, view):
    """Write the features of all choices of tickets. The plan in `net` is another one afterwards."""
    best = np.float32(-1e9)  # as exact as what is subtracted from it, so that the best choice has no regret at all
    for place in range(view["count"]):
        a = view["actions"][place]
        a["regret"] = write_keep(g, b, player, net, view, view["index"][place], a)
        best = max(best, a["regret"])
    for place in range(view["count"]):
        a = view["actions"][place]
        a["regret"] = (best - a["regret"]) / 50.0
