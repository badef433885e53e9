"""Many games stepped side by side: the one compiled loop under batches, environments and the arena.

Somebody outside takes an action in each row; bots answer while one of them is to move; a game that ended is scored,
shown and, if that is wanted, followed by the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.bots.built_in import bot_action
from ttr_env.engine.choices import random_action, write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.observe import write_observation
from ttr_env.engine.play import new_game
from ttr_env.engine.rewards import ILLEGAL_REWARD, advance
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.scoring import score
from ttr_env.maps.limits import MAX_PLAYERS

# In place of an action: deal the game that the row holds ready; leave the row alone; the player to move gives up.
DEAL, SKIP, FORFEIT = -1, -2, -3

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
        ("autoreset", "i8"),  # whether a game that ended is followed by the next at once
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


class Tables(NamedTuple):
    """What is played: arrays with an entry for each row, but for board and settings, which have one for all."""

    games: np.ndarray  # `layout.GAME`
    board: np.ndarray  # `layout.BOARD`
    settings: np.ndarray  # `SETTINGS`
    rows: np.ndarray  # `ROW`


class Buffers(NamedTuple):
    """What a step writes, row by row."""

    observations: np.ndarray
    masks: np.ndarray
    movers: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    done: np.ndarray
    scores: np.ndarray
    lengths: np.ndarray
    final_observations: np.ndarray


class Scratch(NamedTuple):
    """Space to work in, a part for each worker."""

    plans: np.ndarray  # `planning.PLAN`
    sheets: np.ndarray  # score sheets
    routes: np.ndarray  # `bots.routes.NETWORK`
    rewards: np.ndarray  # float32 [workers, MAX_PLAYERS]: of one decision
    gains: np.ndarray  # float64 [workers, MAX_PLAYERS]: of all decisions in a step


class Work(NamedTuple):
    """The part of one worker."""

    plan: np.ndarray
    sheet: np.ndarray
    routes: np.ndarray
    rewards: np.ndarray
    gains: np.ndarray


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
    """Write what a seat sees."""
    planning, tolls = shared["with_planning"] != 0, shared["with_tolls_visible"] != 0
    write_observation(g, b, seat, planning, tolls, plan, observation)


@kernel
def is_cut(shared, row):
    """Whether the game has used up its decisions."""
    return row["decisions"] >= shared["max_decisions"]


@kernel
def place_to_move(g, row):
    """How many seats after the row's own seat the player to move sits."""
    return int(g["player"] - row["seat"] + (g["players"] if g["player"] < row["seat"] else 0))


@kernel
def begin(g, b, shared, row, bots, index):
    """Deal the game that the row holds ready, and seat the bots, if there are any."""
    row["decisions"] = 0
    if bots is not None:
        for place in range(shared["players"]):
            row["bots"][place] = bots[index, place]
    new_game(g, b, row["seed"], shared["players"], shared["with_tolls"], shared["with_neutral"])


@kernel
def play_on(g, b, shared, row, action, bots, history, index, work):
    """Take an action, if there is one; bots then play until somebody outside is to move or the game ends.

    The rewards of the last decision are in `work.rewards`, the sums over all of them in `work.gains`. Whoever acts does
    it here: bots are large, and every place that calls them is compiled with a copy of them.
    """
    work.gains[:] = 0.0
    while True:
        if action != _NOBODY:
            advance(g, b, action, shared["reward"], work.rewards, work.sheet)
            if history is not None:
                history[index, row["decisions"]] = action
            row["decisions"] += 1
            for player in range(shared["players"]):
                work.gains[player] += work.rewards[player]
        if bots is None or g["phase"] == OVER or is_cut(shared, row):
            return
        bot = row["bots"][place_to_move(g, row)]
        if bot < 0:
            return
        action = bot_action(g, b, bot, row["chance"], work.routes)


@kernel
def end_game(g, b, shared, row, index, viewer, work, buffers):
    """Write down how the game of a row ended; the last observation is that of the `viewer`."""
    score(g, b, work.sheet)
    buffers.scores[index] = work.sheet[: shared["players"]]
    buffers.lengths[index] = row["decisions"]
    if shared["with_views"]:
        show(g, b, shared, viewer, work.plan, buffers.final_observations[index])


@kernel
def step_row(tables, buffers, bots, history, work, index, action):
    """Take an action in a row, or `DEAL` or `FORFEIT`, and all that follows from it; whether that ended a game."""
    g, b, shared, row = tables.games[index], tables.board[0], tables.settings[0], tables.rows[index]
    mover = int(g["player"])
    gives_up = action == FORFEIT
    counts = action != DEAL  # what bots do at the start of a game is nobody's doing
    ended = False
    if action == DEAL:
        begin(g, b, shared, row, bots, index)
        action = _NOBODY
    if gives_up:
        buffers.rewards[index, mover] = ILLEGAL_REWARD
    while True:
        if not gives_up:
            play_on(g, b, shared, row, action, bots, history, index, work)
            if counts:
                for player in range(shared["players"]):
                    buffers.rewards[index, player] = work.gains[player]
        over = g["phase"] == OVER
        cut = not (over or gives_up) and is_cut(shared, row)
        if not (over or cut or gives_up):
            return ended
        ended = True
        buffers.terminated[index], buffers.truncated[index], buffers.done[index] = not cut, cut, True
        viewer = int(row["seat"])
        if bots is None:
            viewer = mover if over else int(g["player"])
        end_game(g, b, shared, row, index, viewer, work, buffers)
        if not shared["autoreset"]:
            return ended
        row["episode"] += 1
        prepare(shared, row)
        begin(g, b, shared, row, bots, index)
        if bots is None:
            return ended
        action, counts, gives_up = _NOBODY, False, False


@kernel
def show_row(tables, buffers, work, index, waits):
    """Write who is to move in a row and what it sees; of a game that `waits` for the next deal, what was seen last."""
    g, b, shared = tables.games[index], tables.board[0], tables.settings[0]
    buffers.movers[index] = g["player"]
    if not shared["with_views"]:
        return
    if waits:
        buffers.masks[index, :] = 0
        buffers.observations[index] = buffers.final_observations[index]
    else:
        write_mask(g, b, buffers.masks[index])
        show(g, b, shared, g["player"], work.plan, buffers.observations[index])


@entry
def step_rows(tables, buffers, scratch, bots, history, actions, worker, first, end):
    """Take a legal action in the rows from `first` to `end`, or `DEAL`, `SKIP` or `FORFEIT`.

    `bots` [rows, places] sit down in each row's next game, or are None. `history` [rows, decisions] takes the actions
    of each row's game, or is None. Of the scratch space `worker` uses its own part.
    """
    shared = tables.settings[0]
    work = Work(
        scratch.plans[worker],
        scratch.sheets[worker],
        scratch.routes[worker],
        scratch.rewards[worker],
        scratch.gains[worker],
    )
    for index in range(first, end):
        action = actions[index]
        if action < 0:
            buffers.rewards[index, :] = 0.0
        if action != SKIP or shared["autoreset"]:  # a game that is over stays so until it is dealt anew
            buffers.terminated[index] = buffers.truncated[index] = buffers.done[index] = False
        if action != SKIP:
            ended = step_row(tables, buffers, bots, history, work, index, action)
            show_row(tables, buffers, work, index, ended and not shared["autoreset"])
