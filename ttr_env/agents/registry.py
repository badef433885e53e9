"""Agents by name."""

from __future__ import annotations

import difflib

from ttr_env.agents.base import Agent
from ttr_env.agents.random import RandomAgent
from ttr_env.game import check_seed

_AGENTS: dict[str, type[Agent]] = {"random": RandomAgent}


def names() -> list[str]:
    """The agents that `make` knows."""
    return sorted(_AGENTS)


def make(spec: str, seed: int = 0) -> Agent:
    """The agent that a specification names.

    >>> make("random", seed=3).__class__.__name__
    'RandomAgent'
    """
    if spec not in _AGENTS:
        near = difflib.get_close_matches(str(spec), _AGENTS, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"agent {spec!r} is unknown{hint}; the agents are: {', '.join(names())}")
    return _AGENTS[spec](check_seed(seed))
