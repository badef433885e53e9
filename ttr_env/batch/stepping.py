"""Many games at once: the rows of a batch, stepped in one call."""

from __future__ import annotations

import numpy as np

from ttr_env.engine.choices import random_action, write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.observe import write_observation
from ttr_env.engine.play import new_game
from ttr_env.engine.rewards import advance
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.scoring import score

# In place of an action: deal the game of the row's seed; leave the row alone.
DEAL, SKIP = -1, -2

_NO_EPISODE = np.uint64(0xFFFFFFFFFFFFFFFF)  # takes an episode's place in the seed of random actions

# What is the same for all rows.
GAME_SETTINGS = [
    ("max_decisions", "i8"),
    ("players", "i8"),
    ("with_tolls", "i8"),
    ("with_neutral", "i8"),
    ("reward", "i8"),
    ("with_planning", "i8"),
    ("with_tolls_visible", "i8"),
]
SETTINGS = np.dtype(
    [
        *GAME_SETTINGS,
        ("seed", "u8"),
        ("with_views", "i8"),  # whether observations and masks are written
    ]
)

# What a row keeps beside its game.
ROW = np.dtype(
    [
        ("rng", "u8", 1),  # of random actions
        ("seed", "u8"),  # of the game
        ("episode", "i8"),
        ("decisions", "i8"),
    ]
)


@kernel
def start_row(g, b, settings, row):
    """Deal the game of a row's seed."""
    row["decisions"] = 0
    new_game(g, b, row["seed"], settings["players"], settings["with_tolls"], settings["with_neutral"])


@entry
def seed_rows(settings, rows):
    """Put every row before its first game, whose seed depends on the batch's seed, the row and the episode alone."""
    for index in range(rows.shape[0]):
        rows[index]["episode"] = 0
        rows[index]["seed"] = derived_seed(settings[0]["seed"], index, 0)
        rows[index]["rng"][0] = seeded(derived_seed(settings[0]["seed"], index, _NO_EPISODE))


@kernel
def show(g, b, settings, player, plan, observation):
    """Write a player's observation."""
    planning, tolls = settings["with_planning"] != 0, settings["with_tolls_visible"] != 0
    write_observation(g, b, player, planning, tolls, plan, observation)


@entry
def sample_rows(games, boards, rows, actions):
    """Write a random legal action for every row."""
    for index in range(games.shape[0]):
        actions[index] = random_action(games[index], boards[0], rows[index]["rng"])


@entry
def step_rows(
    games,
    boards,
    settings,
    rows,
    plans,
    sheets,
    worker,
    first,
    end,
    actions,
    observations,
    masks,
    players,
    rewards,
    done,
    truncated,
    scores,
    lengths,
    final_observations,
):
    """Take a legal action in the rows from `first` to `end`, or `DEAL` or `SKIP`; what ended begins anew.

    `plans` and `sheets` are scratch space, of which `worker` uses its own part.
    """
    b = boards[0]
    shared = settings[0]
    plan = plans[worker]
    sheet = sheets[worker]
    for index in range(first, end):
        done[index] = False
        truncated[index] = False
        if actions[index] < 0:  # no decision, no reward
            rewards[index, :] = 0.0
        if actions[index] == SKIP:
            continue
        g = games[index]
        row = rows[index]
        if actions[index] == DEAL:
            start_row(g, b, shared, row)
        else:
            mover = g["player"]
            advance(g, b, actions[index], shared["reward"], rewards[index], sheet)
            row["decisions"] += 1
            over = g["phase"] == OVER
            truncated[index] = not over and row["decisions"] >= shared["max_decisions"]
            done[index] = over or truncated[index]
            if done[index]:
                score(g, b, sheet)
                scores[index] = sheet[: shared["players"]]
                lengths[index] = row["decisions"]
                if shared["with_views"]:
                    show(g, b, shared, mover if over else g["player"], plan, final_observations[index])
                row["episode"] += 1
                row["seed"] = derived_seed(shared["seed"], index, row["episode"])
                start_row(g, b, shared, row)
        players[index] = g["player"]
        if shared["with_views"]:
            write_mask(g, b, masks[index])
            show(g, b, shared, g["player"], plan, observations[index])
