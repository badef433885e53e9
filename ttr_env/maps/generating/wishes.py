"""What somebody wants of a board, checked; and the text that names it."""

from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass
from typing import Any

from ttr_env.errors import MapError, did_you_mean
from ttr_env.maps.faults import shortened
from ttr_env.maps.limits import MAX_CITIES, MAX_NUMBER, MAX_PLAYERS, MAX_TICKETS, MAX_TRACKS

GENERATED = "generate:"  # how the names of made boards begin
FEWEST_CITIES = 4
_DIGITS = len(str(2**64 - 1))  # of a number: Python reads no more than some thousands


@dataclass(frozen=True)
class Wishes:
    """The arguments of `maps.generate`."""

    seed: int
    cities: int = 30
    players: int | None = None
    trains: int | None = None
    tickets: int | None = None
    doubles: int | None = None
    tolls: bool = False
    tunnels: int = 0
    ferries: int = 0

    def __post_init__(self) -> None:
        self._whole("seed", 0, 2**64 - 1)
        self._whole("cities", FEWEST_CITIES, MAX_CITIES)
        self._whole("players", 2, MAX_PLAYERS)
        self._whole("trains", 1, MAX_NUMBER)
        self._whole("tickets", 1, min(MAX_TICKETS, self.pairs))
        for name in ("doubles", "tunnels", "ferries"):
            self._whole(name, 0, MAX_TRACKS)
        if not isinstance(self.tolls, bool):
            raise MapError(f"tolls: True or False is needed, not {shortened(self.tolls)}")

    @property
    def pairs(self) -> int:
        """How many pairs of cities there are."""
        return self.cities * (self.cities - 1) // 2

    @property
    def name(self) -> str:
        """What to give to `maps.load` for the same board.

        >>> Wishes(7, cities=20, tolls=True).name
        'generate:seed=7,cities=20,tolls=true'
        """
        wished = [
            f"{field.name}={str(getattr(self, field.name)).lower()}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return GENERATED + ",".join(wished)

    def _whole(self, name: str, least: int, most: int) -> None:
        value = getattr(self, name)
        if value is None and name in ("players", "trains", "tickets", "doubles"):
            return
        if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= operator.index(value) <= most:
            raise MapError(f"{name}: a whole number from {least} to {most} is needed, not {shortened(value)}")
        object.__setattr__(self, name, operator.index(value))


def read_name(text: str) -> dict[str, Any]:
    """The arguments that a text like `generate:seed=7,cities=20` names.

    >>> read_name("generate:seed=7,tolls=true")
    {'seed': 7, 'tolls': True}
    """
    known = [field.name for field in dataclasses.fields(Wishes)]
    arguments: dict[str, Any] = {}
    for part in text.removeprefix(GENERATED).split(","):
        name, _, value = part.partition("=")
        if name not in known:
            near = did_you_mean(name[:100], known)
            raise MapError(f"{shortened(text)}: {shortened(name)} is unknown{near}; there are {', '.join(known)}")
        if name in arguments:
            raise MapError(f"{shortened(text)}: {name} is there twice")
        arguments[name] = _value(text, name, value)
    if "seed" not in arguments:
        raise MapError(f"{shortened(text)} has no seed; write for example {GENERATED}seed=7,cities=20")
    return arguments


def _value(text: str, name: str, value: str) -> int | bool:
    if name == "tolls" and value in ("true", "false"):
        return value == "true"
    if name != "tolls" and value.isascii() and value.isdecimal() and len(value) <= _DIGITS:
        return int(value)
    right = "true or false" if name == "tolls" else "a whole number of 64 bits"
    raise MapError(f"{shortened(text)}: {name} is {shortened(value)}; it must be {right}")
