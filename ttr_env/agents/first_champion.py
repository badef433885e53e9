"""The first champion: two networks over the observation of Nederland, trained with the planner's advice."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation
from ttr_env.agents.trained import FromFile
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.maps import Map
from ttr_env.options import Variant

MAP = "nederland"  # what it was trained on


class FirstChampion(Agent):
    """Plays what its network likes best: one for two players, and one for more.

    >>> FirstChampion().act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def check_map(self, map: Map) -> None:
        if map.name != MAP:
            raise ValueError(f"this champion was trained on {MAP!r} and cannot play {map.name!r}")

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return self._player(positions.variant).act_batch(positions, rows)

    def explain(self, game: Game) -> Explanation:
        return self._player(game.variant).explain(game)

    def _player(self, variant: Variant) -> FromFile:
        self.check_map(variant.map)
        return _load("2p" if variant.players == 2 else "4p")


@functools.cache
def _load(table: str) -> FromFile:
    with as_file(files("ttr_env.agents") / "champions" / "version-1" / f"{MAP}-{table}.npz") as path:
        return FromFile(path)
