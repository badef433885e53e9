"""What a teacher thought of a game's decisions: columns of a record, checked before compiled code sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ttr_env.batch.replaying import Opinions
from ttr_env.data.columns import numbers, whole_numbers
from ttr_env.errors import RecordError
from ttr_env.maps.faults import shortened

_ALWAYS = ("choices", "values", "counts", "actions")


class Taught(NamedTuple):
    """What a teacher thought of one game."""

    choices: np.ndarray  # int64 [decisions]
    values: np.ndarray  # float32 [decisions]
    counts: np.ndarray  # int64 [decisions]: how many actions it thought of
    actions: np.ndarray  # int64 [thoughts]
    thoughts: np.ndarray  # float32 [columns, thoughts]: not a number where it has none


def read(told: Any, decisions: int, num_actions: int, columns: Sequence[str], there: Sequence[str]) -> Taught:
    """The thoughts of a game with so many decisions, of which `there` are in its file, as these columns."""
    if not isinstance(told, dict):
        raise RecordError("teacher: what it thought is missing")
    for name in told:
        if name not in (*_ALWAYS, *there):
            raise RecordError(f"teacher: {shortened(name)} is unknown here; there are {', '.join((*_ALWAYS, *there))}")
    try:
        return _read(told, decisions, num_actions, columns)
    except RecordError as error:
        raise RecordError(f"teacher: {error}") from error


def _read(told: dict[str, Any], decisions: int, num_actions: int, columns: Sequence[str]) -> Taught:
    choices, counts, actions = (whole_numbers(told, name) for name in ("choices", "counts", "actions"))
    values = numbers(told, "values")
    for name, column in (("choices", choices), ("values", values), ("counts", counts)):
        if len(column) != decisions:
            raise RecordError(f"{name}: {decisions} are needed, one for each decision, not {len(column)}")
    if not 0 <= counts.min() <= counts.max() <= num_actions:  # each by itself, before any sum of them can overflow
        raise RecordError(f"counts: there are {num_actions} actions on this map to think of")
    if counts.sum() != len(actions):
        raise RecordError(f"actions: {counts.sum()} are needed, as the counts say, not {len(actions)}")
    for name, column in (("choices", choices), ("actions", actions)):
        if len(column) and not 0 <= column.min() <= column.max() < num_actions:
            raise RecordError(f"{name}: there are {num_actions} actions on this map")
    of = np.repeat(np.arange(decisions), counts)
    if len(np.unique(of * num_actions + actions)) != len(actions):
        raise RecordError("actions: one is there twice for the same decision")
    return Taught(choices, values, counts, actions, _thoughts(told, columns, len(actions)))


def _thoughts(told: dict[str, Any], columns: Sequence[str], actions: int) -> np.ndarray:
    found = np.full((len(columns), actions), np.nan, np.float32)
    for row, name in enumerate(columns):
        if name in told:
            column = numbers(told, name)
            if len(column) != actions:
                raise RecordError(f"{name}: {actions} are needed, one for each action, not {len(column)}")
            found[row] = column
    return found


def joined(taught: Sequence[Taught], columns: int) -> Opinions:
    """What a teacher thought in all games, in one piece."""
    if not taught:
        return Opinions(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros((columns, 0), np.float32))
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate([each.counts for each in taught]))])
    actions = np.concatenate([each.actions for each in taught])
    return Opinions(begins, actions, np.concatenate([each.thoughts for each in taught], axis=1))
