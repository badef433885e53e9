"""What every training run is, whoever does the learning: its updates, and how it is shown, saved and concluded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ttr_env.engine.scoring import PARTS
from ttr_env.learning.settings import AnySettings


@dataclass(frozen=True)
class Update:
    """What an update has brought."""

    number: int
    steps: int  # decisions of the learner so far
    new_steps: int  # in this update
    seconds: float  # that it took
    environment_share: float  # of those, in the games and their opponents
    games: int  # finished since the last update
    means: dict[str, float]  # of the finished games: win_rate, and the parts of the score
    win_rates: dict[str, float | None]  # against each opponent, lately
    learning: dict[str, float]  # the library's own figures
    note: str = ""  # what somebody should know, such as that a part of a cluster was lost

    def as_row(self) -> dict[str, float | str]:
        """The update as a line of metrics; always the same columns."""
        return {
            "update": self.number,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "environment_share": round(self.environment_share, 4),
            "games": self.games,
            **{name: _rounded(self.means.get(name)) for name in ("win_rate", *PARTS)},
            **{f"against_{name}": _rounded(rate) for name, rate in self.win_rates.items()},
            **{name: round(value, 6) for name, value in self.learning.items()},
        }


def _rounded(value: float | None) -> float | str:
    """A number for a table, or nothing."""
    return "" if value is None else round(value, 4)


class Run(Protocol):
    """A run in a folder of its own."""

    folder: Path
    done: int  # updates

    @property
    def settings(self) -> AnySettings: ...

    @property
    def goal(self) -> int:
        """How many updates it makes."""

    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""

    def updates(self) -> Iterator[Update]:
        """Make one update after the other; between two of them, the run can be saved and left."""

    def save(self) -> None:
        """Write the checkpoint."""

    def export(self, path: Path) -> None:
        """Write the policy as it is now."""
