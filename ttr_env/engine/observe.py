"""What a player sees, as a vector (`slices` says what stands where).

Seats are counted from the observing player: itself first, then the others in turn order. Nothing here reads what
section K of `docs/rules.md` hides from that player.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine import slices
from ttr_env.engine.bits import NO_BITS, lowest, popcount, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.hidden import discards_are_public
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CARD_KINDS, CLAIM, NEUTRAL_OWNER, PAID_CARD, SET, TUNNEL, WORDS
from ttr_env.engine.planning import write_planning, write_set
from ttr_env.engine.tickets import is_completed


@kernel
def seen_from(g, player, seat):
    """A seat's place in turn order, counted from the player."""
    return seat - player if seat >= player else seat - player + g["players"]


@kernel
def scaled(number, scale):
    """A number as an entry; 1 for those beyond what a game can bring about."""
    return min(np.float32(1.0), np.float32(number) * scale)


@kernel
def write_clock(g, b, player, out):
    """Phase, whose decision it is, and how far the game has come."""
    at = b["slices"]
    players = int(g["players"])
    out[at[slices.PHASE] + g["phase"]] = 1.0
    out[at[slices.SETUP]] = g["setup"]
    out[at[slices.PLAYERS] + players - 2] = 1.0
    if g["player"] >= 0:
        out[at[slices.MOVER] + seen_from(g, player, g["player"])] = 1.0
    out[at[slices.ROUND]] = min(1.0, g["round"] / np.float32(slices.LAST_ROUND))
    if g["turns_left"] >= 0:
        out[at[slices.LAST_TURNS]] = 1.0
        out[at[slices.TURNS_LEFT]] = g["turns_left"] / np.float32(b["seats"])
    out[at[slices.PASSES]] = g["passes"] / np.float32(b["seats"])
    out[at[slices.WITH_TOLLS]] = g["with_tolls"]


@kernel
def write_counts(counts, scale, first, out):
    """Nine counts of cards."""
    for card in range(CARD_KINDS):
        out[first + card] = np.float32(counts[card]) * scale[card]


@kernel
def write_seats(g, b, player, out):
    """What is public of every seat."""
    at = b["slices"]
    for seat in range(g["players"]):
        place = seen_from(g, player, seat)
        out[at[slices.TRAINS] + place] = np.float32(g["trains"][seat]) * b["scale_trains"]
        out[at[slices.POINTS] + place] = scaled(g["points"][seat], b["scale_points"])
        out[at[slices.LOANS] + place] = scaled(g["loans"][seat], b["scale_loans"])
        out[at[slices.HAND_SIZE] + place] = np.float32(total(g["hand"][seat])) * b["scale_cards"]
        out[at[slices.TICKET_COUNT] + place] = np.float32(popcount(g["tickets"][seat])) * b["scale_tickets"]
        out[at[slices.OFFER_SIZE] + place] = np.float32(popcount(g["offered"][seat])) * b["scale_offer"]
        write_counts(g["known"][seat], b["scale_card"], at[slices.KNOWN] + CARD_KINDS * place, out)


@kernel
def write_table(g, b, out):
    """The face-up row and the piles."""
    at = b["slices"]
    for card in range(CARD_KINDS):
        out[at[slices.FACE_UP] + card] = np.float32(g["face_up"][card]) * b["scale_row"]
    write_counts(g["discard"], b["scale_card"], at[slices.DISCARD], out)
    out[at[slices.DECK_SIZE]] = np.float32(g["deck_size"]) * b["scale_cards"]
    out[at[slices.TICKET_PILE_SIZE]] = np.float32(popcount(g["ticket_pile"])) * b["scale_tickets"]


@kernel
def write_tickets(g, b, player, out):
    """Own tickets, and the discarded ones that the player may know."""
    at = b["slices"]
    left = g["tickets"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        out[at[slices.TICKETS] + ticket] = np.float32(b["ticket_points"][ticket]) * b["scale_ticket_points"]
        out[at[slices.TICKET_DONE] + ticket] = is_completed(g, b, player, ticket)
        left = without_lowest(left)
    write_set(g["refused"][player], at[slices.REFUSED], out)
    if discards_are_public(g):
        write_set(g["ticket_discard"], at[slices.TICKET_DISCARD], out)


@kernel
def write_offer(g, b, player, out):
    """The tickets on offer, slot by slot."""
    at = b["slices"]
    slot = 0
    left = g["offered"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        out[at[slices.OFFER_TICKET] + slot * b["tickets"] + ticket] = 1.0
        out[at[slices.OFFER_POINTS] + slot] = np.float32(b["ticket_points"][ticket]) * b["scale_ticket_points"]
        out[at[slices.OFFER_DONE] + slot] = is_completed(g, b, player, ticket)
        left = without_lowest(left)
        slot += 1


@kernel
def write_owners(g, b, player, out):
    """Who owns each claimed track: a plane for each seat, and one for the neutral player."""
    first = b["slices"][slices.OWNER]
    for word in range(WORDS):
        left = g["claimed"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            owner = int(g["owner"][track])
            plane = int(b["seats"]) if owner == NEUTRAL_OWNER else seen_from(g, player, owner)
            out[first + plane * b["tracks"] + track] = 1.0
            left = without_lowest(left)


@kernel
def write_neutral(g, b, player, out):
    """Everything of the neutral player; its tracks are among the owners."""
    if not g["with_neutral"]:
        return
    first = b["slices"][slices.NEUTRAL]
    out[first] = 1.0
    out[first + 1] = g["neutral_active"]
    out[first + 2] = np.float32(g["neutral_trains"]) / np.float32(b["neutral_trains"])
    out[first + 3 + seen_from(g, player, g["neutral_marker"])] = 1.0
    if g["neutral_ticket"] >= 0:
        out[b["slices"][slices.NEUTRAL_TICKET] + g["neutral_ticket"]] = 1.0


@kernel
def write_pending(g, b, out):
    """The claim that waits for a set or at a tunnel, for all to see."""
    at = b["slices"]
    if g["phase"] != SET and g["phase"] != TUNNEL:
        return
    claim = g["pending_claim"] - CLAIM
    out[at[slices.PENDING_TRACK] + b["claim_track"][claim]] = 1.0
    out[at[slices.PENDING_CARD] + b["claim_paid"][claim, PAID_CARD]] = 1.0
    write_counts(g["pending_paid"], b["scale_card"], at[slices.PENDING_PAID], out)
    if g["phase"] == SET:
        out[at[slices.PENDING_LEFT]] = np.float32(g["pending_left"]) * b["scale_sets"]
        return
    turned_up = np.float32(b["turned_up"])
    for card in range(CARD_KINDS):
        out[at[slices.TUNNEL_CARDS] + card] = np.float32(g["pending_turned"][card]) / turned_up
    out[at[slices.TUNNEL_EXTRA]] = np.float32(g["pending_left"]) / turned_up


@kernel
def write_base(g, b, player, out):
    """The base features."""
    out[: b["base_size"]] = 0.0
    at = b["slices"]
    write_clock(g, b, player, out)
    write_counts(g["hand"][player], b["scale_card"], at[slices.HAND], out)
    out[at[slices.TOLLS]] = scaled(g["tolls"][player], b["scale_tolls"])
    write_seats(g, b, player, out)
    write_table(g, b, out)
    write_tickets(g, b, player, out)
    write_offer(g, b, player, out)
    write_owners(g, b, player, out)
    write_neutral(g, b, player, out)
    write_pending(g, b, out)


@kernel
def write_others_tolls(g, b, player, first, out):
    """The option `tolls_visible`: the other seats' tokens."""
    out[first : first + b["seats"] - 1] = 0.0
    for seat in range(g["players"]):
        if seat != player:
            place = seen_from(g, player, seat)
            out[first + place - 1] = scaled(g["tolls"][seat], b["scale_tolls"])


@kernel
def write_observation(g, b, player, with_planning, with_tolls_visible, plan, out):
    """A player's whole observation, with the features asked for."""
    write_base(g, b, player, out)
    end = b["base_size"]
    if with_planning:
        write_planning(g, b, player, plan, out)
        end = b["planning_size"]
    if with_tolls_visible:
        write_others_tolls(g, b, player, end, out)
