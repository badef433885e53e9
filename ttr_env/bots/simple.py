"""Two simple players: greedy for points, and racing to run out of trains."""

from __future__ import annotations

from ttr_env.bots.spending import (
    anything,
    cheapest_claim,
    choose_extra,
    choose_set_card,
    draw_wanted,
    missing_cards,
    most_held,
)
from ttr_env.engine.bits import NO_BITS, lowest, without_lowest
from ttr_env.engine.claims import is_open
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import GREY, KEEP, KEEP_TICKETS, NEUTRAL, SET, TUNNEL, TURN
from ttr_env.engine.tickets import fewest_kept


@kernel
def keep_cheapest(g, b):
    """Keep as few tickets as allowed, those that cost least when they fail."""
    offered = g["offered"][g["player"]]
    kept = 0
    for _ in range(fewest_kept(g, b)):
        best, fewest = -1, 1 << 30
        left = offered
        slot = 0
        while left != NO_BITS:
            points = int(b["ticket_points"][lowest(left)])
            if points < fewest and not (kept >> slot) & 1:
                best, fewest = slot, points
            left = without_lowest(left)
            slot += 1
        kept |= 1 << best
    return KEEP + kept - 1


@kernel
def greedy_claim(g, b, player, wanted):
    """The claim with the most points that can be paid now; if none can, -1 and the colour to collect in `wanted`."""
    best, most = -1, 0
    target, nearest = -1, -1e9
    hand = g["hand"][player]
    for track in range(b["tracks"]):
        length, points = int(b["track_length"][track]), int(b["track_points"][track])
        if length > g["trains"][player] or not is_open(g, player, track):
            continue
        lacks = missing_cards(b, hand, track)
        if lacks == 0 and points > most:
            best, most = track, points
        if points - 2.0 * lacks > nearest:
            target, nearest = track, points - 2.0 * lacks
    if best >= 0:
        return cheapest_claim(g, b, player, best, wanted)
    collect(b, hand, target, wanted)
    return -1


@kernel
def racer_claim(g, b, player, wanted):
    """The claim that places most trains a turn for few tokens; if it cannot be paid yet, -1 and what to collect."""
    target, best = -1, -1e9
    hand = g["hand"][player]
    for track in range(b["tracks"]):
        length = int(b["track_length"][track])
        if length > g["trains"][player] or not is_open(g, player, track):
            continue
        lacks = missing_cards(b, hand, track)
        toll = int(b["track_toll"][track]) if g["with_tolls"] else 0
        rate = (length + int(b["track_points"][track]) - 1.5 * toll) / (1.0 + 0.5 * lacks)
        if rate > best:
            target, best = track, rate
    if target < 0:
        return -1
    claim = cheapest_claim(g, b, player, target, wanted)
    if claim < 0:
        collect(b, hand, target, wanted)
    return claim


@kernel
def collect(b, hand, track, wanted):
    """Want cards of a track's colour, and nothing else."""
    wanted[:] = 0
    if track >= 0:
        colour = int(b["track_colour"][track])
        wanted[most_held(hand) if colour == GREY else colour] = 1


@kernel
def simple_action(g, b, net, is_racer):
    """The action of a greedy player or a racer for the player to move; `net` is scratch space."""
    player = int(g["player"])
    wanted = net["wanted"]
    if g["phase"] == KEEP_TICKETS:
        return keep_cheapest(g, b)
    if g["phase"] == NEUTRAL:
        return int(b["neutral_action"])
    if g["phase"] == TUNNEL:
        return choose_extra(g, b)
    wanted[:] = 0
    if g["phase"] == SET:
        return choose_set_card(g, b, player, wanted)
    claim = racer_claim(g, b, player, wanted) if is_racer else greedy_claim(g, b, player, wanted)
    if g["phase"] == TURN and claim >= 0:
        return claim
    draw = draw_wanted(g, b, wanted, False)
    return draw if draw >= 0 else anything(g, b, player, wanted)
