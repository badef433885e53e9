"""Games between agents, many at a time, with every deal played from every seat."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ttr_env import Batch, Game, agents
from ttr_env.agents.base import Actor, act_in_rows, close
from ttr_env.agents.blind import act_blind
from ttr_env.agents.chance import own_seed
from ttr_env.agents.inside import inside
from ttr_env.arena.writing import write
from ttr_env.engine import calls
from ttr_env.engine.scoring import RANK, SCORES
from ttr_env.errors import BadAgent as BadAgent  # it is imported from here too
from ttr_env.errors import IllegalAction, IllegalActionType
from ttr_env.options import GameOptions, Variant, of_kind
from ttr_env.text import Tally

ROWS = 512  # games played side by side


@dataclass(frozen=True)
class Played:
    """The finished games of one table.

    Game `n` is deal `n // players`, in which place `p` has seat `(p + n) % players`.
    """

    names: tuple[str, ...]  # who played, by place
    games: np.ndarray  # int [games]: their numbers
    scores: np.ndarray  # int [games, places, len(SCORES)]
    lengths: np.ndarray  # int [games]: decisions
    records: list[dict[str, Any]]  # of the games, where they were kept

    @property
    def deals(self) -> np.ndarray:
        """The deal of each game."""
        return self.games // len(self.names)

    def shares(self) -> np.ndarray:
        """Each place's share of each win [games, places]."""
        won = (self.scores[:, :, RANK] == 1).astype(float)
        return won / won.sum(axis=1, keepdims=True)


def tables(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who sits together: every combination of more agents than seats; fewer agents repeat.

    >>> tables(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> tables(["a", "b"], 3)
    [('a', 'b', 'a')]
    """
    if len(names) >= players:
        return list(dict.fromkeys(combinations(names, players)))  # a second such table would play the same games
    return [tuple(names[place % len(names)] for place in range(players))]


class Table:
    """Agents who play deal after deal, each deal from every seat, many games at a time.

    Bots play inside the batch, and so do networks that score candidates; the other agents are asked for all the games
    that wait for them at once.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        variant: Variant,
        seed: int,
        folder: Path,
        keep_records: bool = False,
        blind: bool = False,
        *,
        deals: Sequence[int] | None = None,
        actors: Mapping[str, Actor] | None = None,
    ) -> None:
        """Seat the agents by place; `folder` is for a position that an agent breaks in.

        `deals` are the seeds of the deals, which otherwise follow from `seed`; `actors` play for those who are named.
        """
        self.names = names
        self._variant, self._seed, self._folder, self._keep_records = variant, seed, folder, keep_records
        self._deals = deals
        self._agents = [
            (actors or {}).get(name) or agents.make(name, own_seed(seed, place)) for place, name in enumerate(names)
        ]
        self._bots = [inside(agent, variant.map) for agent in self._agents]
        self._dealer = np.random.default_rng(seed) if blind else None  # of what is made up for blind agents
        self._finished: dict[int, tuple[np.ndarray, int, list[int]]] = {}  # by game: scores, length, actions

    def play(self, games: int | Sequence[int]) -> Iterator[int]:
        """Play so many games, or those of these numbers; yields how many are finished, again and again.

        It may be left at any time.
        """
        numbers = range(games) if isinstance(games, int) else games
        if not numbers:
            return
        batch = self._make_batch(min(len(numbers), ROWS))
        upcoming = iter(numbers)
        game_of = np.fromiter(islice(upcoming, len(batch)), np.int64)  # by row
        active = np.arange(len(batch))
        self._deal(batch, active, game_of)
        while len(active):
            ended = active[batch.done[active]]
            if not len(ended):
                self._step(batch, active)
                continue
            self._collect(batch, ended, game_of)
            following = np.fromiter(islice(upcoming, len(ended)), np.int64)
            again, idle = np.split(ended, [len(following)])
            game_of[again] = following
            self._deal(batch, again, following)
            active = np.setdiff1d(active, idle, assume_unique=True)
            yield len(self._finished)

    def tallies(self) -> dict[str, Tally]:
        """How many replies of those that ask a model could be read (`TextAgent.tally`)."""
        found: dict[str, Tally] = {}
        for name, agent in zip(self.names, self._agents, strict=True):
            tally = getattr(agent, "tally", None)
            if isinstance(tally, Tally):
                found[name] = found.get(name, Tally()) + tally
        return found

    def close(self) -> None:
        """End what the agents have started."""
        close(self._agents)

    def _make_batch(self, rows: int) -> Batch:
        options = of_kind(self._variant.as_dict(), GameOptions)
        threads = os.cpu_count() or 1
        batch = Batch(
            self._variant.map,
            rows,
            bots=self._bots,
            autoreset=False,
            views=None in self._bots,
            threads=threads,
            **options,
        )
        if self._keep_records:
            batch.keep_history()
        return batch

    def played(self) -> Played:
        """What has been finished so far, whole deals only: seats cancel within a deal."""
        players = len(self.names)
        finished = self._finished
        counts = Counter(game // players for game in finished)
        whole = [game for game in sorted(finished) if counts[game // players] == players]
        return Played(
            self.names,
            np.array(whole, np.int64),
            np.array([self._by_place(game) for game in whole], np.int64).reshape(-1, players, len(SCORES)),
            np.array([finished[game][1] for game in whole], np.int64),
            [self._record(game) for game in whole] if self._keep_records else [],
        )

    def _by_place(self, game: int) -> np.ndarray:
        """A game's scores by place instead of seat."""
        players = len(self.names)
        return self._finished[game][0][[(place + game) % players for place in range(players)]]

    def _record(self, game: int) -> dict[str, Any]:
        """A game's record, with the agents by seat."""
        players = len(self.names)
        start = Game.deal(self._variant, self._deal_seed(game))
        seated = [self.names[(seat - game) % players] for seat in range(players)]
        return {**start.record(), "actions": self._finished[game][2], "agents": seated}

    def _deal_seed(self, game: int) -> int:
        if self._deals is not None:
            return self._deals[game // len(self.names)]
        return int(calls.derive(np.uint64(self._seed), game // len(self.names), 0))

    def _deal(self, batch: Batch, rows: np.ndarray, games: np.ndarray) -> None:
        """Deal these games; the first place sits one seat further in each game of a deal."""
        if len(rows):
            batch.deal(rows, [self._deal_seed(int(game)) for game in games], games % len(self.names))

    def _collect(self, batch: Batch, rows: np.ndarray, game_of: np.ndarray) -> None:
        for row in rows.tolist():
            length = int(batch.lengths[row])
            taken = [] if batch.history is None else batch.history[row, :length].tolist()
            self._finished[int(game_of[row])] = batch.scores[row].copy(), length, taken

    def _step(self, batch: Batch, rows: np.ndarray) -> None:
        """Let the agents to move take a decision in each of the rows."""
        places = (batch.movers[rows] - batch.seats[rows]) % len(self.names)
        actions = np.empty(len(rows), np.int64)
        for place, agent in enumerate(self._agents):
            mine = np.flatnonzero(places == place)
            if len(mine):
                actions[mine] = self._ask(agent, batch, rows[mine])
        try:
            batch.step(actions, rows)
        except IllegalAction as error:
            self._blame(batch, dict(zip(rows.tolist(), places.tolist(), strict=True)), error)

    def _ask(self, agent: Actor, batch: Batch, rows: np.ndarray) -> np.ndarray:
        try:
            if self._dealer is not None:
                return act_blind(agent, batch, rows, self._dealer)
            return act_in_rows(agent, batch, rows)
        except IllegalActionType as error:
            name = self.names[self._agents.index(agent)]
            raise BadAgent(f"agent {name!r} returned no action: {error}") from error

    def _blame(self, batch: Batch, place_of: dict[int, int], error: IllegalAction) -> NoReturn:
        assert error.row is not None  # a batch names it
        file = self._folder / "illegal-position.json"
        self._folder.mkdir(parents=True, exist_ok=True)
        write(file, json.dumps(batch.game(error.row).snapshot()))
        name = error.bot or self.names[place_of[error.row]]
        raise BadAgent(f"agent {name!r} returned an illegal action; the position is in {file}: {error}") from error
