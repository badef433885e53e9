"""Results as files: a line about what was played and what came of it, and then the record of every game, compressed.

A result without its games is the same first line, as JSON; it can be compared with others, and not be verified.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import platform
import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ttr_env.errors import RecordError
from ttr_env.game.files import in_one_piece
from ttr_env.tasks import definitions
from ttr_env.tasks.definitions import Task

FORMAT = 1
ENDING = ".jsonl.gz"
_LARGEST = 2**30  # bytes, unpacked: several times what the longest test takes
_KINDS = {  # what a file must have in these places
    "task": str, "version": int, "boards": list, "deals": int, "opponents": list, "agent": str, "complete": bool,
    "games": int, "sha256": str, "figures": dict,
}  # fmt: skip
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
        number = task.deals if deals is None else deals
        if not 1 <= number <= task.deals:
            raise ValueError(f"deals: {task.name} has {task.deals:,}, of which 1 or more are needed, not {number:,}")
        definitions.check_track(given.get("track"), given.get("budget"))
        boards = [board.as_dict() for board in task.boards]
        name = definitions.with_version(agent)
        return cls(task.name, task.version, boards, number, list(opponents), name, agent_digest(name), **given)


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

    def as_dict(self) -> dict[str, Any]:
        """The result without its games, as plain JSON types."""
        return {
            "format": FORMAT,
            "benchmark": definitions.benchmark(),
            **asdict(self.terms),
            **self.made_with,
            "complete": self.complete,
            "games": self.games,
            "sha256": self.digest,
            "figures": self.figures,
        }

    def without_games(self) -> Result:
        """The same with its games left out."""
        return replace(self, records=[])


def make(terms: Terms, figures: dict[str, Any], records: list[dict[str, Any]], complete: bool) -> Result:
    """A result of games that were played here."""
    return Result(terms, figures, records, complete, len(records), digest(records), made_with())


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


def agent_digest(agent: str) -> str | None:
    """The SHA-256 of the file that an agent is read from, if its name says so."""
    found = re.fullmatch(r"(?:policy|sb3):(.+?)(?:,temperature=.*)?|[^:]+:(?:.*,)?policy=([^,]+).*", agent)
    file = Path(found[1] or found[2]) if found else None
    return hashlib.sha256(file.read_bytes()).hexdigest() if file and file.is_file() else None


def write(result: Result, file: Path) -> None:
    """Write a result, with its games if it has any, in one piece or not at all."""
    if not result.records:
        text = json.dumps(result.as_dict(), indent=2).encode() + b"\n"
    else:
        head = json.dumps(result.as_dict()).encode() + b"\n"
        text = gzip.compress(head + _lines(result.records), mtime=0)
    with in_one_piece(file) as place:
        place.write_bytes(text)


def digest(records: Sequence[dict[str, Any]]) -> str:
    """The SHA-256 of the records as they are written."""
    return hashlib.sha256(_lines(records)).hexdigest()


def _lines(records: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def read(file: Path) -> Result:
    """The result in a file; a `RecordError` says what is wrong with it."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from error
    try:
        if data[:2] == b"\x1f\x8b":
            head, *lines = _unpacked(data).splitlines()
            return _result(json.loads(head), [json.loads(line) for line in lines])
        return _result(json.loads(data), [])
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise RecordError(f"{file} is damaged or no result: {error}") from error


def _unpacked(data: bytes) -> bytes:
    with gzip.open(io.BytesIO(data)) as packed:
        text = packed.read(_LARGEST + 1)
    if len(text) > _LARGEST:
        raise RecordError(f"it would be larger than {_LARGEST:,} bytes when unpacked")
    return text


def _result(head: Any, records: list[Any]) -> Result:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RecordError(f"its first line does not say that it is a result of format {FORMAT}")
    known = Terms.__dataclass_fields__
    for name in (*known, *_KINDS):
        if name not in head:
            raise RecordError(f"{name!r} is missing")
        if name in _KINDS and type(head[name]) is not _KINDS[name]:
            raise RecordError(f"{name!r} is {head[name]!r}, and not of the kind {_KINDS[name].__name__}")
    if not {"tables", "public", "held_out"} <= head["figures"].keys():
        raise RecordError("its figures lack a part")
    if not all(isinstance(record, dict) for record in records):
        raise RecordError("a line is no record")
    terms = Terms(**{name: head[name] for name in known})
    made = {name: head.get(name) for name in ("versions", "hardware")}
    return Result(terms, head["figures"], records, bool(head["complete"]), head["games"], head["sha256"], made)
