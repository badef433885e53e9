"""The action features, column by column, worked out from what the player knows.

The names are those of `ttr_env.bots.features.columns`, which says what they mean. Columns that are not there are 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ttr_env.maps.model import Map

from .action_columns import action_columns
from .candidates import candidates
from .outlook import Columns, Outlook
from .seen import Seen
from .state import Action, State
from .state_columns import state_columns


@dataclass(frozen=True)
class Expected:
    """What is expected of a look at a decision."""

    state: Columns
    actions: list[tuple[Action, Columns]]  # in no order
    dropped: int


def expected(known: State, map: Map, labels: Sequence[int]) -> Expected:
    """All features of a decision, from what the player to move knows; `labels` as `Seen` has them."""
    look = Outlook(Seen(known, map, labels))
    listed, dropped = candidates(look.seen)
    rows = [(action, action_columns(look, action)) for action in listed]
    _add_regret(rows)
    return Expected(_clipped(state_columns(look)), [(action, _clipped(row)) for action, row in rows], dropped)


def _clipped(columns: Columns) -> Columns:
    return {name: min(1.0, max(-1.0, value)) for name, value in columns.items()}


def _add_regret(rows: list[tuple[Action, Columns]]) -> None:
    worths = [row["worth"] for _, row in rows if "worth" in row]
    for _, row in rows:
        if "worth" in row:
            row["regret"] = (max(worths) - row["worth"]) * 150 / 50


def expected_hidden(snapshot: State, map: Map, player: int) -> Columns:
    """What only a critic is told, from the whole position."""

    def tickets(seat: int, done: bool) -> int:
        seen = Seen({**snapshot, "player": seat}, map, ())
        return seen.points([t for t in snapshot["seats"][seat]["tickets"] if seen.is_done(t) == done])

    seats = range(snapshot["players"])
    standing = [snapshot["seats"][seat]["points"] + tickets(seat, done=True) for seat in seats]
    others = [seat for seat in seats if seat != player]
    best = max(standing[seat] for seat in others)
    tolls = [snapshot["seats"][seat]["tolls"] for seat in others if not snapshot["seats"][seat]["loans"]]
    hidden = {
        "own_standing": standing[player] / 300,
        "best_standing": best / 300,
        "standing_lead": (standing[player] - best) / 100,
        "best_open": min(tickets(seat, done=False) for seat in others if standing[seat] == best) / 80,
    }
    if snapshot["tolls"]:
        assert map.rules.tolls is not None
        most = max(tolls, default=0)
        hidden["true_tolls"] = most / map.rules.tolls.tokens
        hidden["true_tolls_lead"] = (snapshot["seats"][player]["tolls"] - most) / 15
    return _clipped(hidden)
