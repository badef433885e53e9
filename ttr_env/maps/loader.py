"""A `Map` from a folder with `cities.csv`, `tracks.csv`, `tickets.csv`, `map.toml`, and two tables for its pictures.

The columns of the tables:

- `cities.csv`: city, latitude, longitude
- `tracks.csv`: city_a, city_b, length, colour, toll (optional without tolls), tunnel (1 or 0; optional without
  tunnels), ferry (optional: the number of locomotive symbols)
- `tickets.csv`: city_a, city_b, points, neutral_a, neutral_b (both optional without neutral player)
- `land.csv`, which may be left out: shape, kind, latitude, longitude
- `places.csv`, which may be left out: city, latitude, longitude

A fault in any of them is a `MapError` that names file, line and field.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable

from ttr_env.maps.rules import read_rules
from ttr_env.maps.scenery import read_land, read_places
from ttr_env.maps.tables import read_board

from .checks import check_paths, check_rules, check_ticket_supply
from .model import Map


def load_folder(folder: Traversable, name: str) -> Map:
    """The board in `folder`, to be called `name`.

    >>> from importlib.resources import files
    >>> len(load_folder(files("ttr_env.maps") / "nederland", "nederland").cities)
    30
    """
    title, rules = read_rules(folder / "map.toml")
    check_rules(folder / "map.toml", rules)
    cities, tracks, tickets = read_board(folder, rules)
    check_ticket_supply(folder / "tickets.csv", len(tickets), rules)
    check_paths(folder / "map.toml", len(cities), tracks, rules)
    land, places = read_land(folder / "land.csv"), read_places(folder / "places.csv", cities)
    return Map(name, title, cities, tracks, tickets, rules, land, places)
