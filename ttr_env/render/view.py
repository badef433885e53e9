"""What a picture shows of a game: the position as somebody sees it, and a few things worked out from it.

From a seat, everything comes from `Game.information_state`, so nothing hidden can find its way into a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ttr_env.errors import RecordError
from ttr_env.game import Game
from ttr_env.game.actions import Claim, NeutralClaim, SetCard, TunnelPay
from ttr_env.maps import Map, Ticket

from . import words

_ALWAYS_TOLD = ("routes", "tickets", "total")


@dataclass(frozen=True)
class View:
    """A game as somebody sees it."""

    map: Map
    state: dict[str, Any]  # a snapshot or an information state
    shown: int  # the seat whose hand and tickets are spread out
    last: str  # what was done last, in words
    latest: int | None  # the track on which that put trains
    result: dict[str, Any] | None  # once over


def view(game: Game, perspective: int | str | None = None) -> View:
    """What the player in seat `perspective` sees, or everything there is if that is None or "all".

    >>> from ttr_env import Game
    >>> seen = view(Game("nederland", players=2, seed=7), perspective=1)
    >>> seen.state["seats"][0]["hand"], sum(seen.state["seats"][1]["hand"].values())
    (4, 4)
    """
    if isinstance(perspective, str) and perspective != "all":
        raise ValueError(f'perspective: a seat, or None or "all" for everything, is needed, not {perspective!r}')
    last, latest = _last(game)
    result = game.result() if game.player < 0 else None
    if perspective is None or isinstance(perspective, str):
        shown = result["winners"][0] if result else game.player
        return View(game.map, game.snapshot(), shown, last, latest, result)
    return View(game.map, game.information_state(perspective), int(perspective), last, latest, result)


def _last(game: Game) -> tuple[str, int | None]:
    """What was done last in words, and the track that it gave to somebody."""
    record = game.record()
    if not record["actions"]:
        return "", None
    index = record["actions"].pop()
    try:
        before = Game.replay(record)
    except RecordError:  # a map that cannot be loaded again by its name: the picture does without
        return "", None
    action = before.describe(index)
    track = action.track if isinstance(action, Claim | NeutralClaim) else None
    if isinstance(action, SetCard | TunnelPay) and game.phase != "set":  # it completed a claim
        track = before.snapshot()["pending"]["track"]
    return words.deed(game.map, before.player, action), track


def size(pile: int | dict[str, int] | list[int]) -> int:
    """How many cards or tickets; what is hidden is a number already.

    >>> size({"red": 2, "blue": 1}), size([4, 7]), size(5)
    (3, 2, 5)
    """
    if isinstance(pile, int):
        return pile
    return sum(pile.values()) if isinstance(pile, dict) else len(pile)


def figure(facts: dict[str, Any], name: str) -> str:
    """A number from a seat's line of a state, as it is shown: "3+4" tickets are three and four on offer.

    >>> figure({"tickets": [1, 5, 8], "offered": 4}, "tickets"), figure({"tolls": None}, "tolls")
    ('3+4', '?')
    """
    if name == "cards":
        return str(size(facts["hand"]))
    if name == "tickets":
        offered = size(facts["offered"])
        return f"{size(facts['tickets'])}+{offered}" if offered else str(size(facts["tickets"]))
    return "?" if facts[name] is None else str(facts[name])


def standings(view: View, seat: int) -> list[tuple[str, int]]:
    """A player's tickets, each as "offered", "open", "failed" or "done", in this order."""
    facts, table = view.state["seats"][seat], view.map.tickets
    unfinished = "failed" if view.state["phase"] == "over" else "open"
    held = [
        ("done" if _connected(view.map, view.state["owners"], seat, table[ticket]) else unfinished, ticket)
        for ticket in facts["tickets"]
    ]
    return [("offered", ticket) for ticket in facts["offered"]] + sorted(held, key=lambda each: each[0] == "done")


def _connected(map: Map, owners: Sequence[int | str | None], seat: int, ticket: Ticket) -> bool:
    """Whether a seat's tracks connect the two cities of a ticket."""
    mine = [{track.a, track.b} for track, owner in zip(map.tracks, owners, strict=True) if owner == seat]
    reached, grew = {ticket.a}, True
    while grew:
        ends = set[int]().union(*(track for track in mine if track & reached))
        grew = not ends <= reached
        reached |= ends
    return ticket.b in reached


def score_columns(result: dict[str, Any]) -> list[str]:
    """The parts of the final scores that are worth telling: those in which somebody has something."""
    return [part for part in words.SCORES if part in _ALWAYS_TOLD or any(seat[part] for seat in result["seats"])]


def by_rank(result: dict[str, Any]) -> list[int]:
    """The seats, best first."""
    return sorted(range(len(result["seats"])), key=lambda seat: (result["seats"][seat]["rank"], seat))
