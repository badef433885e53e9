"""What an agent thinks of a decision: its choice, what else it considered, and what it expects."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ttr_env.agents.base import Actor, check_map
from ttr_env.game import Game


@dataclass(frozen=True)
class Thought:
    """What an agent thinks of one action. None: this agent does not think of that."""

    action: int  # its index
    probability: float | None = None  # of the action, by the agent's network or by the way it draws
    mean: float | None = None  # of the games that were played out after it: 0 is a clear loss, 1 a clear win
    error: float | None = None  # standard error of `mean`; None also where one world cannot tell
    worlds: int | None = None  # in which it was tried


@dataclass(frozen=True)
class Explanation:
    """What an agent thinks of a decision, from what the player to move may know."""

    choice: int  # the action that it would take
    options: tuple[Thought, ...]  # what it considered, the likeliest first
    value: float | None = None  # what it thinks the position is worth to the player to move, in its own units


@runtime_checkable
class Explainer(Protocol):
    """An agent that can say what it thinks. It must not change what it would do next."""

    def explain(self, game: Game) -> Explanation: ...


def explain(agent: str | Actor, game: Game) -> Explanation:
    """What an agent, or the one that a specification names, thinks of the next decision of a game.

    It is asked without a trace: what it would do next stays the same. Of an agent that explains nothing, a copy is
    asked for its choice, and the agent itself where it cannot be copied.

    >>> game = Game("nederland", players=2, seed=7)
    >>> explanation = explain("random", game)
    >>> len(explanation.options) == len(game.legal_actions()), explanation.value
    (True, None)
    >>> [thought] = explain("planner", game).options
    >>> thought.action in game.legal_actions(), thought.probability
    (True, None)
    """
    if game.over:
        raise ValueError("the game is over: there is nothing to decide")
    actor = _made(agent)
    check_map(actor, game.map)
    if isinstance(actor, Explainer):
        return actor.explain(game)
    return bare(_copied(actor).act(game))


def bare(choice: int) -> Explanation:
    """The explanation of an agent that has nothing to say but its choice."""
    return Explanation(int(choice), (Thought(int(choice)),))


def by_probability(choice: int, actions: np.ndarray, probabilities: np.ndarray, value: float | None) -> Explanation:
    """The explanation of an agent that has a probability for each of some actions."""
    order = np.argsort(-probabilities, kind="stable")
    options = tuple(Thought(int(actions[place]), float(probabilities[place])) for place in order)
    return Explanation(int(choice), options, value)


def softmax(scores: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities of scores, at a temperature of 1 for agents that take the highest."""
    raised = np.exp((scores - scores.max()) / (temperature or 1.0), dtype=np.float64)
    return raised / raised.sum()


@contextmanager
def undisturbed(rng: np.random.Generator) -> Iterator[None]:
    """Randomness that is used inside is used again afterwards."""
    state = rng.bit_generator.state
    try:
        yield
    finally:
        rng.bit_generator.state = state


def _made(agent: str | Actor) -> Actor:
    from ttr_env.agents.registry import make  # it makes agents that import this module

    return make(agent) if isinstance(agent, str) else agent


def _copied(agent: Actor) -> Actor:
    try:
        return copy.deepcopy(agent)
    except Exception:  # whatever somebody's own class raises when it is copied
        return agent
