"""What runs in a process of its own: agents that choose, agents that explain, and films.

A process answers one request after another. It can be killed at any time; nothing else is lost with it.
"""

from __future__ import annotations

import io
import json
import math
import signal
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from ttr_env import agents
from ttr_env.agents.base import Actor, check_map
from ttr_env.game import Game

_MOST_TOLD = 8  # options of an explanation


def answer_requests(connection: Connection) -> None:
    """Answer requests until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its processes itself
    thinker = Thinker()
    while True:
        try:
            kind, arguments = connection.recv()
        except (EOFError, OSError):  # closed, or gone while something was being said
            return
        connection.send_bytes(thinker.answer(kind, arguments))


class Thinker:
    """Remembers the agents that it was asked for."""

    def __init__(self) -> None:
        self._seated: dict[tuple[str, int], Actor] = {}
        self._requests: dict[str, Callable[..., Any]] = {
            "check": self.check,
            "act": self.act,
            "explain": self.explain,
            "film": self.film,
        }

    def answer(self, kind: str, arguments: tuple[Any, ...]) -> bytes:
        """The answer to a request: bytes of JSON, which says why it "failed" where there is none, or of a film."""
        try:
            found = self._requests[kind](*arguments)
        except Exception as error:  # whatever somebody's own agent raises
            found = {"failed": f"{type(error).__name__}: {error}"}
        return found if isinstance(found, bytes) else json.dumps(found).encode()

    def check(self, spec: str) -> dict[str, Any]:
        """Whether there is such an agent."""
        agents.make(spec)
        return {}

    def act(self, spec: str, seed: int, game: Game) -> dict[str, Any]:
        """The action of an agent that has this seed, and stays for the next request."""
        key = spec, seed
        if key not in self._seated:
            actor = agents.make(spec, seed)
            check_map(actor, game.map)
            self._seated[key] = actor
        return {"action": int(self._seated[key].act(game))}

    def explain(self, spec: str, game: Game) -> dict[str, Any]:
        """What an agent thinks of a decision."""
        explanation = agents.explain(spec, game)
        told = [_finite(asdict(thought)) for thought in explanation.options[:_MOST_TOLD]]
        return {"choice": explanation.choice, "options": told, **_finite({"value": explanation.value})}

    def film(self, game: Game, perspective: int | None, width: int, speed: float, names: list[str]) -> bytes:
        """A game from its beginning as a GIF."""
        from ttr_env.render import films

        file = io.BytesIO()
        films.gif(game, file, perspective, width, speed, names)
        return file.getvalue()


def _finite(numbers: dict[str, Any]) -> dict[str, Any]:
    """The numbers, None where JSON has no word for one."""
    return {name: None if number is None or not math.isfinite(number) else number for name, number in numbers.items()}
