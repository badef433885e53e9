"""The boards, read from their CSV files: the facts are all that is shared with the engine."""

import csv
import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "ttr_env" / "maps"

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
    tunnel: bool
    ferry: int  # locomotive symbols


@dataclass(frozen=True)
class Ticket:
    """One destination ticket; its id is its row in the file."""

    city_a: str
    city_b: str
    points: int
    neutral_tracks: tuple[int, ...]  # the tracks of the route at its bottom (N11), ascending; () if blank


@dataclass(frozen=True)
class Numbers:
    """What differs between the boards, as the rules state it."""

    seats: int
    trains: int
    offer: tuple[int, int]  # first, later (N2, S2, U1)
    keep: tuple[int, int]
    discards: str  # tickets not kept: "public" (N2), "under" the pile (U1), "out" of the game (S2)
    both_tracks_from: int  # players, where no tolls are paid (B7, S8)
    staggered: bool = False  # N1
    three_locomotives: bool = True  # B4 holds; S3 lifts it
    locomotive_is_whole_draw: bool = True  # B3; S3 lifts it
    nordic_payments: bool = False  # S4 to S7
    path_bonus: int | None = None  # U3; None: no path is measured
    ticket_bonus: int = 0  # S9


NUMBERS = {
    "mini": Numbers(2, 18, (3, 3), (2, 1), "under", both_tracks_from=3),
    "nederland": Numbers(5, 40, (5, 4), (3, 1), "public", both_tracks_from=4, staggered=True),
    "nordic": Numbers(
        3,
        40,
        (5, 3),
        (2, 1),
        "out",
        both_tracks_from=3,
        three_locomotives=False,
        locomotive_is_whole_draw=False,
        nordic_payments=True,
        path_bonus=0,
        ticket_bonus=10,
    ),
    "usa": Numbers(5, 45, (3, 3), (2, 1), "under", both_tracks_from=4, path_bonus=10),
}


@dataclass(frozen=True)
class Board:
    """One board."""

    numbers: Numbers
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    twins: tuple[int | None, ...] = field(init=False)  # by track: the other track of its route, if it is a double (B7)

    def __post_init__(self) -> None:
        between = [_tracks_between(self.tracks, track.cities) for track in self.tracks]
        twins = tuple(next((twin for twin in both if twin != i), None) for i, both in enumerate(between))
        object.__setattr__(self, "twins", twins)


@functools.cache
def board(name: str) -> Board:
    tracks = tuple(_track(row) for row in _rows(name, "tracks.csv"))
    return Board(NUMBERS[name], tracks, tuple(_ticket(row, tracks) for row in _rows(name, "tickets.csv")))


def board_of(state: dict[str, Any]) -> Board:
    """The board of a position."""
    return board(state["map"])


def _rows(name: str, file: str) -> list[dict[str, str]]:
    with open(FOLDER / name / file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _track(row: dict[str, str]) -> Track:
    cities = frozenset((row["city_a"], row["city_b"]))
    toll, tunnel, ferry = (int(row.get(column, 0)) for column in ("toll", "tunnel", "ferry"))
    return Track(cities, int(row["length"]), row["colour"], toll, bool(tunnel), ferry)


def _tracks_between(tracks: tuple[Track, ...], cities: frozenset[str]) -> tuple[int, ...]:
    return tuple(i for i, track in enumerate(tracks) if track.cities == cities)


def _ticket(row: dict[str, str], tracks: tuple[Track, ...]) -> Ticket:
    bottom = frozenset((row.get("neutral_a", ""), row.get("neutral_b", "")))
    return Ticket(row["city_a"], row["city_b"], int(row["points"]), _tracks_between(tracks, bottom))
