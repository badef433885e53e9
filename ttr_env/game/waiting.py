"""Reading a snapshot's pending claim, one that waits for a set or at a tunnel, into a game's record (S5 to S7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ttr_env.engine import calls, layout, rows
from ttr_env.engine.board import board
from ttr_env.errors import IllegalAction, SnapshotError
from ttr_env.game import actions
from ttr_env.game.actions import Claim
from ttr_env.game.fields import card_counts, check_keys, number
from ttr_env.game.snapshot import laid_down
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import CARDS

KINDS = ("tunnel", "set")  # also the names of their phases
_CLAIM_KEYS = ("track", "card", "locomotives")
_KEYS = {
    "tunnel": ["kind", *_CLAIM_KEYS, "turned_up", "extra"],
    "set": ["kind", *_CLAIM_KEYS, "sets", "chosen", "left"],
}


def kinds(map: Map) -> list[str]:
    """The kinds of pending claims that a map has."""
    present = {"tunnel": map.rules.tunnels, "set": map.rules.sets}
    return [kind for kind in KINDS if present[kind] is not None]


def read(pending: Any, map: Map, record: np.void) -> None:
    """Write a pending claim into a record, whose phase and hands are there already."""
    record["pending_claim"] = -1
    phase = layout.PHASES[record["phase"]]
    if phase not in KINDS:
        if pending is not None:
            raise SnapshotError(f"pending: in phase {phase} no claim is pending; it must be None")
        return
    check_keys(pending, "pending", _KEYS[phase])
    if pending["kind"] != phase:
        raise SnapshotError(f"pending.kind: {phase!r} is needed in this phase, not {pending['kind']!r}")
    claim = _claim(pending, map)
    record["pending_claim"] = actions.table(map).indices[claim]
    paid = list(laid_down(map, claim).values())
    if phase == "tunnel":
        record["pending_turned"] = card_counts(pending["turned_up"], "pending.turned_up")
    else:
        chosen = card_counts(pending["chosen"], "pending.chosen")
        paid = [one + other for one, other in zip(paid, chosen, strict=True)]
    hand = record["hand"][record["player"]]
    for card, lies, held in zip(CARDS, paid, hand, strict=True):
        if lies > held:
            raise SnapshotError(f"pending: {lies} {card} cards are laid down, and {held} are in the hand")
    record["pending_paid"] = paid


def _claim(pending: Mapping[str, Any], map: Map) -> Claim:
    """The claim that waits."""
    form = {"kind": "claim", **{key: pending[key] for key in _CLAIM_KEYS}}
    if map.rules.sets:
        form["sets"] = pending.get("sets", 0)
    try:
        claim = actions.from_dict(form)
    except IllegalAction as error:
        raise SnapshotError(f"pending: {error}") from error
    if not isinstance(claim, Claim) or claim not in actions.table(map).indices:
        raise SnapshotError(f"pending: {shortened(form, 300)} is no action on {map.title}")
    tunnel = map.tracks[pending["track"]].tunnel
    if pending["kind"] == "tunnel" and not tunnel:
        raise SnapshotError(f"pending.track: track {pending['track']} is no tunnel")
    if pending["kind"] == "set" and not pending["sets"]:
        raise SnapshotError("pending.sets: a claim without sets does not wait for them")
    return claim


def check(pending: Any, map: Map, games: np.ndarray) -> None:
    """Refuse a pending claim that the engine would not have allowed, or that does not wait for anything."""
    if pending is None:
        return
    record = games[0]
    calls.restore(games, 0, board(map))  # so that the engine says how much is left
    before = games.copy()
    before["phase"] = layout.TURN
    chosen = np.zeros(1, np.int64)
    if rows.first_illegal(before, board(map), chosen, np.array([record["pending_claim"]], np.int64)) >= 0:
        raise SnapshotError(f"pending: the claim of track {pending['track']} is not legal here")
    name = "extra" if pending["kind"] == "tunnel" else "left"
    left = int(record["pending_left"])
    if left < 1:
        raise SnapshotError(f"pending.{name}: nothing is left to decide; it must be at least 1")
    number(pending[name], f"pending.{name}", left, left)
    if pending["kind"] == "tunnel":
        _check_turned_up(map, record)


def _check_turned_up(map: Map, record: np.void) -> None:
    turned_up = int(record["pending_turned"].sum())
    most = map.rules.tunnels.turned_up if map.rules.tunnels else 0
    others = int(record["deck"].sum()) + int(record["discard"].sum())
    if turned_up > most or (turned_up < most and others):
        raise SnapshotError(f"pending.turned_up: {most} cards are turned up as long as there are any, not {turned_up}")
