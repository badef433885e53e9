"""What only a board's pictures need: land and water behind it, and cities that are pushed apart.

Both tables may be left out. `land.csv` has a row for every point of a shape; the points of a shape stand together, in
order, and shapes are painted in order. `places.csv` has a row for every city that is drawn elsewhere than it lies.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from importlib.resources.abc import Traversable

from ttr_env.maps.faults import shortened, unknown
from ttr_env.maps.files import Row, read_table
from ttr_env.maps.model import AREAS, LINES, City, Outline, Spot
from ttr_env.maps.tables import check_listed_once, city_index

KINDS = (*AREAS, *LINES)


def read_land(file: Traversable) -> tuple[Outline, ...]:
    """The shapes of a `land.csv` from back to front; none if there is no such file."""
    if not _is_there(file):
        return ()
    rows = read_table(file, ("shape", "kind", "latitude", "longitude"))
    begun: dict[tuple[str, str], int] = {}  # the lines on which shapes begin
    outlines = []
    for key, group in itertools.groupby(rows, lambda row: (row.text("shape"), _kind(row))):
        points = list(group)
        if key in begun:
            right = "the points of a shape stand together"
            raise points[0].at("shape").error(f"{shortened(key[0])} begins on line {begun[key]} already; {right}")
        begun[key] = points[0].line
        outlines.append(_outline(*key, points))
    return tuple(outlines)


def _kind(row: Row) -> str:
    kind = row.text("kind")
    if kind not in KINDS:
        raise row.at("kind").error(unknown(kind, KINDS))
    return kind


def _outline(name: str, kind: str, rows: Sequence[Row]) -> Outline:
    fewest = 3 if kind in AREAS else 2
    if len(rows) < fewest:
        problem = (
            f"{shortened(name)} has too few points ({len(rows)}); a shape of the kind {kind} needs at least {fewest}"
        )
        raise rows[0].at("shape").error(problem)
    return Outline(name, kind, tuple(row.point() for row in rows))


def read_places(file: Traversable, cities: Sequence[City]) -> tuple[Spot, ...]:
    """The cities that a `places.csv` moves; none if there is no such file."""
    if not _is_there(file):
        return ()
    rows = read_table(file, ("city", "latitude", "longitude"))
    check_listed_once(rows)
    return tuple(Spot(city_index(row, "city", cities), *row.point()) for row in rows)


def _is_there(file: Traversable) -> bool:
    """Whether there is anything of this name; what is no file is left to the reading to refuse."""
    return file.is_file() or file.is_dir()
