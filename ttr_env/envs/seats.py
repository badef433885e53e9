"""Who sits where: the learner's seat, and the opponents in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_env import agents
from ttr_env.agents.base import Actor, check_map
from ttr_env.maps import Map
from ttr_env.options import whole_number

Opponents = str | Actor | Sequence[str | Actor]


def check_seat(seat: int | None, players: int) -> int | None:
    """The learner's seat, or None where it is drawn for every episode."""
    if seat is None:
        return None
    number = whole_number(seat, "seat")
    if not 0 <= number < players:
        raise ValueError(f"seat: the seats are 0 to {players - 1}, not {number}; None draws one for every episode")
    return number


def check_limit(max_decisions: int, players: int) -> None:
    """Refuse a limit that could end the game before the learner's first decision."""
    if max_decisions < players:
        raise ValueError(f"max_decisions: at least {players} are needed for every player to decide once")


def each_opponent(opponents: Any, players: int) -> list[Any]:
    """A specification or agent for each of the other seats, in turn order after the learner."""
    if isinstance(opponents, str | Actor):
        return [opponents] * (players - 1)
    if not isinstance(opponents, Sequence) or len(opponents) != players - 1:
        raise ValueError(
            f"opponents: one agent, or a list of {players - 1} for the other seats, is needed, not {opponents!r}"
        )
    return list(opponents)


def make_opponents(opponents: Opponents, players: int, map: Map) -> list[Actor]:
    """The opponents as agents. Those that are named alike are one agent, which plays several seats."""
    made: dict[str, Actor] = {}
    seated: list[Actor] = []
    for opponent in each_opponent(opponents, players):
        if isinstance(opponent, str):
            seated.append(made.setdefault(opponent, made.get(opponent) or make_opponent(opponent, map)))
        else:
            seated.append(make_opponent(opponent, map))
    return seated


def make_opponent(opponent: Any, map: Map) -> Actor:
    """An opponent as an agent that can play on this map."""
    agent = agents.make(opponent) if isinstance(opponent, str) else opponent
    if not isinstance(agent, Actor):
        raise ValueError(f"opponents: {opponent!r} is neither an agent's name nor an object with act(game)")
    check_map(agent, map)
    return agent
