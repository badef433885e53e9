"""Reading a shard: from lines of JSON to arrays that compiled code replays, and not a byte of it trusted."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.batch import replaying
from ttr_env.batch.replaying import Moves, Opinions
from ttr_env.data.manifest import Manifest, Shard
from ttr_env.engine.board import board
from ttr_env.errors import RecordError
from ttr_env.game import Game, records
from ttr_env.options import GAME_OPTIONS, Variant, check_seed

MAX_BYTES = 2**29  # of a shard, unpacked


@dataclass(frozen=True)
class Games:
    """The games of a shard, which have been replayed once: all of their actions are legal."""

    lines: list[dict[str, Any]]  # the records
    seeds: np.ndarray  # uint64 [games]
    begins: np.ndarray  # int64 [games + 1]
    actions: np.ndarray  # int64 [decisions]
    deciders: np.ndarray  # int8 [games, players]: who sat there, by the number of the name
    returns: np.ndarray  # float32 [games, players]
    totals: np.ndarray  # int32 [games, players]
    opinions: Opinions
    choices: np.ndarray | None  # int64 [decisions]: what the teacher would do
    values: np.ndarray | None  # float32 [decisions]: what it thinks the position is worth

    def moves(self, wanted: np.ndarray, order: np.ndarray) -> Moves:
        """The games as they are shown: in this order, with the decisions of the wanted [games, players]."""
        return Moves(self.seeds, self.begins, self.actions, wanted, order)


def read_records(folder: Path, shard: Shard) -> list[Any]:
    """What the lines of a shard hold; a `RecordError` if the file is not the one that was written."""
    file = folder / shard.file
    try:
        packed = file.read_bytes()
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from error
    if hashlib.sha256(packed).hexdigest() != shard.sha256:
        raise RecordError(f"{file} is damaged or another file: its SHA-256 is not what the manifest says")
    unpacker = zlib.decompressobj(wbits=31)  # gzip
    try:
        text = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error as error:
        raise RecordError(f"{file} is no gzip file") from error
    if not unpacker.eof:
        raise RecordError(f"{file} is cut off, or unpacks to more than {MAX_BYTES} bytes")
    try:
        found = [json.loads(line) for line in text.splitlines()]
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file} is no file of records: {error}") from error
    if len(found) != shard.games:
        raise RecordError(f"{file} has {len(found)} games, not {shard.games} as the manifest says")
    return found


class Reader:
    """Reads the shards of one data set."""

    def __init__(self, folder: Path, manifest: Manifest, variant: Variant, space: np.ndarray) -> None:
        """Read with this space to work in, [1] of `replaying.SPACE`."""
        self._folder, self._manifest, self._variant, self._space = folder, manifest, variant, space
        self._thoughts = manifest.thoughts

    def read(self, shard: Shard) -> Games:
        """The games of a shard."""
        lines = read_records(self._folder, shard)
        parts = [self._at(shard, number, line, self._part) for number, line in enumerate(lines, start=1)]
        begins = np.concatenate([[0], np.cumsum([len(actions) for actions, _, _ in parts])]).astype(np.int64)
        actions = np.concatenate([actions for actions, _, _ in parts]).astype(np.int64)
        seeds = np.array([line["seed"] for line in lines], np.uint64)
        players = self._variant.players
        returns, totals = np.zeros((len(lines), players), np.float32), np.zeros((len(lines), players), np.int32)
        moves = Moves(seeds, begins, actions, np.ones((len(lines), players), np.bool_), np.arange(len(lines)))
        wrong = replaying.judge_games(board(self._variant.map), moves, self._space, returns, totals)
        if wrong >= 0:
            number = int(np.searchsorted(begins, wrong, side="right"))
            self._at(shard, number, lines[number - 1], Game.replay)
        choices = values = None
        taught = [opinion for _, _, opinion in parts if opinion is not None]
        if self._manifest.teacher is not None:
            choices = np.concatenate([opinion["choices"] for opinion in taught]).astype(np.int64)
            values = np.concatenate([opinion["values"] for opinion in taught])
        deciders = np.array([seated for _, seated, _ in parts], np.int8)
        opinions = _joined(taught, self._thoughts)
        return Games(lines, seeds, begins, actions, deciders, returns, totals, opinions, choices, values)

    def _at(self, shard: Shard, number: int, line: Any, read: Callable[[Any], Any]) -> Any:
        """What is read from a line; what is wrong with it is said of the line."""
        try:
            return read(line)
        except (ValueError, TypeError, OverflowError) as error:
            raise RecordError(f"{self._folder / shard.file}, line {number}: {error}") from error

    def _part(self, line: Any) -> tuple[np.ndarray, list[int], dict[str, np.ndarray] | None]:
        """The actions of a record, who played, and what the teacher thought."""
        if not isinstance(line, dict):
            raise RecordError(f"a record is a dictionary, not {type(line).__name__}")
        manifest = self._manifest
        expected = {name: getattr(manifest, name) for name in ("map", "map_digest", *GAME_OPTIONS)}
        for name, value in {"format": records.FORMAT, "start": None, **expected}.items():
            if name not in line or line[name] != value:
                raise RecordError(f"{name}: {value!r} is needed, not {line.get(name)!r}")
        check_seed(line.get("seed"))
        actions = _whole(line, "actions")
        if not len(actions):
            raise RecordError("actions: there are none")
        seated = line.get("agents")
        if not isinstance(seated, list) or len(seated) != manifest.players or not set(seated) <= set(manifest.names):
            raise RecordError(f"agents: {manifest.players} of {', '.join(manifest.names)} are needed, not {seated!r}")
        names = manifest.names
        taught = None if manifest.teacher is None else self._taught(line.get("teacher"), len(actions))
        return actions, [names.index(name) for name in seated], taught

    def _taught(self, told: Any, decisions: int) -> dict[str, np.ndarray]:
        if not isinstance(told, dict):
            raise RecordError("teacher: what it thought is missing")
        found = {name: _whole(told, name) for name in ("choices", "counts", "actions")}
        found["values"] = _numbers(told, "values")
        lengths = {len(found[name]) for name in ("choices", "counts", "values")}
        if lengths != {decisions} or found["counts"].min() < 0 or found["counts"].sum() != len(found["actions"]):
            raise RecordError("teacher: it has not as many thoughts as there are decisions")
        for name in ("choices", "actions"):
            if found[name].size and not 0 <= found[name].min() <= found[name].max() < self._variant.num_actions:
                raise RecordError(f"teacher: {name}: there are {self._variant.num_actions} actions on this map")
        for name in self._thoughts:
            column = _numbers(told, name) if name in told else np.full(len(found["actions"]), np.nan, np.float32)
            if len(column) != len(found["actions"]):
                raise RecordError(f"teacher: {name}: {len(found['actions'])} are needed, not {len(column)}")
            found[name] = column
        return found


def _whole(told: dict[str, Any], name: str) -> np.ndarray:
    """A list of whole numbers as an array."""
    value = told.get(name)
    found = np.array(value) if isinstance(value, list) else None
    if found is None or found.ndim != 1 or not (np.issubdtype(found.dtype, np.integer) or not len(found)):
        raise RecordError(f"{name}: a list of whole numbers is needed")
    return found.astype(np.int64)


def _numbers(told: dict[str, Any], name: str) -> np.ndarray:
    """A list of numbers as an array; not a number where there is none."""
    value = told.get(name)
    if not isinstance(value, list):
        raise RecordError(f"teacher: {name}: a list of numbers is needed")
    found = np.array(value, np.float32)
    if found.ndim != 1:
        raise RecordError(f"teacher: {name}: a list of numbers is needed")
    return found


def _joined(taught: list[dict[str, np.ndarray]], thoughts: list[str]) -> Opinions:
    """What a teacher thought in all games, in one piece."""
    counts = [each["counts"] for each in taught] or [np.zeros(0, np.int64)]
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(counts))])
    if not taught:
        return Opinions(begins, np.zeros(0, np.int64), np.zeros((0, 0), np.float32))
    numbers = np.zeros((len(thoughts), int(begins[-1])), np.float32)
    for row, name in enumerate(thoughts):
        np.concatenate([each[name] for each in taught], out=numbers[row])
    return Opinions(begins, np.concatenate([each["actions"] for each in taught]), numbers)
