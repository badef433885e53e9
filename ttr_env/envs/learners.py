"""Many games at once in which a learner has one seat and built-in opponents have the others."""

from __future__ import annotations

import numpy as np

from ttr_env.engine.choices import write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.play import new_game
from ttr_env.engine.rewards import advance
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.rows import GAME_SETTINGS, show
from ttr_env.engine.scoring import score
from ttr_env.maps.limits import MAX_PLAYERS
from ttr_env.policies.opponents import opponent_action

# What is the same for all rows.
SETTINGS = np.dtype(
    [
        *GAME_SETTINGS,
        ("seat", "i8"),  # the learner's, -1: drawn for every episode
        ("opponents", "i8", MAX_PLAYERS),  # in turn order after the learner
    ]
)

# What a row keeps beside its game.
ROW = np.dtype(
    [
        ("rng", "u8", 1),  # of the opponents
        ("seed", "u8"),  # of the row
        ("episode", "i8"),
        ("decisions", "i8"),
        ("seat", "i8"),  # the learner's in this episode
    ]
)

# What is derived from a row's seed and the number of the episode.
DEAL, OPPONENTS_CHANCE, SEAT = 0, 1, 2


@kernel
def is_cut(settings, row):
    """Whether the game has used up its decisions."""
    return row["decisions"] >= settings["max_decisions"]


@kernel
def play_opponents(g, b, settings, row, rewards, sheet, net):
    """Let the opponents play until the learner is to move or the episode ends; returns the learner's reward."""
    reward = 0.0
    while g["phase"] != OVER and g["player"] != row["seat"] and not is_cut(settings, row):
        place = g["player"] - row["seat"] + (settings["players"] if g["player"] < row["seat"] else 0)
        action = opponent_action(g, b, settings["opponents"][place - 1], row["rng"], net)
        advance(g, b, action, settings["reward"], rewards, sheet)
        row["decisions"] += 1
        reward += rewards[row["seat"]]
    return reward


@kernel
def start_episode(g, b, settings, row, rewards, sheet, net):
    """Deal the next game of a row, and play it up to the learner's first decision, which brings it no reward yet."""
    row["rng"][0] = seeded(derived_seed(row["seed"], OPPONENTS_CHANCE, row["episode"]))
    row["seat"] = settings["seat"]
    if settings["seat"] < 0:
        chance = derived_seed(row["seed"], SEAT, row["episode"])
        row["seat"] = np.int64(chance % np.uint64(settings["players"]))
    row["decisions"] = 0
    seed = derived_seed(row["seed"], DEAL, row["episode"])
    new_game(g, b, seed, settings["players"], settings["with_tolls"], settings["with_neutral"])
    play_opponents(g, b, settings, row, rewards, sheet, net)


@entry
def start_learners(games, boards, settings, rows, chosen, plans, nets, sheets, rewards, observations, masks):
    """Deal a new episode in the `chosen` rows."""
    b = boards[0]
    for place in range(chosen.shape[0]):
        index = chosen[place]
        g = games[index]
        row = rows[index]
        start_episode(g, b, settings[0], row, rewards, sheets[0], nets[0])
        show(g, b, settings[0], row["seat"], plans[0], observations[index])
        write_mask(g, b, masks[index])


@entry
def step_learners(
    games,
    boards,
    settings,
    rows,
    plans,
    nets,
    sheets,
    rewards_by_seat,
    actions,
    observations,
    masks,
    rewards,
    terminated,
    truncated,
    illegal,
    final_observations,
    scores,
):
    """Take the learner's action in every row and let the opponents answer; what ended begins anew.

    An illegal action ends its row's episode. Returns how many episodes ended.
    """
    b = boards[0]
    shared = settings[0]
    plan = plans[0]
    sheet = sheets[0]
    ended = 0
    for index in range(games.shape[0]):
        g = games[index]
        row = rows[index]
        illegal[index] = verdict(g, b, actions[index]) != LEGAL
        if illegal[index]:
            rewards[index] = -1.0
            terminated[index] = True
            truncated[index] = False
        else:
            advance(g, b, actions[index], shared["reward"], rewards_by_seat, sheet)
            row["decisions"] += 1
            rewards[index] = rewards_by_seat[row["seat"]]
            rewards[index] += play_opponents(g, b, shared, row, rewards_by_seat, sheet, nets[0])
            terminated[index] = g["phase"] == OVER
            truncated[index] = g["phase"] != OVER and is_cut(shared, row)
        if terminated[index] or truncated[index]:
            score(g, b, sheet)
            scores[index, :] = sheet[row["seat"], :]
            show(g, b, shared, row["seat"], plan, final_observations[index])
            row["episode"] += 1
            start_episode(g, b, shared, row, rewards_by_seat, sheet, nets[0])
            ended += 1
        write_mask(g, b, masks[index])
        show(g, b, shared, row["seat"], plan, observations[index])
    return ended
