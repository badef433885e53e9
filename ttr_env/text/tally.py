"""How many of a model's replies could be read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields


@dataclass
class Tally:
    """Replies, and what became of them.

    >>> Tally(replies=40, unreadable=3).rate
    0.075
    """

    replies: int = 0
    unreadable: int = 0  # that were no legal move, or more than one
    fallbacks: int = 0  # decisions that were taken for the model, after all its tries
    cut_short: int = 0  # plans for a turn whose rest could not be carried out

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def rate(self) -> float:
        """The share of replies that could not be read, 0 where there were none."""
        return self.unreadable / self.replies if self.replies else 0.0

    def as_dict(self) -> dict[str, float]:
        """The numbers as plain JSON types, with the rate."""
        return {**asdict(self), "unreadable_rate": self.rate}
