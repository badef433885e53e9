"""The decisions of whole games, ready to be learned from: what goes from env runners to learners, instead of episodes.

Candidates lie one after another, in half precision, and every decision says how many of them are its own. An episode
of RLlib would have to be padded to the most candidates that there can be, five times as many as there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_env.batch.recorded import estimate_advantages
from ttr_env.learning.selfplay import Played


@dataclass(frozen=True, eq=False)
class Recorded:
    """Decisions with their advantages. It can be measured and cut like an episode, which several learners ask for.

    `rows` has an entry for each decision: `state` and `hidden`, the `place` of the candidate that was taken and its
    `log_prob`, `advantage` and `target` of the value, and `count`, how many candidates there were.
    """

    rows: dict[str, np.ndarray]
    candidates: np.ndarray  # float16 [candidates of all decisions, columns]

    def __len__(self) -> int:
        return len(self.rows["count"])

    def __getitem__(self, part: slice) -> Recorded:
        bounds = np.concatenate([[0], self.rows["count"].cumsum()])
        first, end, _ = part.indices(len(self))
        rows = {name: column[first:end] for name, column in self.rows.items()}
        return Recorded(rows, self.candidates[bounds[first] : bounds[end]])

    def slice(self, part: slice, **_: Any) -> Recorded:
        """The same, by the name that RLlib has for it."""
        return self[part]


def record(played: Played, values: np.ndarray, rewards: np.ndarray, discounts: tuple[float, float]) -> Recorded:
    """What was played, with the critic's values and the rewards by seat at the end of each game."""
    advantages = np.zeros(len(played), np.float32)
    estimate_advantages(played.games, played.seats, values, rewards, discounts, advantages)
    rows = {
        "state": played.states,
        "hidden": played.hidden,
        "place": played.places,
        "log_prob": played.log_probs,
        "advantage": advantages,
        "target": advantages + values,
        "count": played.ends - played.begins,
    }
    return Recorded(rows, _without_gaps(played))


def _without_gaps(played: Played) -> np.ndarray:
    """The candidates in half precision; those that another thread has recorded lie somewhere else."""
    gaps = np.flatnonzero(played.begins[1:] != played.ends[:-1])
    firsts, lasts = played.begins[[0, *(gaps + 1)]], played.ends[[*gaps, -1]]
    pieces = [played.actions[first:end].astype(np.float16) for first, end in zip(firsts, lasts, strict=True)]
    return np.concatenate(pieces)


def join(parts: Sequence[Recorded]) -> Recorded:
    """All of them as one, in memory of its own."""
    rows = {name: np.concatenate([part.rows[name] for part in parts]) for name in parts[0].rows}
    return Recorded(rows, np.concatenate([part.candidates for part in parts]))
