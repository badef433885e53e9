"""Styles of play that are made to trouble others, for evaluation alone: no training meets them.

All of them are planners. The ticket hoarder draws tickets as long as there is any room for them, the toll hoarder goes
a long way round bridges to have most tokens left: what they believe says so (`bots.beliefs`). The blocker looks at what
the others have built, and first of all claims what they seem to need.
"""

from __future__ import annotations

from ttr_env.bots.longest_path import is_connected
from ttr_env.bots.spending import cheapest_claim, missing_cards
from ttr_env.engine.claims import doubles_are_open, is_open
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import TURN

TRAINS_FOR_ITSELF = 10  # with so many left the blocker plays for itself alone


@kernel
def closes_route(g, b, player, track):
    """Whether nobody else can use a route any more once the player has claimed this track of it."""
    partner = int(b["track_partner"][track])
    if partner < 0 or not doubles_are_open(g, b):
        return True
    for seat in range(g["players"]):
        if seat != player and is_open(g, seat, partner):
            return False
    return True


@kernel
def others_blocked(g, b, player, track):
    """How many others have a network on both sides of a track, and nothing that joins them."""
    blocked = 0
    one, other = b["track_a"][track], b["track_b"][track]
    for seat in range(g["players"]):
        component = g["component"][seat]
        if seat == player or component[one] == component[other]:
            continue
        blocked += int(is_connected(g, b, seat, one) and is_connected(g, b, seat, other))
    return blocked


@kernel
def blocking_claim(g, b, net):
    """The claim that is in the way of most others, the longest of those; -1 if none is, or trains are running out."""
    player = int(g["player"])
    if g["phase"] != TURN or g["trains"][player] <= TRAINS_FOR_ITSELF:
        return -1
    net["wanted"][:] = 0
    best, most = -1, 0
    for track in range(b["tracks"]):
        length = int(b["track_length"][track])
        if length > g["trains"][player] or not is_open(g, player, track) or not closes_route(g, b, player, track):
            continue
        blocked = 100 * others_blocked(g, b, player, track)
        if blocked > 0 and blocked + length > most and missing_cards(b, g["hand"][player], track) == 0:
            claim = cheapest_claim(g, b, player, track, net["wanted"])
            if claim >= 0:
                best, most = claim, blocked + length
    return best
