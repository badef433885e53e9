"""A decision as the player to move sees it: the information state beside the board, and simple questions to both.

This and what is built on it (`plan`, `candidates`, `features`) takes the board as the loader makes it, and so works for
any board; no code of the package is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ttr_env.maps.model import Map, Rules, Track

from .board import COLOURS, LOCOMOTIVE
from .state import NEUTRAL, Counts, State, total


@dataclass(frozen=True, eq=False)
class Seen:
    """What the player to move knows."""

    known: State  # its information state
    map: Map
    # By city, a number that cities have in common if the player has connected them. They decide between paths that cost
    # the same; which ones they are follows from the order in which the player has claimed its tracks.
    labels: Sequence[int]

    @property
    def player(self) -> int:
        return self.known["player"]

    @property
    def phase(self) -> str:
        return self.known["phase"]

    @property
    def rules(self) -> Rules:
        return self.map.rules

    @cached_property
    def seat(self) -> dict[str, Any]:
        return self.known["seats"][self.player]

    @property
    def others(self) -> list[int]:
        """The other seats."""
        return [seat for seat in range(self.known["players"]) if seat != self.player]

    @cached_property
    def hand(self) -> Counts:
        return self.seat["hand"]

    @property
    def trains(self) -> int:
        return self.seat["trains"]

    @cached_property
    def twins(self) -> list[int | None]:
        """By track, the other one of its route."""
        ends = [{track.a, track.b} for track in self.map.tracks]
        return [
            next((j for j, others in enumerate(ends) if i != j and own == others), None) for i, own in enumerate(ends)
        ]

    @cached_property
    def open_tracks(self) -> list[int]:
        """The tracks that the player may claim some day, with the cards and trains for it (B7, N4, S8)."""
        return [track for track in range(len(self.map.tracks)) if self._is_open(track)]

    def _is_open(self, track: int) -> bool:
        owners, twin = self.known["owners"], self.twins[track]
        beside = None if twin is None else owners[twin]
        if owners[track] is not None or beside is None:
            return owners[track] is None
        rules = self.rules.tolls if self.known["tolls"] else self.rules
        assert rules is not None
        return beside != self.player and self.known["players"] >= rules.doubles_open_from

    def twin_in_play(self, track: int) -> int | None:
        """The other track of the route, if that is open to the player."""
        twin = self.twins[track]
        return twin if twin in self.open_tracks else None

    def owner_beside(self, track: int) -> int | str | None:
        """Who has the other track of the route."""
        twin = self.twins[track]
        return None if twin is None else self.known["owners"][twin]

    @cached_property
    def tracks_of(self) -> list[list[int]]:
        """The tracks of each seat."""
        owners = self.known["owners"]
        return [[i for i, owner in enumerate(owners) if owner == seat] for seat in range(self.known["players"])]

    @cached_property
    def networks(self) -> list[dict[int, set[int]]]:
        """Of each seat, by city at which it has a track, all cities that it has connected with it."""
        return [_network([set(ends(self.map.tracks[i])) for i in tracks]) for tracks in self.tracks_of]

    def connected(self, seat: int, start: int, end: int) -> bool:
        """B10: whether a seat's own tracks lead from city to city."""
        return end in self.networks[seat].get(start, ())

    def is_done(self, ticket: int) -> bool:
        """B10: whether the player has completed a ticket."""
        return self.connected(self.player, self.map.tickets[ticket].a, self.map.tickets[ticket].b)

    def is_seat(self, owner: int | str | None) -> bool:
        return owner is not None and owner != NEUTRAL

    def points(self, tickets: Sequence[int] | set[int]) -> int:
        """What tickets are worth together."""
        return sum(self.map.tickets[ticket].points for ticket in tickets)

    # Paying.

    def set_size(self, track: Track) -> int:
        """S5, S7: the cards that stand for one, 0 where there are no sets."""
        sets = self.rules.sets
        if sets is None or track.tunnel:
            return 0
        return sets.ferry if track.ferry else sets.length.get(track.length, 0)

    def takes_locomotives(self, track: Track) -> bool:
        """S4, S7: tunnels and ferries do everywhere; others where the board lets them, if they have no sets."""
        if track.tunnel or track.ferry:
            return True
        return self.rules.cards.plain_locomotives and self.set_size(track) == 0

    def is_like_plain(self, track: Track) -> bool:
        """Whether a track is paid for as a plain one of this board."""
        joker = self.rules.cards.plain_locomotives
        return not track.ferry and not self.set_size(track) and self.takes_locomotives(track) == joker

    def held(self, track: Track) -> int:
        """Cards in the track's colour, of a grey one in that of which there are most."""
        return max(self.hand[colour] for colour in colours_of(track))

    def best_colours(self, track: Track) -> list[str]:
        """The colours in which the hand has most cards for a track: its own, of a grey one perhaps several."""
        return [colour for colour in colours_of(track) if self.hand[colour] == self.held(track)]

    @cached_property
    def lacks(self) -> list[int]:
        """By track, how many cards it lacks."""
        return [self._lacks(index) for index in range(len(self.map.tracks))]

    def _lacks(self, index: int) -> int:
        """How many cards a track lacks; a tunnel wants one in reserve where it is not paid for like any other track."""
        track, cards = self.map.tracks[index], self.held(self.map.tracks[index])
        jokers = self.hand[LOCOMOTIVE] if self.takes_locomotives(track) else 0
        if self.is_like_plain(track):
            return max(0, track.length - cards - jokers)
        if track.tunnel:
            return max(0, track.length + 1 - cards - jokers)
        if self.payments(index):
            return 0
        in_colour = min(cards, track.length - track.ferry)
        jokers = min(jokers, track.length - in_colour)
        short, size = track.length - in_colour - jokers, self.set_size(track)
        if size == 0:
            return short
        return max(1, min(short, size * short - (total(self.hand) - in_colour - jokers)))

    def payments(self, index: int) -> list[dict[str, Any]]:
        """Every way in which the hand can pay for a track: cards of a colour, locomotives and sets (B6, S4 to S7)."""
        track, size = self.map.tracks[index], self.set_size(self.map.tracks[index])
        most_jokers = min(track.length, self.hand[LOCOMOTIVE]) if self.takes_locomotives(track) else 0
        found = []
        for jokers in range(most_jokers + 1):
            for sets in range(track.length - jokers + 1 if size else 1):
                cards = track.length - jokers - sets
                if jokers + sets < track.ferry or total(self.hand) - cards - jokers < sets * size:
                    continue
                for card in colours_of(track) if cards else (LOCOMOTIVE,):
                    if cards == 0 or self.hand[card] >= cards:
                        found.append({"card": card, "cards": cards, "locomotives": jokers, "sets": sets})
        return found


def _network(pairs: list[set[int]]) -> dict[int, set[int]]:
    """By city, all that the pairs of cities connect with it."""
    return {city: _reached(city, pairs) for pair in pairs for city in pair}


def _reached(city: int, pairs: list[set[int]]) -> set[int]:
    reached, size = {city}, 0
    while len(reached) > size:
        size = len(reached)
        reached = reached.union(*(pair for pair in pairs if pair & reached))
    return reached


def ends(track: Track) -> tuple[int, int]:
    return track.a, track.b


def colours_of(track: Track) -> tuple[str, ...]:
    """The colours that a track can be paid in."""
    return COLOURS if track.colour == "grey" else (track.colour,)
