"""A look at a decision: its candidates, and the features of all of them."""

from __future__ import annotations

from ttr_env.bots.features.candidates import list_candidates
from ttr_env.bots.features.claims import write_claim
from ttr_env.bots.features.draws import write_blind, write_card, write_draw, write_extra
from ttr_env.bots.features.keeps import write_keeps
from ttr_env.bots.features.outlook import read_colours
from ttr_env.bots.features.state import write_state
from ttr_env.bots.search import is_planned
from ttr_env.bots.spending import missing_cards
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CLAIM, DRAW_DECK, DRAW_FACE_UP, DRAW_TICKETS, KEEP_TICKETS, NEUTRAL, SET, TUNNEL


@kernel
def look(g, b, net, view):
    """Write the candidates, the state and the features of every candidate of the player to move."""
    list_candidates(g, b, view)
    describe(g, b, net, view)


@kernel
def describe(g, b, net, view):
    """Write the state, and the features of the candidates that are listed."""
    player = int(g["player"])
    describe_state(g, b, net, view)
    view["action_rows"][: view["count"]] = 0.0
    if g["phase"] == KEEP_TICKETS:
        write_keeps(g, b, player, net, view)
    else:
        read_colours(g, b, player, net, view)
        for place in range(view["count"]):
            write_action(g, b, player, net, view, int(view["index"][place]), view["actions"][place])
    for place in range(view["count"]):
        clip(view["action_rows"][place])


@kernel
def describe_state(g, b, net, view):
    """Write the state of the player to move."""
    view["state_row"][:] = 0.0
    write_state(g, b, int(g["player"]), net, view)
    clip(view["state_row"])


@kernel
def clip(row):
    """Bring every entry between -1 and 1."""
    for column in range(row.shape[0]):
        row[column] = min(max(row[column], -1.0), 1.0)


@kernel
def write_action(g, b, player, net, view, action, a):
    """Write the features of an action that is no choice of tickets."""
    phase = g["phase"]
    if phase == NEUTRAL:
        write_neutral(g, b, player, net, action, a)
    elif phase == SET:
        a["set_card"] = 1.0
        write_card(g, player, view, action - int(b["set_action"]), a)
    elif phase == TUNNEL:
        if action == b["decline_action"]:
            a["tunnel_decline"] = 1.0
        else:
            write_extra(g, b, player, view, action - int(b["tunnel_action"]), a)
    elif action >= CLAIM:
        write_claim(g, b, player, net, view, action, a)
    elif action == DRAW_DECK:
        write_blind(g, b, player, view, a)
    elif action < DRAW_TICKETS:
        write_draw(g, player, view, action - DRAW_FACE_UP, a)
    elif action == DRAW_TICKETS:
        a["draw_tickets"] = 1.0
        a["room"] = (view["reach"] - net["trains"]) / float(b["trains"])
    else:
        a["pass"] = 1.0


@kernel
def write_neutral(g, b, player, net, action, a):
    """Write the features of putting the neutral player on a track."""
    track = int(b["ticket_neutral"][g["neutral_ticket"]])
    if action > b["neutral_action"]:
        track = int(b["track_partner"][track])
    a["neutral_claim"] = 1.0
    a["length"] = b["track_length"][track] / 9.0
    a["in_plan"] = int(is_planned(b, net, track))
    a["planned_lack"] = missing_cards(b, g["hand"][player], track) / 7.0
