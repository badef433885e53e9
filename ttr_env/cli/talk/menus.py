"""The legal actions as a few sensible choices.

Nothing here knows a rule: what may be done comes from `legal_actions`, what it means from `describe`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_env.game import Game
from ttr_env.game.actions import Action, Claim, KeepTickets
from ttr_env.game.knowledge import View
from ttr_env.game.words import KEEPING, QUESTIONS, claim_cost, label, route_name, route_notes
from ttr_env.maps import Map
from ttr_env.maps.model import LOCOMOTIVE

_SHORT_LIST = 12  # routes that are listed at once
MAIN_HELP = (
    "Each turn you draw cards, claim a route, or draw tickets. A route costs as many cards of its colour as it is "
    "long (grey: any one colour); where the map allows it, locomotives stand for any colour. At the end, tickets "
    "that you connected bring their points, and the others cost them."
)
ROUTE_HELP = (
    "These are the routes that you can pay for now: a route's length, its points, and its toll if there are tolls; * "
    "lies on a cheapest way to complete one of your tickets. Type a number, or a part of a city's name to see fewer."
)
PAYMENT_HELP = "These are all the ways in which your hand can pay. Locomotives are good for any colour later on, too."
TICKET_HELP = f"Type the numbers of the tickets that you keep, separated by spaces, or `all`. {KEEPING}"


@dataclass(frozen=True)
class Choice:
    """A line of a menu: an action, or a menu of its own."""

    label: str
    action: int | None = None
    menu: Menu | None = None
    group: str = ""  # stands in front, once for all neighbours that share it
    search: str = ""  # what is looked through for something typed


@dataclass(frozen=True)
class Menu:
    """What a player is asked."""

    title: str
    choices: tuple[Choice, ...]
    help: str
    more: tuple[Choice, ...] = ()  # further choices, found by typing a part of their names
    tickets: dict[tuple[int, ...], int] = field(default_factory=dict)  # if tickets are chosen: by places, the action

    def only(self, typed: str) -> Menu:
        """The menu with the choices in which a word begins with what was typed, or that begin with it as shown."""
        word = typed.casefold()
        found = tuple(
            choice
            for choice in (*self.choices, *self.more)
            if f" {word}" in f" {choice.search.casefold()}" or choice.label.casefold().startswith(word)
        )
        return Menu(self.title, found, self.help)


def menu(game: Game, seen: View) -> Menu:
    """What the player to move, whose view it is, can do."""
    legal = [(int(index), game.describe(int(index))) for index in game.legal_actions()]
    keeps = {index: action for index, action in legal if isinstance(action, KeepTickets)}
    if keeps:
        return _ticket_menu(seen, keeps)
    claims = [(index, action) for index, action in legal if isinstance(action, Claim)]
    others = sorted((pair for pair in legal if not isinstance(pair[1], Claim)), key=_place)
    choices = [Choice(label(seen.map, action, seen.state), index, search=keyword(action)) for index, action in others]
    if claims:
        routes = _route_menu(seen, claims)
        text = f"claim a route ({len(routes.choices) + len(routes.more)} within reach)"
        after_the_deck = sum(action.kind == "draw_deck" for _, action in others)
        choices.insert(after_the_deck, Choice(text, menu=_shortened(routes), search="claim"))
    return Menu(QUESTIONS.get(game.phase, "Your decision"), tuple(choices), MAIN_HELP)


def keyword(action: Action) -> str:
    """What can be typed instead of a choice's number.

    >>> from ttr_env.actions import DrawFaceUp
    >>> keyword(DrawFaceUp("red"))
    'red'
    """
    return str(action.as_dict().get("card", action.kind.replace("_", " ").removeprefix("draw ")))


def _place(pair: tuple[int, Action]) -> int:
    """The order of a menu: the row's cards come last, because how many they are changes from turn to turn."""
    kinds = ("draw_deck", "draw_tickets", "draw_face_up")
    return kinds.index(pair[1].kind) if pair[1].kind in kinds else len(kinds)


def _shortened(routes: Menu) -> Menu:
    """Of many routes, those on the way first, and the others on request."""
    useful = tuple(choice for choice in routes.choices if choice.label.startswith("*"))
    rest = tuple(choice for choice in routes.choices if choice not in useful)
    if not useful or len(routes.choices) <= _SHORT_LIST:
        return routes
    others = Choice(f"another route ({len(rest)})", menu=Menu(routes.title, rest, routes.help), search="another")
    return Menu(routes.title, (*useful, others), routes.help, more=rest)


def _ticket_menu(seen: View, keeps: Mapping[int, KeepTickets]) -> Menu:
    offered = [standing for standing in seen.tickets if standing.how == "offered"]
    choices = []
    for standing in offered:
        ticket, need = seen.map.tickets[standing.ticket], standing.trains
        note = "done already" if need == 0 else "out of reach" if need is None else f"{need} trains away"
        choices.append(Choice(f"{route_name(seen.map, ticket):<34} {ticket.points:>2} points  {note}"))
    places = {standing.ticket: place for place, standing in enumerate(offered)}
    actions = {tuple(places[ticket] for ticket in keep.tickets): index for index, keep in keeps.items()}
    fewest = min(map(len, actions))
    return Menu(f"Which tickets do you keep? At least {fewest}.", tuple(choices), TICKET_HELP, tickets=actions)


def _route_menu(seen: View, claims: Sequence[tuple[int, Claim]]) -> Menu:
    """Routes first; how to pay is asked only where there is a choice."""
    by_route: dict[tuple[str, str], list[tuple[int, Claim]]] = {}
    for index, claim in claims:
        track = seen.map.tracks[claim.track]
        ends = sorted((str(seen.map.cities[track.a]), str(seen.map.cities[track.b])))
        by_route.setdefault((ends[0], ends[1]), []).append((index, claim))
    choices = []
    for (first, second), ways in sorted(by_route.items()):
        tracks = {claim.track for _, claim in ways}
        sign = "*" if tracks & seen.on_the_way else " "
        notes = route_notes(seen.map, sorted(tracks), with_tolls=seen.state["tolls"])
        text = f"{sign} {second:<16} {notes:<13}"
        payments = _payment_menu(seen.map, f"{first} to {second}", ways)
        if len(payments.choices) == 1:
            way = payments.choices[0]
            choices.append(Choice(f"{text} {way.label}", way.action, group=first, search=f"{first} {second}"))
        else:
            text += f" {len(payments.choices)} ways to pay"
            choices.append(Choice(text, menu=payments, group=first, search=f"{first} {second}"))
    return Menu("Which route? (with length and points)", tuple(choices), ROUTE_HELP)


def _payment_menu(map: Map, route: str, ways: Sequence[tuple[int, Claim]]) -> Menu:
    """The ways to pay for a route, fewest locomotives first; tracks that differ in nothing are one."""
    choices: dict[tuple[Any, ...], Choice] = {}
    colours = {map.tracks[claim.track].colour for _, claim in ways}
    for index, claim in sorted(ways, key=lambda way: (way[1].locomotives, way[0])):
        track = map.tracks[claim.track]
        key = (track.colour, track.length, track.tunnel, track.ferry, *claim.payment)
        cost = claim_cost(map, claim)
        if claim.card == LOCOMOTIVE and len(colours) > 1:  # else the payment tells the track
            cost += f", the {track.colour} track"
        choices.setdefault(key, Choice(cost, index))
    return Menu(f"How do you pay for {route}?", tuple(choices.values()), PAYMENT_HELP)
