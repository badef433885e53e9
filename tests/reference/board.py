"""The Nederland board, read from its CSV files: the facts are all that is shared with the engine."""

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "ttr_env" / "maps" / "nederland"

COLOURS = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green")
LOCOMOTIVE = "locomotive"
CARDS = (*COLOURS, LOCOMOTIVE)


@dataclass(frozen=True)
class Track:
    """One track of a route; its id is its row in the file."""

    cities: frozenset[str]
    length: int
    colour: str  # one of COLOURS, or "grey"
    toll: int


@dataclass(frozen=True)
class Ticket:
    """One destination ticket; its id is its row in the file."""

    city_a: str
    city_b: str
    points: int
    neutral_tracks: tuple[int, ...]  # the tracks of the route at its bottom (N11), ascending; () if blank


def _rows(name: str) -> list[dict[str, str]]:
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _track(row: dict[str, str]) -> Track:
    cities = frozenset((row["city_a"], row["city_b"]))
    return Track(cities, int(row["length"]), row["colour"], int(row["toll"]))


TRACKS = tuple(_track(row) for row in _rows("tracks.csv"))


def _tracks_between(cities: frozenset[str]) -> tuple[int, ...]:
    return tuple(i for i, track in enumerate(TRACKS) if track.cities == cities)


def _ticket(row: dict[str, str]) -> Ticket:
    bottom = frozenset((row["neutral_a"], row["neutral_b"]))
    return Ticket(row["city_a"], row["city_b"], int(row["points"]), _tracks_between(bottom))


TICKETS = tuple(_ticket(row) for row in _rows("tickets.csv"))

# By track: the other track of its route, if it is a double (B7).
TWINS = tuple(
    next((twin for twin in _tracks_between(track.cities) if twin != i), None) for i, track in enumerate(TRACKS)
)
