"""Choosing how to pay, and what to draw: what all built-in players share."""

from __future__ import annotations

from ttr_env.engine.cards import can_draw_blind
from ttr_env.engine.claims import cards_of_colour, fewest_locomotives, is_open
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import COLOURS, DRAW_DECK, DRAW_FACE_UP, DRAW_TICKETS, GREY, LOCOMOTIVE, PASS, TURN
from ttr_env.engine.legal import LEGAL, face_up_verdict
from ttr_env.engine.tickets import can_draw_tickets


@kernel
def most_held(hand):
    """The colour of which a hand has most."""
    best = 0
    for colour in range(COLOURS):
        if hand[colour] > hand[best]:
            best = colour
    return best


@kernel
def missing_cards(hand, colour, length):
    """How many cards a hand lacks for a track, locomotives counted; for a grey one in its best colour."""
    return max(0, length - cards_of_colour(hand, colour) - int(hand[LOCOMOTIVE]))


@kernel
def cheapest_claim(g, b, player, track, wanted):
    """The claim of a track that spends the fewest locomotives, then the least wanted colour; -1 if unaffordable.

    `wanted` [COLOURS] says how many cards of each colour the player would rather keep.
    """
    hand = g["hand"][player]
    length, colour = int(b["track_length"][track]), int(b["track_colour"][track])
    first, locomotives = int(b["track_claim"][track]), int(hand[LOCOMOTIVE])
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
                best, best_cost = first + other * length + fewest, cost
    if best < 0 and locomotives >= length:
        return first + COLOURS * length
    return best


@kernel
def draw_wanted(g, b, wanted, want_locomotive):
    """Draw the face-up card that is wanted most; else a blind one. -1 if no card can be drawn.

    A face-up locomotive is the whole draw: it is taken first only if `want_locomotive`.
    """
    if want_locomotive and g["phase"] == TURN and face_up_verdict(g, b, LOCOMOTIVE) == LEGAL:
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
