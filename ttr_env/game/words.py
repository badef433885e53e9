"""What is said of a game: actions, the reasons why they are illegal, positions and scores.

An action is told in three ways: as a sentence that is its own on the map (`sentence`), as a line of a menu, where the
position says the rest (`label`), and as a deed, which is what everybody at the table saw (`Deed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ttr_env.engine import legal, scoring
from ttr_env.game.actions import (
    Action,
    Claim,
    DrawDeck,
    DrawFaceUp,
    DrawTickets,
    KeepTickets,
    NeutralClaim,
    Pass,
    SetCard,
    TunnelDecline,
    TunnelPay,
)
from ttr_env.game.types import Result, SeatResult
from ttr_env.maps import Map, Ticket, Track
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import LOCOMOTIVE
from ttr_env.maps.payments import Payment

# Names and numbers of things ------------------------------------------------------------------


def count(number: int, thing: str) -> str:
    """A number of things.

    >>> count(1, "ticket"), count(3, "ticket")
    ('1 ticket', '3 tickets')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def owner_name(owner: int | str) -> str:
    """An owner as snapshots name it: a seat, or "neutral".

    >>> owner_name(3), owner_name("neutral")
    ('player 3', 'the neutral player')
    """
    return "the neutral player" if isinstance(owner, str) else f"player {owner}"


def ends(map: Map, way: Track | Ticket) -> str:
    """The two cities of a track or a ticket, within a sentence.

    >>> from ttr_env import maps
    >>> ends(maps.load("nederland"), maps.load("nederland").tickets[0])
    'Groningen to Middelburg'
    """
    return f"{map.cities[way.a]} to {map.cities[way.b]}"


def route_name(map: Map, way: Track | Ticket) -> str:
    """The two cities of a track or a ticket, in a list.

    >>> from ttr_env import maps
    >>> route_name(maps.load("nederland"), maps.load("nederland").tickets[0])
    'Groningen - Middelburg'
    """
    return f"{map.cities[way.a]} - {map.cities[way.b]}"


def track_name(map: Map, index: int) -> str:
    """A track's cities, and which of the two tracks it is on a double route: by colour, or else by order.

    >>> from ttr_env import maps
    >>> track_name(maps.load("nederland"), 4)
    "'s-Gravenhage - Rotterdam (green track)"
    """
    which = which_track(map, index)
    route = route_name(map, map.tracks[index])
    return f"{route} ({which} track)" if which else route


def which_track(map: Map, index: int) -> str:
    """Which of the two tracks of a double route one is: by colour, or else by order; nothing on a single route.

    >>> from ttr_env import maps
    >>> which_track(maps.load("nederland"), 4)
    'green'
    """
    track, partner = map.tracks[index], map.partners[index]
    if partner is None:
        return ""
    if map.tracks[partner].colour == track.colour:
        return "first" if index < partner else "second"
    return track.colour


def ticket_name(map: Map, index: int) -> str:
    """A ticket's cities and points, and which one it is where others have the same.

    >>> from ttr_env import maps
    >>> ticket_name(maps.load("nederland"), 0)
    'Groningen - Middelburg (34 points)'
    """
    ticket, twins = map.tickets[index], _twins(map, index)
    which = f", {which_ticket(map, index)} of {len(twins)}" if len(twins) > 1 else ""
    return f"{route_name(map, ticket)} ({count(ticket.points, 'point')}{which})"


def which_ticket(map: Map, index: int) -> int:
    """Which of the tickets with the same cities and points one is, counted from 1.

    >>> from ttr_env import maps
    >>> which_ticket(maps.load("nederland"), 0)
    1
    """
    return _twins(map, index).index(index) + 1


def _twins(map: Map, index: int) -> list[int]:
    """The tickets with the same cities and points as one, itself among them."""
    ticket = map.tickets[index]
    return [
        other
        for other, each in enumerate(map.tickets)
        if (each.a, each.b, each.points) == (ticket.a, ticket.b, ticket.points)
    ]


def one_card(card: str) -> str:
    """One card.

    >>> one_card("orange"), one_card("locomotive")
    ('an orange card', 'a locomotive')
    """
    return f"{'an' if card[0] in 'aeiou' else 'a'} {card if card == LOCOMOTIVE else f'{card} card'}"


def cards_paid(payment: Payment, length: int) -> list[str]:
    """What a payment for so many spaces is made of.

    >>> cards_paid(Payment("red", locomotives=1, sets=0), length=5)
    ['4 red', '1 locomotive']
    """
    coloured = payment.colour_cards(length)
    parts = [f"{coloured} {payment.card}"] if coloured else []
    parts += [count(payment.locomotives, "locomotive")] if payment.locomotives else []
    return parts + ([count(payment.sets, "set")] if payment.sets else [])


def claim_cost(map: Map, claim: Claim, joint: str = " + ") -> str:
    """What a claim is paid with.

    >>> from ttr_env import maps
    >>> claim_cost(maps.load("nederland"), Claim(track=16, card="red", locomotives=1))
    '4 red + 1 locomotive'
    """
    return joint.join(cards_paid(claim.payment, map.tracks[claim.track].length))


# Actions as sentences -------------------------------------------------------------------------


def sentence(map: Map, action: Action, pending: Mapping[str, Any] | None = None) -> str:
    """What an action is, in one sentence that no other action has.

    Args:
        map: the board.
        action: one that exists on the board (`actions.check`).
        pending: the claim that waits, as a snapshot has it, for what is paid at its tunnel.

    >>> from ttr_env import maps
    >>> sentence(maps.load("nederland"), Claim(track=16, card="red", locomotives=1))
    'Claim Aarschot - Liège with 4 red and 1 locomotive'
    """
    match action:
        case DrawDeck():
            return "Draw a card from the deck"
        case DrawFaceUp(card=card):
            return f"Take {one_card(card)}"
        case DrawTickets():
            return "Draw tickets"
        case Pass():
            return "Pass"
        case KeepTickets(tickets=tickets):
            return f"Keep {', '.join(ticket_name(map, ticket) for ticket in tickets)}"
        case Claim(track=track):
            return f"Claim {track_name(map, track)} with {claim_cost(map, action, ' and ')}"
        case NeutralClaim(track=track):
            return f"Put the neutral player on {track_name(map, track)}"
        case TunnelPay(locomotives=locomotives):
            return _tunnel_sentence(locomotives, pending)
        case TunnelDecline():
            return "Take back the cards laid down at the tunnel"
        case SetCard(card=card):
            return f"Put {one_card(card)} into the set"
    raise TypeError(f"{action!r} is no kind of action that there are words for")


def _tunnel_sentence(locomotives: int, pending: Mapping[str, Any] | None) -> str:
    """Paying at a tunnel; in full where a claim waits there that asks for as many cards."""
    if pending is not None and pending["kind"] == "tunnel" and _is_asked_for(pending, locomotives):
        return f"Pay {_extra_cost(pending, locomotives, ' and ')} more for the tunnel"
    more = count(locomotives, "locomotive") if locomotives else "no locomotives"
    return f"Pay what the tunnel asks for with {more}"


def _is_asked_for(pending: Mapping[str, Any], locomotives: int) -> bool:
    """Whether so many locomotives can be a part of what a tunnel asks for (S6)."""
    others = pending["extra"] - locomotives
    return others == 0 or (others > 0 and pending["card"] != LOCOMOTIVE)


def _extra_cost(pending: Mapping[str, Any], locomotives: int, joint: str) -> str:
    return joint.join(cards_paid(Payment(pending["card"], locomotives, 0), pending["extra"]))


# Actions in a menu ----------------------------------------------------------------------------

QUESTIONS = {  # what is asked in each phase
    "turn": "Your turn",
    "second_card": "Your second card",
    "neutral": "Where does the neutral player build?",
    "tunnel": "The tunnel asks for more",
    "set": "Which card goes into the set?",
}


KEEPING = "A ticket brings its points if your routes connect its cities at the end, and costs them if not."


def label(map: Map, action: Action, state: Mapping[str, Any]) -> str:
    """An action as a menu offers it that has asked one of `QUESTIONS`; claims and keeps have menus of their own.

    Args:
        map: the board.
        action: what `describe` returned.
        state: what the player knows, for what an action refers to.

    >>> from ttr_env import Game
    >>> game = Game("nederland", players=2, seed=7)
    >>> label(game.map, game.describe(0), game.information_state(0))
    'draw a card from the deck'
    """
    match action:
        case DrawFaceUp(card=card):
            several = state["face_up"][card]
            return f"take {card}" + (f" ({several} lie there)" if several > 1 else "")
        case Pass():
            return "pass: there is nothing else to do"
        case NeutralClaim(track=track):
            return f"{route_name(map, map.tracks[track])}, the {map.tracks[track].colour} track"
        case TunnelPay(locomotives=locomotives):
            return f"pay {_extra_cost(state['pending'], locomotives, ' + ')} more, and claim it"
        case TunnelDecline():
            return "take the cards back, and end the turn"
        case SetCard(card=card):
            return card
    return _uncapitalised(sentence(map, action))


def _uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]


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


# Actions as deeds -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Deed:
    """What somebody did, as everybody saw it: never which tickets were kept.

    >>> print(Deed(0, "took a red card", track=None))
    Player 0 took a red card
    """

    seat: int
    text: str  # without its subject
    track: int | None  # where that put trains

    def __str__(self) -> str:
        return f"Player {self.seat} {self.text}"


def did(map: Map, action: Action) -> str:
    """What a player did, without the subject.

    >>> from ttr_env import maps
    >>> did(maps.load("nederland"), Claim(track=4, card="green", locomotives=0))
    "claimed 's-Gravenhage to Rotterdam with 1 green"
    """
    match action:
        case DrawDeck():
            return "drew a card from the deck"
        case DrawFaceUp(card=card):
            return f"took {one_card(card)}"
        case DrawTickets():
            return "drew tickets"
        case Pass():
            return "passed"
        case KeepTickets(tickets=tickets):
            return f"kept {count(len(tickets), 'ticket')}"
        case Claim(track=track):
            return f"claimed {ends(map, map.tracks[track])} with {claim_cost(map, action, ' and ')}"
        case NeutralClaim(track=track):
            return f"put the neutral player on {ends(map, map.tracks[track])}"
        case TunnelPay(locomotives=locomotives):
            more = f" with {count(locomotives, 'locomotive')}" if locomotives else ""
            return f"paid what the tunnel asked for{more}"
        case TunnelDecline():
            return "took back the cards laid down at a tunnel"
        case SetCard(card=card):
            return f"put {one_card(card)} into a set"
    raise TypeError(f"{action!r} is no kind of action that there are words for")


# Why an action is illegal ---------------------------------------------------------------------

REASONS = {
    legal.OUT_OF_RANGE: "there is no such action",
    legal.GAME_OVER: "the game is over",
    legal.OTHER_PHASE: "the phase is {phase}",
    legal.NO_CARD_LEFT: "deck and discard pile are empty",
    legal.NOT_FACE_UP: "no such card lies face up",
    legal.SECOND_LOCOMOTIVE: "a face-up locomotive cannot be the second card",
    legal.NO_TICKET_LEFT: "no tickets are left",
    legal.NOT_OFFERED: "fewer tickets are on offer",
    legal.KEEPS_TOO_FEW: "more tickets must be kept",
    legal.CAN_DO_MORE: "passing is only for a player who can do nothing else",
    legal.TAKEN: "the track is taken",
    legal.CLOSED: "the other track of this double route is taken, which closes this one to the player",
    legal.TOO_FEW_TRAINS: "the track is longer than the player's trains",
    legal.TOO_FEW_CARDS: "the hand does not hold these cards",
    legal.NOT_ASKED_FOR: "the tunnel does not ask for so many cards",
    legal.LOCOMOTIVES_ONLY: "what was paid with locomotives alone takes nothing but locomotives",
}


def reason(verdict: int, phase: str) -> str:
    """Why a verdict is not `legal.LEGAL`."""
    return REASONS[verdict].format(phase=phase)


def explain(verdict: int, action: int, size: int, player: int, phase: str, meaning: str) -> str:
    """A sentence for the verdict on an action that is not legal."""
    if verdict == legal.OUT_OF_RANGE:
        return f"action {shortened(action)} is out of range; actions go from 0 to {size - 1}"
    return f"action {action} ({meaning}) is illegal for player {player}: {reason(verdict, phase)}"


# Positions ------------------------------------------------------------------------------------

_PHASES = {
    "keep_tickets": "chooses tickets",
    "turn": "is to move",
    "second_card": "takes a second card",
    "neutral": "moves the neutral player",
    "tunnel": "pays for a tunnel",
    "set": "lays down a set",
}


def title(map: Map, state: Mapping[str, Any]) -> str:
    """The map and the way it is played."""
    if state["neutral_player"]:
        return f"{map.title}, neutral player"
    if map.rules.tolls is None:
        return map.title
    return f"{map.title}, with tolls" if state["tolls"] else f"{map.title}, without tolls"


def status(state: Mapping[str, Any], winners: Sequence[int]) -> str:
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


def progress(state: Mapping[str, Any]) -> str:
    """How far the game has come.

    >>> progress({"round": 12, "turns_left": 3, "phase": "turn"})
    'Round 12, 3 turns left'
    """
    left = state["turns_left"]
    ending = "" if left is None or state["phase"] == "over" else f", {count(left, 'turn')} left"
    return f"Round {state['round']}{ending}"


def neutral_note(map: Map, neutral: Mapping[str, Any]) -> str:
    """What there is to say of the neutral player."""
    if not neutral["active"]:
        return "is out of the game"
    holder = f"player {neutral['marker']} has the marker"
    pair = None if neutral["ticket"] is None else map.tickets[neutral["ticket"]].neutral
    return holder if pair is None else f"{holder}, {map.cities[pair[0]]} to {map.cities[pair[1]]} is drawn"


def pending_note(map: Map, pending: Mapping[str, Any]) -> str:
    """What a claim waits for (S5 to S7)."""
    where = ends(map, map.tracks[pending["track"]])
    if pending["kind"] == "tunnel":
        shown = ", ".join(f"{number} {card}" for card, number in pending["turned_up"].items() if number)
        return f"{where}: {shown} turned up, {count(pending['extra'], 'card')} more asked for"
    return f"{where}: {count(pending['left'], 'card')} of a set still to be chosen"


def size(pile: int | Mapping[str, int] | Sequence[int]) -> int:
    """How many cards or tickets; what is hidden is a number already.

    >>> size({"red": 2, "blue": 1}), size([4, 7]), size(5)
    (3, 2, 5)
    """
    if isinstance(pile, int):
        return pile
    return sum(pile.values()) if isinstance(pile, Mapping) else len(pile)


def figure(seat: Mapping[str, Any], name: str) -> str:
    """A number from a seat's part of a state, as it is shown: "3+4" tickets are three and four on offer.

    >>> figure({"tickets": [1, 5, 8], "offered": 4}, "tickets"), figure({"tolls": None}, "tolls")
    ('3+4', '?')
    """
    if name == "cards":
        return str(size(seat["hand"]))
    if name == "tickets":
        offered = size(seat["offered"])
        return f"{size(seat['tickets'])}+{offered}" if offered else str(size(seat["tickets"]))
    return "?" if seat[name] is None else str(seat[name])


# Scores ---------------------------------------------------------------------------------------

HEADINGS = {  # of the columns of a score sheet, `engine.scoring.SCORES`
    "routes": "routes",
    "start": "start",
    "tickets": "tickets",
    "tickets_failed": "failed",
    "toll_bonus": "tolls",
    "loans": "loans",
    "longest_path": "path",
    "most_tickets": "most",
    "total": "total",
    "completed": "done",
    "path": "length",
    "rank": "rank",
}
TIE_BREAKS = scoring.SCORES[scoring.TOTAL + 1 : scoring.RANK]  # what decides between equals, one after the other
_ALWAYS_TOLD = ("routes", "tickets", "total")


def score_columns(result: Result) -> list[str]:
    """The parts of the final scores that are worth telling: those in which somebody has something."""
    told = scoring.SCORES[: scoring.TOTAL + 1]
    return [part for part in told if part in _ALWAYS_TOLD or any(points(seat, part) for seat in result["seats"])]


def points(seat: SeatResult, part: str) -> int:
    """What a player has of a part of the scores."""
    return cast(dict[str, int], seat)[part]


def by_rank(result: Result) -> list[int]:
    """The seats, best first."""
    return sorted(range(len(result["seats"])), key=lambda seat: (result["seats"][seat]["rank"], seat))
