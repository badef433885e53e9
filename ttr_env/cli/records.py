"""Records of games in files."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ttr_env.cli.errors import UserError
from ttr_env.errors import RecordError
from ttr_env.game import Game
from ttr_env.game.files import from_json, in_one_piece, is_special
from ttr_env.game.records import names

MAX_BYTES = 2**27  # of a file, unpacked
MAX_CONTAINERS = 100_000  # lists and dictionaries of a record, which may tell a whole position


def replay(file: Path) -> tuple[Game, list[str]]:
    """The game at the end of the record in a file, and who played."""
    record = read(file)
    with reporting_damage(file):
        return Game.replay(record), names(record)


@contextmanager
def reporting_damage(file: Path) -> Iterator[None]:
    """Say of which file it is that something cannot be replayed."""
    try:
        yield
    except RecordError as error:
        raise UserError(f"{file} is damaged or no record: {error}") from error


def read(file: Path, number: int = 1) -> Any:
    """What a file holds, or its line with this number where there is a record on each; nothing is checked yet."""
    try:
        content = _content(file).strip()
        lines = content.splitlines() or [b""]
        if not _is_json(lines[0]):  # one record on many lines
            lines = [content]
        if not 1 <= number <= len(lines):
            raise UserError(f"{file} has {len(lines)} games; --game {number} is not one of them")
        return from_json(lines[number - 1], MAX_CONTAINERS)
    except RecordError as error:
        raise UserError(f"{file} is no record: it {error}") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{file} is no record: it is damaged, or not packed by gzip") from error
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from error


def _content(file: Path) -> bytes:
    """The bytes of a file, which may be packed, such as one of a data set; a device might give them without end."""
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
        content = opened.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UserError(f"{file} is no record: it has more than {MAX_BYTES} bytes, unpacked if it is packed")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is no record: it is not text") from error
    return content


def _is_json(line: bytes) -> bool:
    try:
        from_json(line, MAX_CONTAINERS)
    except RecordError:
        return False
    return True


def check_writable(file: Path | None) -> None:
    """Complain now about a file that could not be written in the end."""
    if file is None:
        return
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UserError(f"{file} cannot be written: there is no folder {folder}")
    if file.is_dir():
        raise UserError(f"{file} cannot be written: it is a folder; name a file in it")
    needed = [file] if is_special(file) else [file.resolve().parent, *([file] if file.exists() else [])]
    if not all(os.access(place, os.W_OK) for place in needed):
        raise UserError(f"{file} cannot be written: that is not allowed here")


def check_replaceable(file: Path) -> None:
    """Complain about a file that is there already and holds anything but a record."""
    if file.exists():
        try:
            replay(file)
        except UserError as error:
            raise UserError(f"{file} is there already, and no saved game; choose another name") from error


def write(file: Path, game: Game, names: Sequence[str]) -> None:
    """Write the record of a game, with the players' names."""
    try:
        with in_one_piece(file) as place:
            place.write_text(json.dumps({**game.record(), "agents": list(names)}) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror}") from error
