"""What there is to say of an action, taken apart: what a reply is compared with."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ttr_env.game import actions, words
from ttr_env.game.actions import Action, Claim, DrawFaceUp, KeepTickets, NeutralClaim, SetCard, TunnelPay
from ttr_env.maps import Map
from ttr_env.maps.payments import Payment

if TYPE_CHECKING:
    from ttr_env.game import Game

SETS = "set"  # among what is paid, beside the names of cards


class Facts(NamedTuple):
    """An action's kind, and what else it names."""

    kind: str
    cities: frozenset[int] = frozenset()  # of its track
    track: frozenset[str] = frozenset()  # words that name the track: its colour, "first" or "second"
    paid: Mapping[str, int] = {}  # how many of each card, and sets
    card: str = ""  # that is taken, or put into a set
    tickets: frozenset[int] = frozenset()  # that are kept


@functools.lru_cache(maxsize=64)
def by_action(map: Map) -> dict[int, Facts]:
    """The facts of the actions that mean the same in every position of a map."""
    return {index: of(map, action) for index, action in actions.table(map).meanings.items()}


def here(game: Game, index: int) -> Facts:
    """The facts of an action in a position."""
    action = game.describe(index)
    if isinstance(action, TunnelPay):
        return Facts(action.kind, paid=_extra(game, action.locomotives))
    known = by_action(game.map).get(index)
    return of(game.map, action) if known is None else known


def of(map: Map, action: Action) -> Facts:
    """The facts of an action wherever it is taken."""
    match action:
        case Claim(track=track):
            paid = _paid(action.payment, map.tracks[track].length)
            return Facts(action.kind, _ends(map, track), _names(map, track), paid)
        case NeutralClaim(track=track):
            return Facts(action.kind, _ends(map, track), _names(map, track))
        case KeepTickets(tickets=tickets):
            return Facts(action.kind, tickets=frozenset(tickets))
        case DrawFaceUp(card=card) | SetCard(card=card):
            return Facts(action.kind, card=card)
    return Facts(action.kind)


def _ends(map: Map, track: int) -> frozenset[int]:
    return frozenset((map.tracks[track].a, map.tracks[track].b))


def _names(map: Map, track: int) -> frozenset[str]:
    """The words by which a track is told from its neighbour."""
    which = words.which_track(map, track)
    return frozenset((map.tracks[track].colour, *([which] if which else [])))


def _paid(payment: Payment, length: int) -> dict[str, int]:
    parts = {payment.card: payment.colour_cards(length), SETS: payment.sets}
    parts["locomotive"] = parts.get("locomotive", 0) + payment.locomotives
    return {name: number for name, number in parts.items() if number}


def _extra(game: Game, locomotives: int) -> dict[str, int]:
    """What is paid at the tunnel that waits, if any does."""
    pending = game.information_state(game.player)["pending"] if game.phase == "tunnel" else None
    if pending is None:
        return {"locomotive": locomotives}
    return _paid(Payment(pending["card"], locomotives, 0), pending["extra"])
