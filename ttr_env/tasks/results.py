"""Results as files: a line about what was played and what came of it, and then the record of every game, compressed.

A result without its games is the same first line, as JSON; it can be compared with others, and not be verified.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ttr_env.arena import writing
from ttr_env.errors import RecordError
from ttr_env.game.files import Room, from_json, packed_lines, read_bytes
from ttr_env.maps.faults import shortened
from ttr_env.options import whole_number
from ttr_env.tasks import definitions
from ttr_env.tasks.checking import check_head, check_name, checked_record
from ttr_env.tasks.definitions import OPPONENTS, Task
from ttr_env.tasks.naming import agent_digest

FORMAT = 2
FORMATS = (1, FORMAT)  # that are read; the numbers of format 1 are computed in another way (`statistics`)
ENDING = ".jsonl.gz"
# Several times what the longest test takes.
_ROOM = Room(lines=100_000, line=2**16, whole=2**27)
_MOST_BYTES = 2**26  # of a file as it is
_CONTAINERS = 3000  # lists and objects in a line, and brackets in the names there
_PACKAGES = ("numba", "numpy", "ttr-env")


@dataclass(frozen=True)
class Terms:
    """Who is tested by what: on this a result depends, and only a run with the same terms can go on with it."""

    task: str
    version: int  # of the task
    boards: list[dict[str, Any]]
    deals: int  # the first so many of the task's
    opponents: list[str]
    agent: str
    agent_digest: str | None = None  # of the file that the agent comes from
    track: str | None = None
    budget: int | None = None
    beaten: dict[str, Any] | None = None  # what a best response and search won, as somebody measured

    @classmethod
    def of(cls, task: Task, agent: str, opponents: Sequence[str], deals: int | None = None, **given: Any) -> Terms:
        """The terms of a test; a `ValueError` if something is not the task's."""
        number = task.deals if deals is None else whole_number(deals, "deals")
        if not 1 <= number <= task.deals:
            told = shortened(number)
            raise ValueError(f"deals: {task.name} has {task.deals:,}, of which 1 or more are needed, not {told}")
        definitions.check_track(given.get("track"), given.get("budget"))
        boards = [board.as_dict() for board in task.boards]
        name = definitions.with_version(agent)
        check_name(name, "agent")
        return cls(task.name, task.version, boards, number, list(opponents), name, agent_digest(name), **given)

    @property
    def games(self) -> int:
        """How many games the whole test has; an agent does not meet itself."""
        met = [name for name in self.opponents if name != self.agent]
        return sum(board.players for board in definitions.load(self.task).boards) * self.deals * len(met)

    def fault(self) -> str | None:
        """What is not the task's in what was to be played."""
        task = definitions.load(self.task)
        if self.version != task.version:
            return f"it is of version {self.version} of {task.name}; this is version {task.version}"
        if self.boards != [board.as_dict() for board in task.boards]:
            return f"its boards are not those of {task.name}"
        if not 1 <= self.deals <= task.deals:
            return f"it has {self.deals:,} deals; those of {task.name} are 1 to {task.deals:,}"
        if not any(self.opponents == list(opponents) for opponents in OPPONENTS.values()):
            return f"its opponents, {shortened(self.opponents)}, are not those of the tests"
        return None


@dataclass(frozen=True)
class Result:
    """What was played, what came of it, and the games."""

    terms: Terms
    figures: dict[str, Any]
    records: list[dict[str, Any]]  # none where they were left out
    complete: bool
    games: int
    digest: str  # SHA-256 of the records' lines
    made_with: dict[str, Any] = field(default_factory=dict)  # versions and hardware
    resumed: bool | None = False  # whether the test was stopped and gone on with; None: an old file does not say it
    format: int = FORMAT

    def as_dict(self) -> dict[str, Any]:
        """The result without its games, as plain JSON types."""
        return {
            "format": self.format,
            "benchmark": definitions.benchmark(),
            **asdict(self.terms),
            **self.made_with,
            "complete": self.complete,
            **({} if self.resumed is None else {"resumed": self.resumed}),
            "games": self.games,
            "sha256": self.digest,
            "figures": self.figures,
        }

    def without_games(self) -> Result:
        """The same with its games left out."""
        return replace(self, records=[])


def make(terms: Terms, figures: dict[str, Any], records: list[dict[str, Any]], resumed: bool) -> Result:
    """A result of games that were played here."""
    complete = len(records) == terms.games
    return Result(terms, figures, records, complete, len(records), digest(records), made_with(), resumed)


def made_with() -> dict[str, Any]:
    """The versions and the hardware here."""
    versions = {name: importlib.metadata.version(name) for name in _PACKAGES}
    hardware = {"machine": platform.machine(), "processor": _processor(), "cpus": os.cpu_count()}
    return {"versions": {"python": platform.python_version(), **versions}, "hardware": hardware}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    found = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(found, platform.processor())


def write(result: Result, file: Path) -> None:
    """Write a result, with its games if it has any, in one piece or not at all; an `OSError` names the file."""
    if not result.records:
        text = json.dumps(result.as_dict(), indent=2).encode() + b"\n"
    else:
        head = json.dumps(result.as_dict()).encode() + b"\n"
        text = gzip.compress(head + _lines(result.records), mtime=0)
    writing.write(file, text)


def digest(records: Sequence[dict[str, Any]]) -> str:
    """The SHA-256 of the records as they are written."""
    return hashlib.sha256(_lines(records)).hexdigest()


def _lines(records: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def read(file: Path) -> Result:
    """The result in a file, all of it looked at; a `RecordError` says what is wrong with it."""
    data = read_bytes(file, _MOST_BYTES)
    try:
        if data[:2] != b"\x1f\x8b":
            return _result(_from_json(data), iter(()))
        lines = _unpacked(data)
        return _result(_from_json(next(lines, b"")), _records(lines))
    except RecordError as error:
        raise RecordError(f"{file} is damaged or no result: {error}") from error


def _unpacked(data: bytes) -> Iterator[bytes]:
    try:
        yield from packed_lines(data, _ROOM)
    except RecordError as error:
        raise RecordError(f"it {error}") from error


def _from_json(text: bytes) -> Any:
    try:
        return from_json(text, _CONTAINERS)
    except RecordError as error:
        raise RecordError(f"it {error}") from error


def _records(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            yield checked_record(_from_json(line))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from error


def _result(head: Any, records: Iterator[dict[str, Any]]) -> Result:
    if not isinstance(head, dict) or head.get("format") not in FORMATS:
        wanted = " or ".join(map(str, FORMATS))
        raise RecordError(f"its first line does not say that it is a result of format {wanted}")
    check_head(head)
    terms = Terms(**{name: head[name] for name in Terms.__dataclass_fields__})
    most = definitions.load(terms.task).most_games
    games = list(islice(records, most + 1))
    if len(games) > most:
        raise RecordError(f"it has more games than {terms.task}, which has {most:,}")
    made = {name: head[name] for name in ("versions", "hardware")}
    return Result(
        terms,
        head["figures"],
        games,
        head["complete"],
        head["games"],
        head["sha256"],
        made,
        resumed=head.get("resumed"),
        format=head["format"],
    )
