"""What Python calls: looks at the decisions of some games, written to arrays that learners read."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from ttr_env.bots.features.columns import ACTION, STATE
from ttr_env.bots.features.look import clip, look
from ttr_env.bots.features.space import MAX_CANDIDATES, VIEW
from ttr_env.bots.features.state import write_hidden
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.scratch import aligned, whole_lines

EMPTY = -1  # in place of a candidate's action

# What a worker needs to look at a decision.
LOOK = whole_lines([("routes", NETWORK), ("view", VIEW)])


class ActionFeatures(NamedTuple):
    """A decision as the player to move sees it. For many decisions, each array begins with an axis for these.

    Of the 128 places for candidates those behind the last one are empty: zeros, and -1 in `index`. All are empty when
    nobody is to move.
    """

    state: np.ndarray  # float32 [state columns], from -1 to 1
    actions: np.ndarray  # float32 [places, action columns], from -1 to 1
    index: np.ndarray  # type: ignore[assignment]  # int64 [places]: the candidates' actions; tuples have an index() too

    @classmethod
    def blank(cls, *decisions: int) -> Self:
        """Arrays in which every place is empty.

        >>> [array.shape for array in ActionFeatures.blank(3)]
        [(3, 63), (3, 128, 58), (3, 128)]
        """
        return cls(
            np.zeros((*decisions, len(STATE)), np.float32),
            np.zeros((*decisions, MAX_CANDIDATES, len(ACTION)), np.float32),
            np.full((*decisions, MAX_CANDIDATES), EMPTY, np.int64),
        )

    def clear(self) -> None:
        """Empty every place, of many decisions."""
        self.state[:] = 0
        self.actions[self.index != EMPTY] = 0
        self.index[:] = EMPTY

    def at(self, chosen: int | np.ndarray) -> Self:
        """A copy of one of many decisions, or of some of them."""
        return type(self)(*(np.array(each[chosen]) for each in self))


def looking_space(workers: int) -> np.ndarray:
    """Scratch space for so many workers, [workers] of `LOOK`."""
    return aligned(workers, LOOK)


@kernel
def erase(features, row, first):
    """Empty the places from `first` on; those behind an empty one are empty already."""
    place = first
    while place < MAX_CANDIDATES and features.index[row, place] != EMPTY:
        features.actions[row, place] = 0.0
        features.index[row, place] = EMPTY
        place += 1


@kernel
def copy_view(view, features, row):
    """Write a look into a row of arrays."""
    count = view["count"]
    features.state[row] = view["state_row"]
    features.actions[row, :count] = view["action_rows"][:count]
    features.index[row, :count] = view["index"][:count]
    erase(features, row, count)


@kernel
def look_afresh(g, b, space):
    """Look at a decision, not knowing whose the last survey of the board was."""
    space["routes"]["surveyed"] = FORGOTTEN
    look(g, b, space["routes"], space["view"])


@entry
def look_rows(games, boards, chosen, places, spaces, worker, features):
    """Write what the players to move see in the chosen games into these places of `features`.

    Returns how many candidates there was no room for. Of the `spaces`, `worker` uses its own entry.
    """
    b, space = boards[0], spaces[worker]
    dropped = 0
    for number in range(chosen.shape[0]):
        g, place = games[chosen[number]], places[number]
        if g["player"] < 0:
            features.state[place] = 0.0
            erase(features, place, 0)
        else:
            look_afresh(g, b, space)
            copy_view(space["view"], features, place)
            dropped += space["view"]["dropped"]
    return dropped


@entry
def hidden_rows(games, boards, chosen, spaces, hidden):
    """Write what only a critic may know of the chosen games, for the players to move; zeros if there is none."""
    view = spaces[0]["view"]
    for number in range(chosen.shape[0]):
        g = games[chosen[number]]
        view["hidden_row"][:] = 0.0
        if g["player"] >= 0:
            write_hidden(g, boards[0], int(g["player"]), view["hidden"])
            clip(view["hidden_row"])
        hidden[number] = view["hidden_row"]
