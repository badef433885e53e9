"""Players whose choices come from a network."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ttr_env.agents import policy_file
from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation, by_probability, softmax, undisturbed
from ttr_env.agents.inputs import Sight
from ttr_env.agents.scorer import check_temperature
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.maps import Map


class Trained(Agent):
    """A player who looks at rows of games through a `Sight`. Subclasses choose by what it shows."""

    sight: Sight
    name: str

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        self.check_map(positions.map)
        return self.choose(*self.sight.see(positions, np.ascontiguousarray(rows, np.int64)))

    def check_map(self, map: Map) -> None:
        if map.digest != self.sight.map.digest:
            raise ValueError(f"{self.name} was trained on {self.sight.map.name!r} and cannot play {map.name!r}")

    def choose(self, inputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """An action for each row of inputs."""
        raise NotImplementedError


class FromFile(Trained):
    """A network from a policy file, evaluated with NumPy; it takes the action that it likes best.

    With a `temperature` above 0 it draws actions by their probabilities, sharpened or flattened.
    """

    def __init__(self, network: str | Path | policy_file.Network, temperature: float = 0.0, seed: int = 0) -> None:
        self.name = "policy" if isinstance(network, policy_file.Network) else f"policy file {network}"
        self.network = network if isinstance(network, policy_file.Network) else policy_file.load_network(network)
        self.sight = self.network.sight
        self.temperature = check_temperature(temperature)
        super().__init__(seed)

    def choose(self, inputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = self.network.logits(inputs, masks)
        best = logits.argmax(axis=1)
        if self.temperature == 0:
            return best
        logits -= logits[np.arange(len(logits)), best, None]
        sums = np.exp(logits / self.temperature).cumsum(axis=1)
        chance = (1 - self.rng.random((len(sums), 1))) * sums[:, -1:]  # above 0: it falls on no illegal action
        return (sums < chance).sum(axis=1)

    def explain(self, game: Game) -> Explanation:
        self.check_map(game.map)
        actions, probabilities = self.opinion(game)
        inputs, _ = self.sight.see(game, np.zeros(1, np.int64))
        with undisturbed(self.rng):
            return by_probability(self.act(game), actions, probabilities, float(self.network.values(inputs)[0]))

    def opinion(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions and how likely each is, at a temperature of 1 if the likeliest is taken."""
        logits = self.network.logits(*self.sight.see(game, np.zeros(1, np.int64)))[0]
        actions = np.flatnonzero(np.isfinite(logits))
        return actions, softmax(logits[actions], self.temperature)
