"""Games in which a learner has one seat and opponents have the others, as both Gymnasium environments need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from ttr_env import agents
from ttr_env.agents.base import Actor, act_in_rows, close, on_map
from ttr_env.batch import SKIP, Batch
from ttr_env.batch.pool import HasWeights, has_weights
from ttr_env.bots import BOTS
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.maps import Map
from ttr_env.options import MapLike, Masking, TableOptions

Opponents = str | Actor | Sequence[str | Actor]
NO_ACTION = -1  # in place of the action that was taken


class Outcome(NamedTuple):
    """What a step brought the learners, row by row; a row that `ended` may already show its next game."""

    rewards: np.ndarray  # float64
    terminated: np.ndarray
    truncated: np.ndarray
    illegal: np.ndarray  # whether the learner's action was, which ended its episode or was replaced
    seats: np.ndarray  # where the learner sat
    taken: np.ndarray  # the action that was taken, -1 where that was none

    @property
    def ended(self) -> np.ndarray:
        """Which episodes ended."""
        return self.terminated | self.truncated


class Learners:
    """A batch with a learner in each row. Bots answer in compiled code; other opponents are asked for their actions.

    Opponents have numbers: from 0 on a bot's (`ttr_env.bots.BOTS`), then those of agents with `weights`, whose networks
    play in compiled code like bots; below 0 that of another agent.
    """

    def __init__(
        self,
        map: MapLike,
        games: int,
        seat: int | None,
        opponents: Opponents,
        autoreset: bool = True,
        threads: int = 1,
        masking: Masking | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        self._masking = masking or Masking()
        self.batch = Batch(map, games, bots=(), seat=seat, autoreset=autoreset, threads=threads, **options)
        self.batch.forgive()
        self.outside: list[Actor] = []  # opponents that do not play in compiled code
        self._inside: list[tuple[HasWeights, int]] = []  # those whose networks do, and their numbers
        self._numbers: dict[str, int] = {}  # of those that were named
        self._made: list[Actor] = []  # opponents that were named, and so are ours to close
        self._every_row = np.arange(len(self.batch))
        numbers = [self.enlist(each) for each in each_opponent(opponents, self.batch.variant.players)]
        self.line_up(self._every_row, np.array(numbers, np.int64))

    def enlist(self, opponent: str | Actor) -> int:
        """The number of an opponent for `line_up`: an agent, or its specification; named alike, it is one agent."""
        if isinstance(opponent, str) and opponent in BOTS:
            return BOTS.index(opponent)
        if isinstance(opponent, str) and opponent in self._numbers:
            return self._numbers[opponent]
        agent = make_opponent(opponent, self.batch.map)
        number = self._number_of(agent)
        if isinstance(opponent, str):
            self._numbers[opponent] = number
            self._made.append(agent)
        return number

    def close(self) -> None:
        """End what opponents that were named have started; one that was given as an object is its maker's to close."""
        close(self._made)

    def _number_of(self, agent: Actor) -> int:
        if has_weights(agent):
            return self._network_number(agent)
        if agent not in self.outside:
            self.outside.append(agent)
        return -1 - self.outside.index(agent)

    def _network_number(self, agent: HasWeights) -> int:
        for known, number in self._inside:
            if known is agent:
                return number
        self._inside.append((agent, self.batch.enlist(agent)))
        return self._inside[-1][1]

    def line_up(self, rows: np.ndarray, numbers: np.ndarray) -> None:
        """Seat opponents, by their numbers [rows, players - 1], in the next episode of each of these rows."""
        assert self.batch.line_up is not None
        self.batch.check_numbers(numbers)
        self.batch.line_up[rows, 1:] = numbers

    @property
    def facing(self) -> np.ndarray:
        """The numbers of the opponents in every row's running episode [rows, players - 1]."""
        return self.batch.seated[:, 1:]

    def restart(self, rows: np.ndarray, seeds: Sequence[int | None]) -> None:
        """Deal these rows anew, each from its seed, or the row's next game where that is None."""
        self.batch.restart(rows, seeds)
        if self.outside:
            self._answer(None)

    def go_on(self, rows: np.ndarray, seeds: Sequence[int | None], games: Sequence[Game]) -> None:
        """Restart these rows where these games stand; the learner is the player to move."""
        self.batch.restart(rows, seeds, games, [game.player for game in games])

    def step(self, actions: np.ndarray) -> Outcome:
        """Take the learner's action in every row, or leave the row alone at `SKIP`. Then the opponents answer.

        An illegal action ends its episode, or another one is taken, as was chosen; `actions` is written to.
        """
        replaced = self.batch.replace_illegal(actions) if self._masking.replaces else None
        self.batch.take(actions)
        told = self.batch.copy_outcomes()
        taken = actions.copy()
        taken[told["illegal"] | (actions == SKIP)] = NO_ACTION
        outcome = Outcome(told["gain"], told["terminated"], told["truncated"], told["illegal"], told["seat"], taken)
        if replaced is not None:
            outcome.illegal[:] = replaced
            outcome.rewards[replaced] -= self._masking.illegal_price
        if self.outside:
            self._answer(outcome)
        return outcome

    def _answer(self, outcome: Outcome | None) -> None:
        """Ask outside opponents for their actions until the learner is to move in every row that goes on."""
        while True:
            rows = self._waiting_for_others()
            if not len(rows):
                return
            places = (self.batch.movers[rows] - self.batch.seats[rows]) % self.batch.variant.players
            numbers = self.batch.seated[rows, places]
            for number in np.unique(numbers):
                self._ask(self.outside[-1 - number], rows[numbers == number], outcome)

    def _waiting_for_others(self) -> np.ndarray:
        """The rows where an opponent is to move."""
        batch = self.batch
        others = batch.movers != batch.seats
        return np.flatnonzero(others if batch.autoreset else others & ~batch.done)

    def _ask(self, opponent: Actor, rows: np.ndarray, outcome: Outcome | None) -> None:
        """Let an opponent act in these rows, and add what that brings the learners."""
        batch = self.batch
        try:
            batch.step(act_in_rows(opponent, batch, rows), rows)
        except IllegalAction as error:
            message = f"row {error.row}: an opponent, {opponent!r}, chose an illegal action: {error.reason}"
            raise IllegalAction(message, row=error.row, action=error.action, reason=error.reason) from error
        if outcome is None:
            return
        rows = rows[~outcome.ended[rows]]  # in the others the learner's next episode has begun
        outcome.rewards[rows] += batch.outcomes["gain"][rows]
        outcome.terminated[rows], outcome.truncated[rows] = batch.terminated[rows], batch.truncated[rows]


def make_opponent(opponent: Any, map: Map) -> Actor:
    """An opponent as an agent that can play on this map."""
    agent = agents.make(opponent) if isinstance(opponent, str) else opponent
    if not isinstance(agent, Actor):
        raise ValueError(f"opponents: {opponent!r} is neither an agent's name nor an object with act(game)")
    return on_map(agent, map)


def each_opponent(opponents: Any, players: int) -> list[Any]:
    """A specification or agent for each of the other seats, in turn order after the learner."""
    if isinstance(opponents, str | Actor):
        return [opponents] * (players - 1)
    if not isinstance(opponents, Sequence) or len(opponents) != players - 1:
        raise ValueError(
            f"opponents: one agent, or a list of {players - 1} for the other seats, is needed, not {opponents!r}"
        )
    return list(opponents)
