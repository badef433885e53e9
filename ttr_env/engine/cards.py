"""Train cards: drawing from the deck, and the face-up row (B3, B4, B5)."""

from __future__ import annotations

from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CARD_KINDS, COLOURS, LOCOMOTIVE
from ttr_env.engine.rng import below


@kernel
def total(counts):
    """How many cards nine counts add up to."""
    cards = 0
    for card in range(CARD_KINDS):
        cards += int(counts[card])
    return cards


@kernel
def can_draw_blind(g):
    """B5: a card can be drawn while the deck or the discard pile holds one."""
    return g["deck_size"] > 0 or total(g["discard"]) > 0


@kernel
def draw_card(g):
    """Take one card from the deck and return it (R3), -1 if there is none.

    B5: an empty deck is replaced by the discard pile at the moment a card is needed.
    """
    if g["deck_size"] == 0:
        for card in range(CARD_KINDS):
            g["deck"][card] = g["discard"][card]
            g["discard"][card] = 0
        g["deck_size"] = total(g["deck"])
        if g["deck_size"] == 0:
            return -1
    position = below(g["rng"], g["deck_size"])
    card, passed = 0, 0
    for kind in range(COLOURS):  # no early exit: a branch on a random number is mispredicted
        passed += int(g["deck"][kind])
        card += int(position >= passed)
    g["deck"][card] -= 1
    g["deck_size"] -= 1
    return card


@kernel
def row_is_stuck(g, b):
    """B4's ruling: too few coloured cards outside the hands to deal an acceptable row."""
    coloured = 0
    for card in range(COLOURS):
        coloured += int(g["deck"][card]) + int(g["discard"][card]) + int(g["face_up"][card])
    return coloured <= b["row"] - b["row_reset"]


@kernel
def fill_row(g, b):
    """Fill the face-up row as far as cards go, and clear it while it shows too many locomotives (B4, B5)."""
    size = total(g["face_up"])
    while True:
        while size < b["row"]:
            card = draw_card(g)
            if card < 0:
                break
            g["face_up"][card] += 1
            size += 1
        if b["row_reset"] == 0 or g["face_up"][LOCOMOTIVE] < b["row_reset"] or row_is_stuck(g, b):
            return
        for card in range(CARD_KINDS):
            g["discard"][card] += g["face_up"][card]
            g["face_up"][card] = 0
        size = 0


@kernel
def take_blind(g, player):
    """B3: the player takes a card from the deck."""
    g["hand"][player, draw_card(g)] += 1


@kernel
def take_face_up(g, b, player, card):
    """B3: the player takes a face-up card, for all to see; it is replaced at once."""
    g["face_up"][card] -= 1
    g["hand"][player, card] += 1
    g["known"][player, card] += 1
    fill_row(g, b)


@kernel
def spend(g, player, card, count):
    """Discard cards from a hand; those that everybody knows of go first."""
    g["hand"][player, card] -= count
    g["discard"][card] += count
    g["known"][player, card] = max(0, g["known"][player, card] - count)
