"""What a card would be good for: drawn from the deck or the row, or given away for a set or a tunnel."""

from __future__ import annotations

from ttr_env.bots.features.outlook import ANY_CARD
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CARD_KINDS, CLAIM, COLOURS, LOCOMOTIVE, PAID_CARD


@kernel
def write_card(g, player, view, card, a):
    """The features of a kind of card."""
    if card != LOCOMOTIVE:
        a["want"] = view["wanted"][card] / 6.0
    a["held"] = g["hand"][player, card] / 10.0
    a["face_up"] = g["face_up"][card] / 5.0
    a["pays_planned"] = int(view["lack"][card] == 1)
    a["planned_lack"] = view["lack"][card] / 7.0
    a["best_rate"] = view["rate"][card] / 10.0
    a["longest_payable"] = view["longest"][card] / 9.0


@kernel
def write_draw(g, player, view, card, a):
    """Write the features of taking a face-up card."""
    a["draw_locomotive"] = int(card == LOCOMOTIVE)
    a["draw_colour"] = int(card != LOCOMOTIVE)
    write_card(g, player, view, card, a)


@kernel
def write_blind(g, b, player, view, a):
    """Write the features of drawing from the deck: what is wanted, among the cards that the player has not seen."""
    a["draw_deck"] = 1.0
    a["planned_lack"] = view["lack"][ANY_CARD] / 7.0
    a["best_rate"] = view["rate"][ANY_CARD] / 10.0
    unseen, wanted = 0, 0
    for card in range(CARD_KINDS):
        left = int(b["card_count"][card]) - int(g["hand"][player, card]) - int(g["face_up"][card])
        left -= int(g["discard"][card])
        for seat in range(g["players"]):
            if seat != player:
                left -= int(g["known"][seat, card])
        unseen += left
        if card == LOCOMOTIVE or view["wanted"][card] > 0:
            wanted += left
    a["wanted_chance"] = wanted / float(max(1, unseen))


@kernel
def write_extra(g, b, player, view, locomotives, a):
    """Write the features of paying what a tunnel asks for, so much of it with locomotives."""
    card = int(b["claim_paid"][g["pending_claim"] - CLAIM, PAID_CARD])
    cards = int(g["pending_left"]) - locomotives
    a["tunnel_pay"] = 1.0
    a["locomotives_paid"] = locomotives / 6.0
    a["cards_paid"] = cards / 9.0
    if card < COLOURS:
        write_card(g, player, view, card, a)
