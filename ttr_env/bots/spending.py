"""Choosing how to pay, and what to draw: what all bots share."""

from __future__ import annotations

from ttr_env.engine.cards import can_draw_blind, total
from ttr_env.engine.claims import cards_of_colour, fewest_locomotives, is_open, jokers, ways_in_colour
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    COLOURS,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    GREY,
    LOCOMOTIVE,
    PAID_CARD,
    PAID_CARDS,
    PAID_LOCOMOTIVES,
    PAID_SETS,
    PASS,
    TURN,
)
from ttr_env.engine.legal import LEGAL, extra_verdict, face_up_verdict, set_verdict
from ttr_env.engine.special import can_pay, ways_to_pay
from ttr_env.engine.tickets import can_draw_tickets
from ttr_env.engine.waiting import spare

TUNNEL_RESERVE = 1  # cards to have beside those for a tunnel: five times in six it asks for no more

# What a card costs that is paid for a special track.
COLOUR_COST, LOCOMOTIVE_COST, SET_CARD_COST, WANTED_COST = 10, 14, 8, 8


@kernel
def most_held(hand):
    """The colour of which a hand has most."""
    best = 0
    for colour in range(COLOURS):
        if hand[colour] > hand[best]:
            best = colour
    return best


@kernel
def missing_cards(b, hand, track):
    """How many cards a hand lacks for a track, locomotives counted; for a grey one in its best colour.

    A tunnel counts as paid for once there is something in reserve for what it may ask.
    """
    length = int(b["track_length"][track])
    held = cards_of_colour(hand, int(b["track_colour"][track]))
    if b["track_plain"][track]:
        return max(0, length - held - jokers(b, hand))
    if b["track_tunnel"][track]:
        return max(0, length + TUNNEL_RESERVE - held - int(hand[LOCOMOTIVE]))
    cards = total(hand)
    if ways_to_pay(b, hand, cards, track) > 0:
        return 0
    coloured = min(held, length - int(b["track_ferry"][track]))
    locomotives = min(int(hand[LOCOMOTIVE]), length - coloured) if b["track_ferry"][track] else 0
    short = length - coloured - locomotives
    set_size = int(b["track_set"][track])
    if set_size == 0:
        return short
    return max(1, min(short, set_size * short - (cards - coloured - locomotives)))


@kernel
def wanted_in_colour(b, hand, track, colour):
    """How many cards of a colour to collect for a track; none where sets and locomotives have to pay for all of it."""
    most = int(b["track_length"][track]) - int(b["track_ferry"][track])
    return max(1, most - int(hand[colour])) if most > 0 else 0


@kernel
def cheapest_claim(g, b, player, track, wanted):
    """The claim of a track that spends the fewest locomotives, then the least wanted colour; -1 if unaffordable.

    `wanted` [COLOURS] says how many cards of each colour the player would rather keep.
    """
    hand = g["hand"][player]
    if not b["track_plain"][track]:
        return cheapest_special(b, hand, track, wanted)
    length, colour = int(b["track_length"][track]), int(b["track_colour"][track])
    first, locomotives = int(b["track_claim"][track]), jokers(b, hand)
    if colour != GREY:
        fewest = fewest_locomotives(length, int(hand[colour]))
        return first + fewest if fewest <= locomotives else -1
    best, best_cost = -1, 1 << 30
    for other in range(COLOURS):
        fewest = fewest_locomotives(length, int(hand[other]))
        if fewest < length and fewest <= locomotives:
            spare = int(hand[other]) - (length - fewest) - int(wanted[other])
            cost = 16 * fewest + max(0, -spare)
            if cost < best_cost:
                best, best_cost = first + other * ways_in_colour(b, length) + fewest, cost
    if best < 0 and locomotives >= length:
        return first + COLOURS * length
    return best


@kernel
def cheapest_special(b, hand, track, wanted):
    """The claim of a special track that costs the cards of least use; -1 if unaffordable."""
    cards = total(hand)
    first = int(b["track_claim"][track]) - CLAIM
    best, best_cost = -1, 1 << 30
    for claim in range(first, first + int(b["track_ways"][track])):
        if not can_pay(b, hand, cards, claim):
            continue
        card, paid = int(b["claim_paid"][claim, PAID_CARD]), int(b["claim_paid"][claim, PAID_CARDS])
        cost = COLOUR_COST * paid + LOCOMOTIVE_COST * int(b["claim_paid"][claim, PAID_LOCOMOTIVES])
        cost += SET_CARD_COST * int(b["claim_paid"][claim, PAID_SETS]) * int(b["track_set"][track])
        if card != LOCOMOTIVE:
            cost += WANTED_COST * max(0, int(wanted[card]) - (int(hand[card]) - paid))
        if cost < best_cost:
            best, best_cost = CLAIM + claim, cost
    return best


@kernel
def choose_extra(g, b):
    """Pay what a tunnel asks for, with as few locomotives as possible; decline if it cannot be paid."""
    for locomotives in range(int(g["pending_left"]) + 1):
        if extra_verdict(g, b, locomotives) == LEGAL:
            return int(b["tunnel_action"]) + locomotives
    return int(b["decline_action"])


@kernel
def choose_set_card(g, b, player, wanted):
    """Put the card into a set that there are most of beyond what is wanted; locomotives last."""
    best, most = -1, -(1 << 30)
    for card in range(CARD_KINDS):
        if set_verdict(g, card) == LEGAL:
            left_over = spare(g, player, card) - (100 if card == LOCOMOTIVE else 2 * int(wanted[card]))
            if left_over > most:
                best, most = card, left_over
    return int(b["set_action"]) + best


@kernel
def draw_wanted(g, b, wanted, want_locomotive):
    """Draw the face-up card that is wanted most; else a blind one. -1 if no card can be drawn.

    Where a face-up locomotive is the whole draw, it is taken first only if `want_locomotive`.
    """
    first_or_free = g["phase"] == TURN or not b["locomotive_ends_draw"]
    if want_locomotive and first_or_free and face_up_verdict(g, b, LOCOMOTIVE) == LEGAL:
        return DRAW_FACE_UP + LOCOMOTIVE
    best, most = -1, 0
    for colour in range(COLOURS):
        if wanted[colour] > most and face_up_verdict(g, b, colour) == LEGAL:
            best, most = colour, int(wanted[colour])
    if best >= 0:
        return DRAW_FACE_UP + best
    if can_draw_blind(g):
        return DRAW_DECK
    for card in range(COLOURS + 1):
        if face_up_verdict(g, b, card) == LEGAL:
            return DRAW_FACE_UP + card
    return -1


@kernel
def anything(g, b, player, wanted):
    """Something legal for a player whose turn it is and who can draw no card: a claim, tickets, or a pass."""
    for track in range(b["tracks"]):
        if is_open(g, player, track) and b["track_length"][track] <= g["trains"][player]:
            claim = cheapest_claim(g, b, player, track, wanted)
            if claim >= 0:
                return claim
    return DRAW_TICKETS if can_draw_tickets(g) else PASS
