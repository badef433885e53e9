"""The champion: networks trained by this project, one for two players and one for more, alone or with search."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation
from ttr_env.agents.ismcts import ISMCTS
from ttr_env.agents.searching import Candidates
from ttr_env.agents.trained import FromFile
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.maps import Map
from ttr_env.options import Variant

MAP = "nederland"  # what it was trained on
WIDTH = 8  # actions that the champion's search considers


class Champion(Agent):
    """Plays what its network likes best.

    >>> Champion().act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def check_map(self, map: Map) -> None:
        _check_map(map.name)

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return player_for(positions.variant).act_batch(positions, rows)

    def explain(self, game: Game) -> Explanation:
        return player_for(game.variant).explain(game)


class SearchingChampion(ISMCTS):
    """Tries what its network likes in many worlds, and takes the likeliest unless another looks clearly better."""

    def check_map(self, map: Map) -> None:
        _check_map(map.name)

    def candidates(self, game: Game) -> Candidates:
        """What the network likes best."""
        actions, probabilities = player_for(game.variant).opinion(game)
        best = np.argsort(-probabilities, kind="stable")[:WIDTH]
        return Candidates(actions[best], probabilities[best])


def player_for(variant: Variant) -> FromFile:
    """The champion for games of a variant."""
    return _player(variant.map.name, "2p" if variant.players == 2 else "4p")


@functools.cache
def _player(map: str, table: str) -> FromFile:
    _check_map(map)
    with as_file(files("ttr_env.agents") / "champions" / f"{map}-{table}.npz") as path:
        return FromFile(path)


def _check_map(map: str) -> None:
    if map != MAP:
        raise ValueError(f"the champion was trained on {MAP!r} and cannot play {map!r}")
