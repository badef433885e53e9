"""Positions and actions in words."""

from __future__ import annotations

from typing import Any

from ttr_env.game.actions import (
    Action,
    Claim,
    DrawDeck,
    DrawFaceUp,
    DrawTickets,
    KeepTickets,
    NeutralClaim,
    SetCard,
    TunnelDecline,
    TunnelPay,
)
from ttr_env.maps import Map, Ticket, Track
from ttr_env.maps.model import LOCOMOTIVE

_PHASES = {
    "keep_tickets": "chooses tickets",
    "turn": "is to move",
    "second_card": "takes a second card",
    "neutral": "moves the neutral player",
    "tunnel": "pays for a tunnel",
    "set": "lays down a set",
}

SCORES = {  # the parts of the final scores, short enough for the head of a column
    "routes": "routes",
    "start": "start",
    "tickets": "tickets",
    "tickets_failed": "failed",
    "toll_bonus": "tolls",
    "loans": "loans",
    "longest_path": "path",
    "most_tickets": "most",
    "total": "total",
}


def owner_name(owner: int | str) -> str:
    """An owner as snapshots name it: a seat, or "neutral".

    >>> owner_name(3), owner_name("neutral")
    ('player 3', 'the neutral player')
    """
    return "the neutral player" if isinstance(owner, str) else f"player {owner}"


def ends(map: Map, way: Track | Ticket) -> str:
    """The two cities of a track or a ticket.

    >>> from ttr_env import maps
    >>> ends(maps.load("nederland"), maps.load("nederland").tickets[0])
    'Groningen to Middelburg'
    """
    return f"{map.cities[way.a]} to {map.cities[way.b]}"


def count(number: int, thing: str) -> str:
    """A number of things.

    >>> count(1, "ticket"), count(3, "ticket")
    ('1 ticket', '3 tickets')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def title(map: Map, state: dict[str, Any]) -> str:
    """The map and the way it is played."""
    if state["neutral_player"]:
        return f"{map.title}, neutral player"
    if map.rules.tolls is None:
        return map.title
    return f"{map.title}, with tolls" if state["tolls"] else f"{map.title}, without tolls"


def status(state: dict[str, Any], winners: list[int]) -> str:
    """What the game waits for.

    >>> status({"phase": "second_card", "player": 2}, [])
    'Player 2 takes a second card'
    >>> status({"phase": "over", "player": -1}, [0, 3])
    'The game is over: players 0 and 3 win'
    """
    if state["phase"] == "over":
        who = " and ".join(map(str, winners))
        return f"The game is over: player {who} wins" if len(winners) == 1 else f"The game is over: players {who} win"
    return f"Player {state['player']} {_PHASES[state['phase']]}"


def progress(state: dict[str, Any]) -> str:
    """How far the game has come.

    >>> progress({"round": 12, "turns_left": 3, "phase": "turn"})
    'Round 12, 3 turns left'
    """
    left = state["turns_left"]
    ending = "" if left is None or state["phase"] == "over" else f", {count(left, 'turn')} left"
    return f"Round {state['round']}{ending}"


def neutral_note(map: Map, neutral: dict[str, Any]) -> str:
    """What there is to say of the neutral player."""
    if not neutral["active"]:
        return "is out of the game"
    holder = f"player {neutral['marker']} has the marker"
    pair = None if neutral["ticket"] is None else map.tickets[neutral["ticket"]].neutral
    return holder if pair is None else f"{holder}, {map.cities[pair[0]]} to {map.cities[pair[1]]} is drawn"


def deed(map: Map, seat: int, action: Action) -> str:
    """What a player did, as everybody at the table saw it: never which tickets were kept.

    >>> from ttr_env import maps
    >>> deed(maps.load("nederland"), 0, Claim(track=4, card="green", locomotives=0))
    "Player 0 claimed 's-Gravenhage to Rotterdam with 1 green"
    """
    return f"Player {seat} {_verb(map, action)}"


def _verb(map: Map, action: Action) -> str:
    match action:
        case DrawDeck():
            return "drew a card from the deck"
        case DrawFaceUp(card=card):
            return f"took {_one(card)}"
        case DrawTickets():
            return "drew tickets"
        case KeepTickets(tickets=tickets):
            return f"kept {count(len(tickets), 'ticket')}"
        case Claim(track=track):
            return f"claimed {ends(map, map.tracks[track])} with {_payment(map, action)}"
        case SetCard(card=card):
            return f"put {_one(card)} into a set"
        case TunnelPay(locomotives=locomotives):
            more = f" with {count(locomotives, 'locomotive')}" if locomotives else ""
            return f"paid what the tunnel asked for{more}"
        case TunnelDecline():
            return "took back the cards laid down at a tunnel"
        case NeutralClaim(track=track):
            return f"put the neutral player on {ends(map, map.tracks[track])}"
        case _:
            return "passed"


def _one(card: str) -> str:
    """One card, as in "an orange card"."""
    return f"{'an' if card[0] in 'aeiou' else 'a'} {card if card == LOCOMOTIVE else f'{card} card'}"


def _payment(map: Map, claim: Claim) -> str:
    sets = getattr(claim, "sets", 0)
    coloured = map.tracks[claim.track].length - claim.locomotives - sets if claim.card != LOCOMOTIVE else 0
    parts = [f"{coloured} {claim.card}"] if coloured else []
    if claim.locomotives:
        parts.append(count(claim.locomotives, "locomotive"))
    if sets:
        parts.append(count(sets, "set"))
    return " and ".join(parts)


def pending_note(map: Map, pending: dict[str, Any]) -> str:
    """What a claim waits for (S5 to S7)."""
    where = ends(map, map.tracks[pending["track"]])
    if pending["kind"] == "tunnel":
        shown = ", ".join(f"{number} {card}" for card, number in pending["turned_up"].items() if number)
        return f"{where}: {shown} turned up, {count(pending['extra'], 'card')} more asked for"
    return f"{where}: {count(pending['left'], 'card')} of a set still to be chosen"
