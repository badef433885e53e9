"""Which action has which index, once: the board's record, the action table and the documentation are made from this.

First come the actions that every map has, then the claims track by track with the ways to pay for each, then the
actions that only some maps have.

>>> from ttr_env import maps
>>> nederland = numbering(maps.load("nederland"))
>>> [(span.kind, span.first, span.count) for span in nederland[:4]]
[('draw_deck', 0, 1), ('draw_face_up', 1, 9), ('draw_tickets', 10, 1), ('pass', 11, 1)]
>>> nederland[-1].kind, nederland[-1].end
('neutral_claim', 616)
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ttr_env.engine.layout import DRAW_DECK, DRAW_FACE_UP, DRAW_TICKETS, KEEP, PASS
from ttr_env.maps.limits import MAX_OFFER
from ttr_env.maps.model import CARDS, Map, Rules
from ttr_env.maps.payments import payments


@dataclass(frozen=True)
class Span:
    """Actions of one kind that follow each other."""

    kind: str
    first: int
    # By action, what tells it from the others: a card; the offered slots that are kept, as bits; a payment; 0 for the
    # lower and 1 for the higher of two tracks; a number of locomotives; None for a kind that has one action.
    meanings: tuple[Any, ...]
    track: int = -1  # of claims

    @property
    def count(self) -> int:
        """How many actions there are."""
        return len(self.meanings)

    @property
    def end(self) -> int:
        """Where the next span begins."""
        return self.first + self.count

    def __contains__(self, action: int) -> bool:
        return self.first <= action < self.end

    def items(self) -> Iterator[tuple[int, Any]]:
        """Each action with its meaning."""
        return enumerate(self.meanings, self.first)

    def meaning(self, action: int) -> Any:
        """What one of these actions means."""
        return self.meanings[action - self.first]

    def action(self, meaning: Any) -> int:
        """The action with this meaning."""
        return self.first + self.meanings.index(meaning)


# The same on every map, so that kernels know these indices as constants.
_FIXED = (
    Span("draw_deck", DRAW_DECK, (None,)),
    Span("draw_face_up", DRAW_FACE_UP, CARDS),
    Span("draw_tickets", DRAW_TICKETS, (None,)),
    Span("pass", PASS, (None,)),
    Span("keep_tickets", KEEP, tuple(range(1, 1 << MAX_OFFER))),
)


@functools.lru_cache(maxsize=64)
def numbering(map: Map) -> tuple[Span, ...]:
    """The actions of a map in the order of their indices, without gaps."""
    spans = [*_FIXED]
    for index, track in enumerate(map.tracks):
        spans.append(Span("claim", spans[-1].end, payments(track, map.rules), index))
    for kind, meanings in _special(map.rules):
        spans.append(Span(kind, spans[-1].end, meanings))
    return tuple(spans)


def _special(rules: Rules) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What follows the claims on maps with a neutral player, tunnels or sets."""
    if rules.neutral:
        yield "neutral_claim", (0, 1)
    if rules.tunnels:
        yield "tunnel_pay", tuple(range(rules.tunnels.turned_up + 1))
        yield "tunnel_decline", (None,)
    if rules.sets:
        yield "set_card", CARDS


def first(map: Map, kind: str) -> int:
    """The first action of a kind, -1 on maps that have none."""
    return next((span.first for span in numbering(map) if span.kind == kind), -1)
