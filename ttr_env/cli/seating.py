"""Games and agents from what was typed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import config
from rich.console import Console
from rich.status import Status

from ttr_env import agents
from ttr_env.agents.base import Actor, check_map
from ttr_env.cli.errors import UserError, blame_the_user
from ttr_env.engine import calls
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.maps import Map


@dataclass(frozen=True)
class Deal:
    """Which game is dealt, but for the number of players."""

    map: str = "nederland"
    seed: int | None = None
    no_tolls: bool = False
    neutral_player: bool = False

    def game(self, players: int) -> Game:
        """A new game; where no seed is given, a short one that can be typed again."""
        seed = secrets.randbelow(1_000_000) if self.seed is None else self.seed
        with blame_the_user(ValueError):
            tolls = False if self.no_tolls else None
            return Game(self.map, players=players, seed=seed, tolls=tolls, neutral_player=self.neutral_player)


def seat(specs: Sequence[str], seed: int, map: Map) -> list[Actor]:
    """An agent for each specification, each with chance of its own."""
    with blame_the_user(ValueError):
        actors = [agents.make(spec, (seed + place) % 2**64) for place, spec in enumerate(specs)]
        for actor in actors:
            check_map(actor, map)
    return actors


def getting_ready() -> Status:
    """A note while the engine is compiled, for those who wait."""
    return Console(stderr=True).status("getting the engine ready (the first time takes a minute)")


def warm_up(game: Game, specs: Sequence[str]) -> None:
    """Have compiled what a game with these agents needs, which otherwise happens in the middle of it."""
    if not has_cache():
        note = "Compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written."
        Console(stderr=True).print(note, style="yellow", highlight=False, soft_wrap=True)
    if game.player < 0:
        return
    for actor in seat(sorted(set(specs)), 0, game.map):
        actor.act(game.copy())
    game.observe(game.player, "planning")
    game.determinize(game.player, np.random.default_rng(0))


def has_cache() -> bool:
    """Whether there is a folder in which compiled code is kept for the next time."""
    return bool(config.DISABLE_JIT) or calls.mask.stats.cache_path is not None


def act(game: Game, actor: Actor, name: str) -> int:
    """Let an agent take its decision in the game; the action."""
    action = actor.act(game)
    try:
        game.step(action)
    except IllegalAction as error:
        raise UserError(f"agent {name!r} chose an illegal action: {error}") from error
    return action
