"""Ticket to Ride as a reinforcement-learning environment: Nederland, Nordic Countries and USA.

>>> import ttr_env
>>> game = ttr_env.Game("nederland", players=2, seed=7)
>>> game.player, game.phase
(0, 'keep_tickets')
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_env import (
        actions,
        agents,
        arena,
        data,
        errors,
        llm,
        maps,
        mini_v0,
        nederland_v0,
        nordic_v0,
        observation,
        options,
        render,
        tasks,
        text,
        usa_v0,
    )
    from ttr_env.agents.rollouts import playouts
    from ttr_env.batch import Batch, Playouts
    from ttr_env.engine.scoring import SCORES
    from ttr_env.envs.aec import env, parallel_env, raw_env
    from ttr_env.errors import IllegalAction, MapError, RecordError, SnapshotError
    from ttr_env.game import Game, SeatView
    from ttr_env.maps import Map

__version__ = "0.2.0"

# What is imported when it is first used, so that importing the package itself is quick.
_MODULES = {
    "Batch": "batch",
    "Game": "game",
    "IllegalAction": "errors",
    "Map": "maps",
    "MapError": "errors",
    "Playouts": "batch",
    "RecordError": "errors",
    "SCORES": "engine.scoring",
    "SeatView": "game",
    "SnapshotError": "errors",
    "actions": "",
    "agents": "",
    "arena": "",
    "data": "",
    "env": "envs.aec",
    "errors": "",
    "llm": "",
    "maps": "",
    "mini_v0": "",
    "nederland_v0": "",
    "nordic_v0": "",
    "observation": "",
    "options": "",
    "parallel_env": "envs.aec",
    "playouts": "agents.rollouts",
    "raw_env": "envs.aec",
    "render": "",
    "tasks": "",
    "text": "",
    "usa_v0": "",
}

__all__ = [
    "SCORES",
    "Batch",
    "Game",
    "IllegalAction",
    "Map",
    "MapError",
    "Playouts",
    "RecordError",
    "SeatView",
    "SnapshotError",
    "__version__",
    "actions",
    "agents",
    "arena",
    "data",
    "env",
    "errors",
    "llm",
    "maps",
    "mini_v0",
    "nederland_v0",
    "nordic_v0",
    "observation",
    "options",
    "parallel_env",
    "playouts",
    "raw_env",
    "render",
    "tasks",
    "text",
    "usa_v0",
]


def _is_command() -> bool:
    """Whether this process was started as `ttr`; those that it starts itself have its name, but not its line."""
    name, line = sys.argv[0], sys.orig_argv
    by_script = os.path.basename(name) == "ttr" and name in line
    return by_script or (name == "-m" and line[line.index(name) :][1:2] == ["ttr_env.cli"])


def _register() -> None:
    """Let Gymnasium and PettingZoo find the environments; to import them takes most of the time."""
    if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback; `cli.main` heeds it then
    from ttr_env.envs.registration import register

    register()


_register()


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ttr_env' has no attribute {name!r}")
    module = _MODULES[name]
    found = importlib.import_module(f"ttr_env.{module or name}")
    value = getattr(found, name) if module else found
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
