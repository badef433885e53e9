"""A game between a model and agents, told from the model's seat: what goes in and comes out is text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

import numpy as np

from ttr_env.agents import make
from ttr_env.agents.base import Actor, check_map, close
from ttr_env.agents.chance import own_seed
from ttr_env.errors import UnreadableReply
from ttr_env.game import Game
from ttr_env.game.knowledge import last_deed
from ttr_env.game.resetting import game_to_go_on_from
from ttr_env.options import GameOptions, MapLike, whole_number
from ttr_env.text import Tally, Task, parse, position, prompt, retry, rules, steps

FORFEIT = -1.0  # the reward of a game that was given up


class Heard(NamedTuple):
    """What comes back after a reply."""

    text: str  # what happened, and what is asked next
    reward: float  # 0 until the game is over, then from -1 to 1
    done: bool


class Episode:
    """One game. The model's seat is asked; the other seats are agents', who move in between.

    >>> episode = Episode(seed=7, opponents="random")
    >>> episode.say("keep all").done
    False
    >>> episode.say("fly to the moon").text.splitlines()[0]
    'Your answer could not be used: it names no action; ...'
    """

    def __init__(
        self,
        map: MapLike = "nederland",
        *,
        seed: int | None = None,
        opponents: str = "planner",
        seat: int = 0,
        task: Task | None = None,
        snapshot: Mapping[str, Any] | None = None,
        **options: Unpack[GameOptions],
    ) -> None:
        """Deal a game, or begin in a position, and let it come to the model's first decision.

        Args:
            map: a map's name or folder.
            seed: of the deal, the opponents and the fallback; None takes one from the system.
            opponents: who sits in all other seats, as `ttr_env.agents.make` knows them.
            seat: the model's.
            task: what is asked of the model.
            snapshot: a position to begin in (`Game.snapshot`), of the same map and options; whoever is to move there
                moves first.
            options: `players`, `tolls` and `neutral_player`.
        """
        dealt = Game(map, seed=seed, **options)
        self.game = dealt if snapshot is None else game_to_go_on_from(snapshot, dealt.variant)
        if not 0 <= whole_number(seat, "seat") < self.game.players:
            raise ValueError(f"seat: the seats are 0 to {self.game.players - 1}, not {seat}")
        self.seat, self.task, self.tally = seat, task or Task(), Tally()
        self.forfeited = False
        number = dealt.seed or 0
        self._rng = np.random.default_rng(number)
        self._others: list[Actor | None] = [
            None if place == seat else make(opponents, own_seed(number, place)) for place in range(self.game.players)
        ]
        for actor in self._others:
            if actor is not None:
                check_map(actor, self.game.map)
        self._failures = 0  # at this decision
        self._news: list[str] = []  # what happened since the model was last asked
        self._let_others_play()

    @property
    def done(self) -> bool:
        """Whether the game is over, or was given up."""
        return self.forfeited or self.game.over

    @property
    def reward(self) -> float:
        """What the game was worth to the model: from -1, lost, to 1, won; 0 before its end."""
        return FORFEIT if self.forfeited else float(self.game.returns("win")[self.seat])

    @property
    def rules(self) -> str:
        """The rules of this game, to be shown once."""
        return rules(self.game)

    @property
    def text(self) -> str:
        """What the model is shown now: what the others did, the position, and the question."""
        news = [f"Since you were asked: {'. '.join(self._news)}."] if self._news else []
        if self.done:
            ending = ["You gave the game up."] if self.forfeited else []
            return "\n".join([*ending, *news, position(self.game, self.seat)])
        return "\n".join([*news, prompt(self.game, self.task)])

    def say(self, reply: str | None) -> Heard:
        """Take a model's reply: what it says is done, or it is told why that cannot be. None is an empty reply."""
        if self.done:
            raise ValueError("the game is over; begin another one")
        self.tally.replies += 1
        said = reply or ""
        try:
            wanted = (steps(said) or [""]) if self.task.scope == "turn" else [said]
            action = parse(self.game, wanted[0])
        except UnreadableReply as error:
            return self._fail(error.reason or str(error))
        return self._carry_out(action, wanted[1:])

    def close(self) -> None:
        """End what the opponents have started, such as programs."""
        close(self._others)

    def _fail(self, reason: str) -> Heard:
        self.tally.unreadable += 1
        self._failures += 1
        left = self.task.retries - self._failures
        if left >= 0:
            return Heard(f"{retry(reason, left)}\n{self.text}", 0.0, done=False)
        if self.task.fallback == "forfeit":
            self.forfeited = True
            return self._heard(f"Your answer could not be used: {reason}.")
        self.tally.fallbacks += 1
        action = self.game.sample(self._rng)
        taken = f"Your answer could not be used: {reason}. A random move was made for you: {self.game.text(action)}."
        return self._carry_out(action, [], taken)

    def _carry_out(self, action: int, plan: list[str], note: str = "") -> Heard:
        """Take an action, and then as much of the rest of the turn as can be taken."""
        self._news, self._failures = [], 0
        self.game.step(action)
        while plan and self.game.player == self.seat and not self.done:
            try:
                action = parse(self.game, plan.pop(0))
            except UnreadableReply as error:
                self.tally.cut_short += 1
                note = f"The rest of your turn could not be carried out: {error.reason}."
                break
            self.game.step(action)
        else:
            if plan:
                self.tally.cut_short += 1
                note = f"Your turn was over before this: {'; '.join(plan)}."
        self._let_others_play()
        return self._heard(note)

    def _heard(self, note: str) -> Heard:
        return Heard(f"{note}\n{self.text}" if note else self.text, self.reward if self.done else 0.0, self.done)

    def _let_others_play(self) -> None:
        while not self.game.over and (actor := self._others[self.game.player]) is not None:
            self.game.step(actor.act(self.game))
            self._news.append(str(last_deed(self.game)))
