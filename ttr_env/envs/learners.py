"""Many games at once in which a learner has one seat and opponents have the others.

Built-in opponents play in compiled code. An outside opponent is any other player: its games wait for its action.
"""

from __future__ import annotations

import numpy as np

from ttr_env.batch.stepping import GAME_SETTINGS, show
from ttr_env.bots.built_in import opponent_action
from ttr_env.engine.choices import write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.play import new_game
from ttr_env.engine.rewards import advance
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.scoring import score
from ttr_env.maps.limits import MAX_PLAYERS

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

NO_ACTION = -1

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
def play_on(g, b, settings, row, action, rewards, sheet, net):
    """Take an action, if there is one; built-in opponents then play until another is to move or the episode ends.

    Returns the learner's reward. Whoever acts does it here: opponents are large, and every place that calls them is
    compiled with a copy of them.
    """
    reward = 0.0
    while True:
        if action != NO_ACTION:
            advance(g, b, action, settings["reward"], rewards, sheet)
            row["decisions"] += 1
            reward += rewards[row["seat"]]
        if g["phase"] == OVER or is_cut(settings, row):
            return reward
        place = place_to_move(g, row)
        if place == 0 or row["opponents"][place - 1] < 0:
            return reward
        action = opponent_action(g, b, row["opponents"][place - 1], row["rng"], net)


@kernel
def deal(g, b, settings, row, line_up):
    """Deal the next game of a row."""
    row["rng"][0] = seeded(derived_seed(row["seed"], OPPONENTS_CHANCE, row["episode"]))
    row["seat"] = settings["seat"]
    if settings["seat"] < 0:
        chance = derived_seed(row["seed"], SEAT, row["episode"])
        row["seat"] = np.int64(chance % np.uint64(settings["players"]))
    row["decisions"] = 0
    row["opponents"][: line_up.shape[0]] = line_up
    seed = derived_seed(row["seed"], DEAL, row["episode"])
    new_game(g, b, seed, settings["players"], settings["with_tolls"], settings["with_neutral"])


@kernel
def end_episode(g, b, settings, row, line_up, sheet, plan, final_observation, scores):
    """Write down how the learner's episode ended, and deal the next one."""
    score(g, b, sheet)
    scores[:] = sheet[row["seat"], :]
    show(g, b, settings, row["seat"], plan, final_observation)
    row["episode"] += 1
    deal(g, b, settings, row, line_up)


@entry
def step_learners(
    games,
    boards,
    settings,
    rows,
    line_ups,
    chosen,
    dealing,
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

    If `dealing`, no action is taken, and all of them begin anew. `waiting` says who is to move then: 0 the learner,
    else the place of an outside opponent after it. Rewards add up; what the learner gains or loses before its first
    decision is none. A learner's illegal action ends its episode. Returns a row where an opponent's action is
    illegal, or -1.
    """
    b = boards[0]
    shared = settings[0]
    sheet = sheets[0]
    for place in range(chosen.shape[0]):
        index = chosen[place]
        g = games[index]
        row = rows[index]
        counts = not (dealing or terminated[index] or truncated[index])  # else an opponent begins the next episode
        action = NO_ACTION if dealing else actions[place]
        if dealing:
            deal(g, b, shared, row, line_ups[index])
        elif verdict(g, b, action) != LEGAL:
            if waiting[index] > 0:
                return index
            illegal[index] = True
            rewards[index] = -1.0
            terminated[index] = True
        while True:
            if not (counts and illegal[index]):
                reward = play_on(g, b, shared, row, action, rewards_by_seat, sheet, nets[0])
                if counts:
                    rewards[index] += reward
                    terminated[index] = g["phase"] == OVER
                    truncated[index] = g["phase"] != OVER and is_cut(shared, row)
            if not (counts and (terminated[index] or truncated[index])):
                break
            end_episode(g, b, shared, row, line_ups[index], sheet, plans[0], final_observations[index], scores[index])
            counts, action = False, NO_ACTION
        waiting[index] = place_to_move(g, row)
        write_mask(g, b, masks[index])
        show(g, b, shared, g["player"], plans[0], observations[index])
    return -1
