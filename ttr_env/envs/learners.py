"""Many games at once in which a learner has one seat and opponents have the others.

Built-in opponents play in compiled code. An outside opponent is any other player: its games wait for its action.
"""

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
SETTINGS = np.dtype([*GAME_SETTINGS, ("seat", "i8")])  # the learner's seat, -1: drawn for every episode

# What a row keeps beside its game.
ROW = np.dtype(
    [
        ("rng", "u8", 1),  # of the opponents
        ("seed", "u8"),  # of the row
        ("episode", "i8"),
        ("decisions", "i8"),
        ("seat", "i8"),  # the learner's in this episode
        ("opponents", "i8", MAX_PLAYERS - 1),  # in turn order after the learner; a negative number: an outside one
    ]
)

# What is derived from a row's seed and the number of the episode.
DEAL, OPPONENTS_CHANCE, SEAT = 0, 1, 2


@kernel
def is_cut(settings, row):
    """Whether the game has used up its decisions."""
    return row["decisions"] >= settings["max_decisions"]


@kernel
def place_to_move(g, row):
    """How many seats after the learner the player to move sits; 0 is the learner."""
    return int(g["player"] - row["seat"] + (g["players"] if g["player"] < row["seat"] else 0))


@kernel
def play_opponents(g, b, settings, row, rewards, sheet, net):
    """Let built-in opponents play until somebody else is to move or the episode ends; returns the learner's reward."""
    reward = 0.0
    while g["phase"] != OVER and not is_cut(settings, row):
        place = place_to_move(g, row)
        if place == 0 or row["opponents"][place - 1] < 0:
            break
        action = opponent_action(g, b, row["opponents"][place - 1], row["rng"], net)
        advance(g, b, action, settings["reward"], rewards, sheet)
        row["decisions"] += 1
        reward += rewards[row["seat"]]
    return reward


@kernel
def start_episode(g, b, settings, row, line_up, rewards, sheet, net):
    """Deal the next game of a row, and let built-in opponents play until somebody else is to move.

    What the learner gains or loses before its first decision is no reward.
    """
    row["rng"][0] = seeded(derived_seed(row["seed"], OPPONENTS_CHANCE, row["episode"]))
    row["seat"] = settings["seat"]
    if settings["seat"] < 0:
        chance = derived_seed(row["seed"], SEAT, row["episode"])
        row["seat"] = np.int64(chance % np.uint64(settings["players"]))
    row["decisions"] = 0
    row["opponents"][: line_up.shape[0]] = line_up
    seed = derived_seed(row["seed"], DEAL, row["episode"])
    new_game(g, b, seed, settings["players"], settings["with_tolls"], settings["with_neutral"])
    play_opponents(g, b, settings, row, rewards, sheet, net)


@entry
def start_learners(
    games, boards, settings, rows, line_ups, chosen, plans, nets, sheets, rewards, waiting, observations, masks
):
    """Deal a new episode in the `chosen` rows, with the opponents of `line_ups`."""
    b = boards[0]
    for place in range(chosen.shape[0]):
        index = chosen[place]
        g = games[index]
        row = rows[index]
        start_episode(g, b, settings[0], row, line_ups[index], rewards, sheets[0], nets[0])
        waiting[index] = place_to_move(g, row)
        show(g, b, settings[0], g["player"], plans[0], observations[index])
        write_mask(g, b, masks[index])


@kernel
def take_action(g, b, settings, row, action, rewards, sheet, net):
    """Take a legal action of the learner or of an outside opponent, and let built-in opponents answer.

    Returns the learner's reward.
    """
    advance(g, b, action, settings["reward"], rewards, sheet)
    row["decisions"] += 1
    return rewards[row["seat"]] + play_opponents(g, b, settings, row, rewards, sheet, net)


@entry
def step_learners(
    games,
    boards,
    settings,
    rows,
    line_ups,
    chosen,
    plans,
    nets,
    sheets,
    rewards_by_seat,
    actions,
    waiting,
    observations,
    masks,
    rewards,
    terminated,
    truncated,
    illegal,
    final_observations,
    scores,
):
    """Take an action of the player to move in the `chosen` rows; what ended begins anew, with the next line-up.

    `waiting` says who is to move then: 0 the learner, else the place of an outside opponent after it. Rewards add up.
    A learner's illegal action ends its episode. Returns a row where an opponent's action is illegal, or -1.
    """
    b = boards[0]
    shared = settings[0]
    sheet = sheets[0]
    for place in range(chosen.shape[0]):
        index = chosen[place]
        g = games[index]
        row = rows[index]
        ended_before = terminated[index] or truncated[index]  # an opponent begins the next episode
        is_illegal = verdict(g, b, actions[place]) != LEGAL
        if is_illegal and waiting[index] > 0:
            return index
        if is_illegal:
            illegal[index] = True
            rewards[index] = -1.0
            terminated[index] = True
        else:
            reward = take_action(g, b, shared, row, actions[place], rewards_by_seat, sheet, nets[0])
            if not ended_before:
                rewards[index] += reward
                terminated[index] = g["phase"] == OVER
                truncated[index] = g["phase"] != OVER and is_cut(shared, row)
        if not ended_before and (terminated[index] or truncated[index]):
            score(g, b, sheet)
            scores[index, :] = sheet[row["seat"], :]
            show(g, b, shared, row["seat"], plans[0], final_observations[index])
            row["episode"] += 1
            start_episode(g, b, shared, row, line_ups[index], rewards_by_seat, sheet, nets[0])
        waiting[index] = place_to_move(g, row)
        write_mask(g, b, masks[index])
        show(g, b, shared, g["player"], plans[0], observations[index])
    return -1
