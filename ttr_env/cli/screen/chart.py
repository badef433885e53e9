"""A small map in characters: cities, free tracks as dots in their colours, claimed ones as the owner's number."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from ttr_env.maps import Map
from ttr_env.render.palette import CARD_STYLES, owner_style

Cell = tuple[int, int]  # column, row
_FREE, _CITY = "·", "●"
_MARGIN, _TOP = 4, 1  # columns at both sides and rows above, for names
_LARGEST = (120, 40)  # columns and rows beyond which the map does not grow
_SHORT = 3  # letters of a name where the whole finds no room


@dataclass(frozen=True)
class Ground:
    """Where everything is on a map of a certain size."""

    cities: tuple[Cell, ...]
    tracks: tuple[tuple[Cell, ...], ...]  # by track, its cells
    letters: dict[Cell, str]  # of the cities' names


class Chart:
    """The map of a position, as large as there is room."""

    def __init__(self, map: Map, owners: Sequence[int | str | None], latest: int | None = None) -> None:
        """Args:
        map: the board.
        owners: by track, as a snapshot has them.
        latest: a track to point out.
        """
        self.map, self.owners, self.latest = map, owners, latest

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, _LARGEST[0])
        height = min(options.height or options.size.height - 2, _LARGEST[1], width)
        yield self.draw(width, height)

    def draw(self, width: int, height: int) -> Text:
        """The map in so many columns and rows."""
        plan = ground(self.map, width, height)
        signs: dict[Cell, tuple[str, Style]] = {}
        for track in sorted(range(len(self.owners)), key=lambda index: self.owners[index] is not None):
            signs |= dict.fromkeys(plan.tracks[track], self._sign(track))
        signs |= {cell: (letter, Style()) for cell, letter in plan.letters.items()}
        signs |= dict.fromkeys(plan.cities, (_CITY, Style(bold=True)))
        text = Text(no_wrap=True)
        for row in range(height):
            for column in range(width):
                text.append(*signs.get((column, row), (" ", Style())))
            text.append("\n")
        text.right_crop()
        return text

    def _sign(self, track: int) -> tuple[str, Style]:
        owner = self.owners[track]
        if owner is None:
            return _FREE, Style(color=CARD_STYLES[self.map.tracks[track].colour].fill)
        style = owner_style(owner)
        latest = track == self.latest
        return style.label, Style(color=style.mark, bgcolor=style.fill, bold=True, underline=latest)


@functools.lru_cache(maxsize=32)
def ground(map: Map, width: int, height: int) -> Ground:
    """Cities, tracks and names on a map of this size; names keep off tracks, and are cut short where they must be."""
    cities = _places(map, width, height)
    tracks = tuple(_cells(map, index, cities) for index in range(len(map.tracks)))
    taken = {cell for cells in tracks for cell in cells} | set(cities)
    letters: dict[Cell, str] = {}
    for city in sorted(range(len(cities)), key=lambda index: len(map.cities[index])):
        for cells, name in _names(map.cities[city], cities[city]):
            inside = all(0 <= column < width and 0 <= row < height for column, row in cells)
            if inside and not taken.intersection(cells):
                letters |= dict(zip(cells, name, strict=True))
                taken |= set(cells)
                break
    return Ground(cities, tracks, letters)


def _places(map: Map, width: int, height: int) -> tuple[Cell, ...]:
    """Each city's cell; the land is stretched to fill the room."""
    # Towards the pole a degree of longitude shrinks; what matters here is only that west is left and north is up.
    wests, norths = [city.longitude for city in map.cities], [city.latitude for city in map.cities]
    across, down = (max(wests) - min(wests)) or 1.0, (max(norths) - min(norths)) or 1.0
    room = max(1, width - 1 - 2 * _MARGIN), max(1, height - 1 - _TOP)
    return tuple(
        (
            _MARGIN + round((west - min(wests)) / across * room[0]),
            _TOP + round((max(norths) - north) / down * room[1]),
        )
        for west, north in zip(wests, norths, strict=True)
    )


def _cells(map: Map, index: int, cities: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a track; the two tracks of a double route take turns on one line."""
    track, partner = map.tracks[index], map.partners[index]
    start, end = sorted((cities[track.a], cities[track.b]))
    line = [cell for cell in _line(start, end) if cell not in (start, end)]
    if partner is None:
        return tuple(line)
    return tuple(line[0 if index < partner else 1 :: 2]) or tuple(line)


def _line(start: Cell, end: Cell) -> list[Cell]:
    """The cells from one to the other."""
    across, down = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(down), 1)
    return [
        (start[0] + math.floor(across * step / steps + 0.5), start[1] + math.floor(down * step / steps + 0.5))
        for step in range(steps + 1)
    ]


def _names(name: str, city: Cell) -> Iterator[tuple[list[Cell], str]]:
    """Where a city's name could stand, best first: the whole of it around the city, then a short form."""
    column, row = city
    short = "".join(letter for letter in name if letter.isalpha())[:_SHORT]
    for text in (name, short):
        starts = [(column + 1, row), (column - len(text), row)]
        starts += [(column - shift, row + below) for below in (1, -1) for shift in (len(text) // 2, 0, len(text) - 1)]
        for left, line in starts:
            yield [(left + offset, line) for offset in range(len(text))], text
