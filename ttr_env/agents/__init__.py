"""Players to play against, made by name.

>>> from ttr_env import Game, agents
>>> game = Game("nederland", players=2, seed=7)
>>> agent = agents.make("random", seed=0)
>>> agent.act(game) in game.legal_actions()
True
"""

from ttr_env.agents.base import Agent
from ttr_env.agents.registry import make, names

__all__ = ["Agent", "make", "names"]
