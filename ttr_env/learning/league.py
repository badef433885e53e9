"""Who the learner plays against: baselines and its own past, those more often that are hard for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ttr_env.learning.settings import LeagueSettings

_DEFAULT = LeagueSettings()
MEMORY = 200  # games over which a win rate is remembered, roughly


@dataclass
class Member:
    """An opponent, and how the learner has done against it lately."""

    name: str
    number: int  # by which the environment knows it
    weight: float = 1.0  # how often it is met beside others that are as hard
    wins: float = 1.0  # both decay, and begin at a half
    games: float = 2.0

    @property
    def win_rate(self) -> float:
        """The learner's, over the games that it remembers."""
        return self.wins / self.games


class League:
    """Opponents, drawn for each seat of each game by how hard they are.

    The chance of a member is proportional to `weight * (1 - win_rate) ** power`, with a floor, so that nobody is
    forgotten: prioritised fictitious self-play. Of the snapshots only the `active_snapshots` hardest are met.

    >>> league = League({"easy": (0, 1.0), "hard": (1, 1.0)}, power=1.0, floor=0.05, active_snapshots=0)
    >>> for _ in range(100):
    ...     league.report([0], won=True)
    ...     league.report([1], won=False)
    >>> easy, hard = league.chances()
    >>> bool(hard > 5 * easy)
    True
    """

    def __init__(
        self,
        baselines: Mapping[str, tuple[int, float]],
        power: float = _DEFAULT.power,
        floor: float = _DEFAULT.floor,
        active_snapshots: int = _DEFAULT.active_snapshots,
    ) -> None:
        """Begin with `baselines`: by name, the number that the environment knows each by, and its weight."""
        self.members = [Member(name, number, weight) for name, (number, weight) in baselines.items()]
        self._baselines = len(self.members)
        self._power, self._floor, self._active = power, floor, active_snapshots

    def add_snapshot(self, name: str, number: int, weight: float) -> None:
        """Let the learner of today be an opponent of tomorrow."""
        self.members.append(Member(name, number, weight))

    @property
    def baselines(self) -> list[Member]:
        """The members that were there from the start."""
        return self.members[: self._baselines]

    @property
    def snapshots(self) -> list[Member]:
        """The learner's past selves."""
        return self.members[self._baselines :]

    def chances(self) -> np.ndarray:
        """How likely each member is to take a seat."""
        hardness = np.array([max(self._floor, (1 - member.win_rate) ** self._power) for member in self.members])
        chances = hardness * [member.weight for member in self.members]
        past = chances[self._baselines :]
        if len(past) > self._active:
            past[np.argsort(past)[: len(past) - self._active]] = 0.0
        return chances / chances.sum()

    def draw(self, games: int, seats: int, rng: np.random.Generator) -> np.ndarray:
        """Opponents for each seat of each game, as the environment numbers them [games, seats]."""
        numbers = np.array([member.number for member in self.members])
        return numbers[rng.choice(len(numbers), (games, seats), p=self.chances())]

    def report(self, numbers: Iterable[int], won: bool) -> None:
        """The learner has finished a game against these opponents."""
        for number in set(numbers):
            member = next(member for member in self.members if member.number == number)
            member.games = member.games * (1 - 1 / MEMORY) + 1
            member.wins = member.wins * (1 - 1 / MEMORY) + won

    def state(self) -> list[dict[str, Any]]:
        """All there is to know, as plain JSON types."""
        return [asdict(member) for member in self.members]

    def restore(self, state: list[dict[str, Any]]) -> None:
        """Go on from a `state`, whose members have joined already; a `ValueError` if they are others."""
        members = [Member(**member) for member in state]
        if [(member.name, member.number) for member in members] != [(own.name, own.number) for own in self.members]:
            raise ValueError("league: it has other members")
        for member in members:
            if not (0 <= member.wins <= member.games < np.inf and member.games > 0 and 0 <= member.weight < np.inf):
                raise ValueError(f"league: {member} is no opponent")
        self.members = members
