"""Recorded games played again in compiled code: their positions, decision by decision, for learning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.engine.choices import write_mask
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import GAME, OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.play import apply, new_game
from ttr_env.engine.rewards import reward_end
from ttr_env.engine.scoring import SHEET_SHAPE, SHEET_TYPE, TOTAL

# Where the games are, and what is the same for all of them.
SPACE = np.dtype(
    [
        ("game", GAME),
        ("sheet", SHEET_TYPE, SHEET_SHAPE),
        ("players", "i8"),
        ("with_tolls", "i8"),
        ("with_neutral", "i8"),
        ("with_masks", "i8"),  # whether masks are written with the positions
        ("reward", "i8"),
        ("turn", "i8"),  # which game is being shown, by its turn in `order`
        ("step", "i8"),  # and which of its decisions comes next
    ],
    align=True,
)


class Moves(NamedTuple):
    """Games one after another, and who of their players is looked at."""

    seeds: np.ndarray  # uint64 [games]
    begins: np.ndarray  # int64 [games + 1]: where the actions of each begin
    actions: np.ndarray  # int64 [decisions of all games]
    wanted: np.ndarray  # bool [games, players]: whose decisions are shown
    order: np.ndarray  # int64 [games]: which game comes first, and so on


class Opinions(NamedTuple):
    """What somebody thought of the actions at each decision, in one long array."""

    begins: np.ndarray  # int64 [decisions of all games + 1]
    actions: np.ndarray  # int64 [thoughts]
    numbers: np.ndarray  # float32 [columns, thoughts]


class Shown(NamedTuple):
    """Room for decisions, one in each row."""

    positions: np.ndarray  # [rows] of `layout.GAME`
    masks: np.ndarray  # int8 [rows, actions]
    actions: np.ndarray  # int64 [rows]
    movers: np.ndarray  # int8 [rows]
    games: np.ndarray  # int64 [rows]: which of the `Moves`
    steps: np.ndarray  # int32 [rows]: which decision of the game
    thoughts: np.ndarray  # float32 [columns, rows, actions]: not a number where there is none


@kernel
def deal(space, boards, seed):
    """Begin a game."""
    new_game(space["game"], boards[0], seed, space["players"], space["with_tolls"], space["with_neutral"])


@entry
def judge_games(boards, moves, spaces, returns, totals, over):
    """Replay games, and write what they were worth, their totals [games, players], and whether they are over [games].

    Returns the first of all actions that cannot be taken, or -1.
    """
    b, space = boards[0], spaces[0]
    g, sheet = space["game"], space["sheet"]
    for game in range(moves.seeds.shape[0]):
        deal(space, boards, moves.seeds[game])
        for number in range(moves.begins[game], moves.begins[game + 1]):
            if verdict(g, b, moves.actions[number]) != LEGAL:
                return number
            apply(g, b, moves.actions[number])
        reward_end(g, b, space["reward"], returns[game], sheet)
        for player in range(space["players"]):
            totals[game, player] = sheet[player, TOTAL]
        over[game] = g["phase"] == OVER
    return -1


@entry
def judge_opinions(boards, moves, choices, opinions, spaces):
    """Replay games whose actions are legal; returns the first decision with an opinion on what is not legal, or -1."""
    b, g = boards[0], spaces[0]["game"]
    for game in range(moves.seeds.shape[0]):
        deal(spaces[0], boards, moves.seeds[game])
        for number in range(moves.begins[game], moves.begins[game + 1]):
            if verdict(g, b, choices[number]) != LEGAL:
                return number
            for thought in range(opinions.begins[number], opinions.begins[number + 1]):
                if verdict(g, b, opinions.actions[thought]) != LEGAL:
                    return number
            apply(g, b, moves.actions[number])
    return -1


@kernel
def next_decision(boards, moves, space):
    """Go on to the next decision that is wanted, taking those before it; returns its game, or -1 if there is none."""
    g = space["game"]
    while space["turn"] < moves.order.shape[0]:
        game = moves.order[space["turn"]]
        if space["step"] == 0:
            deal(space, boards, moves.seeds[game])
        length = moves.begins[game + 1] - moves.begins[game]
        while space["step"] < length and g["phase"] != OVER:
            if moves.wanted[game, g["player"]]:
                return game
            take(boards, moves, space, game)
        space["turn"] += 1
        space["step"] = 0
    return -1


@kernel
def take(boards, moves, space, game):
    """Take the next action of a game."""
    apply(space["game"], boards[0], moves.actions[moves.begins[game] + space["step"]])
    space["step"] += 1


@entry
def show_games(boards, moves, opinions, spaces, shown, first):
    """Write decisions into the rows from `first` on, with their positions; returns the first row that is still empty.

    The next call goes on with the decision that comes then.
    """
    space = spaces[0]
    g = space["game"]
    for row in range(first, shown.actions.shape[0]):
        game = next_decision(boards, moves, space)
        if game < 0:
            return row
        number = moves.begins[game] + space["step"]
        shown.positions[row] = g
        if space["with_masks"]:
            write_mask(g, boards[0], shown.masks[row])
        shown.actions[row] = moves.actions[number]
        shown.movers[row] = g["player"]
        shown.games[row] = game
        shown.steps[row] = space["step"]
        for column in range(shown.thoughts.shape[0]):
            shown.thoughts[column, row, :] = np.nan
            for thought in range(opinions.begins[number], opinions.begins[number + 1]):
                shown.thoughts[column, row, opinions.actions[thought]] = opinions.numbers[column, thought]
        take(boards, moves, space, game)
    return shown.actions.shape[0]
