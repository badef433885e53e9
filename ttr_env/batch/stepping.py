"""Many games stepped side by side: the one compiled loop under batches, environments and the arena.

Somebody outside takes an action in each row; bots answer while one of them is to move; a game that ended is scored,
shown and, if that is wanted, followed by the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.bots.built_in import FIRST_NETWORK, bot_action
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.bots.scorer import scorer_action
from ttr_env.engine import planning
from ttr_env.engine.choices import random_action, write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.observe import write_observation
from ttr_env.engine.play import new_game
from ttr_env.engine.rewards import ILLEGAL_REWARD, advance
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.scoring import SCORES, SHEET_SHAPE, SHEET_TYPE, score
from ttr_env.engine.scratch import whole_lines
from ttr_env.maps.limits import MAX_PLAYERS

# In place of an action: deal the game that the row holds ready; go on from a position that was put there; leave the row
# alone.
DEAL, GO_ON, SKIP = -(2**62), -(2**62) - 1, -(2**62) - 2

OUTSIDE = -1  # in place of a bot's number: whoever plays there is asked for its actions
DRAWN = -1  # in place of a seat: one is drawn for every game
_NOBODY = -1  # in place of an action: the bots begin

# What is derived from a row's seed and the number of the episode.
_DEAL, _CHANCE, _SEAT = 0, 1, 2
_NO_EPISODE = np.uint64(0xFFFFFFFFFFFFFFFF)  # takes an episode's place in the seed of random actions

# What is the same for all rows.
SETTINGS = np.dtype(
    [
        ("max_decisions", "i8"),
        ("players", "i8"),
        ("with_tolls", "i8"),
        ("with_neutral", "i8"),
        ("reward", "i8"),
        ("with_planning", "i8"),
        ("with_tolls_visible", "i8"),
        ("with_views", "i8"),  # whether observations and masks are written
        ("with_vectors", "i8"),  # whether observations are vectors; else somebody else writes them, after the step
        ("autoreset", "i8"),  # whether a game that ended is followed by the next at once
        ("forgiving", "i8"),  # whether an illegal action ends the game with a loss; else all actions must be legal
        ("seat", "i8"),  # of place 0, or `DRAWN`
    ]
)

# What a row keeps beside its game. Bots are listed by place: how many seats after the row's own seat they sit.
ROW = np.dtype(
    [
        ("rng", "u8", 1),  # of random actions
        ("chance", "u8", 1),  # of the bots
        ("source", "u8"),  # what all seeds of the row are derived from,
        ("stream", "i8"),  # the number of the first of them,
        ("stride", "i8"),  # and how far apart those for other purposes are
        ("seed", "u8"),  # of the game
        ("episode", "i8"),
        ("decisions", "i8"),
        ("seat", "i8"),  # of place 0 in this game
        ("bots", "i8", MAX_PLAYERS),  # by place, in this game
    ]
)

# What a step tells of a row.
OUTCOME = np.dtype(
    [
        ("gain", "f8"),  # what place 0 got by all decisions of the step, bots' decisions included
        ("rewards", "f4", MAX_PLAYERS),  # the same by seat
        ("scores", SHEET_TYPE, (MAX_PLAYERS, len(SCORES))),  # of the last finished game, by seat
        ("length", "i4"),  # of it, in decisions
        ("mover", "i1"),  # whose decision it is now, -1 if the game is over
        ("seat", "i1"),  # of place 0 when the step began
        ("terminated", "?"),
        ("truncated", "?"),
        ("done", "?"),  # either of them
        ("illegal", "?"),  # the action was, and ended the game
    ],
    align=True,
)

# What a worker needs: its own copy of the settings, and space to work in.
WORK = whole_lines(
    [
        ("plan", planning.PLAN),
        ("routes", NETWORK),
        ("settings", SETTINGS),
        ("sheet", SHEET_TYPE, SHEET_SHAPE),
        ("rewards", "f4", MAX_PLAYERS),  # of one decision
        ("gains", "f8", MAX_PLAYERS),  # of all decisions in a step
        ("wrong_bot", "i8"),  # whose action was illegal: only after a step that stopped there
        ("wrong_action", "i8"),
    ]
)


class Tables(NamedTuple):
    """What is played, and what is told of it: an entry for each row, but for the board."""

    games: np.ndarray  # `layout.GAME`
    board: np.ndarray  # `layout.BOARD`
    rows: np.ndarray  # `ROW`
    outcomes: np.ndarray  # `OUTCOME`
    ends: np.ndarray  # `layout.GAME`: how the last finished game ended; no entries: nobody wants to know
    history: np.ndarray  # int16 [rows, decisions]: the actions of the game; no decisions: they are not kept


class Views(NamedTuple):
    """What is shown of each row: to the player to move, and of the last finished game."""

    observations: np.ndarray
    masks: np.ndarray
    final_observations: np.ndarray


class Networks(NamedTuple):
    """Networks among the bots: the one of number `FIRST_NETWORK` comes first."""

    pool: np.ndarray  # `scorer.WEIGHTS`
    minds: np.ndarray  # `scorer.MIND`, for each worker


@kernel
def derive(row, purpose):
    """A seed that depends on the row, the episode and the purpose alone."""
    return derived_seed(row["source"], row["stream"] + purpose * row["stride"], row["episode"])


@kernel
def prepare(shared, row):
    """Hold the game of the row's episode ready: its seed, the bots' chance and the seat of place 0."""
    row["seed"] = derive(row, _DEAL)
    row["chance"][0] = seeded(derive(row, _CHANCE))
    row["seat"] = shared["seat"]
    if shared["seat"] == DRAWN:
        row["seat"] = np.int64(derive(row, _SEAT) % np.uint64(shared["players"]))


@entry
def prepare_rows(settings, rows, chosen):
    """Hold the games of the chosen rows' episodes ready."""
    for place in range(chosen.shape[0]):
        prepare(settings[0], rows[chosen[place]])


@entry
def prepare_deals(rows, chosen, seeds, seats):
    """Hold the games of these seeds ready in the chosen rows, with place 0 in these seats."""
    for place in range(chosen.shape[0]):
        row = rows[chosen[place]]
        row["seed"] = seeds[place]
        row["seat"] = seats[place]
        row["chance"][0] = seeded(derived_seed(seeds[place], _CHANCE, 0))


@entry
def seed_samples(rows, seed):
    """Let random actions of every row begin at what depends on the batch's seed and the row alone."""
    for index in range(rows.shape[0]):
        rows[index]["rng"][0] = seeded(derived_seed(seed, index, _NO_EPISODE))


@entry
def sample_rows(games, boards, rows, actions):
    """Draw a random legal action for every row where somebody is to move."""
    for index in range(games.shape[0]):
        if games[index]["phase"] != OVER:
            actions[index] = random_action(games[index], boards[0], rows[index]["rng"])


@kernel
def show(g, b, shared, seat, plan, observation):
    """Write what a seat sees, if that is a vector."""
    if shared["with_vectors"]:
        planning, tolls = shared["with_planning"] != 0, shared["with_tolls_visible"] != 0
        write_observation(g, b, seat, planning, tolls, plan, observation)


@kernel
def keep_end(g, ends, index, viewer):
    """Keep a game that ended, for who may look at it: where somebody else was to move, nobody is."""
    if ends.shape[0] > 0:
        ends[index] = g
        if g["player"] != viewer:
            ends[index]["player"] = _NOBODY


@kernel
def is_cut(shared, row):
    """Whether the game has used up its decisions."""
    return row["decisions"] >= shared["max_decisions"]


@kernel
def place_to_move(g, row):
    """How many seats after the row's own seat the player to move sits."""
    return int(g["player"] - row["seat"] + (g["players"] if g["player"] < row["seat"] else 0))


@kernel
def sit_down(shared, row, bots, index):
    """Begin an episode: seat the bots, if there are any."""
    row["decisions"] = 0
    if bots is not None:
        for place in range(shared["players"]):
            row["bots"][place] = bots[index, place]


@kernel
def begin(g, b, shared, row, bots, index):
    """Deal the game that the row holds ready to who sits down there."""
    sit_down(shared, row, bots, index)
    new_game(g, b, row["seed"], shared["players"], shared["with_tolls"], shared["with_neutral"])


@kernel
def note(row, action, history, index):
    """Count an action that was taken, and keep it if there is a history."""
    if history.shape[1] > 0:
        history[index, row["decisions"]] = action
    row["decisions"] += 1


@kernel
def answer(g, b, bot, row, work, networks, worker):
    """The action of a bot for the player to move."""
    if networks is not None and FIRST_NETWORK <= bot < FIRST_NETWORK + networks.pool.shape[0]:
        mind = networks.minds[worker]
        mind["routes"]["surveyed"] = FORGOTTEN  # whose survey it was is not known
        net = networks.pool[bot - FIRST_NETWORK]
        return scorer_action(g, b, net, mind["view"], mind["scores"], mind["routes"], row["chance"])
    return bot_action(g, b, bot, row["chance"], work["routes"])


@kernel
def play_on(g, b, row, action, history, index, work, networks, worker):
    """Take an action, if there is one; bots then play until somebody outside is to move or the game ends.

    What each player gained by all these decisions is added to the worker's `gains`. Whoever acts does it here: bots are
    large, and every place that calls them is compiled with a copy of them. False if a bot's action is illegal: that is
    not taken.
    """
    shared, rewards, gains = work["settings"], work["rewards"], work["gains"]
    while True:
        if action != _NOBODY:
            advance(g, b, action, shared["reward"], rewards, work["sheet"])
            note(row, action, history, index)
            for player in range(shared["players"]):
                gains[player] += rewards[player]
        if g["phase"] == OVER or is_cut(shared, row):
            return True
        bot = row["bots"][place_to_move(g, row)]
        if bot < 0:
            return True
        action = answer(g, b, bot, row, work, networks, worker)
        if verdict(g, b, action) != LEGAL:
            work["wrong_bot"], work["wrong_action"] = bot, action
            return False


@kernel
def last_viewer(g, row, mover, bots):
    """Whose view of a game that ended is kept: with bots, that of place 0; else of whoever is to move or moved last."""
    if bots is not None:
        return int(row["seat"])
    return mover if g["phase"] == OVER else int(g["player"])


@entry
def step_rows(tables, views, workers, bots, networks, actions, worker, first, end):
    """Take an action in the rows from `first` to `end`, or `DEAL`, `GO_ON` or `SKIP`, and all that follows.

    `bots` [rows, places] sit down in each row's next game, or are None; so are `networks`, if there are none among the
    bots. Of the `workers`, `worker` uses its own entry. Returns the row in which a bot's action is illegal, where the
    step stops, or -1. It is one long function because handing all these arrays on to another one for every row would
    cost a third of the speed.
    """
    b, work = tables.board[0], workers[worker]
    shared, plan, sheet, gains = work["settings"], work["plan"], work["sheet"], work["gains"]
    for index in range(first, end):
        action = actions[index]
        told = tables.outcomes[index]
        if action != SKIP or shared["autoreset"]:  # a game that is over stays so until it is dealt anew
            told["terminated"] = told["truncated"] = told["done"] = told["illegal"] = False
        if action < 0:
            told["gain"] = 0.0
            told["rewards"][:] = 0.0
        if action == SKIP:
            continue
        g, row = tables.games[index], tables.rows[index]
        mover = int(g["player"])
        told["seat"] = row["seat"]
        forfeit, counts, ended = False, action > DEAL, False
        if action == DEAL:
            begin(g, b, shared, row, bots, index)
            action = _NOBODY
        elif action == GO_ON:
            sit_down(shared, row, bots, index)
            action = _NOBODY
            if mover == _NOBODY:  # the game is over already, and who moved last is not known
                mover = int(row["seat"])
        elif shared["forgiving"] and verdict(g, b, action) != LEGAL:
            forfeit = told["illegal"] = True
            told["gain"] = told["rewards"][mover] = ILLEGAL_REWARD
        while True:
            if bots is None:
                if action != _NOBODY and not forfeit:
                    advance(g, b, action, shared["reward"], told["rewards"], sheet)
                    note(row, action, tables.history, index)
            elif not forfeit:
                gains[:] = 0.0
                if not play_on(g, b, row, action, tables.history, index, work, networks, worker):
                    told["mover"] = g["player"]
                    return index
                if counts:  # what bots do at the start of a game is nobody's doing
                    told["rewards"][:] = gains
                    told["gain"] = gains[row["seat"]]
            over = g["phase"] == OVER
            cut = not (over or forfeit) and is_cut(shared, row)
            if not (over or cut or forfeit):
                break
            ended = True
            told["terminated"], told["truncated"], told["done"] = not cut, cut, True
            score(g, b, sheet)
            told["scores"][: shared["players"]] = sheet[: shared["players"]]
            told["length"] = row["decisions"]
            if shared["with_views"]:
                viewer = last_viewer(g, row, mover, bots)
                show(g, b, shared, viewer, plan, views.final_observations[index])
                keep_end(g, tables.ends, index, viewer)
            if not shared["autoreset"]:
                break
            row["episode"] += 1
            prepare(shared, row)
            begin(g, b, shared, row, bots, index)
            action, counts, forfeit = _NOBODY, False, False
        told["mover"] = g["player"]
        if shared["with_views"] and ended and not shared["autoreset"]:
            views.masks[index, :] = 0
            views.observations[index] = views.final_observations[index]
        elif shared["with_views"]:
            write_mask(g, b, views.masks[index])
            show(g, b, shared, g["player"], plan, views.observations[index])
    return -1
