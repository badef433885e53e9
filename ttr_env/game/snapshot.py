"""Positions as plain JSON types: all of a game, or what one player knows of it.

`ttr_env.game.restoring` turns a snapshot back into a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from ttr_env.engine import calls
from ttr_env.engine.layout import NEUTRAL_OWNER, PHASES
from ttr_env.game import actions
from ttr_env.game.actions import Claim
from ttr_env.game.types import Cards, InformationState, Neutral, Pending, Seat, Snapshot
from ttr_env.maps import Map
from ttr_env.maps.model import CARDS, LOCOMOTIVE

FORMAT = 1


def snapshot(map: Map, record: np.void) -> Snapshot:
    """The whole position of a game's record (`engine.layout.GAME`)."""
    return {
        "format": FORMAT,
        "map": map.name,
        "players": int(record["players"]),
        "tolls": bool(record["with_tolls"]),
        "neutral_player": bool(record["with_neutral"]),
        "phase": PHASES[record["phase"]],
        "setup": bool(record["setup"]),
        "player": int(record["player"]),
        "round": int(record["round"]),
        "turns_left": _or_none(record["turns_left"]),
        "passes": int(record["passes"]),
        "deck": cards(record["deck"]),
        "discard": cards(record["discard"]),
        "face_up": cards(record["face_up"]),
        "ticket_pile": members(record["ticket_pile"]),
        "ticket_discard": members(record["ticket_discard"]),
        "owners": [_owner(owner) for owner in record["owner"][: len(map.tracks)]],
        "seats": [_seat(record, seat) for seat in range(record["players"])],
        "neutral": _neutral(record) if record["with_neutral"] else None,
        "pending": pending(map, record),
        "rng": f"{record['rng'][0]:016x}",
    }


def information_state(map: Map, games: np.ndarray, player: int) -> InformationState:
    """What one player knows of a game (`docs/rules.md`, K): a snapshot whose hidden parts are counts."""
    state: dict[str, Any] = {**snapshot(map, games[0])}
    del state["rng"]
    state["deck"] = sum(state["deck"].values())
    state["ticket_pile"] = len(state["ticket_pile"])
    if not calls.shows_discards(games, 0):
        state["ticket_discard"] = len(state["ticket_discard"])
    for index, seat in enumerate(state["seats"]):
        if index != player:
            seat["hand"] = sum(seat["hand"].values())
            seat["tolls"] = None
            for key in ("tickets", "offered", "refused"):
                seat[key] = len(seat[key])
    return cast(InformationState, state)


def cards(counts: Iterable[int]) -> Cards:
    """Nine counts by the cards' names.

    >>> cards([0, 0, 3, 0, 0, 0, 0, 0, 1])["blue"]
    3
    """
    return {card: int(count) for card, count in zip(CARDS, counts, strict=True)}


def members(bits: int) -> list[int]:
    """The members of a bit set, ascending.

    >>> members(0b1010)
    [1, 3]
    """
    left, found = int(bits), []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found


def _seat(record: np.void, seat: int) -> Seat:
    return {
        "hand": cards(record["hand"][seat]),
        "trains": int(record["trains"][seat]),
        "tolls": int(record["tolls"][seat]),
        "loans": int(record["loans"][seat]),
        "tickets": members(record["tickets"][seat]),
        "offered": members(record["offered"][seat]),
        "refused": members(record["refused"][seat]),
        "points": int(record["points"][seat]),
        "known": cards(record["known"][seat]),
    }


def _neutral(record: np.void) -> Neutral:
    return {
        "trains": int(record["neutral_trains"]),
        "marker": int(record["neutral_marker"]),
        "active": bool(record["neutral_active"]),
        "ticket": _or_none(record["neutral_ticket"]),
    }


def pending(map: Map, record: np.void) -> Pending | None:
    """The claim that waits for a decision, if there is one."""
    phase = PHASES[record["phase"]]
    if phase not in ("tunnel", "set"):
        return None
    claim = actions.table(map).meanings[int(record["pending_claim"])]
    assert isinstance(claim, Claim)
    form: Pending = {"kind": phase, "track": claim.track, "card": claim.card, "locomotives": claim.locomotives}
    left = int(record["pending_left"])
    if phase == "tunnel":
        return {**form, "turned_up": cards(record["pending_turned"]), "extra": left}
    chosen = cards(record["pending_paid"])
    for card, number in laid_down(map, claim).items():
        chosen[card] -= number
    return {**form, "sets": claim.payment.sets, "chosen": chosen, "left": left}


def laid_down(map: Map, claim: Claim) -> Cards:
    """The cards that a claim names, by kind: all but those of its sets."""
    paid = dict.fromkeys(CARDS, 0)
    paid[LOCOMOTIVE] += claim.locomotives
    paid[claim.card] += claim.payment.colour_cards(map.tracks[claim.track].length)
    return paid


def _owner(owner: int) -> int | str | None:
    return "neutral" if owner == NEUTRAL_OWNER else _or_none(owner)


def _or_none(number: int) -> int | None:
    return None if number < 0 else int(number)
