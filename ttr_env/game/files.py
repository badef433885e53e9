"""Files that are written as a whole or not at all, and read within bounds, whatever somebody has put into them."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ttr_env.errors import RecordError


@contextmanager
def in_one_piece(file: Path) -> Iterator[Path]:
    """Where to write what belongs into a file: if that fails, as on a full disk, the file stays as it was.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with in_one_piece(folder / "game.json") as place:
    ...     _ = place.write_text("{}")
    >>> [each.name for each in folder.iterdir()]
    ['game.json']
    """
    if is_special(file):
        yield file
        return
    target = file.resolve()  # of a link, the file that it leads to
    unfinished = target.with_name(f".{target.stem}.unfinished{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    finally:
        if unfinished.is_file():
            unfinished.unlink()


def is_special(file: Path) -> bool:
    """Whether it is a device or a pipe, such as /dev/null, in whose place no file must be put."""
    return file.exists() and not file.is_file()


def read_bytes(file: Path, most: int) -> bytes:
    """The content of a file; a `RecordError` if it has more bytes than `most`, or might never end."""
    try:
        if is_special(file):
            raise RecordError(f"{file} cannot be read: it is no file, but a folder, a pipe or a device")
        with file.open("rb") as opened:
            size = os.fstat(opened.fileno()).st_size  # as many bytes are set aside as are asked for
            content = opened.read(min(size, most) + 1)
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from error
    if len(content) > most:
        raise RecordError(f"{file} is larger than {most:,} bytes")
    return content


class Room(NamedTuple):
    """How much may come out of a packed file, of which a few bytes can become any number."""

    lines: int
    line: int  # bytes of each
    whole: int  # bytes of all


def packed_lines(packed: bytes, room: Room) -> Iterator[bytes]:
    r"""The lines of a text that gzip has packed, without their ends; no more is unpacked than is asked for.

    A `RecordError`, which begins with a verb for the file's name to be put before, says what is wrong.

    >>> list(packed_lines(gzip.compress(b"one\ntwo\n"), Room(lines=2, line=10, whole=100)))
    [b'one', b'two']
    """
    size = 0
    try:
        with gzip.open(io.BytesIO(packed)) as opened:
            for number in range(1, room.lines + 2):
                line = opened.readline(room.line + 2)
                if not line:
                    return
                size += len(line)
                text = line.removesuffix(b"\n")
                _check_room(number, len(text), size, room)
                yield text
    except EOFError as error:
        raise RecordError("is cut off") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise RecordError("is no gzip file, or a damaged one") from error


def _check_room(number: int, length: int, size: int, room: Room) -> None:
    if number > room.lines:
        raise RecordError(f"has more than {room.lines:,} lines")
    if length > room.line:
        raise RecordError(f"has a line that is too long: line {number} has more than {room.line:,} bytes")
    if size > room.whole:
        raise RecordError(f"unpacks to more than {room.whole:,} bytes")


def from_json(text: bytes, containers: int) -> Any:
    """What a text says in JSON; a `RecordError` if it has more lists and dictionaries than `containers`.

    Each of them takes two letters, and as much memory as thirty numbers.

    >>> from_json(b'{"actions": [1, 2]}', containers=2)
    {'actions': [1, 2]}
    """
    if text.count(b"[") + text.count(b"{") > containers:
        raise RecordError(f"has more than {containers:,} lists and dictionaries")
    try:
        return json.loads(text, parse_constant=_refuse)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"is not JSON: {error}") from error
    except RecursionError:
        raise RecordError("has lists that are nested too deeply") from None
    except RecordError:
        raise
    except ValueError:  # Python's own words are about a setting
        raise RecordError("has a number of thousands of digits") from None


def _refuse(number: str) -> NoReturn:
    raise RecordError(f"is not JSON, which has no {number}")
