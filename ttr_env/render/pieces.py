"""Drawings in pieces, so that what stays the same from one position to the next is stored and sent once.

A drawing is a shell, the tag of the `<svg>`, and a list of pieces, its groups from back to front. A `Stock` gives each
distinct piece a number; a drawing is then a list of numbers. `static/board.js` puts drawings together in a browser.

>>> from ttr_env import Game, render
>>> game = Game("nederland", players=2, seed=7)
>>> stock = Stock()
>>> before = stock.take(render.scene(game))
>>> known = len(stock)
>>> game.step(game.legal_actions()[0])
>>> after = stock.take(render.scene(game))
>>> len(after), len(stock.since(known))
(243, 19)
>>> stock.picture(after) == render.to_svg(game)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import svg
from .shapes import Group, Scene


class Piece(NamedTuple):
    """A group as an element of SVG."""

    key: str  # what it stands for, once in a drawing, such as "track-12"; "" if it stands for nothing
    markup: str


class Stock:
    """The distinct pieces of some drawings of one size, by number."""

    def __init__(self, width: int = 1200) -> None:
        """Begin without any.

        Args:
            width: of the drawings, in pixels, where they are not scaled.
        """
        self.shell = ""  # of the drawing that was taken last: the tag that it begins with
        self._width = width
        self._numbers: dict[Piece, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def take(self, scene: Scene) -> list[int]:
        """Take in what a drawing has that is new; the numbers of its pieces, from back to front."""
        self.shell = svg.opening(scene, self._width)
        pieces = (_piece(group) for group in (scene.backdrop, *scene.groups))
        return [self._numbers.setdefault(piece, len(self._numbers)) for piece in pieces]

    def since(self, number: int = 0) -> list[Piece]:
        """The pieces with this number and higher ones, in their order."""
        return list(self._numbers)[number:]

    def picture(self, numbers: Iterable[int]) -> str:
        """The drawing of these pieces as an SVG document."""
        pieces = self.since()
        return "\n".join([self.shell, *(pieces[number].markup for number in numbers), "</svg>"])


def _piece(group: Group) -> Piece:
    key = "-".join(group.data[0]) if group.data else ""
    return Piece(key, svg.draw_group(group))
