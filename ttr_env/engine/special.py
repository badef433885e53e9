"""Special tracks: those not paid for like a plain track of their board (S4 to S7).

A payment is c cards of a colour, k locomotives and s sets, c + k + s being the length L. With T cards in the hand and
sets of z, the hand has enough for the sets if T - c - k >= z * s, which is to say c + k >= (z * L - T) / (z - 1): a
payment needs so many single cards. So in how many ways a track can be paid for depends on few numbers, and is looked
up in a table that the board has for each kind of special track (`board`).
"""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, lowest, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CLAIM,
    COLOURS,
    GREY,
    LOCOMOTIVE,
    PAID_CARD,
    PAID_CARDS,
    PAID_LOCOMOTIVES,
    PAID_SETS,
    WORDS,
)
from ttr_env.maps.limits import MAX_LENGTH


@kernel
def can_pay(b, hand, cards, claim):
    """Whether a hand of so many cards can make the payment of a claim, its sets included."""
    colour_cards, locomotives = int(b["claim_paid"][claim, PAID_CARDS]), int(b["claim_paid"][claim, PAID_LOCOMOTIVES])
    if hand[LOCOMOTIVE] < locomotives or hand[b["claim_paid"][claim, PAID_CARD]] < colour_cards:
        return False
    sets = int(b["claim_paid"][claim, PAID_SETS])
    if sets == 0:
        return True
    return cards - colour_cards - locomotives >= sets * int(b["track_set"][b["claim_track"][claim]])


@kernel
def ways_in(b, hand, cards, locomotives, track, colour):
    """In how many ways a special track can be paid for in one colour, payments without cards of a colour included."""
    kind = int(b["track_kind"][track])
    return int(b["kind_ways"][kind, b["kind_singles"][kind, cards], locomotives, min(MAX_LENGTH, int(hand[colour]))])


@kernel
def grey_ways(b, hand, cards, locomotives, track):
    """In how many ways a special grey track can be paid for."""
    kind = int(b["track_kind"][track])
    ways = b["kind_ways"][kind, b["kind_singles"][kind, cards], locomotives]  # by cards of the colour
    found = (1 - COLOURS) * int(ways[0])
    for colour in range(COLOURS):
        found += int(ways[min(MAX_LENGTH, int(hand[colour]))])
    return found


@kernel
def ways_to_pay(b, hand, cards, track):
    """In how many ways a hand of so many cards can pay for a special track."""
    locomotives = min(MAX_LENGTH, int(hand[LOCOMOTIVE]))
    colour = int(b["track_colour"][track])
    if colour == GREY:
        return grey_ways(b, hand, cards, locomotives, track)
    return ways_in(b, hand, cards, locomotives, track, colour)


@kernel
def count_special(g, b, player):
    """How many claims of special tracks are legal. The loops have no branches, which would be mispredicted."""
    hand = g["hand"][player]
    cards, trains = total(hand), int(g["trains"][player])
    locomotives = min(MAX_LENGTH, int(hand[LOCOMOTIVE]))
    claims = 0
    for word in range(WORDS):
        left = g["open"][player, word] & b["special_coloured"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            ways = ways_in(b, hand, cards, locomotives, track, int(b["track_colour"][track]))
            claims += ways * int(b["track_length"][track] <= trains)
        left = g["open"][player, word] & b["special_grey"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            claims += grey_ways(b, hand, cards, locomotives, track) * int(b["track_length"][track] <= trains)
    return claims


@kernel
def nth_payment(b, hand, cards, track, n):
    """The n-th claim of a track that a hand can pay for."""
    claim = int(b["track_claim"][track]) - CLAIM
    while n > 0 or not can_pay(b, hand, cards, claim):
        n -= int(can_pay(b, hand, cards, claim))
        claim += 1
    return CLAIM + claim


@kernel
def nth_special(g, b, player, n):
    """The n-th of the claims that `count_special` counted."""
    hand = g["hand"][player]
    cards, trains = total(hand), int(g["trains"][player])
    for word in range(WORDS):
        left = g["open"][player, word] & b["special_tracks"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if b["track_length"][track] <= trains:
                ways = ways_to_pay(b, hand, cards, track)
                if n < ways:
                    return nth_payment(b, hand, cards, track, n)
                n -= ways
    return -1


@kernel
def mark_special(g, b, player, mask):
    """Mark every legal claim of a special track; true if there is one."""
    hand = g["hand"][player]
    cards, trains = total(hand), int(g["trains"][player])
    found = False
    for word in range(WORDS):
        left = g["open"][player, word] & b["special_tracks"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if b["track_length"][track] <= trains:
                first = int(b["track_claim"][track])
                for action in range(first, first + int(b["track_ways"][track])):
                    if can_pay(b, hand, cards, action - CLAIM):
                        mask[action] = 1
                        found = True
    return found
