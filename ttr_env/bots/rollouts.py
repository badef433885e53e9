"""Worlds that agree with what a player knows, played to their end by networks, planners, or both.

A world is the position with everything hidden dealt anew, the others' tickets by what fits their tracks.
"""

from __future__ import annotations

from ttr_env.bots.beliefs import STYLES, believe
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.guessing import guess_tickets
from ttr_env.bots.planner import planner_action
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.bots.scorer import SCORES, scorer_action
from ttr_env.bots.search import MAX_PLAYED, win_value
from ttr_env.engine.hidden import redeal
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import GAME, OVER
from ttr_env.engine.play import apply
from ttr_env.engine.scoring import SHEET_SHAPE, SHEET_TYPE
from ttr_env.engine.scratch import whole_lines
from ttr_env.maps.limits import MAX_PLAYERS

PLANNER = STYLES.index("planner")

# What one thread needs to play worlds out.
ROLLOUT = whole_lines(
    [
        ("game", GAME),
        ("routes", NETWORK, MAX_PLAYERS),
        ("view", VIEW),
        ("scores", SCORES),
        ("sheet", SHEET_TYPE, SHEET_SHAPE),
        ("source", "u8", 1),
    ]
)


@kernel
def imagine(g, b, player, seed):
    """Make a position one that the player cannot tell from the real one; the seed decides which, and what follows."""
    redeal(g, player, seed)
    guess_tickets(g, b, player)


@kernel
def next_action(g, b, nets, space):
    """What the player to move does in a world: as the network says or, without one, like a planner."""
    routes = space["routes"][g["player"]]
    if nets.shape[0] > 0:
        return scorer_action(g, b, nets[0], space["view"], space["scores"], routes, space["source"])
    return planner_action(g, b, routes)


@kernel
def play_on(g, b, nets, space):
    """Play a world to its end."""
    for seat in range(g["players"]):
        space["routes"][seat]["surveyed"] = FORGOTTEN
        believe(g, b, PLANNER, space["routes"][seat])
    played = 0
    while g["phase"] != OVER and played < MAX_PLAYED:
        apply(g, b, next_action(g, b, nets, space))
        played += 1


@entry
def try_out(games, index, boards, nets, actions, seed, spaces, worker, values):
    """Write what each of some actions is worth in the world of this seed; `nets` has the network, or none."""
    b, space = boards[0], spaces[worker]
    g, player = space["game"], int(games[index]["player"])
    for place in range(actions.shape[0]):
        space["game"] = games[index]
        imagine(g, b, player, seed)
        apply(g, b, actions[place])
        play_on(g, b, nets, space)
        values[place] = win_value(g, b, player, space["sheet"])
