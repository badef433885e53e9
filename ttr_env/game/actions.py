"""The action table: what an index means, and which index a meaning has.

The space is flat and fixed for a map; only the mask of legal actions changes. The first indices are the same on
every map; the claims follow, one index per track and payment, and then what only some maps have.

>>> from ttr_env import Game
>>> game = Game("nederland", players=2, seed=7)
>>> game.describe(100)
Claim(kind='claim', track=16, card='red', locomotives=3)
>>> game.index(game.describe(100))
100
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ttr_env.engine.numbering import Span, first, numbering
from ttr_env.errors import IllegalAction, IllegalActionType
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import Map
from ttr_env.maps.payments import Payment
from ttr_env.options import whole_number


def as_index(action: Any) -> int:
    """An action as an `int`, if it is given as a whole number; it need not be one that exists.

    >>> as_index(3.0)
    Traceback (most recent call last):
    ttr_env.errors.IllegalActionType: action: a whole number is needed, not 3.0; game.index() gives the number of a \
described action
    """
    try:
        return whole_number(action, "action")
    except TypeError as error:
        message = f"{error}; game.index() gives the number of a described action"
        raise IllegalActionType(message, action=action) from None


@dataclass(frozen=True)
class Action:
    """One thing a player can do; each kind has a class of its own, with the fields that the kind has."""

    kind: str = field(default="", init=False)

    def as_dict(self) -> dict[str, Any]:
        """The action as plain JSON types."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


@dataclass(frozen=True)
class DrawDeck(Action):
    """Take a card from the deck (B3)."""

    kind: str = field(default="draw_deck", init=False)


@dataclass(frozen=True)
class DrawFaceUp(Action):
    """Take a face-up card (B3)."""

    kind: str = field(default="draw_face_up", init=False)
    card: str


@dataclass(frozen=True)
class DrawTickets(Action):
    """Draw tickets to choose from (N2)."""

    kind: str = field(default="draw_tickets", init=False)


@dataclass(frozen=True)
class Pass(Action):
    """Do nothing, where nothing can be done (B12)."""

    kind: str = field(default="pass", init=False)


@dataclass(frozen=True)
class KeepTickets(Action):
    """Keep some of the offered tickets (N2)."""

    kind: str = field(default="keep_tickets", init=False)
    tickets: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tickets", tuple(sorted(self.tickets)))


@dataclass(frozen=True)
class Claim(Action):
    """Claim a track (B6); `card` is "locomotive" when nothing else is paid."""

    kind: str = field(default="claim", init=False)
    track: int
    card: str
    locomotives: int

    @property
    def payment(self) -> Payment:
        """What it is paid with."""
        return Payment(self.card, self.locomotives, sets=0)


@dataclass(frozen=True)
class ClaimWithSets(Claim):
    """A claim on a map with sets (S5, S7), also one that uses none of them."""

    sets: int

    @property
    def payment(self) -> Payment:
        return Payment(self.card, self.locomotives, self.sets)


@dataclass(frozen=True)
class TunnelPay(Action):
    """Pay what a tunnel asks for, so many of it locomotives (S6)."""

    kind: str = field(default="tunnel_pay", init=False)
    locomotives: int


@dataclass(frozen=True)
class TunnelDecline(Action):
    """Take back the cards laid down at a tunnel (S6)."""

    kind: str = field(default="tunnel_decline", init=False)


@dataclass(frozen=True)
class SetCard(Action):
    """Choose a card for a set (S5, S7)."""

    kind: str = field(default="set_card", init=False)
    card: str


@dataclass(frozen=True)
class NeutralClaim(Action):
    """Put the neutral player on a track (N11)."""

    kind: str = field(default="neutral_claim", init=False)
    track: int


_KINDS: dict[str, type[Action]] = {
    str(kind.__dataclass_fields__["kind"].default): kind
    for kind in (
        DrawDeck,
        DrawFaceUp,
        DrawTickets,
        Pass,
        KeepTickets,
        Claim,
        NeutralClaim,
        TunnelPay,
        TunnelDecline,
        SetCard,
    )
}
_KEEPS, _NEUTRAL = "keep_tickets", "neutral_claim"  # what these mean depends on the position


def from_dict(form: Mapping[str, Any]) -> Action:
    """The action whose `as_dict()` this is.

    >>> from_dict({"kind": "draw_face_up", "card": "red"})
    DrawFaceUp(kind='draw_face_up', card='red')
    """
    if not isinstance(form, Mapping):
        raise IllegalAction(f"an action is an Action or its dictionary, not {shortened(form)}", action=form)
    named = form.get("kind")
    kind = _KINDS.get(named) if isinstance(named, str) else None
    if kind is None:
        kinds = ", ".join(_KINDS)
        raise IllegalAction(f"{shortened(named)} is no kind of action; the kinds are {kinds}", action=form)
    given = {key: value for key, value in form.items() if key != "kind"}
    if kind is Claim and "sets" in given:
        kind = ClaimWithSets
    expected = [each.name for each in fields(kind) if each.init]
    if sorted(given) != sorted(expected):
        raise IllegalAction(
            f"a {form['kind']} action has the fields {expected}, not {shortened(sorted(given))}", action=form
        )
    for key, value in given.items():
        if not _fits(key, value):
            raise IllegalAction(f"a {form['kind']} action cannot have the {key} {shortened(value)}", action=form)
    return kind(**given)


def _fits(key: str, value: Any) -> bool:
    """Whether a field's value is of the right type."""
    if key == "tickets":
        return isinstance(value, list | tuple) and all(_fits("ticket", ticket) for ticket in value)
    if key == "card":
        return isinstance(value, str)
    return hasattr(value, "__index__") and not isinstance(value, bool)


@dataclass(frozen=True)
class ActionTable:
    """The actions of one map that mean the same in every position, by index and back."""

    meanings: Mapping[int, Action]
    indices: Mapping[Action, int]
    keeps: Span  # those that keep tickets: each means the offered slots that it keeps, as bits
    neutral: int  # where the neutral player's two actions begin, -1 on maps without one
    size: int


@functools.lru_cache(maxsize=64)
def table(map: Map) -> ActionTable:
    """The action table of a map."""
    spans = numbering(map)
    with_sets = map.rules.sets is not None
    meanings = {
        index: _action(span, meaning, with_sets)
        for span in spans
        if span.kind not in (_KEEPS, _NEUTRAL)
        for index, meaning in span.items()
    }
    indices = {action: index for index, action in meanings.items()}
    keeps = next(span for span in spans if span.kind == _KEEPS)
    return ActionTable(meanings, indices, keeps, first(map, _NEUTRAL), size=spans[-1].end)


def _action(span: Span, meaning: Any, with_sets: bool) -> Action:
    """What one action of a span means in every position."""
    if span.kind != "claim":
        return _KINDS[span.kind](*(() if meaning is None else (meaning,)))
    if with_sets:
        return ClaimWithSets(span.track, *meaning)
    return Claim(span.track, meaning.card, meaning.locomotives)


def check(map: Map, action: Action) -> None:
    """Refuse an action that exists in no position on a map."""
    if isinstance(action, KeepTickets):
        known = 0 < len(action.tickets) == len(set(action.tickets) & set(range(len(map.tickets))))
    elif isinstance(action, NeutralClaim):
        known = map.rules.neutral is not None and action.track in range(len(map.tracks))
    else:
        known = action in table(map).indices
    if not known:
        raise IllegalAction(f"{shortened(action.as_dict(), 300)} is no action on {map.title}", action=action)
