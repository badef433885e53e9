"""Agents that need not be asked: whom a batch can seat, to play in compiled code."""

from __future__ import annotations

from ttr_env.agents.base import Actor, on_map
from ttr_env.agents.built_in import BuiltIn
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.batch.pool import HasWeights
from ttr_env.maps import Map


def inside(agent: Actor, map: Map) -> str | HasWeights | None:
    """How an agent plays inside of a batch, as a bot or as a network that scores candidates; None: it is asked.

    Both see no more than their seat may know. Whoever makes something of its own of them is asked.

    >>> from ttr_env import agents, maps
    >>> inside(agents.make("planner"), maps.load("usa")), inside(agents.make("ismcts"), maps.load("usa"))
    ('planner', None)
    """
    player = on_map(agent, map)
    if type(player) is BuiltIn:
        return player.name
    return player if type(player) is ScoringAgent else None
