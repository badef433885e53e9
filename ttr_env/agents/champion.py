"""The champion: networks trained by this project, one for each built-in map. `ismcts` searches with them."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files

import numpy as np

from ttr_env.agents import policy_file
from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation
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

    def on_map(self, map: Map) -> ScoringAgent:
        return champion_of(map)

    def act(self, game: Game) -> int:
        return champion_of(game.map).act(game)

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return champion_of(positions.map).act_batch(positions, rows)

    def explain(self, game: Game) -> Explanation:
        return champion_of(game.map).explain(game)


def champion_of(map: Map) -> ScoringAgent:
    """The champion on a map; it has no chance of its own, so that all games can share it."""
    return _load(map_like(map))


@functools.cache
def _load(name: str) -> ScoringAgent:
    with as_file(files("ttr_env.agents") / "champions" / f"{name}.npz") as path:
        return ScoringAgent(policy_file.load_scorer(path))
