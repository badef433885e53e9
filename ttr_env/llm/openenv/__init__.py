"""The game as an OpenEnv environment: a server whose sessions are games against agents, and its client.

It needs the extra `openenv`, and nothing else imports it. `python -m ttr_env.llm.openenv` starts the server.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ttr_env.errors import install_command

if TYPE_CHECKING:
    from ttr_env.llm.openenv.app import make_app
    from ttr_env.llm.openenv.client import TicketClient
    from ttr_env.llm.openenv.environment import Offer, TicketEnvironment
    from ttr_env.llm.openenv.models import TicketAction, TicketObservation, TicketState

__all__ = [
    "Offer",
    "TicketAction",
    "TicketClient",
    "TicketEnvironment",
    "TicketObservation",
    "TicketState",
    "make_app",
]

# Imported when it is first used, so that what is missing can be told in a sentence.
_MODULES = {
    "Offer": "environment",
    "TicketAction": "models",
    "TicketClient": "client",
    "TicketEnvironment": "environment",
    "TicketObservation": "models",
    "TicketState": "models",
    "make_app": "app",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ttr_env.llm.openenv' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"ttr_env.llm.openenv.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        install = install_command("openenv")
        message = f"ttr_env.llm.openenv needs {error.name}, which comes with an extra: {install}"
        raise ModuleNotFoundError(message, name=error.name) from error
    return getattr(module, name)
