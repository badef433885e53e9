"""Dealing anew what a player cannot see (`docs/rules.md`, section K)."""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, bit, nth, popcount
from ttr_env.engine.cards import draw_card, total
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CARD_KINDS, PUBLIC
from ttr_env.engine.rng import below


@kernel
def discards_are_public(g):
    """N2: refused tickets lie face up, but the first ones are turned over only when all have chosen.

    On other boards nobody sees them (S2, U1).
    """
    return g["discards"] == PUBLIC and not g["setup"]


@kernel
def seen_of_hand(g, seat, card):
    """How many cards of a kind everybody knows to be in a hand; those laid down for a claim are still there."""
    known = int(g["known"][seat, card])
    return max(known, int(g["pending_paid"][card])) if seat == g["player"] else known


@kernel
def redeal_cards(g, player):
    """Deal the cards in the deck and those nobody knows of in the other hands."""
    for seat in range(g["players"]):
        if seat != player:
            for card in range(CARD_KINDS):
                g["deck"][card] += g["hand"][seat, card] - seen_of_hand(g, seat, card)
    g["deck_size"] = total(g["deck"])
    for seat in range(g["players"]):
        if seat != player:
            unknown = total(g["hand"][seat])
            for card in range(CARD_KINDS):
                g["hand"][seat, card] = seen_of_hand(g, seat, card)
                unknown -= int(g["hand"][seat, card])
            for _ in range(unknown):
                g["hand"][seat, draw_card(g)] += 1


@kernel
def sample_tickets(g, pool, count):
    """A random set of `count` tickets out of a pool."""
    chosen = NO_BITS
    for _ in range(count):
        left = pool & ~chosen
        chosen |= bit(nth(left, below(g["rng"], popcount(left))))
    return chosen


@kernel
def redeal_tickets(g, player):
    """Deal the tickets in the pile and those that other seats keep, look at, or refused."""
    pool = g["ticket_pile"]
    for seat in range(g["players"]):
        if seat != player:
            pool |= g["tickets"][seat] | g["offered"][seat]
    refused = g["ticket_discard"] & ~g["refused"][player]
    if not discards_are_public(g):
        unseen = popcount(refused)
        pool |= refused
        refused = sample_tickets(g, pool, unseen)
        pool &= ~refused
        g["ticket_discard"] = g["refused"][player] | refused
    for seat in range(g["players"]):
        if seat != player:
            g["tickets"][seat] = sample_tickets(g, pool, popcount(g["tickets"][seat]))
            pool &= ~g["tickets"][seat]
            g["offered"][seat] = sample_tickets(g, pool, popcount(g["offered"][seat]))
            pool &= ~g["offered"][seat]
            g["refused"][seat] = sample_tickets(g, refused, popcount(g["refused"][seat]))
            refused &= ~g["refused"][seat]
    g["ticket_pile"] = pool


@kernel
def redeal(g, player, seed):
    """Make the game one of those that the player cannot tell from the real one, each as likely, with a new RNG."""
    g["rng"][0] = seed
    redeal_cards(g, player)
    redeal_tickets(g, player)
