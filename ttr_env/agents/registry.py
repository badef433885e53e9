"""Agents by name."""

from __future__ import annotations

import difflib
import importlib

from ttr_env.agents.base import Actor
from ttr_env.agents.built_in import BuiltIn
from ttr_env.game import check_seed
from ttr_env.policies.opponents import OPPONENTS


def names() -> list[str]:
    """The agents that `make` knows by name."""
    return list(OPPONENTS)


def make(spec: str, seed: int = 0) -> Actor:
    """The agent that a specification names: a built-in one, or `module:Class` for one's own, made with `seed=`.

    >>> make("planner", seed=3).__class__.__name__
    'BuiltIn'
    """
    number = check_seed(seed)
    if spec in OPPONENTS:
        return BuiltIn(spec, number)
    module, _, name = spec.partition(":")
    if name:
        return _own(module, name, number)
    near = difflib.get_close_matches(spec, OPPONENTS, 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ValueError(f"agent {spec!r} is unknown{hint}; the agents are: {', '.join(names())}, or module:Class")


def _own(module: str, name: str, seed: int) -> Actor:
    """An agent of the user's, found by module and class."""
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent '{module}:{name}' cannot be found: {error}") from error
    try:
        agent = kind(seed=seed)
    except TypeError as error:
        raise ValueError(f"agent '{module}:{name}' cannot be made with seed=: {error}") from error
    if not isinstance(agent, Actor):
        raise ValueError(f"agent '{module}:{name}' has no act(game)")
    return agent
