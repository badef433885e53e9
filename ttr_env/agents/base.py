"""What an agent is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from ttr_env.game import Game
from ttr_env.maps import Map


class Rows(Protocol):
    """Many games of one kind: a `Batch`, or the vector environment."""

    map: Map
    _games: np.ndarray  # records of `engine.layout.GAME`
    _boards: np.ndarray

    def game(self, row: int) -> Game:
        """A copy of a row's game."""


@runtime_checkable
class Actor(Protocol):
    """The least that is needed to take a seat: choosing an action for the player to move."""

    def act(self, game: Game) -> int: ...


class Agent:
    """A player. It chooses by what the player to move may know, and draws chance from its own seed alone.

    Subclasses need `act`; `act_batch` is there to be made faster.
    """

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Forget everything, and draw chance from this seed from now on."""
        self.rng = np.random.default_rng(seed)

    def act(self, game: Game) -> int:
        """An action for the player to move."""
        raise NotImplementedError

    def check_map(self, map: Map) -> None:
        """Raise a `ValueError` if the agent cannot play on this map; most can play on any."""

    def act_batch(self, batch: Rows, rows: np.ndarray) -> np.ndarray:
        """An action for each of these rows of a batch."""
        return np.array([self.act(batch.game(int(row))) for row in rows], np.int64)


def check_map(agent: Actor, map: Map) -> None:
    """Refuse an agent that cannot play on this map now, and not in the middle of a game."""
    if isinstance(agent, Agent):
        agent.check_map(map)


def act_in_rows(agent: Actor, games: Rows, rows: np.ndarray) -> np.ndarray | Sequence[int]:
    """An agent's actions in some rows, all at once if it can."""
    if isinstance(agent, Agent):
        return agent.act_batch(games, rows)
    return [agent.act(games.game(int(row))) for row in rows]
