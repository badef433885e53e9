"""A game from its first decision on, with every position kept, so that one can go back and forth in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ttr_env.game import Game
from ttr_env.game.knowledge import last_deed
from ttr_env.game.words import Deed


def merged(deeds: Sequence[Deed]) -> list[Deed]:
    """The deeds, with what a player did twice in a row told once.

    >>> [deed.text for deed in merged([Deed(0, "took a red card", None)] * 2)]
    ['took a red card, twice']
    """
    told: list[Deed] = []
    for deed in deeds:
        if told and told[-1] == deed:
            told[-1] = replace(deed, text=f"{deed.text}, twice")
        else:
            told.append(deed)
    return told


class Story:
    """A game told step by step; what has not happened yet is played when it is asked for."""

    def __init__(self, start: Game, names: Sequence[str], decide: Callable[[Game], bool]) -> None:
        """Args:
        start: the first position.
        names: of the players, by seat.
        decide: takes the next decision in a game; False if the story ends there.
        """
        self.names = tuple(names)
        self.positions = [start]
        self.deeds: list[Deed] = []
        self._decide = decide

    def reach(self, index: int) -> int:
        """Play on until a position is there, or the end; the last index up to `index` that is there."""
        while len(self.positions) <= index and self._tell():
            pass
        return min(index, len(self.positions) - 1)

    def finish(self) -> int:
        """Play to the end; the last index."""
        while self._tell():
            pass
        return len(self.positions) - 1

    def _tell(self) -> bool:
        """One more decision; False at the end."""
        before = self.positions[-1]
        if before.over:
            return False
        game = before.copy()
        if not self._decide(game):
            return False
        deed = last_deed(game)
        assert deed is not None
        self.deeds.append(deed)
        self.positions.append(game)
        return True
