"""Claiming tracks: what a payment is, and what a claim changes (B6, B7, B8, N3 to N5, S4).

A track's claims are consecutive actions, from `track_claim` on, in the order of `maps.payments`. Where locomotives
are jokers on plain tracks, the i-th of a coloured track of length L pays i locomotives and L - i cards of its colour.
Of a grey one, the first L pay purple with 0 to L - 1 locomotives, the next L white, and so on through the colours, and
the last one pays locomotives alone. Without jokers there is one claim a colour.
"""

from __future__ import annotations

from ttr_env.engine.bits import bit, has
from ttr_env.engine.cards import fill_row, spend
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CLAIM,
    COLOURS,
    FREE,
    GREY,
    LOCOMOTIVE,
    NEUTRAL_OWNER,
    PAID_CARD,
    PAID_CARDS,
    PAID_LOCOMOTIVES,
)
from ttr_env.maps.limits import MAX_CITIES


@kernel
def payment(b, action):
    """The track, card and number of locomotives that a claim names."""
    claim = action - CLAIM
    return (
        int(b["claim_track"][claim]),
        int(b["claim_paid"][claim, PAID_CARD]),
        int(b["claim_paid"][claim, PAID_LOCOMOTIVES]),
    )


@kernel
def jokers(b, hand):
    """How many locomotives of a hand can stand for cards of a plain track (S4)."""
    return int(hand[LOCOMOTIVE]) * int(b["plain_locomotives"])


@kernel
def ways_in_colour(b, length):
    """How many claims a plain grey track has in each colour."""
    return length if b["plain_locomotives"] else 1


@kernel
def fewest_locomotives(length, cards):
    """How many locomotives a payment needs at least, with `cards` of its colour in the hand (B6)."""
    return max(0, length - cards)


@kernel
def cards_of_colour(hand, colour):
    """How many cards of a colour a hand holds; of its best colour, for a grey track (B6)."""
    if colour != GREY:
        return int(hand[colour])
    cards = 0
    for other in range(COLOURS):
        cards = max(cards, int(hand[other]))
    return cards


@kernel
def is_open(g, player, track):
    """B7: whether the track is free, and not closed to this player by a claim beside it."""
    return has(g["open"][player, track >> 6], track & 63)


@kernel
def close(g, b, player, track):
    """The player may not claim the track any more."""
    if is_open(g, player, track):
        g["open"][player, track >> 6] &= ~bit(track & 63)
        g["open_count"][player, b["track_length"][track], b["track_colour"][track]] -= b["track_plain"][track]


@kernel
def doubles_are_open(g, b):
    """B7, N4, N10: whether both tracks of a double are in play at this table."""
    return g["players"] >= b["doubles_open_from"][g["with_tolls"]]


@kernel
def occupy(g, b, owner, track):
    """Put an owner's trains on a track, and close what that closes."""
    g["owner"][track] = owner
    g["claimed"][track >> 6] |= bit(track & 63)
    partner = b["track_partner"][track]
    both_closed = partner >= 0 and not doubles_are_open(g, b)
    for seat in range(g["players"]):
        close(g, b, seat, track)
        if both_closed or (partner >= 0 and seat == owner):
            close(g, b, seat, partner)


@kernel
def pay_toll(g, b, player, track):
    """N3, N5: the toll goes to the owner of the other track or to the bank; who cannot pay takes a loan."""
    toll = b["track_toll"][track]
    partner = b["track_partner"][track]
    if g["tolls"][player] >= toll:
        g["tolls"][player] -= toll
    else:
        g["loans"][player] += 1
    if partner >= 0:
        receive_toll(g, g["owner"][partner], toll)


@kernel
def receive_toll(g, owner, toll):
    """A player is paid a toll; the neutral player's share stays in the bank (N11)."""
    if owner not in (FREE, NEUTRAL_OWNER):
        g["tolls"][owner] += toll


@kernel
def connect(g, b, player, track):
    """Merge what the player's new track connects."""
    component = g["component"][player]
    kept = component[b["track_a"][track]]
    merged = component[b["track_b"][track]]
    for city in range(MAX_CITIES):  # constant bound, store without condition: so it becomes vector instructions
        label = component[city]
        component[city] = kept if label == merged else label


@kernel
def build(g, b, player, track):
    """Place the trains, score the points, pay the toll; the cards have been paid."""
    g["trains"][player] -= b["track_length"][track]
    g["points"][player] += b["track_points"][track]
    if g["with_tolls"]:
        pay_toll(g, b, player, track)
    occupy(g, b, player, track)
    connect(g, b, player, track)
    fill_row(g, b)


@kernel
def claim(g, b, player, action):
    """B6: pay the cards, and build."""
    track, card, locomotives = payment(b, action)
    if card != LOCOMOTIVE:
        spend(g, player, card, int(b["claim_paid"][action - CLAIM, PAID_CARDS]))
    spend(g, player, LOCOMOTIVE, locomotives)
    build(g, b, player, track)
