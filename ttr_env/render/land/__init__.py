"""Land and water behind a board: rough outlines, drawn by hand, for a sense of place.

A board has them if a file here is called like it. The columns are `shape` (a name), `kind` (`abroad`, `home`,
`water`, `river` or `border`), `latitude` and `longitude`; the points of a shape stand in order, and shapes are
painted in order.
"""

from __future__ import annotations

import csv
import itertools
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Outline:
    """One shape of the landscape; rivers and borders are lines, the others areas."""

    name: str
    kind: str
    points: tuple[tuple[float, float], ...]  # latitude, longitude


def outlines(map_name: str) -> list[Outline]:
    """The landscape of a board, from back to front; nothing for a board without one.

    >>> [outline.name for outline in outlines("nederland") if outline.kind == "water"][:2]
    ['IJsselmeer', 'Markermeer']
    >>> outlines("atlantis")
    []
    """
    file = resources.files(__name__) / f"{map_name}.csv"
    if not map_name.isidentifier() or not file.is_file():  # a map of one's own is named by its path
        return []
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return [
        Outline(name, kind, tuple((float(row["latitude"]), float(row["longitude"])) for row in points))
        for (name, kind), points in itertools.groupby(rows, lambda row: (row["shape"], row["kind"]))
    ]
