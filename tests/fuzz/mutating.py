"""Damage: to bytes, to lines of text, to trees of JSON, and to what is packed in archives."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

Damage = Callable[[bytes, Random], bytes]

NUMBERS: list[Any] = [
    *(0, -1, 1, 2, 3, 5, 9, 64, 127, 128, 255, 256, -128, -129, 32767, 32768, 65536, 2**31 - 1, 2**31, 2**32),
    *(2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, -(10**30), 10**400),
    *(0.0, -0.0, 0.5, 1.0, -1.5, 1e-308, 1e308, float("nan"), float("inf"), float("-inf")),
]
TEXTS = [
    *("", " ", "\n", "\x00", "\x1b[2J", "\r\n", "\ud800", "\u202e", "\ufeff", "ß", "İ", "\U0001f682", "é", "%s{0}"),
    *(
        "../..",
        "-1",
        "1e999",
        "NaN",
        "null",
        "__class__",
        "<b>&'\"",
        "[/x]",
        "[bold]",
        "policy:[/x]",
        "٣",
        "²",
        "x" * 300,
        "ab" * 9000,
    ),
]
LARGE, DEEP = "@@large@@", "@@deep@@"  # what json.dumps would not write
ODD: list[Any] = [*NUMBERS, *TEXTS, None, True, False, [], {}, [[]], [None], {"": 0}, [0] * 70, LARGE, DEEP]
TOKEN_SIGNS = set("0123456789.+-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


# Bytes -------------------------------------------------------------------------------------------


def damage_bytes(data: bytes, rng: Random) -> bytes:
    """Bits flipped, bytes changed, or a piece cut off, cut out, doubled, moved or put in."""
    changed = bytearray(data)
    place = rng.randrange(len(changed) + 1)
    length = rng.choice((1, 2, 4, 16, 64, 1024))
    match rng.randrange(7):
        case 0 if changed:
            for _ in range(rng.choice((1, 1, 2, 8))):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        case 1 if changed:
            changed[rng.randrange(len(changed))] = rng.choice((0, 1, 10, 34, 92, 127, 128, 192, 255))
        case 2:
            del changed[place:]
        case 3:
            del changed[place : place + length]
        case 4:
            changed[place:place] = changed[place : place + length]
        case 5:
            start = rng.randrange(len(changed) + 1)
            changed[place : place + length] = changed[start : start + length]
        case _:
            changed[place:place] = rng.randbytes(length)
    return bytes(changed)


# Text --------------------------------------------------------------------------------------------


def damage_text(data: bytes, rng: Random) -> bytes:
    """Lines dropped, doubled, swapped and moved, and words and numbers in them replaced; or bytes damaged."""
    if rng.random() < 0.1:
        return damage_bytes(data, rng)
    lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True) or [""]
    place = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(rng.randrange(len(lines) + 1), lines[place])
        case 2:
            other = rng.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        case _:
            lines[place] = _damage_line(lines[place], rng)
    return "".join(lines).encode("utf-8", "surrogateescape")


def _damage_line(line: str, rng: Random) -> str:
    """A line in which a word, a number or what stands between them is another one."""
    words = _words(line)
    place = rng.randrange(len(words))
    match rng.randrange(4):
        case 0:
            words[place] = words[rng.randrange(len(words))]
        case 1:
            words[place] = ""
        case 2:
            with contextlib.suppress(ValueError):
                words[place] = str(int(words[place]) + rng.choice((-1, 1, 100, -1000)))
        case _:
            words[place] = _written(rng.choice(ODD))
    return "".join(words)


def _words(line: str) -> list[str]:
    """A line in pieces that are words or numbers, and what is between them."""
    pieces, inside = [""], False
    for sign in line:
        if (sign in TOKEN_SIGNS) != inside:
            pieces.append("")
            inside = not inside
        pieces[-1] += sign
    return pieces


def _written(value: Any) -> str:
    if value == LARGE:
        return "7" * 5000
    if value == DEEP:
        return "[" * 3000 + "]" * 3000
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else json.dumps(value)


# Trees -------------------------------------------------------------------------------------------


def damage_json(data: bytes, rng: Random) -> bytes:
    """A tree of JSON in which something is changed, dropped, doubled, moved or of another type; or bytes damaged."""
    try:
        tree = json.loads(data) if rng.random() > 0.1 else None
    except (ValueError, RecursionError):
        tree = None
    return damage_bytes(data, rng) if tree is None else write_json(damage_tree(tree, rng))


def write_json(tree: Any) -> bytes:
    """A tree as text; numbers and depths that Python does not write are put in."""
    with contextlib.suppress(RecursionError, ValueError):
        text = json.dumps(tree)
        text = text.replace(f'"{LARGE}"', "7" * 5000).replace(f'"{DEEP}"', "[" * 3000 + "]" * 3000)
        return text.encode("utf-8", "surrogatepass")
    return b"null"


def damage_tree(tree: Any, rng: Random) -> Any:
    """The tree with one place of it damaged."""
    places = _places(tree)
    if not places or rng.random() < 0.01:
        return rng.choice(ODD)
    holder, key = rng.choice(places)
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1:
            _double(holder, key, rng)
        case 2:
            other, other_key = rng.choice(places)
            with contextlib.suppress(KeyError, IndexError):
                holder[key] = json.loads(json.dumps(other[other_key]))
        case 3:
            holder[key] = _other_type(holder[key], rng)
        case 4:
            holder[key] = rng.choice(([holder[key]], {"value": holder[key]}))
        case 5 | 6:
            holder[key] = _near(holder[key], rng)
        case _:
            holder[key] = rng.choice(ODD)
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place in a tree: what holds it, and its key or index there."""
    found, todo = [], [tree]
    while todo:
        holder = todo.pop()
        keys: Any = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            found.append((holder, key))
            todo.append(holder[key])
    return found


def _double(holder: Any, key: Any, rng: Random) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), holder[key])
    else:
        holder[rng.choice((key + " ", key.upper(), key[:-1], rng.choice(TEXTS)))] = holder[key]


def _other_type(value: Any, rng: Random) -> Any:
    """The same in another type, as far as there is such a thing."""
    if isinstance(value, bool | None):
        return rng.choice((0, 1, "", "true", []))
    if isinstance(value, int | float):
        return rng.choice((str(value), float(value) if abs(value) < 1e300 else 0.5, [value], bool(value)))
    if isinstance(value, str):
        return rng.choice(([*value[:9]], len(value), None, {value[:9]: 0}))
    return rng.choice((dict(enumerate(map(str, value))), [*value], str(value)[:99], len(value), None))


def _near(value: Any, rng: Random) -> Any:
    """Something of the same type."""
    if isinstance(value, bool | None):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, value * 2, value + rng.randrange(-100, 100)))
    if isinstance(value, float):
        return rng.choice((-value, value * 2, value / 3, float("nan")))
    if isinstance(value, str):
        place = rng.randrange(len(value) + 1)
        return rng.choice((value[:place], value[:place] + rng.choice(TEXTS) + value[place:], value.swapcase()))
    if isinstance(value, list):
        return rng.sample(value, rng.randrange(len(value) + 1))
    return dict(rng.sample(list(value.items()), rng.randrange(len(value) + 1)))


# Archives ----------------------------------------------------------------------------------------


def damage_archive(data: bytes, rng: Random) -> bytes:
    """An archive (npz, a checkpoint) with a part damaged, dropped, doubled or renamed; or bytes damaged."""
    try:
        parts = _unpack(data) if rng.random() > 0.15 else []
    except Exception:  # whatever zipfile raises for what is no archive any more
        parts = []
    if not parts:
        return damage_bytes(data, rng)
    place = rng.randrange(len(parts))
    name, content, packing = parts[place]
    match rng.randrange(10):
        case 0:
            del parts[place]
        case 1:
            parts.append(parts[place])
        case 2:
            parts[place] = (rng.choice((name[:-1], "../" + name, parts[0][0], "x.npy")), content, packing)
        case 3:
            parts[place] = (name, content, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)))
        case _:
            parts[place] = (name, _damage_part(name, content, rng), packing)
    return _pack(parts)


def _unpack(data: bytes) -> list[tuple[str, bytes, int]]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return [(each.filename, file.read(each), each.compress_type) for each in file.infolist()]


def _pack(parts: list[tuple[str, bytes, int]]) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as file:
        warnings.simplefilter("ignore")  # two parts of one name are what is wanted
        for name, content, packing in parts:
            file.writestr(zipfile.ZipInfo(name), content, packing)
    return stream.getvalue()


def _damage_part(name: str, content: bytes, rng: Random) -> bytes:
    if name.endswith((".npz", ".pt")):
        return damage_archive(content, rng)
    if name.endswith(".json"):
        return damage_json(content, rng)
    return damage_array(content, rng) if name.endswith(".npy") else damage_bytes(content, rng)


def damage_array(data: bytes, rng: Random) -> bytes:
    """An array of NumPy's form: its numbers, its shape, its type, or what it says of itself."""
    try:
        array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except Exception:  # what NumPy raises for what is no array any more
        return damage_bytes(data, rng)
    if array.dtype == np.uint8 and array.ndim == 1 and rng.random() < 0.7:  # a description in JSON
        array = np.frombuffer(damage_json(array.tobytes(), rng), np.uint8)
    else:
        array = _damage_numbers(array, rng)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    written = stream.getvalue()
    return _damage_header(written, rng) if rng.random() < 0.2 else written


def _damage_numbers(array: np.ndarray, rng: Random) -> np.ndarray:
    changed = array.copy()
    match rng.randrange(6):
        case 0 if array.ndim and len(array):
            changed = changed[: rng.randrange(len(array))]
        case 1 if array.dtype.names is None:
            with contextlib.suppress(ValueError):  # letters that are no numbers
                changed = changed.astype(rng.choice(("f8", "f2", "i4", "u1", ">f4", "c8", "?", "U3", "S2")))
        case 2:
            changed = changed.reshape(rng.choice(((-1,), (1, *array.shape), (*array.shape, 1))))
        case _:
            raw = np.ascontiguousarray(changed).view(np.uint8).reshape(-1) if array.ndim and array.size else None
            if raw is not None:
                _damage_places(changed, raw, rng)
    return changed


def _damage_places(changed: np.ndarray, raw: np.ndarray, rng: Random) -> None:
    """Change a number, or, in an array of records, some bytes of one."""
    if changed.dtype.kind == "f" and changed.flags.c_contiguous:
        changed.reshape(-1)[rng.randrange(changed.size)] = rng.choice((np.nan, np.inf, -1e30, 0.0, 1e-40))
    else:
        for _ in range(rng.choice((1, 1, 2, 4))):
            raw[rng.randrange(raw.size)] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))


def _damage_header(written: bytes, rng: Random) -> bytes:
    """What an array says of itself is not so."""
    start, end = written.find(b"{"), written.find(b"\n")
    with contextlib.suppress(ValueError, SyntaxError):
        told = ast.literal_eval(written[start:end].decode("latin-1").strip())
        key = rng.choice(list(told))
        told[key] = rng.choice((None, "|O", "<f4", True, (), (-1,), (10**12,), (0, 7), ((),), 7, "<M8[ns]", (2**63,)))
        text = repr(told).encode()[: end - start].ljust(end - start)
        return written[:start] + text + written[end:]
    return written
