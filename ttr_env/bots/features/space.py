"""The memory in which one decision is looked at: candidates, features, and what is worked out on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_env.bots.features.columns import ACTION, HIDDEN, STATE, record
from ttr_env.engine.layout import CARD_KINDS
from ttr_env.maps.limits import MAX_LENGTH, MAX_PLAYERS

MAX_CANDIDATES = 128

# Kernels write features by name, networks read them as rows of numbers: the same memory under two names.
_SHARED: list[tuple[tuple[str, str], Any, Any]] = [
    (("state", "state_row"), record(STATE), ("f4", len(STATE))),
    (("hidden", "hidden_row"), record(HIDDEN), ("f4", len(HIDDEN))),
    (("actions", "action_rows"), (record(ACTION), MAX_CANDIDATES), ("f4", (MAX_CANDIDATES, len(ACTION)))),
]
_OWN: list[tuple[str, Any]] = [
    ("index", ("i8", MAX_CANDIDATES)),  # the candidates' actions
    ("count", "i8"),  # how many there are
    ("dropped", "i8"),  # how many more there would be
    ("reach", "i8"),  # trains that can still be placed, about
    ("most_tolls", "f8"),  # tokens of the other who seems to have most
    ("own_path", "i8"),  # the longest, -1 where it earns nothing
    ("touched", ("u8", MAX_PLAYERS)),  # by seat, set of cities at which it has a track
    ("tolls", ("f8", MAX_PLAYERS)),  # by seat, tokens, by the tracks on the board
    ("wanted", ("i8", CARD_KINDS)),  # by card: how many the plan wants
    ("lack", ("i8", CARD_KINDS + 1)),  # cards that the nearest planned track lacks, here and below also for any card
    ("rate", ("f8", CARD_KINDS + 1)),  # most points a turn
    ("longest", ("i8", CARD_KINDS + 1)),  # longest track that one card more would pay for
    ("fewest", ("i8", MAX_LENGTH + 1)),  # by number of sets, fewest locomotives that a payment needs
]


def _overlaid() -> np.dtype:
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    end = 0
    for both, named, numbers in _SHARED:
        names += both
        formats += [named, numbers]
        offsets += [end, end]
        end += np.dtype(numbers).itemsize
    end += -end % 8
    for name, kind in _OWN:
        names.append(name)
        formats.append(kind)
        offsets.append(end)
        end += np.dtype(kind).itemsize
    size = end + -end % 64  # whole cache lines
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


VIEW = _overlaid()
