"""What a data set's folder says of itself: what was played, by whom, from which seeds, and what its files are."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, fields, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from ttr_env import maps
from ttr_env.errors import MapError, RecordError
from ttr_env.game.files import from_json, in_one_piece, read_bytes
from ttr_env.maps.faults import shortened
from ttr_env.options import GAME_OPTIONS, MAX_DECISIONS, Variant, whole_number

FILE = "manifest.json"
FORMAT = 1
MAX_BYTES = 16 * 2**20  # of a manifest

MAX_GAMES = 2**20  # of a data set
MAX_SHARDS = 2**15  # whose names and digests are within a manifest's bytes
MAX_SEED = 2**22 - 1
# The seeds that all deals of all data sets come from: game 5 of the data set with seed 3 has SEEDS[3 * MAX_GAMES + 5].
SEEDS = range(2**40, 2**40 + (MAX_SEED + 1) * MAX_GAMES)

# What a teacher may think of an action (`ttr_env.agents.Thought`), and what it is called in a batch.
THOUGHTS = {"probability": "probabilities", "mean": "means", "error": "errors"}


@dataclass(frozen=True)
class Shard:
    """One file of a data set."""

    file: str
    games: int
    decisions: int
    sha256: str
    thoughts: tuple[str, ...] = ()  # those of `THOUGHTS` that the teacher has


@dataclass(frozen=True)
class Manifest:
    """What a data set is. It is complete when its shards have as many games as it says.

    >>> told = Manifest.plan(["planner", "greedy"], Variant.of("nederland"), games=1000, seed=3)
    >>> told.deal_seed(5) == SEEDS[3 * MAX_GAMES + 5], told.seated(1)
    (True, ['greedy', 'planner'])
    """

    map: str
    map_digest: str
    players: int
    tolls: bool
    neutral_player: bool
    agents: tuple[str, ...]  # by seat in the first game; each moves on by one in the next
    teacher: str | None
    seed: int
    games: int  # that were asked for
    shard_size: int  # games in each file but the last
    versions: dict[str, str]
    shards: tuple[Shard, ...] = ()
    format: int = FORMAT

    @classmethod
    def plan(
        cls,
        agents: list[str],
        variant: Variant,
        games: int,
        seed: int = 0,
        teacher: str | None = None,
        shard_size: int = 500,
    ) -> Manifest:
        """The manifest of a data set of which nothing has been played yet."""
        if not 1 <= whole_number(games, "games") <= MAX_GAMES:
            raise ValueError(f"games: a number from 1 to {MAX_GAMES} is needed, not {games}")
        if not 0 <= whole_number(seed, "seed") <= MAX_SEED:
            raise ValueError(f"seed: a number from 0 to {MAX_SEED} is needed, not {seed}")
        if games > MAX_SHARDS * shard_size:
            fewest = -(-games // MAX_SHARDS)
            raise ValueError(f"shard_size: at least {fewest} is needed for {games:,} games, not {shard_size}")
        options = {name: getattr(variant, name) for name in GAME_OPTIONS}
        named: dict[str, Any] = {"map": variant.map.name, "map_digest": variant.map.digest, **options}
        return cls(
            **named,
            agents=tuple(agents),
            teacher=teacher,
            seed=seed,
            games=games,
            shard_size=min(shard_size, MAX_GAMES),
            versions=_versions(),
        )

    def variant(self) -> Variant:
        """The game that was played; a `RecordError` if its map is not the one that it was."""
        try:
            board = maps.load(self.map)
        except (MapError, TypeError) as error:
            raise RecordError(f"{FILE}: map: {error}") from error
        if board.digest != self.map_digest:
            raise RecordError(f"{FILE}: map_digest: the games were played on another version of {board.title}")
        try:
            return Variant.of(board, players=self.players, tolls=self.tolls, neutral_player=self.neutral_player)
        except (TypeError, ValueError) as error:
            raise RecordError(f"{FILE}: {error}") from error

    def deal_seed(self, game: int) -> int:
        """The seed that a game is dealt from."""
        return SEEDS[self.seed * MAX_GAMES + game]

    def seated(self, game: int) -> list[str]:
        """Who plays a game, by seat."""
        return [self.agents[(seat - game) % self.players] for seat in range(self.players)]

    def shard_games(self, number: int) -> range:
        """Which games the file with this number has."""
        first = number * self.shard_size
        return range(first, min(first + self.shard_size, self.games))

    @property
    def names(self) -> list[str]:
        """The agents, each once."""
        return list(dict.fromkeys(self.agents))

    @property
    def played(self) -> int:
        """How many games there are so far."""
        return sum(shard.games for shard in self.shards)

    @property
    def decisions(self) -> int:
        """How many decisions there are so far."""
        return sum(shard.decisions for shard in self.shards)

    @property
    def thoughts(self) -> list[str]:
        """What the teacher thinks of actions: some of `THOUGHTS`."""
        return [name for name in THOUGHTS if any(name in shard.thoughts for shard in self.shards)]

    def with_shard(self, shard: Shard) -> Manifest:
        """The same with one more file."""
        return replace(self, shards=(*self.shards, shard))

    def difference(self, other: Manifest) -> str | None:
        """What another data set was asked to be that this is not, in words; None if both are the same."""
        for name in ("map", "map_digest", *GAME_OPTIONS, "agents", "teacher", "seed", "games", "shard_size"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                return f"{name}: {_shown(mine)} there, {_shown(theirs)} here"
        return None

    def save(self, folder: Path) -> None:
        """Write the file, in one piece."""
        with in_one_piece(folder / FILE) as place:
            place.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Manifest:
        """What a folder says of itself; a `RecordError` if it is no data set."""
        file = Path(folder) / FILE
        try:
            content = read_bytes(file, MAX_BYTES)
        except RecordError as error:
            raise RecordError(f"{error}; {folder} is no data set") from error
        try:
            told = from_json(content, containers=2 * MAX_SHARDS + 100)
        except RecordError as error:
            raise RecordError(f"{file} {error}") from error
        try:
            return cls._checked(told)
        except ValueError as error:
            raise RecordError(f"{file} is damaged or no manifest: {error}") from error

    @classmethod
    def _checked(cls, told: Any) -> Manifest:
        _check_fields(told, cls)
        if told["format"] != FORMAT:
            raise ValueError(f"format {shortened(told['format'])} is unknown; this version reads format {FORMAT}")
        agents = tuple(_list_of(told, "agents", str))
        if len(agents) != told["players"]:
            raise ValueError(f"agents: {shortened(told['players'])} are needed, one for each seat, not {len(agents)}")
        for name, least, most in (("seed", 0, MAX_SEED), ("games", 1, MAX_GAMES), ("shard_size", 1, MAX_GAMES)):
            if not least <= told[name] <= most:
                raise ValueError(f"{name}: a number from {least} to {most} is needed, not {shortened(told[name])}")
        if not all(isinstance(version, str) for version in told["versions"].values()):
            raise ValueError("versions: all of them must be texts")
        found = cls(**{**told, "agents": agents, "shards": ()})
        for number, shard in enumerate(_list_of(told, "shards", dict)):
            found._check_shard(number, shard)
        shards = [Shard(**{**shard, "thoughts": tuple(shard["thoughts"])}) for shard in told["shards"]]
        return replace(found, shards=tuple(shards))

    def _check_shard(self, number: int, told: Any) -> None:
        """See that what is said of the file with this number can be so."""
        _check_fields(told, Shard)
        file, games = told["file"], self.shard_games(number)
        if file != shard_name(number):
            raise ValueError(f"file {shortened(file)} is none of a data set; {shard_name(number)} is its place")
        if not games or told["games"] != len(games):
            raise ValueError(f"{file} has {shortened(told['games'])} games, not {len(games)} as the others want it")
        if not len(games) <= told["decisions"] <= len(games) * MAX_DECISIONS:
            raise ValueError(f"{file}: decisions: {len(games)} games have not {shortened(told['decisions'])} of them")
        thoughts = _list_of(told, "thoughts", str)
        if not set(thoughts) <= set(THOUGHTS):
            raise ValueError(f"{file}: thoughts: there are {', '.join(THOUGHTS)}, not {shortened(thoughts)}")
        if thoughts and self.teacher is None:
            raise ValueError(f"{file}: thoughts: without a teacher there are none, not {shortened(thoughts)}")


def shard_name(number: int) -> str:
    """What the file with this number is called.

    >>> shard_name(7)
    'part-00007.jsonl.gz'
    """
    return f"part-{number:05d}.jsonl.gz"


_KINDS: dict[str, Any] = {"int": int, "str": str, "bool": bool, "str | None": (str, type(None)), "dict[str, str]": dict}


def _check_fields(told: Any, kind: Any) -> None:
    """See that a dictionary has the fields of a class, and that they are of their types."""
    if not isinstance(told, dict):
        raise ValueError("a dictionary is needed")
    for field in fields(kind):
        if field.name not in told:
            raise ValueError(f"{field.name!r} is missing")
        value, wanted = told[field.name], _KINDS.get(str(field.type), list)
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise ValueError(f"{field.name}: {shortened(value)} is not of its type")
    unknown = set(told) - {field.name for field in fields(kind)}
    if unknown:
        raise ValueError(f"{shortened(min(unknown))} is unknown")


def _list_of(told: dict[str, Any], name: str, kind: type) -> list[Any]:
    if not all(isinstance(each, kind) for each in told[name]):
        raise ValueError(f"{name}: all of it must be {kind.__name__}")
    return list(told[name])


def _shown(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) < 60 else f"{text[:60]}…"


def _versions() -> dict[str, str]:
    named = {name: metadata.version(name) for name in ("numpy", "numba")}
    from ttr_env import __version__

    return {"ttr-env": __version__, "python": platform.python_version(), **named}
