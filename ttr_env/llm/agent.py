"""A language model as an agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable

from ttr_env.agents.base import Agent
from ttr_env.errors import UnreadableReply
from ttr_env.game import Game
from ttr_env.text import Tally, Task, parse, prompt, retry, rules, steps

_PLANS = 4096  # that are kept; games that were left may leave some behind


class TextAgent(Agent):
    """Asks a model for every decision, or every turn, and tries again with the reason if the reply cannot be read.

    Every prompt stands alone: rules, position, question. It may play many games at a time. `tally` counts replies, for
    `tally.rate`; the arena reports it.

    Args:
        ask: takes a prompt and returns the reply; None, as chat interfaces give where a model refuses, is an empty one.
        task: what is asked; `Task.retries` and `Task.fallback` say what becomes of replies that cannot be read.
        seed: of the fallback.

    >>> agent = TextAgent(lambda prompt: "Keep all")
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(self, ask: Callable[[str], str | None], task: Task | None = None, seed: int = 0) -> None:
        self._ask, self.task = ask, task or Task()
        self.tally = Tally()
        self._plans: dict[Hashable, list[str]] = {}  # by turn, what is left of it as the model has described it
        super().__init__(seed)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.tally, self._plans = Tally(), {}

    def act(self, game: Game) -> int:
        planned = self._planned(game)
        if planned is not None:
            return planned
        asked = f"{rules(game)}\n\n{prompt(game, self.task)}"
        for left in reversed(range(self.task.retries + 1)):
            reply = self._ask(asked) or ""
            self.tally.replies += 1
            try:
                return self._first_step(game, reply)
            except UnreadableReply as error:
                self.tally.unreadable += 1
                if left == 0 and self.task.fallback == "forfeit":
                    raise
                asked = f"{rules(game)}\n\n{prompt(game, self.task)}\n{retry(error.reason or str(error), left - 1)}"
        self.tally.fallbacks += 1
        return game.sample(self.rng)

    def _first_step(self, game: Game, reply: str) -> int:
        if self.task.scope == "decision":
            return parse(game, reply)
        first, *rest = steps(reply) or [""]
        action = parse(game, first)
        self._keep(_turn(game), rest)
        return action

    def _keep(self, turn: Hashable, plan: list[str]) -> None:
        if plan:
            self._plans[turn] = plan
        if len(self._plans) > _PLANS:
            del self._plans[next(iter(self._plans))]

    def _planned(self, game: Game) -> int | None:
        """The next step of the turn, if the model has described it and it can still be taken."""
        if not self._plans:
            return None
        turn = _turn(game)
        first, *rest = self._plans.pop(turn, [""])
        if not first:
            return None
        try:
            action = parse(game, first)
        except UnreadableReply:
            self.tally.cut_short += 1
            return None
        self._keep(turn, rest)
        return action


def _turn(game: Game) -> Hashable:
    """What tells a turn from others, in this game or another one, and stays the same while it lasts."""
    state = game.information_state(game.player)
    others = [seat for number, seat in enumerate(state["seats"]) if number != game.player]
    own = state["seats"][game.player]
    return game.player, state["round"], json.dumps([state["owners"], others, own["tickets"], own["trains"]])
