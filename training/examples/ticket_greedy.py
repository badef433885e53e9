"""An agent that plays for its nearest ticket: `ttr watch training.examples.ticket_greedy:TicketGreedy champion`.

It is the kind of bot that papers on Ticket to Ride measure with. It keeps every ticket, works on the one that lacks the
fewest trains, draws the cards that its way needs, and draws new tickets when all are completed or lost.
"""

from __future__ import annotations

import heapq
from typing import cast

from ttr_env import Game
from ttr_env.actions import Action, Claim, DrawDeck, DrawFaceUp, DrawTickets, KeepTickets
from ttr_env.game.types import InformationState
from ttr_env.maps import Ticket

ENOUGH_TRAINS = 10  # to draw new tickets


class TicketGreedy:
    """Claims what lies on the cheapest way of its nearest ticket, or draws cards for it."""

    def __init__(self, seed: int = 0) -> None:
        pass  # it leaves nothing to chance

    def act(self, game: Game) -> int:
        """The action that it takes."""
        actions = {int(action): game.describe(int(action)) for action in game.legal_actions()}
        known = game.information_state(game.player)
        way = nearest_way(game, known)
        return min(actions, key=lambda action: self._order(game, known, way, actions[action]))

    def _order(self, game: Game, known: InformationState, way: list[int], action: Action) -> tuple[float, ...]:
        """Where an action stands in its order of preferences; the lowest is taken."""
        tracks, trains = game.map.tracks, known["seats"][game.player]["trains"]
        if isinstance(action, KeepTickets):
            return (-len(action.tickets),)
        if isinstance(action, Claim):
            longest_first = (-tracks[action.track].length, action.locomotives)
            return (0, *longest_first) if action.track in way else (6 if way else 1, *longest_first)
        if isinstance(action, DrawTickets):
            return (2 if not way and trains >= ENOUGH_TRAINS else 7,)
        if isinstance(action, DrawFaceUp):
            wanted = any(tracks[track].colour in (action.card, "grey") for track in way)
            return (3 if wanted and action.card != "locomotive" else 5,)
        return (4 if isinstance(action, DrawDeck) else 5,)


def nearest_way(game: Game, known: InformationState) -> list[int]:
    """The tracks that the ticket which lacks the fewest trains still needs; none if there is no such ticket."""
    seat = known["seats"][game.player]
    own = cast(list[int], seat["tickets"])  # of the others they are counts
    ways = [cheapest_way(game, known, game.map.tickets[ticket]) for ticket in own]
    lacking = [(sum(game.map.tracks[track].length for track in way), way) for way in ways if way]
    feasible = [(trains, way) for trains, way in lacking if trains <= seat["trains"]]
    return min(feasible, default=(0, []))[1]


def cheapest_way(game: Game, known: InformationState, ticket: Ticket) -> list[int]:
    """The tracks that connect a ticket's cities with the fewest trains; none if that is done, or cannot be."""
    paths: dict[int, list[int]] = {}
    queue: list[tuple[int, int, list[int]]] = [(0, ticket.a, [])]
    while queue:
        trains, city, path = heapq.heappop(queue)
        if city in paths:
            continue
        paths[city] = path
        for index, track in enumerate(game.map.tracks):
            if city not in (track.a, track.b) or not usable(game, known, index):
                continue
            other = track.b if city == track.a else track.a
            own = known["owners"][index] == game.player
            heapq.heappush(queue, (trains + (0 if own else track.length), other, path if own else [*path, index]))
    return paths.get(ticket.b, [])


def usable(game: Game, known: InformationState, track: int) -> bool:
    """Whether a track is its own, or looks as if it could become that."""
    owner, partner = known["owners"][track], game.map.partners[track]
    if owner is not None:
        return bool(owner == game.player)
    return partner is None or known["owners"][partner] is None
