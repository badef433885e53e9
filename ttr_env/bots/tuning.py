"""Games between planners whose beliefs are given, in one compiled call: for finding better ones."""

from __future__ import annotations

import numpy as np

from ttr_env.bots.built_in import bot_action
from ttr_env.bots.planner import planner_action
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import GAME, OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.play import apply, new_game
from ttr_env.engine.rng import seeded
from ttr_env.engine.scoring import SCORES, SHEET_SHAPE, SHEET_TYPE, score
from ttr_env.engine.scratch import whole_lines
from ttr_env.maps.limits import MAX_PLAYERS

# A game to be played, and what came of it. A seat that is not a bot's number is `-1 - row` of a table of beliefs.
MATCH = np.dtype(
    [
        ("seed", "u8"),
        ("players", "i8"),
        ("with_tolls", "i8"),
        ("with_neutral", "i8"),
        ("max_decisions", "i8"),
        ("seats", "i8", MAX_PLAYERS),
        ("illegal", "i8"),  # the action that ended the game because it was, -1: none
        ("scores", SHEET_TYPE, (MAX_PLAYERS, len(SCORES))),  # by seat
    ]
)

# What a worker needs.
WORK = whole_lines(
    [("game", GAME), ("routes", NETWORK), ("sheet", SHEET_TYPE, SHEET_SHAPE), ("source", "u8", 1)],
)


@kernel
def play_match(g, b, match, table, work):
    """Play a game to its end."""
    new_game(g, b, match["seed"], match["players"], match["with_tolls"], match["with_neutral"])
    net = work["routes"]
    work["source"][0] = seeded(match["seed"])
    decisions, match["illegal"] = 0, -1
    while g["phase"] != OVER and decisions < match["max_decisions"]:
        who = match["seats"][g["player"]]
        if who >= 0:
            action = bot_action(g, b, who, work["source"], net)
        else:
            net["surveyed"] = FORGOTTEN
            net["beliefs"] = table[-1 - who]
            action = planner_action(g, b, net)
        if verdict(g, b, action) != LEGAL:
            match["illegal"] = action
            break
        apply(g, b, action)
        decisions += 1
    score(g, b, work["sheet"])
    match["scores"][: match["players"]] = work["sheet"][: match["players"]]


@entry
def play_matches(boards, matches, table, workers, worker, first, end):
    """Play the matches from `first` to `end` with planners that believe what is in `table`."""
    for index in range(first, end):
        play_match(workers[worker]["game"], boards[0], matches[index], table, workers[worker])
