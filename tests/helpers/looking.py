"""Action features of a game as tests want them: what the kernels write, as arrays and by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ttr_env import Game
from ttr_env.bots.features.columns import ACTION, names
from ttr_env.bots.features.look import clip, look
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.features.state import write_hidden
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.engine.jit import entry
from ttr_env.engine.scratch import aligned
from ttr_env.maps import Map


class Look(NamedTuple):
    """A decision as the player to move sees it."""

    state: np.ndarray  # float32 [columns]
    actions: np.ndarray  # float32 [candidates, columns]
    index: list[int]  # by candidate, its action
    dropped: int  # candidates for which there was no room
    hidden: np.ndarray  # float32 [columns]: for a critic alone

    def row(self, action: int) -> np.ndarray:
        """The features of a candidate."""
        return self.actions[self.index.index(action)]

    def of(self, action: int) -> dict[str, float]:
        """The features of a candidate by the names of their columns."""
        return dict(zip(names(ACTION), self.row(action).tolist(), strict=True))


@entry
def look_times(games, boards, nets, views, times):
    """Look at the first game so many times, each as if it had never been seen before."""
    g, b, net, view = games[0], boards[0], nets[0], views[0]
    for _ in range(times):
        net["surveyed"] = FORGOTTEN
        look(g, b, net, view)
        view["hidden_row"][:] = 0.0
        write_hidden(g, b, int(g["player"]), view["hidden"])
        clip(view["hidden_row"])


def space(map: Map) -> tuple[np.ndarray, np.ndarray]:
    """Memory to plan and to look in, with something there that a look must not rely on."""
    nets, views = aligned(1, NETWORK), aligned(1, VIEW)
    for field in ("distance", "unplanned", "exits", "planned", "served", "trains", "tolls", "points"):
        nets[field] = 90
    views.view(np.uint8)[:] = 90
    return nets, views


def look_at(game: Game) -> Look:
    """What the player to move sees."""
    nets, views = space(game.map)
    look_times(game.records, game.board, nets, views, 1)
    return _copied(views[0])


def _copied(view: Any) -> Look:
    """A copy of what a look has written."""
    count = int(view["count"])
    return Look(
        view["state_row"].copy(),
        view["action_rows"][:count].copy(),
        view["index"][:count].tolist(),
        int(view["dropped"]),
        view["hidden_row"].copy(),
    )
