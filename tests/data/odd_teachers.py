"""Agents that think what nobody should learn."""

from __future__ import annotations

from ttr_env import Game
from ttr_env.agents import Agent, Explanation, Thought


class Illegal(Agent):
    """Thinks of the last action of all."""

    def explain(self, game: Game) -> Explanation:
        return Explanation(int(game.legal_actions()[0]), (Thought(game.num_actions - 1),))


class Endless(Agent):
    """Is beyond all measure."""

    def explain(self, game: Game) -> Explanation:
        return Explanation(int(game.legal_actions()[0]), (), value=float("inf"))


class Twice(Agent):
    """Repeats itself."""

    def explain(self, game: Game) -> Explanation:
        action = int(game.legal_actions()[0])
        return Explanation(action, (Thought(action, 0.5), Thought(action, 0.5)))
