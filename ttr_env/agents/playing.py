"""Playing a game with agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ttr_env.agents.base import Actor, check_map, close
from ttr_env.agents.chance import own_seed
from ttr_env.agents.registry import make
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.game.game import Move
from ttr_env.maps import Map

Watcher = Callable[[Game, Move], object]  # called after each decision


def play(game: Game, agents: Sequence[str | Actor], watchers: Iterable[Watcher] = ()) -> Game:
    """Play a game to its end, and return it.

    Args:
        game: where it goes on; the agents play in it, and it is returned.
        agents: by seat, as `make` knows them or made already. Named ones draw chance from the game's seed.
        watchers: each is called with the game and the move after every decision.

    >>> played = play(Game("nederland", players=2, seed=7), ["planner", "random"])
    >>> played.result()["winners"]
    [0]
    """
    if len(agents) != game.players:
        raise ValueError(f"agents: {game.players} are needed, one for each seat, not {len(agents)}")
    actors = make_all(agents, game.seed or 0, game.map)
    looking_on = list(watchers)
    try:
        while not game.over:
            move = decide(game, actors[game.player], _name(agents[game.player]))
            for watcher in looking_on:
                watcher(game, move)
    finally:
        close(actor for actor, agent in zip(actors, agents, strict=True) if isinstance(agent, str))
    return game


def make_all(agents: Sequence[str | Actor], seed: int, map: Map) -> list[Actor]:
    """Agents that can play on a map; named ones are made, each with chance of its own."""
    actors = [
        make(agent, own_seed(seed, place)) if isinstance(agent, str) else agent for place, agent in enumerate(agents)
    ]
    for actor in actors:
        check_map(actor, map)
    return actors


def decide(game: Game, agent: Actor, name: str) -> Move:
    """Let an agent take the next decision of a game; `name` is for the error if it chooses an illegal action."""
    action = agent.act(game)
    try:
        game.step(action)
    except IllegalAction as error:
        message = f"agent {name!r} chose an illegal action: {error}"
        raise IllegalAction(message, action=error.action, reason=error.reason) from error
    assert game.last is not None
    return game.last


def _name(agent: str | Actor) -> str:
    return agent if isinstance(agent, str) else type(agent).__name__
