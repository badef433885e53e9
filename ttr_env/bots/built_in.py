"""The bots by number: what each does when it is its move."""

from __future__ import annotations

from ttr_env.bots.beliefs import STYLES, believe
from ttr_env.bots.planner import planner_action
from ttr_env.bots.routes import FORGOTTEN
from ttr_env.bots.simple import simple_action
from ttr_env.bots.styles import blocking_claim
from ttr_env.engine.choices import random_action
from ttr_env.engine.jit import entry, kernel

BOTS = ("random", "greedy", "racer", *STYLES)
RANDOM, GREEDY, RACER, PLANNER = range(4)
BLOCKER = BOTS.index("blocker")
HELD_OUT = ("blocker", "ticket_hoarder", "toll_hoarder", "stranger")  # only for evaluation: no training meets them
FIRST_NETWORK = len(BOTS)  # players from this number on are networks of a pool


def player_name(number: int) -> str:
    """A player in compiled code, to be named in a message.

    >>> player_name(PLANNER), player_name(FIRST_NETWORK + 1)
    ('the bot planner', 'network 1')
    """
    return f"the bot {BOTS[number]}" if number < FIRST_NETWORK else f"network {number - FIRST_NETWORK}"


@kernel
def bot_action(g, b, kind, source, net):
    """The action of a bot (an index of `BOTS`) for the player to move.

    `source` is the state of its random numbers, `net` scratch space.
    """
    net["surveyed"] = FORGOTTEN  # whose survey it was is not known
    if kind == RANDOM:
        return random_action(g, b, source)
    if kind < PLANNER:
        return simple_action(g, b, net, kind == RACER)
    believe(g, b, kind - PLANNER, net)
    if kind == BLOCKER:
        claim = blocking_claim(g, b, net)
        if claim >= 0:
            return claim
    return planner_action(g, b, net)


@entry
def act_rows(games, boards, rows, kind, source, nets, actions):
    """The actions of a bot in some rows of a batch."""
    for place in range(rows.shape[0]):
        actions[place] = bot_action(games[rows[place]], boards[0], kind, source, nets[0])
