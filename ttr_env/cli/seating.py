"""Games and agents from what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numba import config
from rich.console import Console

from ttr_env.agents.base import Actor, close
from ttr_env.agents.playing import decide, make_all
from ttr_env.arena.waiting import note
from ttr_env.cli.errors import blame_the_user
from ttr_env.engine import calls
from ttr_env.errors import IllegalAction, ProgramError
from ttr_env.game import Game
from ttr_env.game.knowledge import View


def seat(specs: Sequence[str], game: Game) -> list[Actor]:
    """An agent for each specification, each with chance of its own from the game's seed."""
    with blame_the_user(ValueError):
        return make_all(specs, game.seed or 0, game.map)


def getting_ready() -> AbstractContextManager[Any]:
    """A note while the engine is compiled, for those who wait."""
    return note(Console(stderr=True), "getting the engine ready (the first time takes a minute)")


def warm_up(game: Game, specs: Sequence[str]) -> None:
    """Have compiled what a game with these agents needs, which otherwise happens in the middle of it."""
    if not has_cache():
        note = "Compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written."
        Console(stderr=True).print(note, style="yellow", highlight=False, soft_wrap=True)
    if game.over:
        return
    actors = seat(sorted(set(specs)), game)
    with blame_the_user(ProgramError):
        for actor in actors:
            actor.act(game.copy())
    close(actors)
    View.of(game, game.player)
    game.determinize(game.player, np.random.default_rng(0))


def has_cache() -> bool:
    """Whether there is a folder in which compiled code is kept for the next time."""
    return bool(config.DISABLE_JIT) or calls.mask.stats.cache_path is not None


def act(game: Game, actor: Actor, name: str) -> None:
    """Let an agent take its decision in the game."""
    with blame_the_user(IllegalAction, ProgramError):
        decide(game, actor, name)
