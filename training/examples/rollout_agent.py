"""An agent that plays every candidate out, and takes the one that wins most: flat Monte Carlo in one file.

Usage: `ttr watch training.examples.rollout_agent:RolloutAgent planner`

Details: the hidden cards are dealt anew in every world (`determinize`), so the agent uses only what its seat knows. All
candidates are tried in the same worlds, and compiled planners play these to their end in one call.
"""

from __future__ import annotations

import numpy as np

from ttr_env import SCORES, Batch, Game

RANK = SCORES.index("rank")


class RolloutAgent:
    """Plays each of some candidates out in so many worlds; planners take all seats."""

    def __init__(self, seed: int = 0, worlds: int = 8, candidates: int = 12) -> None:
        self._rng = np.random.default_rng(seed)
        self._worlds, self._candidates = worlds, candidates

    def act(self, game: Game) -> int:
        """The candidate that wins most; where there are many, some are drawn."""
        legal = game.legal_actions()
        candidates = self._rng.permutation(legal)[: self._candidates]
        worlds = [game.determinize(game.player, self._rng) for _ in range(self._worlds)]
        tried = [world.copy() for _ in candidates for world in worlds]
        for trial, action in zip(tried, np.repeat(candidates, len(worlds)), strict=True):
            trial.step(action)
        played = Batch.from_games(tried, bots=["planner"] * game.players, autoreset=False, views=False)
        won = played.scores[:, game.player, RANK] == 1
        margins = played.totals[:, game.player] - played.totals.mean(axis=1)
        values = (won + margins / 1000).reshape(len(candidates), len(worlds)).mean(axis=1)
        return int(candidates[values.argmax()])
