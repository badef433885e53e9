"""The dictionaries that a `Game` returns, all of plain JSON types."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

Cards = dict[str, int]  # how many of each card, all nine by name


class Seat(TypedDict):
    """What a player has."""

    hand: Cards
    trains: int
    tolls: int
    loans: int
    tickets: list[int]
    offered: list[int]
    refused: list[int]
    points: int
    known: Cards  # those in the hand that everybody saw the player take


class KnownSeat(TypedDict):
    """What somebody knows of what a player has: of others, numbers instead of cards and tickets, and no tolls."""

    hand: Cards | int
    trains: int
    tolls: int | None
    loans: int
    tickets: list[int] | int
    offered: list[int] | int
    refused: list[int] | int
    points: int
    known: Cards


class Neutral(TypedDict):
    """The neutral player."""

    trains: int
    marker: int  # the seat that moves it
    active: bool
    ticket: int | None  # that lies turned up


class Pending(TypedDict):
    """A claim that waits at a tunnel or for a set."""

    kind: str  # "tunnel" or "set"
    track: int
    card: str
    locomotives: int
    turned_up: NotRequired[Cards]  # at a tunnel
    extra: NotRequired[int]  # cards that the tunnel asks for
    sets: NotRequired[int]  # where it waits for a set
    chosen: NotRequired[Cards]
    left: NotRequired[int]  # cards still to be chosen


class _Played(TypedDict):
    """Which game is played."""

    format: int  # of the dictionary
    map: str
    players: int
    tolls: bool
    neutral_player: bool


class _Public(_Played):
    """What everybody sees of a position."""

    phase: str
    setup: bool
    player: int
    round: int
    turns_left: int | None
    passes: int
    discard: Cards
    face_up: Cards
    owners: list[int | str | None]
    neutral: Neutral | None
    pending: Pending | None


class Snapshot(_Public):
    """A whole position."""

    deck: Cards
    ticket_pile: list[int]
    ticket_discard: list[int]
    seats: list[Seat]
    rng: str


class InformationState(_Public):
    """What one player knows of a position."""

    deck: int
    ticket_pile: int
    ticket_discard: list[int] | int
    seats: list[KnownSeat]


class SeatResult(TypedDict):
    """A player's final score in its parts, and what decides between equals."""

    routes: int
    start: int
    tickets: int
    tickets_failed: int
    toll_bonus: int
    loans: int
    longest_path: int
    most_tickets: int
    total: int
    completed: int
    path: int
    rank: int


class Result(TypedDict):
    """How a game ended."""

    seats: list[SeatResult]
    winners: list[int]


class Record(_Played):
    """How a game came about."""

    map_digest: str
    seed: int | None
    start: Snapshot | None
    actions: list[int]


def keys(form: Any) -> list[str]:
    """The keys of one of these types.

    >>> keys(Result)
    ['seats', 'winners']
    """
    return list(form.__annotations__)
