"""What somebody knows of a game, worked out once for a decision: it is what screens and pictures show.

From a seat, everything comes from that player's information state and tickets, so nothing hidden can be shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ttr_env.engine import calls, planning, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.errors import RecordError
from ttr_env.game import snapshot, words
from ttr_env.game.types import Cards, InformationState, KnownSeat, Result
from ttr_env.game.words import Deed
from ttr_env.maps import Map
from ttr_env.options import check_perspective

if TYPE_CHECKING:
    from ttr_env.game import Game

NOBODY = -1  # the seat of somebody who looks on
_REDEALS = 16  # that must agree for an action to have revealed nothing


class Standing(NamedTuple):
    """How a ticket stands with the player who keeps it, or is offered it."""

    ticket: int
    how: str  # "offered", "open", "failed" or "done"
    trains: int | None  # that it still needs at least, None if more than anybody has


@dataclass(frozen=True)
class View:
    """A game as somebody sees it; `View.of` makes one."""

    map: Map
    state: InformationState  # or a snapshot, for those who see everything
    shown: int  # the seat whose hand and tickets are spread out, or `NOBODY`
    tickets: tuple[Standing, ...]  # of that seat: those on offer, those to be done, those done
    on_the_way: frozenset[int]  # tracks that a cheapest completion of a ticket of that seat uses
    last: Deed | None  # what was done last
    result: Result | None  # once over

    @classmethod
    def of(cls, game: Game, perspective: int | str | None = None) -> View:
        """What the player in seat `perspective` sees, or everything there is if that is None or "all".

        >>> from ttr_env import Game
        >>> seen = View.of(Game("nederland", players=2, seed=7), perspective=1)
        >>> seen.state["seats"][0]["hand"], sum(seen.state["seats"][1]["hand"].values())
        (4, 4)
        """
        seat = check_perspective(perspective, game.players)
        result = game.result() if game.over else None
        if seat is None:
            shown = result["winners"][0] if result else game.player
            state = cast(InformationState, game.snapshot())
        else:
            state, shown = game.information_state(seat), seat
        tickets, on_the_way = _assess(game, state, shown)
        return cls(game.map, state, shown, tickets, on_the_way, last_deed(game), result)

    @classmethod
    def public(cls, game: Game) -> View:
        """What lies open on the table, for somebody who looks on: nobody's hand, and nobody's tickets.

        >>> from ttr_env import Game
        >>> seen = View.public(Game("nederland", players=2, seed=7))
        >>> [seat["hand"] for seat in seen.state["seats"]], seen.hand, seen.tickets
        ([4, 4], {}, ())
        """
        state = snapshot.information_state(game.map, game.records, NOBODY)
        result = game.result() if game.over else None
        return cls(game.map, state, NOBODY, (), frozenset(), last_deed(game), result)

    @property
    def latest(self) -> int | None:
        """The track on which trains were put last."""
        return None if self.last is None else self.last.track

    @property
    def hand(self) -> Cards:
        """The cards of the shown player."""
        return {} if self.shown == NOBODY else cast(Cards, self.state["seats"][self.shown]["hand"])


def _assess(game: Game, state: InformationState, seat: int) -> tuple[tuple[Standing, ...], frozenset[int]]:
    """The standings of a seat's tickets, and the tracks on the way to them."""
    needs, useful = np.zeros(len(game.map.tickets), np.int64), np.zeros(len(game.map.tracks), np.int8)
    calls.assess_tickets(game.records, 0, game.board, seat, aligned(1, planning.PLAN), needs, useful)
    facts = cast(dict[str, list[int]], state["seats"][seat])
    unfinished = "failed" if game.over else "open"
    trains = [int(need) if need <= game.map.rules.trains else None for need in needs]
    offered = [Standing(ticket, "offered", trains[ticket]) for ticket in facts["offered"]]
    kept = [
        Standing(ticket, "done" if trains[ticket] == 0 else unfinished, trains[ticket]) for ticket in facts["tickets"]
    ]
    kept.sort(key=lambda standing: standing.how == "done")
    return (*offered, *kept), frozenset(useful.nonzero()[0].tolist())


def last_deed(game: Game) -> Deed | None:
    """What was done last, as everybody saw it; None in a game that was begun in this position."""
    try:
        move = game.last
    except RecordError:  # one of many games, on a map that cannot be loaded again to see how it came about
        return None
    return None if move is None else Deed(move.player, words.did(game.map, move.action), move.track)


def seen_cards(seat: KnownSeat) -> tuple[str, Cards]:
    """Those cards of a player that can be told, and what they are: the "hand", or of a hidden one those "known" to all.

    >>> seen_cards({"hand": 4, "known": {"red": 1}})
    ('known', {'red': 1})
    """
    hand = seat["hand"]
    return ("known", seat["known"]) if isinstance(hand, int) else ("hand", hand)


def reveals(game: Game, seat: int, action: int) -> bool:
    """Whether an action shows its player something that was hidden, as cards from the deck do.

    It does if what the player knows afterwards depends on how the hidden rest is dealt.
    """
    rng = np.random.default_rng(0)
    after = game.copy()
    after.step(action)
    known = after.information_state(seat)
    for _ in range(_REDEALS):
        other = game.determinize(seat, rng)
        other.step(action)
        if other.information_state(seat) != known:
            return True
    return False


def way_to(game: Game, seat: int, ticket: int) -> list[int]:
    """The tracks on a cheapest completion of a ticket that a player keeps or is offered.

    >>> from ttr_env import Game
    >>> game = Game("nederland", players=2, seed=7)
    >>> offered = game.information_state(0)["seats"][0]["offered"]
    >>> len(way_to(game, 0, offered[0])) > 0
    True
    """
    alone = game.copy()  # in which this is the player's only ticket
    alone.records[0]["tickets"][seat], alone.records[0]["offered"][seat] = 1 << ticket, 0
    needs, useful = np.zeros(len(game.map.tickets), np.int64), np.zeros(len(game.map.tracks), np.int8)
    calls.assess_tickets(alone.records, 0, alone.board, seat, aligned(1, planning.PLAN), needs, useful)
    return useful.nonzero()[0].tolist()


# The parts of a score that lie open on the table, and those that a player also knows of its own. The others, such as
# the bonus for tolls, compare what is hidden.
_OPEN = ("routes", "start", "loans", "longest_path")
_OWN = ("tickets", "tickets_failed")


def scores_so_far(game: Game, perspective: int | None = None) -> list[dict[str, int | None]]:
    """What each seat would score if the game ended now, in its parts; None where seat `perspective` cannot know.

    >>> from ttr_env import Game
    >>> everything, seen = (scores_so_far(Game("nederland", players=2, seed=7), seat) for seat in (None, 0))
    >>> everything[1]["total"], seen[1]["total"], seen[1]["routes"]
    (36, None, 0)
    """
    sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
    calls.score_sheet(game.records, 0, game.board, sheet)
    scores: list[dict[str, int | None]] = []
    for seat, row in enumerate(sheet[: game.players].tolist()):
        known = _OPEN + _OWN if seat == perspective else _OPEN
        whole = perspective is None or game.over
        parts = zip(scoring.SCORES[: scoring.TOTAL + 1], row, strict=False)
        scores.append({name: points if whole or name in known else None for name, points in parts})
    return scores
