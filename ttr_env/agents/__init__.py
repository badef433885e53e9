"""Players to play against, made by name.

>>> from ttr_env import Game, agents
>>> game = Game("nederland", players=2, seed=7)
>>> agent = agents.make("random", seed=0)
>>> agent.act(game) in game.legal_actions()
True
>>> agents.play(game, ["planner", agent]).over
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_env.agents.base import Agent
    from ttr_env.agents.checking import Report, check
    from ttr_env.agents.explaining import Explanation, Thought, explain
    from ttr_env.agents.playing import play
    from ttr_env.agents.registry import describe, make, names

__all__ = ["Agent", "Explanation", "Report", "Thought", "check", "describe", "explain", "make", "names", "play"]

# What is imported when it is first used, so that `catalogue` can be read without the engine.
_MODULES = {
    "Agent": "base",
    "Explanation": "explaining",
    "Report": "checking",
    "Thought": "explaining",
    "check": "checking",
    "describe": "registry",
    "explain": "explaining",
    "make": "registry",
    "names": "registry",
    "play": "playing",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ttr_env.agents' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ttr_env.agents.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
