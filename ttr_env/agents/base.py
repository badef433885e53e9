"""What an agent is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ttr_env.errors import IllegalActionType
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened


@runtime_checkable
class Actor(Protocol):
    """The least that is needed to take a seat: choosing an action for the player to move."""

    def act(self, game: Game) -> int: ...


class Agent:
    """A program that plays. It uses only what the player to move knows, and all its randomness comes from its seed.

    Subclasses define `act` or, to choose in many positions at once, `act_batch`; by default each calls the other.
    """

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Forget everything, and take randomness from this seed from now on."""
        self.rng = np.random.default_rng(seed)

    def act(self, game: Game) -> int:
        """An action for the player to move."""
        if type(self).act_batch is Agent.act_batch:
            raise NotImplementedError(f"{type(self).__name__} has neither act nor act_batch")
        return int(self.act_batch(game, np.zeros(1, np.int64))[0])

    def check_map(self, map: Map) -> None:
        """Raise a `ValueError` if the agent cannot play on this map; most can play on any."""

    def on_map(self, map: Map) -> Actor:
        """Who plays for it on this map: itself, unless it has players for different maps."""
        return self

    def close(self) -> None:
        """End what the agent has started, such as programs; it may play again afterwards."""

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        """An action for each of these rows of a `Batch`, or of the one row of a `Game`."""
        return whole_actions(self, [self.act(Game.from_positions(positions, int(row))) for row in rows])


def check_map(agent: Actor, map: Map) -> None:
    """Refuse an agent that cannot play on this map now, and not in the middle of a game."""
    if isinstance(agent, Agent):
        agent.check_map(map)


def on_map(agent: Actor, map: Map) -> Actor:
    """Who plays for an agent on this map, which it must be able to play."""
    check_map(agent, map)
    return agent.on_map(map) if isinstance(agent, Agent) else agent


def close(agents: Iterable[Actor | None]) -> None:
    """End what agents have started, now that their games are over."""
    for agent in agents:
        if isinstance(agent, Agent):
            agent.close()


def act_in_rows(agent: Actor, positions: Positions, rows: np.ndarray) -> np.ndarray:
    """An agent's actions in some rows, all at once if it can."""
    if isinstance(agent, Agent):
        return whole_actions(agent, agent.act_batch(positions, rows))
    return whole_actions(agent, [agent.act(Game.from_positions(positions, int(row))) for row in rows])


def whole_actions(agent: Actor, chosen: np.ndarray | Sequence[Any]) -> np.ndarray:
    """What an agent returned for some rows, if it is whole numbers: NumPy would make some of texts and fractions."""
    given = np.array(chosen, object) if isinstance(chosen, list) else np.asarray(chosen)
    whole = all(map(_is_whole, given.flat)) if given.dtype == object else np.issubdtype(given.dtype, np.integer)
    if not whole or given.ndim != 1:
        message = f"{type(agent).__name__} returned {shortened(given.tolist())}; whole numbers are needed, one a row"
        raise IllegalActionType(message, action=chosen)
    return given.astype(np.int64, copy=False)


def _is_whole(action: Any) -> bool:
    return not isinstance(action, bool | np.bool_) and hasattr(action, "__index__") and abs(int(action)) < 2**63
