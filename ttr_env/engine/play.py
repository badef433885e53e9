"""Starting a game, and taking an action in it: one function a phase."""

from __future__ import annotations

import numpy as np

from ttr_env.engine import neutral, waiting
from ttr_env.engine.bits import NO_BITS
from ttr_env.engine.cards import fill_row, take_blind, take_face_up
from ttr_env.engine.claims import claim
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FREE,
    KEEP,
    KEEP_TICKETS,
    LOCOMOTIVE,
    NEUTRAL,
    PASS,
    SECOND_CARD,
    SET,
    TURN,
)
from ttr_env.engine.legal import can_draw_card
from ttr_env.engine.restore import open_all
from ttr_env.engine.rng import seeded
from ttr_env.engine.tickets import keep, offer
from ttr_env.engine.turns import end_turn, start_round, start_turn
from ttr_env.maps.limits import MAX_PLAYERS


@kernel
def clear_seats(g, b):
    """Every seat with its trains, tokens and start points, and no card, ticket or track (N1, N3)."""
    for seat in range(MAX_PLAYERS):
        at_table = seat < g["players"]
        g["trains"][seat] = b["trains"] if at_table else 0
        g["points"][seat] = b["start_points"][seat] if at_table else 0
        g["tolls"][seat] = b["tokens"] if at_table and g["with_tolls"] else 0
        g["loans"][seat] = 0
        g["tickets"][seat] = NO_BITS
        g["offered"][seat] = NO_BITS
        g["refused"][seat] = NO_BITS
        for card in range(CARD_KINDS):
            g["hand"][seat, card] = 0
            g["known"][seat, card] = 0
        open_all(g, b, seat)


@kernel
def clear_table(g, b):
    """The board, the piles and the clock before anything is dealt."""
    for card in range(CARD_KINDS):
        g["deck"][card] = b["card_count"][card]
        g["discard"][card] = 0
        g["face_up"][card] = 0
    g["deck_size"] = b["cards"]
    g["ticket_pile"] = b["all_tickets"]
    g["ticket_discard"] = NO_BITS
    g["owner"][:] = FREE
    g["claimed"][:] = NO_BITS
    g["round"] = 1
    g["turns_left"] = -1
    g["passes"] = 0
    g["neutral_active"] = g["with_neutral"]
    g["neutral_trains"] = b["neutral_trains"] if g["with_neutral"] else 0
    g["neutral_marker"] = 1 if g["with_neutral"] else 0  # N11: the second player has it first
    g["neutral_ticket"] = -1
    g["discards"] = b["discards"]
    waiting.clear(g)


@kernel
def new_game(g, b, seed, players, with_tolls, with_neutral):
    """Set up and deal (B1, N2; the order is R5's)."""
    g["rng"][0] = seeded(np.uint64(seed))
    g["players"] = players
    g["with_tolls"] = with_tolls
    g["with_neutral"] = with_neutral
    clear_table(g, b)
    clear_seats(g, b)
    for seat in range(players):
        for _ in range(b["hand"]):
            take_blind(g, seat)
    fill_row(g, b)
    for seat in range(players):
        offer(g, seat, b["deal"])
    g["setup"] = 1
    g["player"] = 0
    g["phase"] = KEEP_TICKETS


@kernel
def play_keep(g, slots):
    """Phase keep_tickets: in turn order at the start, and after drawing tickets; true if the turn is over."""
    player = g["player"]
    keep(g, player, np.uint64(slots))
    if not g["setup"]:
        return True
    if player < g["players"] - 1:
        g["player"] = player + 1
    else:
        g["setup"] = 0
        start_turn(g, 0)
    return False


@kernel
def play_draw(g, b, action):
    """Phases turn and second_card: take a card (B3); true if the turn is over."""
    player = g["player"]
    if action == DRAW_DECK:
        take_blind(g, player)
    else:
        take_face_up(g, b, player, action - DRAW_FACE_UP)
        if action - DRAW_FACE_UP == LOCOMOTIVE and b["locomotive_ends_draw"]:
            return True
    if g["phase"] == TURN:
        g["phase"] = SECOND_CARD
        return not can_draw_card(g, b)
    return True


@kernel
def play_claim(g, b, action):
    """Phases turn, tunnel and set, on boards where claims can wait (S5 to S7); true if the turn is over."""
    if g["phase"] == SET:
        completed = waiting.add_to_set(g, action - b["set_action"])
    elif g["phase"] == TURN:
        completed = waiting.begin(g, b, action)
    elif action == b["decline_action"]:
        waiting.decline(g)
        return True
    else:
        waiting.pay_extra(g, b, action - b["tunnel_action"])
        completed = True
    if completed:
        waiting.complete(g, b)
    return completed


@kernel
def play_other(g, b, action):
    """Phase turn: draw tickets, or pass (B12); true if the turn is over."""
    if action == DRAW_TICKETS:
        offer(g, g["player"], b["draw"])
        g["phase"] = KEEP_TICKETS
    return action == PASS


@kernel
def apply(g, b, action):
    """Take an action, which is legal; its index tells its kind, as no two phases share one."""
    if action < DRAW_TICKETS:
        over = play_draw(g, b, action)
    elif action < KEEP:
        over = play_other(g, b, action)
    elif action < CLAIM:
        over = play_keep(g, action - KEEP + 1)
    elif g["phase"] == NEUTRAL:
        neutral.choose(g, b, action - b["neutral_action"])
        start_round(g)
        over = False
    elif b["claims_wait"]:
        over = play_claim(g, b, action)
    else:
        claim(g, b, g["player"], action)
        over = True
    if over:
        end_turn(g, b, action == PASS)
