"""Whole games in one compiled call, with what the learners among the players saw and did: for training.

Every game depends on its job alone, so that it does not matter which worker plays it, nor what was played before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.bots.built_in import FIRST_NETWORK as FIRST_NETWORK  # it is imported from here too
from ttr_env.bots.built_in import bot_action
from ttr_env.bots.features.candidates import list_candidates
from ttr_env.bots.features.columns import HIDDEN, STATE
from ttr_env.bots.features.look import clip, describe
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.features.state import write_hidden
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.bots.scorer import SCORES, choose_place
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import GAME, OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.play import apply, new_game
from ttr_env.engine.rng import seeded
from ttr_env.engine.scoring import SCORES as PARTS
from ttr_env.engine.scoring import SHEET_SHAPE, SHEET_TYPE, score
from ttr_env.engine.scratch import whole_lines
from ttr_env.maps.limits import MAX_PLAYERS

# A game to be played, and what came of it.
JOB = np.dtype(
    [
        ("seed", "u8"),  # of the deal
        ("chance", "u8"),  # of the players' chance
        ("table", "i8"),  # its place among those that are played at
        ("players", "i8"),
        ("with_tolls", "i8"),
        ("with_neutral", "i8"),
        ("max_decisions", "i8"),
        ("seats", "i8", MAX_PLAYERS),  # who plays: a bot's number, or `FIRST_NETWORK` and a place in the pool
        ("learns", "i8", MAX_PLAYERS),  # whose decisions are recorded
        ("urge", "f8", MAX_PLAYERS),  # of a network to draw tickets: added to the score of doing so
        ("decisions", "i8"),  # of all players
        ("illegal", "i8"),  # the action that ended the game because it was, -1: none
        ("wrong_seat", "i8"),  # who chose that
        ("scores", SHEET_TYPE, (MAX_PLAYERS, len(PARTS))),  # by seat
    ]
)

# What a worker needs.
WORK = whole_lines(
    [
        ("routes", NETWORK, MAX_PLAYERS),
        ("view", VIEW),
        ("space", SCORES),
        ("game", GAME),
        ("sheet", SHEET_TYPE, SHEET_SHAPE),
        ("source", "u8", 1),
        ("decisions", "i8"),  # recorded so far
        ("rows", "i8"),  # of their candidates
    ]
)


class Recording(NamedTuple):
    """Decisions one after another, in the order of the games; candidates of all of them in one long array."""

    states: np.ndarray  # float32 [decisions, columns]
    hidden: np.ndarray  # float32 [decisions, columns]: for a critic alone
    begins: np.ndarray  # int64 [decisions + 1]: where the candidates of each begin
    actions: np.ndarray  # float32 [rows, columns]
    places: np.ndarray  # int64 [decisions]: which candidate was taken
    log_probs: np.ndarray  # float32 [decisions]
    urges: np.ndarray  # float32 [decisions]
    games: np.ndarray  # int64 [decisions]
    seats: np.ndarray  # int64 [decisions]


def recording(decisions: int, actions: np.ndarray) -> Recording:
    """Room for so many decisions, whose candidates go to `actions`."""
    return Recording(
        np.zeros((decisions, len(STATE)), np.float32),
        np.zeros((decisions, len(HIDDEN)), np.float32),
        np.zeros(decisions + 1, np.int64),
        actions,
        np.zeros(decisions, np.int64),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.int64),
        np.zeros(decisions, np.int64),
    )


@kernel
def has_room(work, record):
    """Whether one more decision can be recorded."""
    view = work["view"]
    return work["decisions"] < record.places.shape[0] and work["rows"] + view["count"] <= record.actions.shape[0]


@kernel
def note(g, b, work, record, job, index, place, log_prob):
    """Record a decision: what was seen, and what was taken."""
    view, number, row = work["view"], work["decisions"], work["rows"]
    record.states[number] = view["state_row"]
    view["hidden_row"][:] = 0.0
    write_hidden(g, b, int(g["player"]), view["hidden"])
    clip(view["hidden_row"])
    record.hidden[number] = view["hidden_row"]
    for candidate in range(view["count"]):
        record.actions[row + candidate] = view["action_rows"][candidate]
    record.places[number] = place
    record.log_probs[number] = log_prob
    record.urges[number] = job["urge"][g["player"]]
    record.games[number] = index
    record.seats[number] = g["player"]
    work["decisions"] += 1
    work["rows"] += view["count"]
    record.begins[number + 1] = work["rows"]


@kernel
def decide(g, b, net, work, record, job, index):
    """The action of a network for the player to move, recorded if it learns; -1 if there is no room for that."""
    view, seat = work["view"], int(g["player"])
    learns = job["learns"][seat] != 0
    list_candidates(g, b, view)
    if view["count"] == 1:  # nothing to decide
        return int(view["index"][0])
    if learns and not has_room(work, record):
        return -1
    describe(g, b, work["routes"][seat], view)
    place, log_prob = choose_place(net, view, work["space"], job["urge"][seat], work["source"])
    if learns:
        note(g, b, work, record, job, index, place, log_prob)
    return int(view["index"][place])


@kernel
def play_game(g, b, job, pool, work, record, index):
    """Play a game to its end; false if there was no room to record it, and then nothing of it is recorded."""
    new_game(g, b, job["seed"], job["players"], job["with_tolls"], job["with_neutral"])
    work["source"][0] = seeded(job["chance"])
    decisions, rows = work["decisions"], work["rows"]
    for seat in range(job["players"]):
        work["routes"][seat]["surveyed"] = FORGOTTEN
    job["decisions"], job["illegal"] = 0, -1
    while g["phase"] != OVER and job["decisions"] < job["max_decisions"]:
        seat = int(g["player"])
        number = job["seats"][seat]
        if number < FIRST_NETWORK:
            action = bot_action(g, b, number, work["source"], work["routes"][seat])
        else:
            action = decide(g, b, pool[number - FIRST_NETWORK], work, record, job, index)
            if action < 0:
                work["decisions"], work["rows"] = decisions, rows
                return False
        if verdict(g, b, action) != LEGAL:
            job["illegal"], job["wrong_seat"] = action, seat
            break
        apply(g, b, action)
        job["decisions"] += 1
    score(g, b, work["sheet"])
    job["scores"][: job["players"]] = work["sheet"][: job["players"]]
    return True


@entry
def play_games(boards, jobs, pool, workers, worker, record, first, end):
    """Play the games from `first` to `end`; returns the first that there was no room to record, or `end`."""
    b, work = boards[0], workers[worker]
    for index in range(first, end):
        if not play_game(work["game"], b, jobs[index], pool, work, record, index):
            return index
    return end
