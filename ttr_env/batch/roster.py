"""Who can be a bot in a batch, and under which number rows name it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ttr_env.batch import stepping
from ttr_env.batch.pool import HasWeights, gather, weights_of
from ttr_env.bots.built_in import BOTS, FIRST_NETWORK
from ttr_env.bots.scorer import MIND
from ttr_env.engine.scratch import aligned
from ttr_env.options import Table, check_choice

Bot = str | HasWeights | np.ndarray | None  # None: whoever plays there is asked
Bots = Sequence[Bot]


class Roster:
    """The built-in bots, and the networks that were added to them.

    >>> roster = Roster()
    >>> roster.number("random"), roster.number(None)
    (0, -1)
    """

    def __init__(self) -> None:
        self._networks: list[np.ndarray] = []  # each [1] of `scorer.WEIGHTS`

    def number(self, bot: Bot) -> int:
        """The number of a bot; a network gets a new one."""
        if bot is None:
            return stepping.OUTSIDE
        return BOTS.index(check_choice(bot, BOTS, "bots")) if isinstance(bot, str) else self.add(bot)

    def line_up(self, bots: Bots, table: Table, games: int, autoreset: bool) -> np.ndarray:
        """The numbers of these bots, or of nobody if there are none, by row and place."""
        players = table.variant.players
        bots = bots or [None] * players
        if isinstance(bots, str) or len(bots) != players:
            raise ValueError(
                f"bots: a list of {players}, a bot's name, a network or None for each player, is needed, not {bots!r}"
            )
        if autoreset and all(bot is not None for bot in bots):
            raise ValueError("bots: where bots play all seats nobody is asked, so games need autoreset=False")
        if table.episode.max_decisions < players:  # a game could end before somebody's first decision
            raise ValueError(f"max_decisions: at least {players} are needed for every player to decide once")
        return np.tile(np.array([self.number(bot) for bot in bots], np.int64), (games, 1))

    def add(self, network: Any) -> int:
        """The number of one more network, which is copied."""
        self._networks.append(weights_of(network).copy())
        return FIRST_NETWORK + len(self._networks) - 1

    def replace(self, number: int, network: Any) -> None:
        """Put a network in the place of one that was added before."""
        if not 0 <= number - FIRST_NETWORK < len(self._networks):
            raise ValueError(f"number: no network has the number {number}")
        self._networks[number - FIRST_NETWORK] = weights_of(network).copy()

    def check(self, numbers: np.ndarray) -> None:
        """Refuse numbers that no bot and no network has; below 0 is somebody who is asked."""
        known = FIRST_NETWORK + len(self._networks)
        if np.max(numbers, initial=-1) >= known:
            raise ValueError(f"numbers: the bots and networks are 0 to {known - 1}, not {np.max(numbers)}")

    def networks(self, workers: int) -> stepping.Networks | None:
        """The networks as steps take them, with space for so many workers; None where there are none."""
        if not self._networks:
            return None
        return stepping.Networks(gather(self._networks), aligned(workers, MIND))
