"""What one player may know of a position (K)."""

from copy import deepcopy
from typing import Any

from .board import board_of
from .state import State, total


def information_state(state: State, player: int) -> dict[str, Any]:
    """The snapshot with the hidden parts as counts, and without the generator that would foretell draws."""
    known = deepcopy(state)
    del known["rng"]
    known["deck"] = total(known["deck"])
    known["ticket_pile"] = len(known["ticket_pile"])
    # N2: nobody sees another's first discards before all have chosen. S2, U1: nor any others.
    if known["setup"] or board_of(state).numbers.discards != "public":
        known["ticket_discard"] = len(known["ticket_discard"])
    for other, seat in enumerate(known["seats"]):
        if other != player:
            _hide(seat)
    return known


def _hide(seat: dict[str, Any]) -> None:
    """Another seat is sizes, and the cards that everybody saw (`known`). N6: its tokens stay secret."""
    seat["hand"] = total(seat["hand"])
    for pile in ("tickets", "offered", "refused"):
        seat[pile] = len(seat[pile])
    seat["tolls"] = None
