"""A board from a seed."""

from __future__ import annotations

import functools

from ttr_env.errors import MapError
from ttr_env.maps.limits import MAX_NUMBER, MAX_TICKETS, MAX_TRACKS
from ttr_env.maps.model import (
    CardRules,
    City,
    Map,
    PathRules,
    Rules,
    Ticket,
    TicketRules,
    TollRules,
    Track,
    TunnelRules,
)

from . import naming
from .chance import Chance
from .network import Network, make_network
from .scenery import degrees, landscape
from .tickets import make_tickets
from .tracks import length, make_tracks
from .wishes import Wishes

_ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
_TOLL_BONUS = {2: (35, 0), 3: (55, 35, 0), 4: (55, 35, 20, 0), 5: (55, 35, 20, 10, 0)}
_TOKENS = 30  # for which these bonuses are meant
_MOST_BONUS = MAX_NUMBER // 5 * 5
_MOST_ROUTES = 112  # the rest of the tracks are second ones
_FEWEST_TRAINS, _MOST_TRAINS = 10, 45


@functools.lru_cache(maxsize=256)
def make(wishes: Wishes) -> Map:
    """The board that was wished for."""
    chance = Chance(wishes.seed)
    network = make_network(chance, wishes.cities, 3 * MAX_TRACKS // 4 if wishes.tolls else _MOST_ROUTES)
    doubles = _doubles(wishes, len(network.edges))
    if wishes.tunnels + wishes.ferries > len(network.edges):
        wanted = f"{wishes.tunnels} tunnels and {wishes.ferries} ferries"
        raise MapError(f"tunnels, ferries: this board has {len(network.edges)} routes, too few for {wanted}")
    trains = wishes.trains or _trains(network)
    title = naming.country(chance)
    names = naming.towns(chance, wishes.cities)
    tracks = make_tracks(chance, network, wishes, doubles)
    tickets = make_tickets(chance, wishes.cities, tracks, trains, _tickets(wishes))
    ferries = sorted({(track.a, track.b) for track in tracks if track.ferry})
    land = landscape(chance, network, ferries)
    cities = [City(name, *degrees(point)) for name, point in zip(names, network.points, strict=True)]
    rules = _rules(wishes, tracks, tickets, trains)
    return Map(wishes.name, title, tuple(cities), tuple(tracks), tuple(tickets), rules, land)


def _doubles(wishes: Wishes, routes: int) -> int:
    """How many routes are double: with tolls most of them, as only a double route has tolls to earn."""
    room = min(routes, MAX_TRACKS - routes)
    if wishes.doubles is None:
        return min(room, routes * 3 // 4 if wishes.tolls else routes // 4)
    if wishes.doubles > room:
        raise MapError(f"doubles: this board has room for {room}, not for {wishes.doubles}")
    return wishes.doubles


def _trains(network: Network) -> int:
    spaces = sum(length(network, edge) for edge in network.edges)
    return min(max(spaces * 2 // 9, _FEWEST_TRAINS), _MOST_TRAINS)


def _players(wishes: Wishes) -> int:
    """The most players: small boards are for few."""
    if wishes.players is not None:
        return wishes.players
    return min(5, max(2, wishes.cities // 4))


def _tickets(wishes: Wishes) -> int:
    most = _players(wishes)
    tickets = wishes.tickets or min(max(wishes.cities * 3 // 2, 3 * most), wishes.pairs, MAX_TICKETS)
    if tickets < most:
        raise MapError(f"tickets: {tickets} are too few for {most} players")
    return tickets


def _rules(wishes: Wishes, tracks: list[Track], tickets: list[Ticket], trains: int) -> Rules:
    most = _players(wishes)
    deals = (5, 3, 2) if trains >= 30 else (3, 2)
    deal = next((deal for deal in deals if most * (deal + 1) <= len(tickets)), 1)
    per_colour = 12 if trains >= 20 else 8
    return Rules(
        players=(2, most),
        trains=trains,
        start_points=tuple(range(most)) if wishes.tolls else (0,) * most,
        route_points=_ROUTE_POINTS,
        doubles_open_from=min(4, most),
        cards=CardRules(per_colour=per_colour, locomotives=per_colour + 2),
        tickets=TicketRules(deal, deal - deal // 2, min(deal, 3), 1, "under"),
        tolls=_toll_rules(trains, most) if wishes.tolls else None,
        tunnels=TunnelRules(turned_up=3) if any(track.tunnel for track in tracks) else None,
        longest_path=None if wishes.tolls else PathRules(bonus=10 if trains >= 20 else 5),
    )


def _toll_rules(trains: int, most: int) -> TollRules:
    """Tokens after the trains, and bonuses after the tokens, rounded to fives, as far as a map's numbers go."""
    tokens = max(1, trains * 3 // 4)
    bonus = {
        players: tuple(min((2 * points * tokens // _TOKENS + 5) // 10 * 5, _MOST_BONUS) for points in ranks)
        for players, ranks in _TOLL_BONUS.items()
        if players <= most
    }
    return TollRules(tokens=tokens, loan_penalty=5, bonus=bonus, doubles_open_from=2)
