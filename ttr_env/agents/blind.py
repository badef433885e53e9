"""Asking agents that are shown only what their seat knows."""

from __future__ import annotations

import numpy as np

from ttr_env.agents.base import Actor, Agent, whole_actions
from ttr_env.engine import calls
from ttr_env.game import Game, SeatView
from ttr_env.game.positions import Positions


def act_blind(agent: Actor, positions: Positions, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An agent's actions in some rows. What their movers cannot see it is not shown: that is dealt anew from `rng`.

    An agent that chooses for many games at once is given such positions, any other one a `SeatView` of each.
    """
    if isinstance(agent, Agent) and chooses_for_many(agent):
        return whole_actions(agent, agent.act_batch(dealt_anew(positions, rows, rng), np.arange(len(rows))))
    games = (Game.from_positions(positions, int(row)) for row in rows)
    return whole_actions(agent, [agent.act(SeatView.of(game, game.player, rng)) for game in games])


def chooses_for_many(agent: Actor) -> bool:
    """Whether an agent has a way of its own to choose for many games at once."""
    return isinstance(agent, Agent) and type(agent).act_batch is not Agent.act_batch


def dealt_anew(positions: Positions, rows: np.ndarray, rng: np.random.Generator) -> Positions:
    """Copies of some positions in which what each mover cannot see is dealt anew."""
    copies = Positions(positions.variant, len(rows))
    copies.records[:] = positions.records[rows]
    movers, seeds = copies.records["player"].tolist(), rng.integers(2**64, size=len(rows), dtype=np.uint64)
    for row, mover in enumerate(movers):
        calls.redeal_hidden(copies.records, row, mover, seeds[row])
    return copies
