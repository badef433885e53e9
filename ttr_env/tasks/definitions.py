"""Tasks, tracks and opponents, as `tasks.toml`, `tracks.toml` and `references.json` have them."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ttr_env.bots.built_in import HELD_OUT
from ttr_env.errors import did_you_mean
from ttr_env.maps.faults import shortened
from ttr_env.options import GameOptions, Variant, of_kind, whole_number
from ttr_env.tasks.reserved import RESERVED_SEEDS

ANCHOR = "planner:version=1"  # its rating is 1000, its normalised score 100
LOWEST = "random"  # its normalised score is 0
PUBLIC = ("random", "greedy", "racer", ANCHOR, "champion:version=2")
OPPONENTS = {"public": PUBLIC, "held-out": HELD_OUT, "all": (*PUBLIC, *HELD_OUT)}

_VERSIONS = {"planner": "planner:version=2", "champion": "champion:version=2"}  # what a name alone means


@dataclass(frozen=True)
class Board:
    """A map, and the game on it."""

    map: str
    digest: str
    options: GameOptions

    @property
    def variant(self) -> Variant:
        """The game, on the map that the task was made for; a `ValueError` if it is another one now."""
        variant = Variant.of(self.map, **self.options)
        if variant.map.digest != self.digest:
            raise ValueError(f"the map {self.map!r} is {variant.map.digest}, and the task is for {self.digest}")
        return variant

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.options["players"]

    def as_dict(self) -> dict[str, Any]:
        """The board as plain JSON types."""
        return {"map": self.map, "map_digest": self.digest, **self.options}


@dataclass(frozen=True)
class Track:
    """What an agent may use, and the budgets of its training, in decisions of the learner."""

    name: str
    about: str
    budgets: tuple[int, ...]


@dataclass(frozen=True)
class References:
    """What numbers of a task are measured by."""

    ratings: dict[str, float]  # of the public opponents, who played each other; the anchor has 1000
    shares: dict[str, float]  # how much of all wins against the public opponents the lowest and the anchor have


@dataclass(frozen=True)
class Task:
    """What is played to test an agent."""

    name: str
    version: int
    about: str
    deals: int  # each is played from every seat, on each board and against each opponent
    boards: tuple[Board, ...]

    @property
    def seeds(self) -> range:
        """The seeds of its deals."""
        return RESERVED_SEEDS[: self.deals]

    @property
    def most_games(self) -> int:
        """How many games it has for an agent that is none of the opponents."""
        return self.deals * sum(board.players for board in self.boards) * len(OPPONENTS["all"])

    @property
    def references(self) -> References | None:
        """What its numbers are measured by; None before that was measured."""
        found = _references().get(self.name)
        return References(**found) if found else None


def names() -> list[str]:
    """The names of all tasks.

    >>> names()[:2]
    ['nederland-2p', 'nederland-3p']
    """
    return list(_tasks())


def load(name: str) -> Task:
    """The task of this name.

    >>> load("nederland-2p").boards[0].players
    2
    """
    found = _tasks().get(name)
    if found is None:
        raise ValueError(f"task {name!r} is unknown{did_you_mean(name, names())}; the tasks are: {', '.join(names())}")
    return found


def tracks() -> dict[str, Track]:
    """All tracks by name.

    >>> tracks()["scratch"].budgets
    (1500000, 15000000, 150000000)
    """
    data = _read("tracks.toml")
    return {name: Track(name, entry["about"], tuple(entry["budgets"])) for name, entry in data.items()}


def check_track(name: str | None, budget: int | None) -> None:
    """Refuse a track that there is not, and a budget that it does not have."""
    if name is None:
        if budget is not None:
            raise ValueError("budget: it belongs to a track; name that too")
        return
    known = tracks()
    if name not in known:
        raise ValueError(f"track {name!r} is unknown{did_you_mean(name, known)}; the tracks are: {', '.join(known)}")
    budgets = known[name].budgets
    if budget is not None and whole_number(budget, "budget") not in budgets:
        told = ", ".join(f"{each:,}" for each in budgets) or "none"
        raise ValueError(f"budget: those of track {name!r} are {told}, not {shortened(budget)}")


def with_version(agent: str) -> str:
    """An agent's name with the version that it stands for.

    >>> with_version("planner"), with_version("racer")
    ('planner:version=2', 'racer')
    """
    return _VERSIONS.get(agent, agent)


def benchmark() -> int:
    """The version of the whole."""
    return int(_read("tasks.toml")["benchmark"])


@functools.cache
def _tasks() -> dict[str, Task]:
    data = {name: entry for name, entry in _read("tasks.toml").items() if isinstance(entry, dict)}
    return {
        name: Task(name, entry["version"], entry["about"], entry["deals"], _boards(entry["boards"]))
        for name, entry in data.items()
    }


def _boards(entries: Sequence[dict[str, Any]]) -> tuple[Board, ...]:
    return tuple(Board(entry["map"], entry["digest"], of_kind(entry, GameOptions)) for entry in entries)


def _references() -> dict[str, Any]:
    file = resources.files(__package__) / "references.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


@functools.cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / name).read_text(encoding="utf-8"))
