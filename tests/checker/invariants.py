"""What must hold after every decision, whatever is played: compiled, so that a million decisions can be checked.

Each invariant is a small function of a game's record. None relies on the part of the engine that it checks.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import NO_BITS, has, popcount
from ttr_env.engine.choices import write_mask
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    COLOURS,
    FREE,
    KEEP_TICKETS,
    LENGTHS,
    LOCOMOTIVE,
    NEUTRAL,
    NEUTRAL_OWNER,
    OVER,
    PAID_SETS,
    SET,
    TUNNEL,
    WORDS,
)
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.restore import restore_derived

NAMES = (
    "nothing is broken",
    "the cards of each kind add up",
    "what is known of a hand is in it",
    "the row is as full as cards go",
    "the row shows few locomotives",
    "every ticket is in one place",
    "refused tickets are in the discard pile, each refused once",
    "trains in stock and on tracks add up",
    "points are those of the start and of the tracks",
    "no double route is owned twice by one, or at all where closed",
    "phase and clock fit together",
    "tickets are on offer to those who choose",
    "what is derived equals what is worked out anew",
    "the mask agrees with the verdicts, and is empty at the end alone",
    "a decision adds at most one track of the mover and one of the neutral player",
    "tolls and loans are as the new tracks demand",
    "a claim waits in the phases tunnel and set alone, for something that the hand may have",
)


@kernel
def cards_add_up(g, b):
    for card in range(CARD_KINDS):
        found = int(g["deck"][card]) + int(g["discard"][card]) + int(g["face_up"][card])
        found += int(g["pending_turned"][card])
        negative = g["deck"][card] < 0 or g["discard"][card] < 0 or g["face_up"][card] < 0
        for seat in range(g["players"]):
            found += int(g["hand"][seat, card])
            negative |= g["hand"][seat, card] < 0
        if negative or found != b["card_count"][card]:
            return False
    return True


@kernel
def known_cards_are_held(g):
    for seat in range(g["players"]):
        for card in range(CARD_KINDS):
            if not 0 <= g["known"][seat, card] <= g["hand"][seat, card]:
                return False
    return True


@kernel
def row_is_full(g, b):
    lying, waiting = 0, 0
    for card in range(CARD_KINDS):
        lying += int(g["face_up"][card])
        waiting += int(g["deck"][card]) + int(g["discard"][card])
    return lying == b["row"] or (lying < b["row"] and waiting == 0)


@kernel
def row_is_acceptable(g, b):
    """B4 with its ruling, for a row of five and a limit of three; S3 has no limit."""
    if b["row_reset"] == 0:
        return True
    coloured = 0
    for card in range(COLOURS):
        coloured += int(g["deck"][card]) + int(g["discard"][card]) + int(g["face_up"][card])
    return g["face_up"][LOCOMOTIVE] < 3 or coloured < 3


@kernel
def tickets_are_partitioned(g, b):
    union = g["ticket_pile"] | g["ticket_discard"]
    members = popcount(g["ticket_pile"]) + popcount(g["ticket_discard"])
    for seat in range(g["players"]):
        union |= g["tickets"][seat] | g["offered"][seat]
        members += popcount(g["tickets"][seat]) + popcount(g["offered"][seat])
    if g["neutral_ticket"] >= 0:
        union |= np.uint64(1) << np.uint64(g["neutral_ticket"])
        members += 1
    return union == b["all_tickets"] and members == b["tickets"]


@kernel
def refusals_are_discards(g):
    seen = NO_BITS
    for seat in range(g["players"]):
        refused = g["refused"][seat]
        if refused & seen != NO_BITS or refused & ~g["ticket_discard"] != NO_BITS:
            return False
        seen |= refused
    return True


@kernel
def by_owner(g, b, what):
    """The sum of `what` over each owner's tracks."""
    sums = np.zeros(NEUTRAL_OWNER + 1, np.int64)
    for track in range(b["tracks"]):
        if g["owner"][track] != FREE:
            sums[g["owner"][track]] += what[track]
    return sums


@kernel
def trains_add_up(g, b):
    used = by_owner(g, b, b["track_length"])
    for seat in range(g["players"]):
        if g["trains"][seat] < 0 or g["trains"][seat] + used[seat] != b["trains"]:
            return False
    stock = b["neutral_trains"] if g["with_neutral"] else 0
    return g["neutral_trains"] >= 0 and g["neutral_trains"] + used[NEUTRAL_OWNER] == stock


@kernel
def points_add_up(g, b):
    won = by_owner(g, b, b["track_points"])
    right = True
    for seat in range(g["players"]):
        right &= g["points"][seat] == b["start_points"][seat] + won[seat]
    return right


@kernel
def doubles_are_shared(g, b):
    """B7, N4, N10, S8."""
    closed = g["players"] < b["doubles_open_from"][0] and not g["with_tolls"]
    for track in range(b["tracks"]):
        partner = b["track_partner"][track]
        both = partner >= 0 and g["owner"][track] != FREE and g["owner"][partner] != FREE
        if both and (closed or g["owner"][track] == g["owner"][partner]):
            return False
    return True


@kernel
def clock_fits(g):
    """Among others B9: the last turns have begun if and only if somebody is down to two trains."""
    players = int(g["players"])
    over = g["phase"] == OVER
    few = False
    for seat in range(players):
        few |= g["trains"][seat] <= 2
    if (g["turns_left"] >= 0) != few or g["turns_left"] > players:
        return False
    if over != (g["turns_left"] == 0 or g["passes"] == players):
        return False
    if (g["player"] == -1) != over or not -1 <= g["player"] < players:
        return False
    if not 0 <= g["passes"] <= players or g["round"] < 1 or (g["setup"] and g["phase"] != KEEP_TICKETS):
        return False
    waiting = g["phase"] == NEUTRAL
    return waiting == (g["neutral_ticket"] >= 0) and (not waiting or g["player"] == g["neutral_marker"])


@kernel
def offers_fit(g):
    for seat in range(g["players"]):
        chooses = g["phase"] == KEEP_TICKETS and (seat == g["player"] or (g["setup"] and seat > g["player"]))
        if chooses != (g["offered"][seat] != NO_BITS):
            return False
    return True


@kernel
def same_parts(g, fresh, b, seat):
    """Whether two component labellings of a seat mean the same; a label is one of the cities it stands for."""
    for city in range(b["cities"]):
        ours, theirs = g["component"][seat, city], fresh["component"][seat, city]
        if fresh["component"][seat, ours] != theirs or g["component"][seat, theirs] != ours:
            return False
    return True


@kernel
def derived_is_right(g, b, fresh):
    """`fresh` is a copy of the game, whose derived fields are worked out anew."""
    fresh["deck_size"] = -1
    restore_derived(fresh, b)
    if g["deck_size"] != fresh["deck_size"]:
        return False
    for word in range(WORDS):
        if g["claimed"][word] != fresh["claimed"][word]:
            return False
    for track in range(b["tracks"]):
        if has(g["claimed"][track >> 6], track & 63) != (g["owner"][track] != FREE):
            return False
    for seat in range(g["players"]):
        for word in range(WORDS):
            if g["open"][seat, word] != fresh["open"][seat, word]:
                return False
        for length in range(LENGTHS):
            for colour in range(COLOURS + 1):
                if g["open_count"][seat, length, colour] != fresh["open_count"][seat, length, colour]:
                    return False
        if not same_parts(g, fresh, b, seat):
            return False
    return True


@kernel
def mask_is_right(g, b, mask):
    write_mask(g, b, mask)
    legal = 0
    for action in range(b["actions"]):
        if mask[action] != (verdict(g, b, action) == LEGAL):
            return False
        legal += int(mask[action])
    return (legal == 0) == (g["phase"] == OVER)


@kernel
def tracks_are_added(g, b, before):
    changed, mine, neutral = 0, 0, 0
    for track in range(b["tracks"]):
        old, new = before["owner"][track], g["owner"][track]
        if old != new:
            mine += int(old == FREE and new == before["player"])
            neutral += int(old == FREE and new == NEUTRAL_OWNER)
            changed += 1
    return changed == mine + neutral and mine <= 1 and neutral <= 1


@kernel
def tolls_are_right(g, b, before):
    """N3, N5, N11. Writes into `before`, which is not needed any more."""
    mover = before["player"]
    for track in range(b["tracks"]):
        if g["with_tolls"] and before["owner"][track] != g["owner"][track]:
            toll, partner = b["track_toll"][track], b["track_partner"][track]
            if g["owner"][track] == mover:
                beside = before["owner"][partner] if partner >= 0 else FREE
                if before["tolls"][mover] >= toll:
                    before["tolls"][mover] -= toll
                else:
                    before["loans"][mover] += 1
            else:
                beside = g["owner"][partner]
            if 0 <= beside < g["players"]:
                before["tolls"][beside] += toll
    for seat in range(g["players"]):
        if g["tolls"][seat] != before["tolls"][seat] or g["loans"][seat] != before["loans"][seat]:
            return False
        if g["tolls"][seat] < 0 or g["loans"][seat] < 0:
            return False
    return True


@kernel
def pending_fits(g, b):
    """S5 to S7: what is laid down is held, and something is left to decide."""
    waits = g["phase"] in (SET, TUNNEL)
    paid, turned = 0, 0
    for card in range(CARD_KINDS):
        paid += int(g["pending_paid"][card])
        turned += int(g["pending_turned"][card])
        if not 0 <= g["pending_paid"][card] <= (g["hand"][g["player"], card] if waits else 0):
            return False
    if not waits:
        return g["pending_claim"] == -1 and g["pending_left"] == 0 and turned == 0
    track = b["claim_track"][g["pending_claim"] - CLAIM]
    if g["owner"][track] != FREE or g["pending_left"] < 1:
        return False
    if g["phase"] == TUNNEL:
        return paid == b["track_length"][track] and g["pending_left"] <= turned <= 3
    sets = int(b["claim_paid"][g["pending_claim"] - CLAIM, PAID_SETS])
    whole = int(b["track_length"][track]) - sets + sets * (3 if b["track_ferry"][track] else 4)
    return turned == 0 and paid + g["pending_left"] == whole


@kernel
def first_broken(g, b, before, fresh, mask):
    """The index in `NAMES` of the first invariant that does not hold, 0 if all do."""
    if not cards_add_up(g, b):
        return 1
    if not known_cards_are_held(g):
        return 2
    if not row_is_full(g, b):
        return 3
    if not row_is_acceptable(g, b):
        return 4
    if not tickets_are_partitioned(g, b):
        return 5
    if not refusals_are_discards(g):
        return 6
    if not trains_add_up(g, b):
        return 7
    if not points_add_up(g, b):
        return 8
    if not doubles_are_shared(g, b):
        return 9
    if not clock_fits(g):
        return 10
    if not offers_fit(g):
        return 11
    if not derived_is_right(g, b, fresh):
        return 12
    if not mask_is_right(g, b, mask):
        return 13
    if not tracks_are_added(g, b, before):
        return 14
    if not tolls_are_right(g, b, before):
        return 15
    if not pending_fits(g, b):
        return 16
    return 0
