"""What a picture is made of: a few shapes, in groups, from back to front.

The back-ends know these shapes and nothing of the game; what draws the game knows nothing of back-ends.
Coordinates grow to the right and downwards. Colours are `#rrggbb`, always opaque.

>>> dot = Circle(5, 5, 4, fill="#cc0000")
>>> Scene(10, 10, Group((dot,)), ()).size_at(width=200)
(200, 200)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through some points, with blunt ends."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape; the stroke is centred on its edge."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle, perhaps with round corners."""

    x: float
    y: float
    w: float
    h: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around a point."""

    x: float
    y: float
    r: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `x` is its start, middle or end, `y` its baseline."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: str = "start"  # or "middle", "end"
    halo: str | None = None  # a colour around the letters, where they cross other things


Shape = Line | Polygon | Rect | Circle | Text


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together.

    A back-end may draw all texts of a group above its other shapes, and keep what it has drawn for a group that
    comes again: what changes together belongs in a group, what does not does not.
    """

    shapes: tuple[Shape, ...]
    title: str = ""  # what it shows, in words
    data: tuple[tuple[str, str], ...] = ()  # what it stands for, for a page; its first pair is its own in a picture


def merge(groups: Iterable[Group], title: str = "") -> Group:
    """One group of all their shapes."""
    return Group(tuple(shape for group in groups for shape in group.shapes), title)


def standing_for(group: Group, title: str, **data: str | int) -> Group:
    """The group with a title, and with what it stands for; no other group of a picture may have the first of these.

    >>> standing_for(Group(()), "red, face up", slot=2, card="red").data
    (('slot', '2'), ('card', 'red'))
    """
    return replace(group, title=title, data=tuple((name, str(value)) for name, value in data.items()))


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: a backdrop that fills it and seldom changes, and groups from back to front."""

    width: float
    height: float
    backdrop: Group
    groups: tuple[Group, ...]
    areas: tuple[Box, ...] = ()  # what can be looked at by itself where there is no room for the whole, in this order

    def size_at(self, width: int) -> tuple[int, int]:
        """Width and height in pixels of the picture when it is `width` pixels wide."""
        if width < 1:
            raise ValueError(f"width: at least 1 pixel is needed, not {width}")
        return width, max(1, round(self.height * width / self.width))

    def shapes(self) -> Iterator[Shape]:
        """Every shape, from back to front."""
        for group in (self.backdrop, *self.groups):
            yield from group.shapes

    def texts(self) -> list[str]:
        """Every text, from back to front."""
        return [shape.text for shape in self.shapes() if isinstance(shape, Text)]


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the picture to draw in."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h


@dataclass(frozen=True, slots=True)
class Frame:
    """Coordinates of its own along a line: `at(0, 0)` is `origin`, the first axis points along `angle`."""

    origin: Point
    angle: float

    def at(self, along: float, across: float) -> Point:
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.origin[0] + along * cos - across * sin, self.origin[1] + along * sin + across * cos
