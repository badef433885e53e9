"""A game from its first decision on, with every position kept, so that one can go back and forth in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ttr_env.game import Game
from ttr_env.game.actions import Action
from ttr_env.maps import Map
from ttr_env.render import words


@dataclass(frozen=True)
class Deed:
    """What somebody did, as everybody saw it."""

    seat: int
    text: str  # without its subject: "took a red card"
    track: int | None  # where that put trains

    @classmethod
    def of(cls, map: Map, seat: int, action: Action) -> Deed:
        """The deed of a player.

        >>> game = Game("nederland", players=2, seed=7)
        >>> Deed.of(game.map, 0, game.describe(0)).text
        'drew a card from the deck'
        """
        text = words.deed(map, seat, action).removeprefix(f"Player {seat} ")
        return cls(seat, text, action.as_dict().get("track"))


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

    def __init__(self, start: Game, names: Sequence[str], decide: Callable[[Game], int | None]) -> None:
        """Args:
        start: the first position.
        names: of the players, by seat.
        decide: takes the next decision in a game and returns the action, or None if the story ends there.
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
        if before.player < 0:
            return False
        game = before.copy()
        action = self._decide(game)
        if action is None:
            return False
        self.deeds.append(Deed.of(game.map, before.player, before.describe(action)))
        self.positions.append(game)
        return True
