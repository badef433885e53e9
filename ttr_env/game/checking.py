"""Records that come from a file, looked at before the engine sees them: it trusts every number in them."""

from __future__ import annotations

import numpy as np

from ttr_env.engine import calls, layout
from ttr_env.engine.board import board
from ttr_env.errors import SnapshotError
from ttr_env.game import restoring
from ttr_env.game.snapshot import snapshot
from ttr_env.options import Variant

_BY_SEAT = ("open", "open_count")  # written for all seats by a deal, for those at the table by a snapshot


def check_record(variant: Variant, record: np.void) -> None:
    """Refuse a record (`layout.GAME`) that is no position of this variant, with a `SnapshotError` that names the field.

    It has to pass as a snapshot, and what follows from the rest has to be as the engine would work it out.
    """
    _check_indices(variant, record)
    _, read = restoring.read(snapshot(variant.map, record), variant.map)
    games = np.frombuffer(read.tobytes(), layout.GAME).copy()
    calls.restore(games, 0, board(variant.map))
    for name in layout.GAME.names or ():
        found, right = record[name], games[0][name]
        if name in _BY_SEAT:
            found, right = found[: variant.players], right[: variant.players]
        if name == "component":
            _check_components(record, right, variant.players)
        elif not np.array_equal(found, right):
            raise SnapshotError(f"{name}: it does not follow from the rest of the position")


def _check_indices(variant: Variant, record: np.void) -> None:
    """What is looked up by these numbers must be there."""
    told = tuple(int(record[name]) for name in ("players", "with_tolls", "with_neutral"))
    if told != (variant.players, variant.tolls, variant.neutral_player):
        raise SnapshotError("players, tolls, neutral_player: the position is one of another variant")
    phase = int(record["phase"])
    if not 0 <= phase < len(layout.PHASES):
        raise SnapshotError(f"phase: there is none with the number {phase}")
    claims = layout.CLAIM + int(board(variant.map)[0]["claims"])
    if phase in (layout.TUNNEL, layout.SET) and not layout.CLAIM <= record["pending_claim"] < claims:
        raise SnapshotError(f"pending_claim: {record['pending_claim']} is no claim")


def _check_components(record: np.void, right: np.ndarray, players: int) -> None:
    """Cities are labelled by one of those that they are connected with; which one, depends on how it came about."""
    for seat in range(players):
        labels = record["component"][seat].astype(np.int64)
        is_sound = labels.min() >= 0 and labels.max() < len(labels) and np.array_equal(labels[labels], labels)
        together = labels[:, None] == labels[None, :]
        if not is_sound or not np.array_equal(together, right[seat][:, None] == right[seat][None, :]):
            raise SnapshotError(f"component[{seat}]: the cities that tracks connect are others")
