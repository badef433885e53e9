"""All legal actions as a mask, or one of them at random.

Claims are found through classes of tracks of one colour and length, which cost the same, so that the work is in
proportion to what the hand can pay for, not to the size of the board. Special tracks (`special`) come after them.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import NO_BITS, lowest, nth, popcount, without_lowest
from ttr_env.engine.cards import can_draw_blind
from ttr_env.engine.claims import fewest_locomotives, jokers, ways_in_colour
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    COLOURS,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    GREY,
    KEEP,
    KEEP_TICKETS,
    NEUTRAL,
    OVER,
    PASS,
    SECOND_CARD,
    SET,
    TUNNEL,
    TURN,
    WORDS,
)
from ttr_env.engine.legal import LEGAL, extra_verdict, face_up_verdict, keep_verdict, longest_payable, set_verdict
from ttr_env.engine.rng import below
from ttr_env.engine.special import count_special, mark_special, nth_special
from ttr_env.engine.tickets import can_draw_tickets


@kernel
def mark_payments(b, hand, colour, length, first, mask):
    """Mark the payments that the hand can make for a plain track whose claims begin at `first`."""
    locomotives = jokers(b, hand)
    if colour != GREY:
        fewest = fewest_locomotives(length, int(hand[colour]))
        for paid in range(fewest, min(length, locomotives) + 1):
            mask[first + paid] = 1
        return
    step = ways_in_colour(b, length)
    for other in range(COLOURS):
        fewest = fewest_locomotives(length, int(hand[other]))
        for paid in range(fewest, min(length - 1, locomotives) + 1):
            mask[first + other * step + paid] = 1
    if locomotives >= length:
        mask[first + COLOURS * length] = 1


@kernel
def mark_claims(g, b, player, mask):
    """Mark every legal claim; true if there is one."""
    hand = g["hand"][player]
    found = False
    for colour in range(COLOURS + 1):
        for length in range(1, min(longest_payable(g, b, player, colour), b["longest"]) + 1):
            for word in range(WORDS):
                tracks = g["open"][player, word] & b["class_tracks"][colour, length, word]
                while tracks != NO_BITS:
                    track = 64 * word + lowest(tracks)
                    mark_payments(b, hand, colour, length, int(b["track_claim"][track]), mask)
                    tracks = without_lowest(tracks)
                    found = True
    if b["special"] > 0:
        found |= mark_special(g, b, player, mask)
    return found


@kernel
def mark_draws(g, b, mask):
    """Mark every card that may be drawn; true if there is one."""
    found = can_draw_blind(g)
    mask[DRAW_DECK] = found
    for card in range(CARD_KINDS):
        if face_up_verdict(g, b, card) == LEGAL:
            mask[DRAW_FACE_UP + card] = 1
            found = True
    return found


@kernel
def mark_keeps(g, b, mask):
    """Mark every choice of offered tickets that keeps enough of them."""
    for slots in range(1, 1 << popcount(g["offered"][g["player"]])):
        mask[KEEP + slots - 1] = keep_verdict(g, b, slots) == LEGAL


@kernel
def mark_pending(g, b, mask):
    """Mark what may be done while a claim waits."""
    if g["phase"] == SET:
        for card in range(CARD_KINDS):
            mask[b["set_action"] + card] = set_verdict(g, card) == LEGAL
        return
    mask[b["decline_action"]] = 1
    for locomotives in range(int(g["pending_left"]) + 1):
        mask[b["tunnel_action"] + locomotives] = extra_verdict(g, b, locomotives) == LEGAL


@kernel
def write_mask(g, b, mask):
    """Write 1 for every legal action of the player to move, and 0 for all others."""
    mask[:] = 0
    phase = g["phase"]
    if phase == OVER:
        return
    if phase == KEEP_TICKETS:
        mark_keeps(g, b, mask)
    elif phase == NEUTRAL:
        mask[b["neutral_action"]] = 1
        mask[b["neutral_action"] + 1] = 1
    elif phase in (SET, TUNNEL):
        mark_pending(g, b, mask)
    else:
        found = mark_draws(g, b, mask)
        if phase == TURN:
            found |= mark_claims(g, b, g["player"], mask)
            tickets = can_draw_tickets(g)
            mask[DRAW_TICKETS] = tickets
            mask[PASS] = not (found or tickets)


@kernel
def random_keep(g, b, source):
    """One of the legal choices of offered tickets."""
    most = 1 << popcount(g["offered"][g["player"]])
    while True:  # at least one in 31 is legal, and half of them in the usual deals
        slots = 1 + below(source, most - 1)
        if keep_verdict(g, b, slots) == LEGAL:
            return KEEP + slots - 1


@kernel
def coloured_ways(length, cards, locomotives):
    """In how many ways a coloured track can be paid with so many cards of its colour and locomotives (B6)."""
    return max(0, min(length, locomotives) - fewest_locomotives(length, cards) + 1)


@kernel
def grey_ways(length, cards, locomotives):
    """In how many ways a grey track can be paid in one colour, locomotives alone not counted (B6)."""
    return max(0, min(length - 1, locomotives) - fewest_locomotives(length, cards) + 1)


@kernel
def longest_claim(g, b, player):
    """The longest plain track that the player might be able to claim."""
    return min(longest_payable(g, b, player, GREY), int(b["longest"]))


@kernel
def claims_of_length(g, b, player, length):
    """How many claims of plain tracks of a length are legal.

    The loop has no branch on the hand: to look at every colour costs less than one mispredicted branch.
    """
    hand = g["hand"][player]
    opens = g["open_count"][player, length]
    locomotives = jokers(b, hand)
    claims = 0
    ways_to_pay_grey = int(locomotives >= length)
    for colour in range(COLOURS):
        cards = int(hand[colour])
        claims += int(opens[colour]) * coloured_ways(length, cards, locomotives)
        ways_to_pay_grey += grey_ways(length, cards, locomotives)
    return claims + int(opens[GREY]) * ways_to_pay_grey


@kernel
def count_claims(g, b, player):
    """How many claims of plain tracks are legal."""
    claims = 0
    for length in range(1, longest_claim(g, b, player) + 1):
        claims += claims_of_length(g, b, player, length)
    return claims


@kernel
def nth_open(g, b, player, colour, length, n):
    """The n-th track of a class that is open to the player."""
    word = 0
    tracks = g["open"][player, 0] & b["class_tracks"][colour, length, 0]
    while n >= popcount(tracks):
        n -= popcount(tracks)
        word += 1
        tracks = g["open"][player, word] & b["class_tracks"][colour, length, word]
    return 64 * word + nth(tracks, n)


@kernel
def nth_grey_payment(b, hand, length, n):
    """The n-th payment that a hand can make for a plain grey track, as an offset from the track's first claim."""
    locomotives = jokers(b, hand)
    for colour in range(COLOURS):
        ways = grey_ways(length, int(hand[colour]), locomotives)
        if n < ways:
            return colour * ways_in_colour(b, length) + fewest_locomotives(length, int(hand[colour])) + n
        n -= ways
    return COLOURS * length


@kernel
def nth_claim(g, b, player, n):
    """The n-th of the claims that `count_claims` counted."""
    length = 1
    claims = claims_of_length(g, b, player, length)
    while n >= claims:
        n -= claims
        length += 1
        claims = claims_of_length(g, b, player, length)
    hand = g["hand"][player]
    opens = g["open_count"][player, length]
    locomotives = jokers(b, hand)
    for colour in range(COLOURS):
        ways = coloured_ways(length, int(hand[colour]), locomotives)
        if n < int(opens[colour]) * ways:
            track = nth_open(g, b, player, colour, length, n // ways)
            return int(b["track_claim"][track]) + fewest_locomotives(length, int(hand[colour])) + n % ways
        n -= int(opens[colour]) * ways
    tracks = int(opens[GREY])
    track = nth_open(g, b, player, GREY, length, n % tracks)
    return int(b["track_claim"][track]) + nth_grey_payment(b, hand, length, n // tracks)


@kernel
def face_up_draws(g, b):
    """The face-up cards that may be taken, as a bit set by kind."""
    cards = NO_BITS
    for card in range(CARD_KINDS):  # no branches: they would be mispredicted
        cards |= np.uint64(face_up_verdict(g, b, card) == LEGAL) << np.uint64(card)
    return cards


@kernel
def random_on_turn(g, b, source):
    """One of the legal actions in the phases of a turn."""
    player = g["player"]
    blind = int(can_draw_blind(g))
    face_up = face_up_draws(g, b)
    draws = blind + popcount(face_up)
    tickets, claims, special = 0, 0, 0
    if g["phase"] == TURN:
        tickets = int(can_draw_tickets(g))
        claims = count_claims(g, b, player)
        if b["special"] > 0:
            special = count_special(g, b, player)
    actions = draws + tickets + claims + special
    if actions == 0:
        return PASS
    n = below(source, actions)
    if n < blind:
        return DRAW_DECK
    if n < draws:
        return DRAW_FACE_UP + nth(face_up, n - blind)
    if n < draws + tickets:
        return DRAW_TICKETS
    n -= draws + tickets
    return nth_claim(g, b, player, n) if n < claims else nth_special(g, b, player, n - claims)


@kernel
def random_in_set(g, b, source):
    """A kind of card that the set can still have (S5, S7)."""
    kinds, bits = 0, NO_BITS
    for card in range(CARD_KINDS):
        is_legal = set_verdict(g, card) == LEGAL
        kinds += int(is_legal)
        bits |= np.uint64(is_legal) << np.uint64(card)
    return int(b["set_action"]) + nth(bits, below(source, kinds))


@kernel
def random_at_tunnel(g, b, source):
    """A way to pay what the tunnel asks for, or declining (S6)."""
    ways = 1
    for locomotives in range(int(g["pending_left"]) + 1):
        ways += int(extra_verdict(g, b, locomotives) == LEGAL)
    n = below(source, ways)
    for locomotives in range(int(g["pending_left"]) + 1):
        if extra_verdict(g, b, locomotives) == LEGAL:
            if n == 0:
                return int(b["tunnel_action"]) + locomotives
            n -= 1
    return int(b["decline_action"])


@kernel
def random_action(g, b, source):
    """A legal action, each with the same probability; `source` is the state of random numbers beside the game's own."""
    phase = g["phase"]
    if phase in (TURN, SECOND_CARD):
        return random_on_turn(g, b, source)
    if phase == KEEP_TICKETS:
        return random_keep(g, b, source)
    if phase == NEUTRAL:
        return int(b["neutral_action"]) + below(source, 2)
    if phase == SET:
        return random_in_set(g, b, source)
    return random_at_tunnel(g, b, source)
