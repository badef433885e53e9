"""What a board is: cities, tracks, tickets and the numbers that differ between boards.

Everything here is plain immutable data. `loader.py` makes it from files and checks it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .saving import save

COLOURS = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green")
LOCOMOTIVE = "locomotive"
CARDS = (*COLOURS, LOCOMOTIVE)
GREY = "grey"

DISCARDS = ("public", "under", "out")  # what may become of tickets that are not kept

# What a picture can have behind a board: areas, and lines.
AREAS = ("abroad", "home", "water")
LINES = ("river", "border")

# Rules that came later. A board that does without them keeps the digest that its old records and policies name.
_LATER_RULES = {"tunnels": None, "sets": None, "longest_path": None, "most_tickets": 0}
_LATER_CARD_RULES = {"plain_locomotives": True}


class City(str):
    """A city's name, which also knows where the city lies.

    >>> City("Breda", 51.589, 4.776).latitude
    51.589
    """

    __slots__ = ("latitude", "longitude")
    latitude: float
    longitude: float

    def __new__(cls, name: str, latitude: float, longitude: float) -> City:
        city = super().__new__(cls, name)
        city.latitude, city.longitude = latitude, longitude
        return city

    def __reduce__(self) -> tuple[Any, ...]:
        return City, (str(self), self.latitude, self.longitude)


@dataclass(frozen=True)
class Track:
    """One row of train spaces between two cities; a double route is two tracks."""

    a: int  # city index
    b: int  # city index
    length: int
    colour: str  # one of COLOURS, or "grey"
    toll: int = 0
    tunnel: bool = False
    ferry: int = 0  # number of locomotive symbols


@dataclass(frozen=True)
class Ticket:
    """Two cities to connect, and at its bottom perhaps a double route for the neutral player."""

    a: int  # city index
    b: int  # city index
    points: int
    neutral: tuple[int, int] | None = None  # city indices


@dataclass(frozen=True)
class Outline:
    """A shape of the land or water behind a board: rough, for a sense of place."""

    name: str
    kind: str  # one of AREAS or LINES
    points: tuple[tuple[float, float], ...]  # latitude, longitude


@dataclass(frozen=True)
class Spot:
    """Where a picture shows a city that would lie too close to another one."""

    city: int  # city index
    latitude: float
    longitude: float


@dataclass(frozen=True)
class CardRules:
    """B1, B3, B4: the train cards."""

    per_colour: int = 12
    locomotives: int = 14
    hand: int = 4  # dealt to each player
    row: int = 5  # face up
    row_reset: int = 3  # this many face-up locomotives clear the row; 0: never
    locomotive_ends_draw: bool = True  # a face-up locomotive is the whole draw
    plain_locomotives: bool = True  # S4: locomotives also pay for tracks that are neither tunnel nor ferry


@dataclass(frozen=True)
class TicketRules:
    """N2 and its kin: dealing tickets and what becomes of those not kept."""

    deal: int
    keep: int
    draw: int
    draw_keep: int
    discards: str  # what becomes of those not kept, one of DISCARDS


@dataclass(frozen=True)
class TollRules:
    """N3 to N8: bridge tolls."""

    tokens: int
    loan_penalty: int
    bonus: Mapping[int, tuple[int, ...]]  # number of players -> bonus by rank
    doubles_open_from: int  # players from which both tracks of a double are in play


@dataclass(frozen=True)
class NeutralRules:
    """N11: the neutral player."""

    trains: int
    first_round: int


@dataclass(frozen=True)
class TunnelRules:
    """S6: tunnels."""

    turned_up: int  # cards


@dataclass(frozen=True)
class SetRules:
    """S5, S7: sets, any cards of the hand that together stand for one."""

    ferry: int = 0  # cards of a set on ferries; 0: no sets there
    length: Mapping[int, int] = field(default_factory=dict)  # length of plain tracks -> cards of a set on them


@dataclass(frozen=True)
class PathRules:
    """U3, B11: the longest continuous path."""

    bonus: int  # 0: it breaks ties alone


@dataclass(frozen=True)
class Rules:
    """The numbers of `map.toml`."""

    players: tuple[int, int]  # fewest, most
    trains: int
    start_points: tuple[int, ...]  # by seat, for the most players
    route_points: Mapping[int, int]  # length -> points
    doubles_open_from: int  # B7: players from which both tracks of a double are in play
    cards: CardRules
    tickets: TicketRules
    tolls: TollRules | None = None
    neutral: NeutralRules | None = None
    tunnels: TunnelRules | None = None
    sets: SetRules | None = None
    longest_path: PathRules | None = None
    most_tickets: int = 0  # S9: points for who has completed most tickets

    def set_size(self, track: Track) -> int:
        """S5, S7: how many cards stand for one on a track, 0 where sets cannot be used."""
        if self.sets is None or track.tunnel:
            return 0
        return self.sets.ferry if track.ferry else self.sets.length.get(track.length, 0)

    def takes_locomotives(self, track: Track) -> bool:
        """S4, S7: whether a locomotive is a joker on a track."""
        return track.tunnel or track.ferry > 0 or (self.cards.plain_locomotives and not self.set_size(track))


@dataclass(frozen=True, repr=False)
class Map:
    """A board with its rules; load one with `ttr_env.maps.load`.

    >>> from ttr_env import maps
    >>> nederland = maps.load("nederland")
    >>> nederland.cities[nederland.tickets[0].a], nederland.tickets[0].points
    ('Groningen', 34)
    >>> nederland  # all of it would be pages
    Map('nederland')
    """

    name: str  # of a built-in map, or the path of its folder
    title: str
    cities: tuple[City, ...]
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    rules: Rules
    land: tuple[Outline, ...] = ()  # for pictures alone, from back to front
    places: tuple[Spot, ...] = ()  # likewise; cities that are not there are drawn where they are

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Map({self.name!r})"

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the map's files to a new folder, which loads to a map with the same digest."""
        save(self, folder)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of all that matters to play: equal digests, equal games.

        Name, title and what is for pictures alone (land, places, the cities' whereabouts) do not matter.
        """
        facts = {
            "cities": self.cities,
            "tracks": [asdict(track) for track in self.tracks],
            "tickets": [asdict(ticket) for ticket in self.tickets],
            "rules": _rule_facts(self.rules),
        }
        canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    @functools.cached_property
    def partners(self) -> tuple[int | None, ...]:
        """By track, the other track of its double route."""
        by_ends: dict[frozenset[int], list[int]] = {}
        for index, track in enumerate(self.tracks):
            by_ends.setdefault(frozenset((track.a, track.b)), []).append(index)
        partner: list[int | None] = [None] * len(self.tracks)
        for pair in by_ends.values():
            if len(pair) == 2:
                partner[pair[0]], partner[pair[1]] = pair[1], pair[0]
        return tuple(partner)


def _rule_facts(rules: Rules) -> dict[str, Any]:
    """The rules as plain types, without later ones that the board does not use."""
    facts = asdict(rules)
    later: tuple[tuple[dict[str, Any], Mapping[str, Any]], ...]
    later = ((facts, _LATER_RULES), (facts["cards"], _LATER_CARD_RULES))
    for part, usual in later:
        for name in usual:
            if part[name] == usual[name]:
                del part[name]
    return facts
