"""What may be done: the verdict on an action, legal or the reason why not.

Whether a claim is legal (B6, B7, S4 to S7) is asked in five ways, and each has a formulation of its own, because the
shortest way to one answer is a detour to another. Together they are why random games are played at millions of
decisions a second. Plain tracks of one colour and length cost the same, and are dealt with as a class; special tracks
(`special`) are looked at one by one.

- The verdict on one action, with the reason: `claim_verdict` here, `special.can_pay` for the payment. It is asked of
  every action that is taken, and is the one to read first.
- The mask of all of them: `choices.mark_claims` and `special.mark_special`. It visits what the hand can pay for, not
  every action. `has_claim` is the same question without the list, for passing (B12).
- How many there are: `choices.count_claims` and `special.count_special`. Of plain ones no track is visited: numbers of
  open tracks by class are multiplied by numbers of payments.
- The n-th of them: `choices.nth_claim` and `special.nth_special`. With the count, it makes a random action without a
  mask.
- Which tracks have any, for the planning features: `planning.write_affordable` and `planning.write_special`. Payments
  do not matter there, only whether there is one.

A change of the rules has to be made in each of them. Tests keep them equal: the mask to the verdicts and to passing,
`tests/engine/test_invariants.py`; count and n-th to the mask, `tests/engine/test_legality.py`; affordable tracks to
the mask, `tests/game/test_observation.py`; the mask to the second implementation, `tests/engine/test_lockstep.py`.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import popcount
from ttr_env.engine.cards import can_draw_blind, total
from ttr_env.engine.claims import cards_of_colour, is_open, jokers
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    COLOURS,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FREE,
    KEEP,
    KEEP_TICKETS,
    LOCOMOTIVE,
    NEUTRAL,
    OVER,
    PAID_CARD,
    PASS,
    SET,
    TUNNEL,
    TURN,
)
from ttr_env.engine.special import can_pay, count_special
from ttr_env.engine.tickets import can_draw_tickets, fewest_kept
from ttr_env.engine.waiting import spare

# Verdicts.
LEGAL = 0
OUT_OF_RANGE = 1
GAME_OVER = 2
OTHER_PHASE = 3
NO_CARD_LEFT = 4
NOT_FACE_UP = 5
SECOND_LOCOMOTIVE = 6
NO_TICKET_LEFT = 7
NOT_OFFERED = 8
KEEPS_TOO_FEW = 9
CAN_DO_MORE = 10
TAKEN = 11
CLOSED = 12
TOO_FEW_TRAINS = 13
TOO_FEW_CARDS = 14
NOT_ASKED_FOR = 15
LOCOMOTIVES_ONLY = 16


@kernel
def blind_verdict(g):
    """B5: on drawing from the deck."""
    return LEGAL if can_draw_blind(g) else NO_CARD_LEFT


@kernel
def face_up_verdict(g, b, card):
    """B3: on taking a face-up card."""
    if g["face_up"][card] == 0:
        return NOT_FACE_UP
    if card == LOCOMOTIVE and g["phase"] != TURN and b["locomotive_ends_draw"]:
        return SECOND_LOCOMOTIVE
    return LEGAL


@kernel
def can_draw_card(g, b):
    """B5: whether any card could be taken now, as the first or the second."""
    if can_draw_blind(g):
        return True
    for card in range(CARD_KINDS):
        if face_up_verdict(g, b, card) == LEGAL:
            return True
    return False


@kernel
def longest_payable(g, b, player, colour):
    """The longest plain track of a colour for which hand and trains suffice."""
    hand = g["hand"][player]
    return min(cards_of_colour(hand, colour) + jokers(b, hand), int(g["trains"][player]))


@kernel
def has_claim(g, b, player):
    """Whether any claim is legal."""
    for colour in range(COLOURS + 1):
        for length in range(1, min(longest_payable(g, b, player, colour), b["longest"]) + 1):
            if g["open_count"][player, length, colour] > 0:
                return True
    return b["special"] > 0 and count_special(g, b, player) > 0


@kernel
def pass_verdict(g, b):
    """B12: on passing, for which nothing else may be possible."""
    if can_draw_card(g, b) or can_draw_tickets(g) or has_claim(g, b, g["player"]):
        return CAN_DO_MORE
    return LEGAL


@kernel
def keep_verdict(g, b, slots):
    """N2: on keeping just the offered tickets at `slots`, a bit set."""
    if slots >= 1 << popcount(g["offered"][g["player"]]):
        return NOT_OFFERED
    return LEGAL if popcount(np.uint64(slots)) >= fewest_kept(g, b) else KEEPS_TOO_FEW


@kernel
def claim_verdict(g, b, player, action):
    """B6, B7: on a claim and the way it is paid."""
    track = int(b["claim_track"][action - CLAIM])
    if not is_open(g, player, track):
        return CLOSED if g["owner"][track] == FREE else TAKEN
    if b["track_length"][track] > g["trains"][player]:
        return TOO_FEW_TRAINS
    hand = g["hand"][player]
    cards = total(hand) if b["claims_wait"] else 0
    return LEGAL if can_pay(b, hand, cards, action - CLAIM) else TOO_FEW_CARDS


@kernel
def extra_verdict(g, b, locomotives):
    """S6: on paying what a tunnel asks for, so many of it locomotives."""
    player, left = g["player"], int(g["pending_left"])
    card = int(b["claim_paid"][g["pending_claim"] - CLAIM, PAID_CARD])
    if locomotives > left:
        return NOT_ASKED_FOR
    if card == LOCOMOTIVE and locomotives < left:
        return LOCOMOTIVES_ONLY
    if spare(g, player, LOCOMOTIVE) < locomotives:
        return TOO_FEW_CARDS
    return LEGAL if card == LOCOMOTIVE or spare(g, player, card) >= left - locomotives else TOO_FEW_CARDS


@kernel
def set_verdict(g, card):
    """S5, S7: on a card for a set."""
    return LEGAL if spare(g, g["player"], card) > 0 else TOO_FEW_CARDS


@kernel
def pending_verdict(g, b, action):
    """On an action while a claim waits."""
    if g["phase"] == SET:
        card = action - b["set_action"]
        return set_verdict(g, card) if 0 <= card < CARD_KINDS else OTHER_PHASE
    if action == b["decline_action"]:
        return LEGAL
    if b["tunnel_action"] <= action < b["decline_action"]:
        return extra_verdict(g, b, action - b["tunnel_action"])
    return OTHER_PHASE


@kernel
def turn_verdict(g, b, action):
    """On an action in the phases of a turn: drawing cards or tickets, claiming, passing."""
    if action == DRAW_DECK:
        return blind_verdict(g)
    if action < DRAW_TICKETS:
        return face_up_verdict(g, b, action - DRAW_FACE_UP)
    if g["phase"] != TURN:
        return OTHER_PHASE
    if action == DRAW_TICKETS:
        return LEGAL if can_draw_tickets(g) else NO_TICKET_LEFT
    if action == PASS:
        return pass_verdict(g, b)
    if CLAIM <= action < CLAIM + b["claims"]:
        return claim_verdict(g, b, g["player"], action)
    return OTHER_PHASE


@kernel
def verdict(g, b, action):
    """`LEGAL` if the player to move may take this action, else the reason why not."""
    if action < 0 or action >= b["actions"]:
        return OUT_OF_RANGE
    if g["phase"] == OVER:
        return GAME_OVER
    if g["phase"] == KEEP_TICKETS:
        return keep_verdict(g, b, action - KEEP + 1) if KEEP <= action < CLAIM else OTHER_PHASE
    if g["phase"] == NEUTRAL:
        return LEGAL if b["neutral_action"] <= action < b["neutral_action"] + 2 else OTHER_PHASE
    if g["phase"] in (SET, TUNNEL):
        return pending_verdict(g, b, action)
    return turn_verdict(g, b, action)
