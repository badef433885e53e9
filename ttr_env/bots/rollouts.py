"""Worlds that agree with what a player knows, played to their end by a network.

A world is the position with everything hidden dealt anew, the others' tickets by what fits their tracks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.bots.appraiser import worth
from ttr_env.bots.features.look import describe_state
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.guessing import guess_tickets
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


class Minds(NamedTuple):
    """Who plays worlds on, for how long, and who tells what they are worth then."""

    nets: np.ndarray  # [1] of `scorer.WEIGHTS`
    appraisers: np.ndarray  # [1] of `appraiser.APPRAISER`
    least: int  # decisions, after which the player's next one is waited for


@kernel
def imagine(g, b, player, seed):
    """Make a position one that the player cannot tell from the real one; the seed decides which, and what follows."""
    redeal(g, player, seed)
    guess_tickets(g, b, player)


@kernel
def play_on(g, b, net, player, least, space):
    """Play a world on with the network in all seats: to its end, or to the player's next decision after so many."""
    for seat in range(g["players"]):
        space["routes"][seat]["surveyed"] = FORGOTTEN
    played = 0
    while g["phase"] != OVER and played < MAX_PLAYED and (played < least or g["player"] != player):
        routes = space["routes"][g["player"]]
        apply(g, b, scorer_action(g, b, net, space["view"], space["scores"], routes, space["source"]))
        played += 1


@kernel
def outcome(g, b, appraiser, player, space):
    """What a world is worth to a player: by its score when it is over, else by what the player sees of it."""
    if g["phase"] == OVER:
        return win_value(g, b, player, space["sheet"])
    describe_state(g, b, space["routes"][player], space["view"])
    return worth(appraiser, space["view"]["state_row"], space["scores"])


@entry
def try_out(games, index, boards, minds, actions, seed, spaces, worker, values):
    """Write what each of some actions is worth in the world of this seed."""
    b, space = boards[0], spaces[worker]
    g, player = space["game"], int(games[index]["player"])
    for place in range(actions.shape[0]):
        space["game"] = games[index]
        imagine(g, b, player, seed)
        apply(g, b, actions[place])
        play_on(g, b, minds.nets[0], player, minds.least, space)
        values[place] = outcome(g, b, minds.appraisers[0], player, space)
