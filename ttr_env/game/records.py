"""Records: how a game came about, in a form that can be saved as JSON and replayed anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttr_env import maps
from ttr_env.errors import IllegalAction, MapError, RecordError, SnapshotError
from ttr_env.game.types import Record, Snapshot, keys
from ttr_env.maps.faults import shortened
from ttr_env.options import GAME_OPTIONS, GameOptions, Variant, of_kind

if TYPE_CHECKING:
    from ttr_env.game import Game

FORMAT = 1


def write(variant: Variant, seed: int | None, start: Snapshot | None, actions: Sequence[int]) -> Record:
    """The record of a game that was dealt from a seed, or went on from a snapshot `start`."""
    return {
        "format": FORMAT,
        "map": variant.map.name,
        "map_digest": variant.map.digest,
        "players": variant.players,
        "tolls": variant.tolls,
        "neutral_player": variant.neutral_player,
        "seed": seed,
        "start": start,
        "actions": list(actions),
    }


def names(record: Mapping[str, Any]) -> list[str]:
    """Who played, by seat, where the record says so.

    >>> names({"players": 2}), names({"players": 2, "agents": ["planner", "you"]})
    (['player 0', 'player 1'], ['planner', 'you'])
    """
    seats = record["players"]
    given = record.get("agents")
    if isinstance(given, list) and len(given) == seats and all(isinstance(name, str) for name in given):
        return [_shown(name) for name in given]
    return [f"player {seat}" for seat in range(seats)]


def _shown(name: str) -> str:
    """A name from a file as a terminal may be told it: without letters that steer it.

    >>> _shown("plan" + chr(27) + "[2Jner")
    'plan?[2Jner'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in name[:200])


def replay(record: Mapping[str, Any], game_type: type[Game]) -> Game:
    """The game at the end of a record."""
    game = begin(record, game_type)
    for step, action in enumerate(record["actions"]):
        take(game, step, action)
    return game


def take(game: Game, step: int, action: int) -> None:
    """Take the action of a record's step."""
    try:
        game.step(action)
    except IllegalAction as error:
        raise RecordError(f"step {step}: {error}") from error


def begin(record: Mapping[str, Any], game_type: type[Game]) -> Game:
    """The game before the first action of a record."""
    if not isinstance(record, Mapping):
        raise RecordError(f"step 0: a record is a dictionary, not {type(record).__name__}")
    for key in keys(Record):
        if key not in record:
            raise RecordError(f"step 0: {key!r} is missing")
    if record["format"] != FORMAT:
        raise RecordError(
            f"step 0: format {shortened(record['format'])} is unknown; this version reads format {FORMAT}"
        )
    if not isinstance(record["actions"], list):
        raise RecordError(f"step 0: actions must be a list, not {type(record['actions']).__name__}")
    try:
        return _deal(record, game_type)
    except (MapError, SnapshotError, TypeError, ValueError) as error:
        raise RecordError(f"step 0: {error}") from error


def _deal(record: Mapping[str, Any], game_type: type[Game]) -> Game:
    map = maps.load(record["map"])
    if map.digest != record["map_digest"]:
        raise RecordError(
            f"map: the record was played on another version of {map.title}, {shortened(record['map_digest'])}"
        )
    if record["start"] is not None:
        game = game_type.from_snapshot(record["start"])
        for key in ("map", *GAME_OPTIONS):
            ours, its = record[key], record["start"][key]
            if type(ours) is not type(its) or ours != its:  # 3.0 is not 3
                raise RecordError(f"start: its {key} is {shortened(its)}, but the record's is {shortened(ours)}")
        return game
    if record["seed"] is None:
        raise RecordError("seed: a seed or a start is needed")
    return game_type(map, seed=record["seed"], **of_kind(record, GameOptions))
