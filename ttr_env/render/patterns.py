"""Trains: the block that a player puts on a train space, with the player's pattern on it."""

from __future__ import annotations

from collections.abc import Callable

from .palette import CASING, OwnerStyle
from .shapes import Circle, Frame, Line, Polygon, Shape


def block(frame: Frame, length: float, width: float) -> tuple[tuple[float, float], ...]:
    """The corners of a block around the frame's origin.

    >>> block(Frame((0, 0), 0.0), 4, 2)
    ((-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0))
    """
    x, y = length / 2, width / 2
    return tuple(frame.at(along, across) for along, across in ((-x, -y), (x, -y), (x, y), (-x, y)))


def train(frame: Frame, length: float, width: float, style: OwnerStyle, patterned: bool = True) -> list[Shape]:
    """One train; without its pattern where something is to be written on it."""
    body = Polygon(block(frame, length, width), style.fill, CASING, 1.0)
    return [body, *PATTERNS[style.pattern](frame, length, width, style.mark)] if patterned else [body]


def _plain(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    return []


def _stripes(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    y = width / 2 - 0.5
    xs = [length * part for part in (-0.28, 0.0, 0.28)]
    return [Line((frame.at(x - 2, y), frame.at(x + 2, -y)), mark, width / 5) for x in xs]


def _dots(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    centres = [frame.at(length * part, 0) for part in (-0.28, 0.0, 0.28)]
    return [Circle(x, y, width / 5, fill=mark) for x, y in centres]


def _rail(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    return [Line((frame.at(-length / 2 + 2, 0), frame.at(length / 2 - 2, 0)), mark, width / 4)]


def _zigzag(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    y = width * 0.26
    points = [frame.at(length * (step / 6 - 0.5) * 0.8, -y if step % 2 else y) for step in range(7)]
    return [Line(tuple(points), mark, width / 7)]


def _crosses(frame: Frame, length: float, width: float, mark: str) -> list[Shape]:
    y = width * 0.27
    shapes: list[Shape] = []
    for x in (-0.22 * length, 0.22 * length):
        shapes.append(Line((frame.at(x - y, -y), frame.at(x + y, y)), mark, width / 7))
        shapes.append(Line((frame.at(x - y, y), frame.at(x + y, -y)), mark, width / 7))
    return shapes


PATTERNS: dict[str, Callable[[Frame, float, float, str], list[Shape]]] = {
    "plain": _plain,
    "stripes": _stripes,
    "dots": _dots,
    "rail": _rail,
    "zigzag": _zigzag,
    "crosses": _crosses,
}
