"""The files of a data set, read: records as arrays, replayed once, and what their teacher thought of the decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ttr_env.batch import replaying
from ttr_env.batch.replaying import Moves, Opinions
from ttr_env.data import taught
from ttr_env.data.columns import whole_numbers
from ttr_env.data.manifest import Manifest, Shard
from ttr_env.data.taught import Taught
from ttr_env.engine.board import board
from ttr_env.errors import RecordError
from ttr_env.game import Game, records
from ttr_env.game.files import Room, from_json, packed_lines, read_bytes
from ttr_env.maps.faults import shortened
from ttr_env.options import GAME_OPTIONS, MAX_DECISIONS, Variant

MAX_BYTES = 2**26  # of a shard, unpacked
MAX_LINE = 2**17  # bytes of a record: several times what the longest game takes
MAX_TAUGHT_LINE = 2**24  # and where a teacher has thought of all that was legal
MAX_CONTAINERS = 200  # lists and dictionaries of a record; it has eleven, but names may have brackets, too


@dataclass(frozen=True)
class Games:
    """The games of a shard, which have been replayed once: all of their actions are legal."""

    heads: list[dict[str, Any]]  # the records without their actions
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

    def records(self) -> Iterator[dict[str, Any]]:
        """The games as `Game.replay` takes them, with who played."""
        return map(self.record, range(len(self.heads)))

    def record(self, game: int) -> dict[str, Any]:
        """One of them."""
        return {**self.heads[game], "actions": self.actions[self.begins[game] : self.begins[game + 1]].tolist()}

    def place(self, decision: int) -> tuple[int, int]:
        """The line of a decision, counted from 1, and the step in its game."""
        line = int(np.searchsorted(self.begins, decision, side="right"))
        return line, decision - int(self.begins[line - 1])


class _Part(NamedTuple):
    """What a line holds."""

    head: dict[str, Any]
    actions: np.ndarray
    taught: Taught | None


class Reader:
    """Reads the shards of one data set."""

    def __init__(self, folder: Path, manifest: Manifest, variant: Variant, space: np.ndarray) -> None:
        """Read with this space to work in, [1] of `replaying.SPACE`."""
        self._folder, self._manifest, self._variant, self._space = folder, manifest, variant, space
        self._thoughts, self._names = manifest.thoughts, manifest.names

    def read(self, number: int) -> Games:
        """The games of the shard with this number."""
        shard = self._manifest.shards[number]
        parts = self._parts(number, shard)
        lengths = [len(part.actions) for part in parts]
        if sum(lengths) != shard.decisions:
            told = f"{sum(lengths):,} decisions, not {shortened(shard.decisions)} as the manifest says"
            raise RecordError(f"{self._folder / shard.file} has {told}")
        heads = [part.head for part in parts]
        seeds = np.array([head["seed"] for head in heads], np.uint64)
        begins = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        actions = np.concatenate([part.actions for part in parts])
        deciders = np.array([[self._names.index(name) for name in head["agents"]] for head in heads], np.int8)
        thoughts = [part.taught for part in parts if part.taught is not None]
        opinions = taught.joined(thoughts, len(self._thoughts))
        choices = values = None
        if thoughts:
            choices = np.concatenate([each.choices for each in thoughts])
            values = np.concatenate([each.values for each in thoughts])
        shape = (len(parts), self._variant.players)
        returns, totals = np.zeros(shape, np.float32), np.zeros(shape, np.int32)
        games = Games(heads, seeds, begins, actions, deciders, returns, totals, opinions, choices, values)
        self._judge(shard, games)
        return games

    def _parts(self, number: int, shard: Shard) -> list[_Part]:
        """What the lines of a shard hold; a `RecordError` if the file is not the one that was written."""
        file, games = self._folder / shard.file, self._manifest.shard_games(number)
        packed = read_bytes(file, MAX_BYTES)
        if hashlib.sha256(packed).hexdigest() != shard.sha256:
            raise RecordError(f"{file} is damaged or another file: its SHA-256 is not what the manifest says")
        parts: list[_Part] = []
        for line in self._lines(file, packed, len(games)):
            with _telling(file, len(parts) + 1):
                parts.append(self._part(from_json(line, MAX_CONTAINERS), games[len(parts)], shard.thoughts))
        if len(parts) != shard.games:
            raise RecordError(f"{file} has {len(parts)} games, not {shard.games} as the manifest says")
        return parts

    def _lines(self, file: Path, packed: bytes, games: int) -> Iterator[bytes]:
        longest = MAX_LINE if self._manifest.teacher is None else MAX_TAUGHT_LINE
        try:
            yield from packed_lines(packed, Room(games, longest, MAX_BYTES))
        except RecordError as error:
            raise RecordError(f"{file} {error}") from error

    def _part(self, line: Any, game: int, thoughts: Sequence[str]) -> _Part:
        """What the record of a game says, which must be the one that the manifest has in this place."""
        if not isinstance(line, dict):
            raise RecordError(f"a record is a dictionary, not {type(line).__name__}")
        head = self._head(game)
        for name, value in head.items():
            found = line.get(name)
            if name not in line or type(found) is not type(value) or found != value:  # 2.0 is not 2
                raise RecordError(f"{name}: {shortened(value)} is needed, not {shortened(found)}")
        actions = whole_numbers(line, "actions")
        if not 1 <= len(actions) <= MAX_DECISIONS:
            raise RecordError(f"actions: from 1 to {MAX_DECISIONS:,} are needed, and there are {len(actions):,}")
        if self._manifest.teacher is None:
            return _Part(head, actions, None)
        number = self._variant.num_actions
        return _Part(head, actions, taught.read(line.get("teacher"), len(actions), number, self._thoughts, thoughts))

    def _head(self, game: int) -> dict[str, Any]:
        """All that the manifest says of a game's record."""
        manifest = self._manifest
        told = {name: getattr(manifest, name) for name in ("map", "map_digest", *GAME_OPTIONS)}
        deal = {"seed": manifest.deal_seed(game), "start": None, "agents": manifest.seated(game)}
        return {"format": records.FORMAT, **told, **deal}

    def _judge(self, shard: Shard, games: Games) -> None:
        """Replay the games of a shard; a `RecordError` says what cannot have happened."""
        file, b, players = self._folder / shard.file, board(self._variant.map), self._variant.players
        moves = games.moves(np.ones((len(games.seeds), players), np.bool_), np.arange(len(games.seeds)))
        over = np.zeros(len(games.seeds), np.bool_)
        wrong = replaying.judge_games(b, moves, self._space, games.returns, games.totals, over)
        if wrong >= 0:
            line, _ = games.place(wrong)
            with _telling(file, line):
                Game.replay(games.record(line - 1))
        unfinished = np.flatnonzero(~over & (np.diff(games.begins) < MAX_DECISIONS))
        if len(unfinished):
            with _telling(file, int(unfinished[0]) + 1):
                raise RecordError("actions: they end before the game does")
        if games.choices is not None:
            wrong = replaying.judge_opinions(b, moves, games.choices, games.opinions, self._space)
            if wrong >= 0:
                line, step = games.place(wrong)
                with _telling(file, line):
                    raise RecordError(f"teacher: step {step}: it would do, or thinks of, what is illegal there")


@contextmanager
def _telling(file: Path, line: int) -> Iterator[None]:
    """Say of which line it is that something is wrong."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{file}, line {line}: {error}") from error
