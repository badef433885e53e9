"""What agents think of the decisions of a game, told for a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ttr_env.agents.base import Actor
from ttr_env.agents.explaining import Explanation, Thought, explain
from ttr_env.agents.registry import make
from ttr_env.errors import BadAgent
from ttr_env.game import Game

_TOLD = 5  # options of a decision; what was chosen and what was played are told in any case


class Panel:
    """Agents who are asked about one decision after the other.

    >>> game = Game("nederland", players=2, seed=7)
    >>> panel = Panel(["champion"])
    >>> [opinion] = panel.ask(game, played=int(game.legal_actions()[0]))
    >>> sorted(opinion)
    ['differs', 'options', 'value']
    """

    def __init__(self, agents: Sequence[str | Actor]) -> None:
        """Gather the agents; `ValueError` says which name nobody has."""
        self.names = [agent if isinstance(agent, str) else type(agent).__name__ for agent in agents]
        self.sentences: list[str] = []  # that actions are told in; an opinion has their numbers
        self._numbers: dict[str, int] = {}
        self._actors = [make(agent) if isinstance(agent, str) else agent for agent in agents]

    def ask(self, game: Game, played: int) -> list[dict[str, Any]]:
        """What each of them thinks of the next decision of a game, in plain JSON types."""
        return [
            self._opinion(game, explain(actor, game.copy()), played, name)
            for actor, name in zip(self._actors, self.names, strict=True)
        ]

    def _opinion(self, game: Game, explained: Explanation, played: int, name: str) -> dict[str, Any]:
        if explained.choice not in game.legal_actions():
            raise BadAgent(
                f"agent {name!r} chose an illegal action: {explained.choice}, at decision {len(game.actions)}"
            )
        apart = {explained.choice, played}
        told = [thought for rank, thought in enumerate(explained.options) if rank < _TOLD or thought.action in apart]
        return {
            "value": _rounded(explained.value, 3),
            "differs": explained.choice != played,
            "options": [self._option(game, thought, explained.choice, played) for thought in told],
        }

    def _option(self, game: Game, thought: Thought, choice: int, played: int) -> list[Any]:
        """Sentence, whether it is the choice, whether it was played, probability, mean, its error, worlds, track."""
        sentence = self._sentence(game.text(thought.action))
        numbers = _rounded(thought.probability, 4), _rounded(thought.mean, 3), _rounded(thought.error, 3)
        track = getattr(game.describe(thought.action), "track", None)
        return [sentence, thought.action == choice, thought.action == played, *numbers, thought.worlds, track]

    def _sentence(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.sentences)
            self.sentences.append(text)
        return self._numbers[text]


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, digits)
