"""The action features that a batch shows: written after the step, by the worker that made it."""

from __future__ import annotations

import numpy as np

from ttr_env.bots.features.rows import ActionFeatures, look_rows, looking_space
from ttr_env.engine.layout import GAME
from ttr_env.game.positions import Positions

_NOBODY = -1


class Looks:
    """What is seen of every row's decision, and of its last finished game.

    A game that ended may have been followed by the next when it is looked at, so its record is kept in `ends`, with
    nobody to move where its viewer was not.
    """

    def __init__(self, games: int, autoreset: bool) -> None:
        self.shown = ActionFeatures.blank(games)
        self.final = ActionFeatures.blank(games)
        self.ends = np.zeros(games, GAME)
        self.dropped = 0  # candidates for which there was no room
        self._autoreset = autoreset
        self.forget()

    def forget(self) -> None:
        """No game has ended yet, and nothing was dropped."""
        self.final.clear()
        self.ends["player"] = _NOBODY
        self.dropped = 0

    def renew(self, keep: bool) -> None:
        """Write to new arrays from now on, which may keep what the old ones held."""
        every_row = np.arange(len(self.ends))
        self.shown = self.shown.at(every_row) if keep else ActionFeatures.blank(len(self.ends))

    def allocate_work(self, workers: int) -> None:
        """Make the space that workers need, which is not worth keeping."""
        self._spaces = looking_space(workers)

    def look(self, games: Positions, done: np.ndarray, chosen: np.ndarray, worker: int) -> int:
        """Look at the chosen rows after a step, in which the games of some rows were `done`.

        Returns how many candidates there was no room for.
        """
        ended = chosen[done[chosen]]
        if len(ended) == 0:
            return self._look(games.records, games.board, chosen, worker, self.shown)
        self._look(self.ends, games.board, ended, worker, self.final)
        if self._autoreset:
            return self._look(games.records, games.board, chosen, worker, self.shown)
        for shown, final in zip(self.shown, self.final, strict=True):  # a row that waits shows its end
            shown[ended] = final[ended]
        return self._look(games.records, games.board, np.setdiff1d(chosen, ended), worker, self.shown)

    def _look(
        self, games: np.ndarray, board: np.ndarray, chosen: np.ndarray, worker: int, features: ActionFeatures
    ) -> int:
        return int(look_rows(games, board, chosen, chosen, self._spaces, worker, features))

    def look_again(self, games: Positions, done: np.ndarray) -> None:
        """Write everything anew, for games that were put there by somebody else."""
        every_row = np.arange(len(self.ends))
        self._look(self.ends, games.board, every_row, 0, self.final)
        self.look(games, done, every_row, 0)

    def __getstate__(self) -> dict[str, object]:
        return {name: kept for name, kept in self.__dict__.items() if name != "_spaces"}
