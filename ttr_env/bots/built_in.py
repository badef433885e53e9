"""The bots by number: what each does when it is its move."""

from __future__ import annotations

from ttr_env.bots.planner import planner_action
from ttr_env.bots.routes import FORGOTTEN
from ttr_env.bots.simple import simple_action
from ttr_env.engine.choices import random_action
from ttr_env.engine.jit import entry, kernel

BOTS = ("random", "greedy", "racer", "planner")
RANDOM, GREEDY, RACER, PLANNER = range(4)
FIRST_NETWORK = len(BOTS)  # players from this number on are networks of a pool


@kernel
def bot_action(g, b, kind, source, net):
    """The action of a bot (an index of `BOTS`) for the player to move.

    `source` is the state of its random numbers, `net` scratch space.
    """
    net["surveyed"] = FORGOTTEN  # whose survey it was is not known
    if kind == RANDOM:
        return random_action(g, b, source)
    if kind == PLANNER:
        return planner_action(g, b, net)
    return simple_action(g, b, net, kind == RACER)


@entry
def act_rows(games, boards, rows, kind, source, nets, actions):
    """The actions of a bot in some rows of a batch."""
    for place in range(rows.shape[0]):
        actions[place] = bot_action(games[rows[place]], boards[0], kind, source, nets[0])
