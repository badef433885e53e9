"""Players whose compiled network scores candidates by their features."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ttr_env.agents import policy_file
from ttr_env.agents.base import Agent
from ttr_env.agents.explaining import Explanation, by_probability, softmax
from ttr_env.agents.scorer import Scorer
from ttr_env.bots import scorer as kernels
from ttr_env.bots.features.space import VIEW
from ttr_env.bots.routes import NETWORK
from ttr_env.engine import calls
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.game.positions import Positions


class ScoringAgent(Agent):
    """Takes the candidate that its network scores highest; plays on every map, with any number of players.

    With a `temperature` above 0 it draws candidates by their probabilities, sharpened or flattened. `weights` is what
    compiled code needs to play like it: an array [1] of `ttr_env.bots.scorer.WEIGHTS`.

    >>> agent = ScoringAgent(Scorer.random(np.random.default_rng(0)))
    >>> agent.act(Game("usa", players=4, seed=7)) in Game("usa", players=4, seed=7).legal_actions()
    True
    """

    def __init__(self, network: str | Path | Scorer, temperature: float = 0.0, seed: int = 0) -> None:
        self.scorer = network if isinstance(network, Scorer) else policy_file.load_scorer(network)
        self.weights = self.scorer.weights(temperature)
        self._routes, self._view, self._space = aligned(1, NETWORK), aligned(1, VIEW), aligned(1, kernels.SCORES)
        self._source = np.zeros(1, np.uint64)
        super().__init__(seed)

    def reset(self, seed: int) -> None:
        calls.seed_source(self._source, np.uint64(seed))

    def act(self, game: Game) -> int:
        return int(
            kernels.act(game.records, 0, game.board, self.weights, self._routes, self._view, self._space, self._source)
        )

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        actions, chosen = np.empty(len(rows), np.int64), np.ascontiguousarray(rows, np.int64)
        kernels.act_rows(
            positions.records,
            positions.board,
            chosen,
            self.weights,
            self._routes,
            self._view,
            self._space,
            self._source,
            actions,
        )
        return actions

    def explain(self, game: Game) -> Explanation:
        actions, probabilities = self.opinion(game)
        values = self.scorer.values(self._view["state_row"])
        source = self._source.copy()
        choice = self.act(game)
        self._source[:] = source
        return by_probability(choice, actions, probabilities, None if values is None else float(values[0]))

    def opinion(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        """The candidates and how likely each is, at a temperature of 1 if the likeliest is taken."""
        self._appraise(game)
        count = self._view[0]["count"]
        scores = self._space[0]["score"][:count]
        return self._view[0]["index"][:count].copy(), softmax(scores, float(self.weights[0]["temperature"]))

    def look(self, game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The candidates' actions [candidates], the state [columns] and the features [candidates, columns]."""
        self._appraise(game)
        view = self._view[0]
        count = view["count"]
        return view["index"][:count].copy(), view["state_row"].copy(), view["action_rows"][:count].copy()

    def _appraise(self, game: Game) -> None:
        kernels.appraise(game.records, 0, game.board, self.weights, self._routes, self._view, self._space)
