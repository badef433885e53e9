"""Networks that have learned nothing, and an agent that hides that it has one."""

import itertools

import numpy as np

from ttr_env.agents.base import Agent
from ttr_env.agents.inputs import Sight
from ttr_env.agents.policy_file import Layer, Network
from ttr_env.agents.scorer import Scorer, describe_games
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots.features.columns import STATE
from ttr_env.game.positions import Positions
from ttr_env.options import Variant


def random_layers(rng: np.random.Generator, *sizes: int) -> list[Layer]:
    return [
        (rng.normal(0, 0.1, pair).astype(np.float32), rng.normal(0, 1, pair[1]).astype(np.float32))
        for pair in itertools.pairwise(sizes)
    ]


def random_network(adviser: str | None = None, features: str = "base", activation: str = "relu") -> Network:
    """A network of format 1, for Nederland; it always follows its adviser."""
    rng = np.random.default_rng(0)
    sight = Sight("nederland", features, adviser=adviser)
    policy = random_layers(rng, sight.observation_size, 8, sight.num_actions)
    value = random_layers(rng, sight.observation_size, 8, 1)
    weight = None if adviser is None else np.full(sight.num_actions, 100.0, np.float32)
    return Network(sight, policy, value, activation, weight, {"steps": 3})


def random_scorer(seed: int = 0, first_units: int = 16, second_units: int = 8) -> Scorer:
    """A network of format 2, which tells a value."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.5, shape).astype(np.float32)

    plain = Scorer.random(rng, first_units, second_units)
    return Scorer(
        plain.state,
        plain.action,
        draw(first_units),
        plain.second,
        draw(second_units),
        plain.score,
        value=tuple(random_layers(rng, len(STATE), 8, 1)),
        about={"steps": 3},
        games=describe_games([Variant.of("nederland", players=2), Variant.of("usa", players=5)]),
    )


def random_weights(seed: int = 0, temperature: float = 0.0) -> np.ndarray:
    """The same as compiled code takes it."""
    return random_scorer(seed).weights(temperature)


class Asked(Agent):
    """Plays as an agent with a network does, but is asked for each of its actions."""

    def __init__(self, scorer: Scorer, seed: int = 0) -> None:
        self._agent = ScoringAgent(scorer, seed=seed)
        super().__init__(seed)

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return self._agent.act_batch(positions, rows)
