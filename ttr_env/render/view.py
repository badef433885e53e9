"""What a picture shows of a game: the position as somebody sees it, and a few things worked out from it.

From a seat, everything comes from `Game.information_state`, so nothing hidden can find its way into a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttr_env.actions import Claim, NeutralClaim
from ttr_env.errors import RecordError
from ttr_env.maps import Map, Ticket

from . import words

if TYPE_CHECKING:
    from ttr_env.game import Game


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
        before = type(game).replay(record)
    except RecordError:  # a map that cannot be loaded again by its name: the picture does without
        return "", None
    action = before.describe(index)
    track = action.track if isinstance(action, Claim | NeutralClaim) else None
    return words.deed(game.map, before.player, action), track


def size(pile: int | dict[str, int] | list[int]) -> int:
    """How many cards or tickets; what is hidden is a number already.

    >>> size({"red": 2, "blue": 1}), size([4, 7]), size(5)
    (3, 2, 5)
    """
    if isinstance(pile, int):
        return pile
    return sum(pile.values()) if isinstance(pile, dict) else len(pile)


def connected(map: Map, owners: Sequence[int | str | None], seat: int, ticket: Ticket) -> bool:
    """Whether a seat's tracks connect the two cities of a ticket."""
    mine = [track for track, owner in zip(map.tracks, owners, strict=True) if owner == seat]
    reached, grew = {ticket.a}, True
    while grew and ticket.b not in reached:
        ends = {end for track in mine if {track.a, track.b} & reached for end in (track.a, track.b)}
        grew = not ends <= reached
        reached |= ends
    return ticket.b in reached
