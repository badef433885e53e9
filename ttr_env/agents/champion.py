"""The champion: networks trained by this project, one for two players and one for more, alone or with search."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files

import numpy as np

from ttr_env.agents.base import Agent, Rows
from ttr_env.agents.ismcts import ISMCTS
from ttr_env.agents.trained import FromFile, OneGame
from ttr_env.game import Game
from ttr_env.maps import Map

MAP = "nederland"  # what it was trained on
WIDTH = 8  # actions that the champion's search considers


class Champion(Agent):
    """Plays what its network likes best.

    >>> Champion().act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def check_map(self, map: Map) -> None:
        _check_map(map.name)

    def act(self, game: Game) -> int:
        return int(self.act_batch(OneGame(game), np.zeros(1, np.int64))[0])

    def act_batch(self, batch: Rows, rows: np.ndarray) -> np.ndarray:
        return player_for(batch).act_batch(batch, rows)


class SearchingChampion(ISMCTS):
    """Tries what its network likes in many worlds, and takes the likeliest unless another looks clearly better."""

    def check_map(self, map: Map) -> None:
        _check_map(map.name)

    def candidates(self, game: Game) -> np.ndarray:
        one = OneGame(game)
        network = player_for(one).network
        logits = network.logits(*network.sight.see(one, np.zeros(1, np.int64)))[0]
        best = np.argsort(-logits, kind="stable")[:WIDTH]
        return best[np.isfinite(logits[best])]


def player_for(games: Rows) -> FromFile:
    """The champion for these games."""
    players = int(games._games[0]["players"])
    return _player(games.map.name, "2p" if players == 2 else "4p")


@functools.cache
def _player(map: str, table: str) -> FromFile:
    _check_map(map)
    with as_file(files("ttr_env.agents") / "champions" / f"{map}-{table}.npz") as path:
        return FromFile(path)


def _check_map(map: str) -> None:
    if map != MAP:
        raise ValueError(f"the champion was trained on {MAP!r} and cannot play {map!r}")
