"""The legal actions as a few sensible choices.

Nothing here knows a rule: what may be done comes from `legal_actions`, what it means from `describe`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_env.cli.talk.wording import QUESTIONS, claim_cost, keyword, label, route_name, route_notes
from ttr_env.game import Game, observation
from ttr_env.game.actions import Action
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
TICKET_HELP = (
    "Type the numbers of the tickets that you keep, separated by spaces, or `all`. What you keep counts at the end: "
    "plus its points if your routes connect the two cities, else minus."
)


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


def menu(game: Game) -> Menu:
    """What the player to move can do."""
    legal = [(int(index), game.describe(int(index))) for index in game.legal_actions()]
    if legal[0][1].kind == "keep_tickets":
        return _ticket_menu(game, legal)
    state = game.information_state(game.player)
    claims = [(index, action) for index, action in legal if action.kind == "claim"]
    others = sorted((pair for pair in legal if pair[1].kind != "claim"), key=_place)
    labels = [label(game.map, action, state) for _, action in others]
    choices = [
        Choice(text, index, search=keyword(action)) for text, (index, action) in zip(labels, others, strict=True)
    ]
    if claims:
        routes = _route_menu(game, claims, state)
        text = f"claim a route ({len(routes.choices) + len(routes.more)} within reach)"
        after_the_deck = sum(action.kind == "draw_deck" for _, action in others)
        choices.insert(after_the_deck, Choice(text, menu=_shortened(routes), search="claim"))
    return Menu(QUESTIONS.get(game.phase, "Your decision"), tuple(choices), MAIN_HELP)


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


def _ticket_menu(game: Game, legal: Sequence[tuple[int, Action]]) -> Menu:
    state = game.information_state(game.player)
    offered: list[int] = state["seats"][game.player]["offered"]
    needs = trains_needed(game, game.player, offered=True)
    choices = []
    for ticket, need in zip(offered, needs, strict=True):
        facts = game.map.tickets[ticket]
        note = "done already" if need == 0 else "out of reach" if need is None else f"{need} trains away"
        choices.append(Choice(f"{route_name(game.map, facts):<34} {facts.points:>2} points  {note}"))
    actions = {tuple(offered.index(ticket) for ticket in action.as_dict()["tickets"]): index for index, action in legal}
    fewest = min(map(len, actions))
    return Menu(f"Which tickets do you keep? At least {fewest}.", tuple(choices), TICKET_HELP, tickets=actions)


def _route_menu(game: Game, claims: Sequence[tuple[int, Action]], state: dict[str, Any]) -> Menu:
    """Routes first; how to pay is asked only where there is a choice."""
    useful = tracks_on_the_way(game, game.player)
    by_route: dict[tuple[str, str], list[tuple[int, Action]]] = {}
    for index, action in claims:
        track = game.map.tracks[action.as_dict()["track"]]
        ends = sorted((str(game.map.cities[track.a]), str(game.map.cities[track.b])))
        by_route.setdefault((ends[0], ends[1]), []).append((index, action))
    choices = []
    for (first, second), ways in sorted(by_route.items()):
        tracks = {action.as_dict()["track"] for _, action in ways}
        sign = "*" if tracks & useful else " "
        notes = route_notes(game.map, sorted(tracks), with_tolls=state["tolls"])
        text = f"{sign} {second:<16} {notes:<13}"
        payments = _payment_menu(game, f"{first} to {second}", ways)
        if len(payments.choices) == 1:
            way = payments.choices[0]
            choices.append(Choice(f"{text} {way.label}", way.action, group=first, search=f"{first} {second}"))
        else:
            text += f" {len(payments.choices)} ways to pay"
            choices.append(Choice(text, menu=payments, group=first, search=f"{first} {second}"))
    return Menu("Which route? (with length and points)", tuple(choices), ROUTE_HELP)


def _payment_menu(game: Game, route: str, ways: Sequence[tuple[int, Action]]) -> Menu:
    """The ways to pay for a route, fewest locomotives first; tracks that differ in nothing are one."""
    choices: dict[tuple[Any, ...], Choice] = {}
    colours = {game.map.tracks[action.as_dict()["track"]].colour for _, action in ways}
    for index, action in sorted(ways, key=lambda way: (way[1].as_dict()["locomotives"], way[0])):
        form = action.as_dict()
        track = game.map.tracks[form.pop("track")]
        key = (track.colour, track.length, track.tunnel, track.ferry, *form.values())
        cost = claim_cost(game.map, action)
        if action.as_dict()["card"] == LOCOMOTIVE and len(colours) > 1:  # else the payment tells the track
            cost += f", the {track.colour} track"
        choices.setdefault(key, Choice(cost, index))
    return Menu(f"How do you pay for {route}?", tuple(choices.values()), PAYMENT_HELP)


def tracks_on_the_way(game: Game, seat: int) -> set[int]:
    """The tracks that a cheapest completion of an own ticket uses."""
    place = observation.layout(game.map, "planning")["on_cheapest"]
    return set(game.observe(seat, "planning")[place].nonzero()[0].tolist())


def trains_needed(game: Game, seat: int, offered: bool = False) -> list[int | None]:
    """The fewest trains that complete each ticket that a player keeps, or is offered; None if it is out of reach."""
    facts = game.information_state(seat)["seats"][seat]
    vector = game.observe(seat, "planning")
    place = observation.layout(game.map, "planning")["offer_need" if offered else "ticket_need"]
    shares = vector[place]
    wanted = range(len(facts["offered"])) if offered else facts["tickets"]
    trains = game.map.rules.trains
    return [None if shares[index] >= 1 else round(float(shares[index]) * trains) for index in wanted]
