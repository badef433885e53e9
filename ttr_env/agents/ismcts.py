"""Players who search: worlds are played on in compiled code for each of the choices that the champion likes.

They are valued after some decisions instead of played to their end: that is quicker, and the luck of all later draws
stays out of it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ttr_env.agents.champion import Champion
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.agents.searching import WORKERS, Candidates, Searching
from ttr_env.bots import rollouts
from ttr_env.bots.appraiser import APPRAISER
from ttr_env.bots.search import MAX_PLAYED
from ttr_env.engine.scratch import aligned
from ttr_env.game import Game
from ttr_env.maps import Map

HORIZON = 20  # decisions for which a world is played on at least
WIDTH = 6  # actions that are tried at most
LEAST = 0.005  # probability that an action needs to be tried
SURE = 0.98  # probability from which on an action is taken without a search


class ISMCTS(Searching):
    """Tries what a network likes in many worlds, with that network in all seats: the champion's, or one of a file.

    Against whoever plays by that network, it knows what its opponent will do.

    >>> agent = ISMCTS(iterations=64, seed=1)
    >>> agent.act(Game("nederland", players=2, seed=7)) in range(12, 43)  # it keeps some tickets
    True
    """

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        policy: str | Path | None = None,
    ) -> None:
        self._spaces = aligned(WORKERS, rollouts.ROLLOUT)
        self._known = Champion() if policy is None else ScoringAgent(policy)
        self._player: ScoringAgent | None = None
        super().__init__(iterations, seconds, seed)

    def network_on(self, map: Map) -> ScoringAgent:
        """Who plays worlds on, on this map."""
        return self._known.on_map(map) if isinstance(self._known, Champion) else self._known

    def candidates(self, game: Game) -> Candidates:
        """What the network likes best; one action alone if it is sure."""
        actions, probabilities = self.network_on(game.map).opinion(game)
        best = np.argsort(-probabilities, kind="stable")[:WIDTH]
        if probabilities[best[0]] >= SURE:
            best = best[:1]
        tried = best[probabilities[best] >= LEAST]
        return Candidates(actions[tried], probabilities[tried])

    def prepare(self, game: Game, actions: np.ndarray) -> None:
        self._actions = actions
        player = self.network_on(game.map)
        if player is not self._player:
            self._player, self._minds = player, _minds(player)

    def try_out(self, game: Game, seed: np.uint64, places: np.ndarray, worker: int) -> np.ndarray:
        values = np.empty(len(places))
        rollouts.try_out(
            game.records,
            0,
            game.board,
            self._minds,
            self._actions[places],
            seed,
            self._spaces,
            worker,
            values,
        )
        return values


def _minds(player: ScoringAgent) -> rollouts.Minds:
    """What plays worlds on like a player: to their end if its network does not tell what positions are worth."""
    if not player.scorer.value:
        return rollouts.Minds(player.weights, aligned(1, APPRAISER), MAX_PLAYED)
    return rollouts.Minds(player.weights, player.scorer.appraiser(), HORIZON)
