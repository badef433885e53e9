"""What a player expects of the rest of the game, and the plan that it has: the base of the action features."""

from collections.abc import Callable, Iterable
from functools import cache, cached_property

from ttr_env.maps.model import Map

from .board import COLOURS
from .plan import Plan, Ways, make_plan
from .seen import Seen, ends
from .state import total

Columns = dict[str, float]

LACK_NOTHING = 7  # where no planned track lacks a card


class Outlook:
    """What the player to move expects, and what several columns need."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.ways = seen, Ways(seen)

    # What the player expects.

    @cached_property
    def turns_to_go(self) -> float:
        """Until another has run out of trains: each takes 0.68 turns, which cards shorten by 0.39; nobody places more
        than four a turn."""
        if self.seen.known["turns_left"] is not None:
            return 1.0
        seats = [self.seen.known["seats"][seat] for seat in self.seen.others]
        return 1.0 + min(max(s["trains"] / 4.0, s["trains"] * 0.68 - s["hand"] * 0.39) for s in seats)

    @cached_property
    def reach(self) -> int:
        """Trains that can still be placed: each takes 1.27 turns, cards in the hand save half a turn each."""
        return min(self.seen.trains, int((self.turns_to_go + total(self.seen.hand) / 2.0) / 1.27))

    @cached_property
    def open_tickets(self) -> set[int]:
        return {ticket for ticket in self.seen.seat["tickets"] if not self.seen.is_done(ticket)}

    @cached_property
    def done_tickets(self) -> set[int]:
        return set(self.seen.seat["tickets"]) - self.open_tickets

    @cached_property
    def plan(self) -> Plan:
        return make_plan(self.ways, self.open_tickets, self.reach)

    @cached_property
    def most_tolls(self) -> float:
        """The most tokens that another without a loan seems to have, 0 if all others have loans."""
        seats = self.seen.known["seats"]
        return max((self.tokens(seat) for seat in self.seen.others if not seats[seat]["loans"]), default=0.0)

    def tokens(self, seat: int) -> float:
        """Another's tokens, by its tracks: where a player has the other track of the route, half the toll counts."""
        assert self.seen.rules.tolls is not None
        tokens = float(self.seen.rules.tolls.tokens)
        for track in self.seen.tracks_of[seat]:
            toll = self.seen.map.tracks[track].toll
            tokens -= toll / 2 if self.seen.is_seat(self.seen.owner_beside(track)) else toll
        return tokens

    def share(self, fits: Callable[[int], bool]) -> float:
        """The share of the others of whom something is true."""
        return sum(map(fits, self.seen.others)) / len(self.seen.others)

    # What the plan wants.

    @cached_property
    def planned_routes(self) -> list[list[int]]:
        """The open tracks of each route of the plan."""
        twins = ((track, self.seen.twin_in_play(track)) for track in self.plan.tracks)
        return [[track for track in route if track is not None] for route in twins]

    @cached_property
    def wanted(self) -> dict[str, int]:
        """Cards by colour: of each route those of the track that lacks fewest, of both if they lack as many."""
        wanted = dict.fromkeys(COLOURS, 0)
        for route in self.planned_routes:
            fewest = min(self.seen.lacks[track] for track in route)
            for track in (self.seen.map.tracks[i] for i in route if self.seen.lacks[i] == fewest):
                for colour in self.seen.best_colours(track):
                    payable = track.length - track.ferry
                    wanted[colour] += max(1, payable - self.seen.hand[colour]) if payable else 0
        return wanted

    @cached_property
    def lacking(self) -> int:
        return min((self.seen.lacks[track] for route in self.planned_routes for track in route), default=LACK_NOTHING)

    def is_planned(self, track: int) -> bool:
        """Whether it or the other track of its route is in the plan."""
        return track in self.plan.tracks or self.seen.twins[track] in self.plan.tracks

    def others_have(self, field: str) -> list[int]:
        """A number of each of the others."""
        seats = [self.seen.known["seats"][seat] for seat in self.seen.others]
        return [seat[field] for seat in seats]

    def of_tokens(self, plan: Plan) -> float:
        """What a plan costs of the tokens at the start."""
        if not self.seen.known["tolls"]:
            return 0.0
        assert self.seen.rules.tolls is not None
        return plan.tolls / self.seen.rules.tolls.tokens

    @property
    def earns_path_bonus(self) -> bool:
        return self.seen.rules.longest_path is not None and self.seen.rules.longest_path.bonus > 0

    @cached_property
    def own_path(self) -> int:
        return longest_path(self.seen.map, self.seen.tracks_of[self.seen.player])


def longest_path(map: Map, tracks: Iterable[int]) -> int:
    """U3: the longest path over these tracks that uses none twice: every way to go on is tried."""

    @cache
    def longest_from(city: int, left: frozenset[int]) -> int:
        ways = [0]
        for track in left:
            both = ends(map.tracks[track])
            if city in both:
                ways.append(map.tracks[track].length + longest_from(sum(both) - city, left - {track}))
        return max(ways)

    all_of_them = frozenset(tracks)
    cities = {city for track in all_of_them for city in ends(map.tracks[track])}
    return max((longest_from(city, all_of_them) for city in cities), default=0)
