"""A language model as an agent."""

from __future__ import annotations

from collections.abc import Callable

from ttr_env.agents.base import Agent
from ttr_env.errors import UnreadableReply
from ttr_env.game import Game
from ttr_env.llm.tally import Tally
from ttr_env.text import Task, parse, prompt, retry, rules, steps


class TextAgent(Agent):
    """Asks a model for every decision, or every turn, and tries again with the reason if the reply cannot be read.

    Every prompt stands alone: rules, position, question. `tally` counts replies, for `tally.rate`.

    Args:
        ask: takes a prompt and returns the reply.
        task: what is asked; `Task.retries` and `Task.fallback` say what becomes of replies that cannot be read.
        seed: of the fallback.

    >>> agent = TextAgent(lambda prompt: "Keep all")
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(self, ask: Callable[[str], str], task: Task | None = None, seed: int = 0) -> None:
        self._ask, self.task = ask, task or Task()
        self.tally = Tally()
        self._plan: list[str] = []  # what is left of a turn that the model has described
        super().__init__(seed)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.tally, self._plan = Tally(), []

    def act(self, game: Game) -> int:
        planned = self._planned(game)
        if planned is not None:
            return planned
        asked = f"{rules(game)}\n\n{prompt(game, self.task)}"
        for left in reversed(range(self.task.retries + 1)):
            reply = self._ask(asked)
            self.tally.replies += 1
            try:
                return self._first_step(game, reply)
            except UnreadableReply as error:
                self.tally.unreadable += 1
                if left == 0 and self.task.fallback == "forfeit":
                    raise
                asked = f"{rules(game)}\n\n{prompt(game, self.task)}\n{retry(error.reason, left - 1)}"
        self.tally.fallbacks += 1
        return game.sample(self.rng)

    def _first_step(self, game: Game, reply: str) -> int:
        if self.task.scope == "decision":
            return parse(game, reply)
        first, *rest = steps(reply) or [""]
        action = parse(game, first)
        self._plan = rest
        return action

    def _planned(self, game: Game) -> int | None:
        """The next step of the turn, if the model has described it and it can still be taken."""
        plan, self._plan = self._plan, []
        others_moved = game.last is not None and game.last.player != game.player
        if not plan or others_moved:
            return None
        try:
            action = parse(game, plan[0])
        except UnreadableReply:
            self.tally.cut_short += 1
            return None
        self._plan = plan[1:]
        return action
