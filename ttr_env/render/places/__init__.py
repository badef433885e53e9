"""Where a board's picture shows cities that lie too close together: pushed apart, as printed boards do.

A board has such places if a file here is called like it. The columns are `city`, `latitude` and `longitude`; cities
that are not listed are drawn where they are.
"""

from __future__ import annotations

import csv
import functools
from importlib import resources

from ttr_env.maps import Map


@functools.lru_cache(maxsize=16)
def drawn_at(map: Map) -> tuple[tuple[float, float], ...]:
    """Latitude and longitude at which the picture shows each city.

    >>> from ttr_env import maps
    >>> nederland = maps.load("nederland")
    >>> drawn_at(nederland)[3] == (nederland.cities[3].latitude, nederland.cities[3].longitude)
    True
    """
    moved = _moved(map.name)
    return tuple(moved.get(str(city), (city.latitude, city.longitude)) for city in map.cities)


def _moved(map_name: str) -> dict[str, tuple[float, float]]:
    file = resources.files(__name__) / f"{map_name}.csv"
    if not map_name.isidentifier() or not file.is_file():  # a map of one's own is named by its path
        return {}
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row["city"]: (float(row["latitude"]), float(row["longitude"])) for row in rows}
