"""A position as a page shows it beside the board: players, cards, tickets, what happened, and how it ended.

Everything comes from a `View`, so that from a seat nothing hidden can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ttr_env.game import Game, words
from ttr_env.game.knowledge import NOBODY, View, seen_cards, way_to
from ttr_env.game.types import Result
from ttr_env.game.words import by_rank, figure, points, score_columns, size
from ttr_env.maps.model import CARDS
from ttr_env.render.telling import told_apart
from ttr_env.web.tables import Event, Seat

_FIGURES = ("points", "trains", "cards", "tickets", "tolls", "loans")
_PARTS = {  # of the score, as a heading for people who read it once
    "routes": "Routes",
    "start": "Start",
    "tickets": "Tickets done",
    "tickets_failed": "Tickets failed",
    "toll_bonus": "Toll bonus",
    "loans": "Loans",
    "longest_path": "Longest path",
    "most_tickets": "Most tickets",
    "total": "Total",
}
_BREAKS = {"completed": "more tickets are completed", "path": "the longest path is longer"}  # ties, in words


def position(game: Game, seen: View, seats: Sequence[Seat]) -> dict[str, Any]:
    """All that is told of a position."""
    state = seen.state
    return {
        "title": words.title(seen.map, state),
        "progress": words.progress(state),
        "player": state["player"],
        "phase": state["phase"],
        "shown": None if seen.shown == NOBODY else seen.shown,
        "players": players(seen, seats),
        "row": [card for card in CARDS for _ in range(state["face_up"][card])],
        "places": seen.map.rules.cards.row,
        "piles": {
            "deck": size(state["deck"]),
            "used": size(state["discard"]),
            "tickets": size(state["ticket_pile"]),
            "refused": size(state["ticket_discard"]),
        },
        "hand": {card: number for card, number in seen.hand.items() if number},
        "tickets": tickets(game, seen),
        "spread": spread(game, seen) if game.over else [],
        "pending": words.pending_note(seen.map, state["pending"]) if state["pending"] else "",
        "result": None if seen.result is None else ending(seen.result, seats),
    }


def players(seen: View, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """What everybody has, as far as it is known, and the neutral player."""
    told: list[dict[str, Any]] = []
    for number, facts in enumerate(seen.state["seats"]):
        which, cards = seen_cards(facts)
        figures = {name: figure(facts, name) for name in _FIGURES if seen.state["tolls"] or name not in _FIGURES[4:]}
        known = {card: count for card, count in cards.items() if count}
        offered = size(facts["offered"])
        told.append(
            {
                "name": seats[number].name,
                "figures": figures,
                "which": which,
                "cards": known,
                "note": f"{words.count(offered, 'ticket')} on offer" if offered else "",
                "neutral": False,
            }
        )
    neutral = seen.state["neutral"]
    if neutral is not None:
        marked = told[neutral["marker"]]
        marked["note"] = ", ".join(filter(None, ["moves the neutral player", marked["note"]]))
        note = words.neutral_note(seen.map, neutral)
        figures = {"trains": str(neutral["trains"])}
        told.append(
            {"name": "neutral player", "figures": figures, "which": "", "cards": {}, "note": note, "neutral": True}
        )
    return told


def tickets(game: Game, seen: View) -> list[dict[str, Any]]:
    """The tickets of the shown player: their cities, how they stand, and the tracks that would complete them."""
    told = []
    for standing in seen.tickets:
        ticket = seen.map.tickets[standing.ticket]
        on_the_way = [] if standing.trains in (0, None) or game.over else way_to(game, seen.shown, standing.ticket)
        told.append(
            {
                "ticket": standing.ticket,
                "name": words.route_name(seen.map, ticket),
                "points": ticket.points,
                "how": standing.how,
                "note": _note(standing.how, standing.trains),
                "cities": [ticket.a, ticket.b],
                "tracks": on_the_way,
            }
        )
    return told


def spread(game: Game, seen: View) -> list[dict[str, Any]]:
    """Everybody's tickets, as they are laid open when the game is over; those of the shown player first."""
    seats = sorted(range(game.players), key=lambda seat: seat != seen.shown)
    return [{"seat": seat, "tickets": tickets(game, View.of(game, seat))} for seat in seats]


def _note(how: str, trains: int | None) -> str:
    if how in ("done", "failed"):
        return how
    if trains is None:
        return "out of reach"
    return "done already" if trains == 0 else f"{words.count(trains, 'train')} away"


def line(event: Event, seats: Sequence[Seat], reader: int | None, you: int | None) -> dict[str, Any]:
    """A line of what happened.

    Args:
        event: what it was.
        seats: who sits where.
        reader: whose knowledge it is told from; None knows everything, `NOBODY` what everybody saw.
        you: the seat of the person who reads it, if that plays.
    """
    knows = reader is None or event.seat == reader
    return {
        "seat": event.seat,
        "who": "You" if event.seat == you else seats[event.seat].name,
        "did": event.private if knows else event.public,
        "track": event.track,
    }


def ending(result: Result, seats: Sequence[Seat]) -> dict[str, Any]:
    """The scores in their parts, best first, who won, and what decided between equals."""
    columns = score_columns(result)
    rows = [
        {
            "seat": seat,
            "name": seats[seat].name,
            "rank": result["seats"][seat]["rank"],
            "won": seat in result["winners"],
            "parts": [points(result["seats"][seat], column) for column in columns],
        }
        for seat in by_rank(result)
    ]
    return {
        "columns": [_PARTS[column] for column in columns],
        "rows": rows,
        "verdict": verdict(result, seats),
        "ties": ties(result, seats),
    }


def verdict(result: Result, seats: Sequence[Seat]) -> str:
    """Who won, and by what where the points do not say it."""
    names = _names(seats)
    winners = [names[seat] for seat in result["winners"]]
    if len(winners) > 1:
        return f"{' and '.join(winners)} win: they are level in everything that decides."
    ranked = by_rank(result)
    total = result["seats"][ranked[0]]["total"]
    if len(ranked) == 1 or result["seats"][ranked[1]]["total"] < total:
        return f"{winners[0]} wins with {words.count(total, 'point')}."
    return f"{winners[0]} wins: {_level(result, *ranked[:2])}."


def ties(result: Result, seats: Sequence[Seat]) -> list[str]:
    """For each two neighbours below the winners with the same points, what they were ranked by."""
    names, ranked = _names(seats), by_rank(result)
    told = []
    for ahead, behind in pairwise(ranked[1:] if len(result["winners"]) == 1 else ranked[len(result["winners"]) - 1 :]):
        one, other = result["seats"][ahead], result["seats"][behind]
        if one["rank"] == other["rank"]:
            told.append(f"{names[ahead]} and {names[behind]} share rank {one['rank']}: they are level in everything.")
        elif one["total"] == other["total"]:
            told.append(f"{names[ahead]} is ahead of {names[behind]}: {_level(result, ahead, behind)}.")
    return told


def _level(result: Result, ahead: int, behind: int) -> str:
    """What the engine ranked two by who have the same points."""
    one, other = result["seats"][ahead], result["seats"][behind]
    part = next(part for part in words.TIE_BREAKS if points(one, part) != points(other, part))
    level = f"level at {words.count(one['total'], 'point')}"
    return f"{level}, but {_BREAKS[part]}, {points(one, part)} to {points(other, part)}"


def _names(seats: Sequence[Seat]) -> list[str]:
    return told_apart([seat.name for seat in seats])
