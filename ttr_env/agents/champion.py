"""The champion: networks trained by this project, one for each large built-in map. `ismcts` searches with them."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files

import numpy as np

from ttr_env.agents import policy_file
from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots.likeness import map_like
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.maps import Map


class Champion(Agent):
    """Takes the candidate that its network scores highest: the network of the map, or of the one most like it.

    >>> Champion().act(Game("usa", players=5, seed=7)) in Game("usa", players=5, seed=7).legal_actions()
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self._players: dict[str, ScoringAgent] = {}  # its own: what one works with, no other thread may use
        super().__init__(seed)

    def on_map(self, map: Map) -> ScoringAgent:
        name = map_like(map)
        if name not in self._players:
            self._players[name] = ScoringAgent(network_for(name))
        return self._players[name]

    def act(self, game: Game) -> int:
        return self.on_map(game.map).act(game)

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return self.on_map(positions.map).act_batch(positions, rows)

    def explain(self, game: Game) -> Explanation:
        return self.on_map(game.map).explain(game)


@functools.cache
def network_for(name: str) -> Scorer:
    """The champion's network for a built-in map."""
    with as_file(files("ttr_env.agents") / "champions" / f"{name}.npz") as path:
        return policy_file.load_scorer(path)
