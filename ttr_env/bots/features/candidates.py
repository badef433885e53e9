"""The actions that are scored: every legal one, but of the ways to pay for a track only those that spare most.

A payment is no candidate if another one for the same track takes no more locomotives and no more sets, and fewer of one
of them. So a track of a colour is paid with as few locomotives as the hand allows, a grey one in every colour that
gets by with the fewest. What is left out is never the only way to do something.

Where there would be more than `MAX_CANDIDATES`, claims of longer tracks go before those of shorter ones, and the rest
is dropped and counted. They are listed in the order of their indices otherwise.
"""

from __future__ import annotations

from ttr_env.bots.features.space import MAX_CANDIDATES
from ttr_env.engine.bits import NO_BITS, lowest, popcount, without_lowest
from ttr_env.engine.cards import can_draw_blind, total
from ttr_env.engine.claims import cards_of_colour, fewest_locomotives, jokers, ways_in_colour
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    COLOURS,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    GREY,
    KEEP,
    KEEP_TICKETS,
    NEUTRAL,
    PAID_LOCOMOTIVES,
    PAID_SETS,
    PASS,
    SET,
    TUNNEL,
    TURN,
    WORDS,
)
from ttr_env.engine.legal import LEGAL, extra_verdict, face_up_verdict, keep_verdict, set_verdict
from ttr_env.engine.special import can_pay
from ttr_env.engine.tickets import can_draw_tickets
from ttr_env.maps.limits import MAX_LENGTH


@kernel
def put(view, action):
    """Add a candidate, if there is room."""
    if view["count"] < MAX_CANDIDATES:
        view["index"][view["count"]] = action
        view["count"] += 1
    else:
        view["dropped"] += 1


@kernel
def list_candidates(g, b, view):
    """List the candidates of the player to move."""
    view["count"] = 0
    view["dropped"] = 0
    phase = g["phase"]
    if phase == KEEP_TICKETS:
        list_keeps(g, b, view)
    elif phase == NEUTRAL:
        put(view, int(b["neutral_action"]))
        put(view, int(b["neutral_action"]) + 1)
    elif phase == TUNNEL:
        list_extras(g, b, view)
    elif phase == SET:
        list_set_cards(g, b, view)
    else:
        list_draws(g, b, view)
        if phase == TURN:
            list_all_claims(g, b, view)
            if view["count"] == 0:
                put(view, PASS)


@kernel
def list_keeps(g, b, view):
    """Every choice of offered tickets."""
    for slots in range(1, 1 << popcount(g["offered"][g["player"]])):
        if keep_verdict(g, b, slots) == LEGAL:
            put(view, KEEP + slots - 1)


@kernel
def list_extras(g, b, view):
    """Every way to pay what a tunnel asks for, and declining."""
    for locomotives in range(int(g["pending_left"]) + 1):
        if extra_verdict(g, b, locomotives) == LEGAL:
            put(view, int(b["tunnel_action"]) + locomotives)
    put(view, int(b["decline_action"]))


@kernel
def list_set_cards(g, b, view):
    """Every kind of card that can go into a set."""
    for card in range(CARD_KINDS):
        if set_verdict(g, card) == LEGAL:
            put(view, int(b["set_action"]) + card)


@kernel
def list_draws(g, b, view):
    """Cards and, at the start of a turn, tickets."""
    if can_draw_blind(g):
        put(view, DRAW_DECK)
    for card in range(CARD_KINDS):
        if face_up_verdict(g, b, card) == LEGAL:
            put(view, DRAW_FACE_UP + card)
    if g["phase"] == TURN and can_draw_tickets(g):
        put(view, DRAW_TICKETS)


@kernel
def list_all_claims(g, b, view):
    """Claims; where there are too many, the longest tracks first."""
    draws = view["count"]
    list_claims(g, b, view, 1, int(b["longest"]))
    if view["dropped"] > 0:
        view["count"] = draws
        view["dropped"] = 0
        for length in range(int(b["longest"]), 0, -1):
            list_claims(g, b, view, length, length)


@kernel
def list_claims(g, b, view, shortest, longest):
    """Claims of tracks of these lengths."""
    player = int(g["player"])
    hand = g["hand"][player]
    cards, most = total(hand), min(longest, int(g["trains"][player]))
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if shortest <= b["track_length"][track] <= most:
                if b["track_plain"][track]:
                    list_plain(b, hand, track, view)
                else:
                    list_special(b, hand, cards, track, view)


@kernel
def list_plain(b, hand, track, view):
    """The payments of a plain track with the fewest locomotives."""
    length, colour = int(b["track_length"][track]), int(b["track_colour"][track])
    first = int(b["track_claim"][track])
    fewest = fewest_locomotives(length, cards_of_colour(hand, colour))
    if fewest > jokers(b, hand):
        return
    if colour != GREY:
        put(view, first + fewest)
    elif fewest == length:
        put(view, first + COLOURS * length)  # locomotives alone
    else:
        for other in range(COLOURS):
            if hand[other] >= length - fewest:
                put(view, first + other * ways_in_colour(b, length) + fewest)


@kernel
def list_special(b, hand, cards, track, view):
    """The payments of a special track that no other one beats in locomotives and sets."""
    fewest = view["fewest"]
    fewest[:] = MAX_LENGTH + 1
    first = int(b["track_claim"][track]) - CLAIM
    end = first + int(b["track_ways"][track])
    for claim in range(first, end):
        if can_pay(b, hand, cards, claim):
            sets = int(b["claim_paid"][claim, PAID_SETS])
            fewest[sets] = min(fewest[sets], int(b["claim_paid"][claim, PAID_LOCOMOTIVES]))
    for claim in range(first, end):
        if can_pay(b, hand, cards, claim) and is_sparing(b, claim, fewest):
            put(view, CLAIM + claim)


@kernel
def is_sparing(b, claim, fewest):
    """Whether no payment with as many or fewer sets takes fewer locomotives, nor with fewer sets as many."""
    sets, locomotives = int(b["claim_paid"][claim, PAID_SETS]), int(b["claim_paid"][claim, PAID_LOCOMOTIVES])
    for less in range(sets):
        if fewest[less] <= locomotives:
            return False
    return locomotives == fewest[sets]
