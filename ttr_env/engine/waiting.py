"""Claims that wait for a decision: sets chosen card by card, and tunnels (S5 to S7).

Until the claim is completed, its cards are still in the hand; `pending_paid` says which of them lie on the table.
"""

from __future__ import annotations

from ttr_env.engine.cards import draw_card, spend
from ttr_env.engine.claims import build
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    LOCOMOTIVE,
    PAID_CARD,
    PAID_CARDS,
    PAID_LOCOMOTIVES,
    PAID_SETS,
    SET,
    TUNNEL,
)


@kernel
def clear(g):
    """No claim waits."""
    g["pending_claim"] = -1
    g["pending_left"] = 0
    for card in range(CARD_KINDS):
        g["pending_paid"][card] = 0
        g["pending_turned"][card] = 0


@kernel
def spare(g, player, card):
    """How many cards of a kind the hand holds beside those laid down."""
    return int(g["hand"][player, card]) - int(g["pending_paid"][card])


@kernel
def asked(g, b):
    """S6: how many extra cards the turned-up cards ask for; a payment in locomotives alone fears only locomotives."""
    card = int(b["claim_paid"][g["pending_claim"] - CLAIM, PAID_CARD])
    extra = int(g["pending_turned"][LOCOMOTIVE])
    return extra if card == LOCOMOTIVE else extra + int(g["pending_turned"][card])


@kernel
def missing_from_sets(g, b):
    """S5, S7: how many cards of the claim's sets are still to be chosen."""
    claim = g["pending_claim"] - CLAIM
    left = int(b["claim_paid"][claim, PAID_SETS]) * int(b["track_set"][b["claim_track"][claim]])
    left += int(b["claim_paid"][claim, PAID_CARDS]) + int(b["claim_paid"][claim, PAID_LOCOMOTIVES])
    for card in range(CARD_KINDS):
        left -= int(g["pending_paid"][card])
    return left


@kernel
def complete(g, b):
    """The cards on the table are paid, those turned up are discarded, and the track is built."""
    player = g["player"]
    track = int(b["claim_track"][g["pending_claim"] - CLAIM])
    discard_turned(g)
    for card in range(CARD_KINDS):
        spend(g, player, card, int(g["pending_paid"][card]))
    clear(g)
    build(g, b, player, track)


@kernel
def discard_turned(g):
    """S6: turned-up cards are discarded either way."""
    for card in range(CARD_KINDS):
        g["discard"][card] += g["pending_turned"][card]


@kernel
def begin(g, b, action):
    """Lay down the cards of a claim; false if it now waits for a decision, true if it can be completed."""
    claim = action - CLAIM
    g["pending_claim"] = action
    g["pending_paid"][b["claim_paid"][claim, PAID_CARD]] += b["claim_paid"][claim, PAID_CARDS]
    g["pending_paid"][LOCOMOTIVE] += b["claim_paid"][claim, PAID_LOCOMOTIVES]
    if b["claim_paid"][claim, PAID_SETS] > 0:
        g["pending_left"] = missing_from_sets(g, b)
        g["phase"] = SET
    elif b["track_tunnel"][b["claim_track"][claim]]:
        for _ in range(b["turned_up"]):
            card = draw_card(g)
            if card >= 0:
                g["pending_turned"][card] += 1
        g["pending_left"] = asked(g, b)
        if g["pending_left"] > 0:
            g["phase"] = TUNNEL
    return g["pending_left"] == 0


@kernel
def add_to_set(g, card):
    """A card of a set is chosen; true if it was the last."""
    g["pending_paid"][card] += 1
    g["pending_left"] -= 1
    return g["pending_left"] == 0


@kernel
def pay_extra(g, b, locomotives):
    """S6: the player lays down what the tunnel asks for, so many of it locomotives."""
    card = int(b["claim_paid"][g["pending_claim"] - CLAIM, PAID_CARD])
    g["pending_paid"][card] += g["pending_left"] - locomotives
    g["pending_paid"][LOCOMOTIVE] += locomotives


@kernel
def decline(g):
    """S6: the player takes all cards back; everybody has seen them."""
    known = g["known"][g["player"]]
    for card in range(CARD_KINDS):
        known[card] = max(known[card], g["pending_paid"][card])
    discard_turned(g)
    clear(g)
