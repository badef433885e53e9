"""Choices in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_env.game.actions import Action
from ttr_env.maps import Map, Ticket, Track
from ttr_env.maps.model import LOCOMOTIVE
from ttr_env.render.words import count

QUESTIONS = {  # what is asked in each phase
    "turn": "Your turn",
    "second_card": "Your second card",
    "neutral": "Where does the neutral player build?",
    "tunnel": "The tunnel asks for more",
    "set": "Which card goes into the set?",
}


def filled(items: Sequence[str], width: int) -> list[str]:
    """Items in lines of at most this width, none of them broken in two.

    >>> filled(["one", "two", "three"], 9)
    ['one; two;', 'three']
    """
    lines: list[str] = []
    for number, item in enumerate(items, start=1):
        ended = item + ";" * (number < len(items))
        if lines and len(lines[-1]) + 1 + len(ended) <= width:
            lines[-1] += f" {ended}"
        else:
            lines.append(ended)
    return lines


def route_name(map: Map, way: Track | Ticket) -> str:
    """The two cities of a route or a ticket.

    >>> from ttr_env import maps
    >>> route_name(maps.load("nederland"), maps.load("nederland").tickets[0])
    'Groningen - Middelburg'
    """
    return f"{map.cities[way.a]} - {map.cities[way.b]}"


def route_notes(map: Map, tracks: Sequence[int], with_tolls: bool) -> str:
    """What there is to know of a route before it is claimed: length, points, toll, and what is special.

    >>> from ttr_env import maps
    >>> route_notes(maps.load("nederland"), [4, 5], with_tolls=True)
    '1 +1  toll 1'
    """
    track = map.tracks[tracks[0]]
    notes = [f"{track.length} +{map.rules.route_points[track.length]:<2}"]
    if with_tolls:
        notes.append(f"toll {track.toll}")
    if track.tunnel:
        notes.append("tunnel")
    if track.ferry:
        notes.append(f"ferry {track.ferry}")
    return " ".join(notes)


def claim_cost(map: Map, action: Action) -> str:
    """What a claim is paid with.

    >>> from ttr_env import maps
    >>> from ttr_env.actions import Claim
    >>> claim_cost(maps.load("nederland"), Claim(track=16, card="red", locomotives=1))
    '4 red + 1 locomotive'
    """
    form = action.as_dict()
    locomotives, sets = form["locomotives"], form.get("sets", 0)
    coloured = 0 if form["card"] == LOCOMOTIVE else map.tracks[form["track"]].length - locomotives - sets
    return _amounts(coloured, form["card"], locomotives, sets)


def _amounts(coloured: int, card: str, locomotives: int, sets: int = 0) -> str:
    parts = [f"{coloured} {card}"] if coloured else []
    parts += [count(locomotives, "locomotive")] if locomotives else []
    parts += [count(sets, "set")] if sets else []
    return " + ".join(parts)


def keyword(action: Action) -> str:
    """What can be typed instead of a choice's number.

    >>> from ttr_env.actions import DrawFaceUp
    >>> keyword(DrawFaceUp("red"))
    'red'
    """
    return str(action.as_dict().get("card", action.kind.replace("_", " ").removeprefix("draw ")))


def label(map: Map, action: Action, state: dict[str, Any]) -> str:
    """An action that is no claim and no choice of tickets, as a menu offers it.

    Args:
        map: the board.
        action: what `describe` returned.
        state: what the player knows, for what an action refers to.

    >>> from ttr_env import Game
    >>> game = Game("nederland", players=2, seed=7)
    >>> label(game.map, game.describe(0), game.information_state(0))
    'draw a card from the deck'
    """
    form = action.as_dict()
    match action.kind:
        case "draw_deck":
            return "draw a card from the deck"
        case "draw_face_up":
            several = state["face_up"][form["card"]]
            return f"take {form['card']}" + (f" ({several} lie there)" if several > 1 else "")
        case "draw_tickets":
            return "draw tickets"
        case "pass":
            return "pass: there is nothing else to do"
        case "neutral_claim":
            track = map.tracks[form["track"]]
            return f"{route_name(map, track)}, the {track.colour} track"
        case "tunnel_pay":
            pending = state["pending"]
            more = _amounts(pending["extra"] - form["locomotives"], pending["card"], form["locomotives"])
            return f"pay {more} more, and claim it"
        case "tunnel_decline":
            return "take the cards back, and end the turn"
        case "set_card":
            return str(form["card"])
        case _:  # a kind that is newer than these words
            rest = ", ".join(f"{key} {value}" for key, value in form.items() if key != "kind")
            return f"{action.kind.replace('_', ' ')} {rest}".rstrip()
