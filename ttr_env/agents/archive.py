"""Arrays of numbers and a description in JSON, in one .npz file: without pickle, and without trust in the file.

What a file says of its sizes is looked at before anything is unpacked, so that a small file cannot become a large one.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ttr_env.errors import PolicyFileError
from ttr_env.game.files import in_one_piece

MAX_BYTES = 128 * 2**20  # of all that is in a file, unpacked
MAX_DESCRIPTION = 2**20  # bytes of the description
MAX_LIST = 2**16  # bytes of the list of what is in a file
MAX_HEADER = 2**10  # bytes before the numbers of an array

_DESCRIPTION = "description.npy"
_BYTES, _FLOATS = ("|u1",), ("<f4", "<f8")
_HEADER = re.compile(
    rb"\s*\{\s*'descr':\s*'(?P<kind>[^']*)',\s*'fortran_order':\s*(?P<fortran>True|False),"
    rb"\s*'shape':\s*\((?P<shape>[\d, ]*)\),?\s*\}\s*"
)

# What reading a file raises of which not every byte is as it was written.
DAMAGE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)

Arrays = dict[str, np.ndarray]


def write(path: str | os.PathLike[str], description: dict[str, Any], arrays: Arrays) -> None:
    """Write an archive, in one piece or not at all."""
    described = np.frombuffer(json.dumps(description).encode(), np.uint8)
    with in_one_piece(Path(path)) as place, place.open("wb") as file:
        np.savez_compressed(file, **savable({"description": described, **arrays}))


def savable(arrays: Arrays) -> dict[str, Any]:
    """These arrays, for `np.savez`: it would pickle objects, and before NumPy 2.1 it cannot be told not to.

    >>> list(savable({"weights": np.zeros(2)}))
    ['weights']
    >>> savable({"weights": np.array([None])})
    Traceback (most recent call last):
    ValueError: weights: objects are no numbers, and are not written
    """
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise ValueError(f"{name}: objects are no numbers, and are not written")
    return arrays


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], Arrays]:
    """The description of an archive, and its arrays as float32, all of them finite.

    What is wrong with the file is a `PolicyFileError`, or one of `DAMAGE`.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        _check_list(file)
        with zipfile.ZipFile(file) as archive:
            members = {member.filename: member for member in archive.infolist()}
            _check_sizes(archive.infolist())
            if _DESCRIPTION not in members:
                raise ValueError("there is no description in it")
            description = json.loads(_array(archive, members.pop(_DESCRIPTION), _BYTES).tobytes())
            arrays = {name.removesuffix(".npy"): _array(archive, each, _FLOATS) for name, each in members.items()}
    if not isinstance(description, dict):
        raise PolicyFileError("its description is no table of names and values")
    return description, {name: _finite(name, array) for name, array in arrays.items()}


def _open_at_once(path: str, flags: int) -> int:
    """Open a file, and do not wait for somebody to write to it if it is none but a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_list(file: BinaryIO) -> None:
    """See that there is a short list of what is in the file, before it is read."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise ValueError("it is no plain file")
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 2**16 - 22))
    end = file.read()
    place = end.rfind(b"PK\5\6")
    if place < 0 or len(end) - place < 22:
        raise ValueError("there is no whole .npz archive in it")
    (length,) = struct.unpack_from("<L", end, place + 12)
    if length > MAX_LIST or end[max(0, place - 20) : place].startswith(b"PK\6\7"):
        raise PolicyFileError("it has more parts than a policy has")


def _check_sizes(members: list[zipfile.ZipInfo]) -> None:
    """See that what is in the file is not too much, and packed in the usual way."""
    for member in members:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
            raise PolicyFileError(f"{member.filename!r} is packed or locked in a way that policies are not")
        if member.filename == _DESCRIPTION and member.file_size > MAX_DESCRIPTION:
            raise PolicyFileError(f"its description has {member.file_size} bytes, more than {MAX_DESCRIPTION}")
    if len({member.filename for member in members}) < len(members):
        raise PolicyFileError("two of its parts have the same name")
    total = sum(member.file_size for member in members)
    if total > MAX_BYTES:
        raise PolicyFileError(f"it would unpack to {total} bytes, more than {MAX_BYTES}")


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, kinds: tuple[str, ...]) -> np.ndarray:
    """The array of one of these kinds that a part of an archive holds, if it has as many numbers as it says."""
    with archive.open(member) as file:
        content = file.read(member.file_size)  # and no more: without a number, all that is packed is unpacked first
    begin = _begin(content)
    header = _HEADER.fullmatch(content, 10, begin)
    if header is None or header["kind"].decode() not in kinds:
        raise ValueError(f"{member.filename!r} is no array of numbers")
    kind, shape = np.dtype(header["kind"].decode()), tuple(map(int, re.findall(rb"\d+", header["shape"])))
    if len(content) - begin != math.prod(shape) * kind.itemsize:
        raise ValueError(f"{member.filename!r} has not as many numbers as it says")
    return np.frombuffer(content, kind, offset=begin).reshape(shape, order="F" if header["fortran"] == b"True" else "C")


def _begin(content: bytes) -> int:
    """Where the numbers of an array begin."""
    if content[:8] != np.lib.format.magic(1, 0):
        raise ValueError("a part of it is no array")
    begin = 10 + int(struct.unpack_from("<H", content, 8)[0])
    if begin > min(MAX_HEADER, len(content)):
        raise ValueError("a part of it is no array of numbers")
    return begin


def _finite(name: str, array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        numbers = np.array(array, np.float32, order="C")
    if not np.isfinite(numbers).all():
        raise PolicyFileError(f"not all numbers of {name!r} are finite")
    return numbers
