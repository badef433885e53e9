"""Policy files of strangers: whatever is in them, the answer is a network or an error that names the file."""

import contextlib
import io
import json
import os
import resource
import struct
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.networks import random_network, random_scorer
from ttr_env.agents import archive, policy_file
from ttr_env.agents.policy_file import PolicyFileError

MAKERS: dict[str, Callable[[], Any]] = {"format 1": random_network, "format 2": random_scorer}

both_formats = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def npy(shape: str, numbers: bytes = b"", kind: str = "<f4") -> bytes:
    """An array as a file says it, which need not be so."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return np.lib.format.magic(1, 0) + struct.pack("<H", len(header)) + header + numbers


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rebuild(path: Path, contents: dict[str, bytes], **options: Any) -> None:
    with zipfile.ZipFile(path, "w", options.pop("compression", zipfile.ZIP_DEFLATED), **options) as file:
        for name, content in contents.items():
            file.writestr(name, content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "policy.npz"


@both_formats
def test_damage_anywhere_is_an_error_that_names_the_file(path: Path, make: Callable[[], Any]) -> None:
    policy_file.save(make(), path)
    whole, chance = path.read_bytes(), np.random.default_rng(0)
    for length in chance.integers(len(whole), size=30):
        path.write_bytes(whole[:length])
        with pytest.raises(PolicyFileError, match=r"policy\.npz"):
            policy_file.load(path)
    for place in [*range(60), *range(len(whole) - 400, len(whole)), *chance.integers(len(whole), size=60)]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ int(chance.integers(1, 256))]) + whole[place + 1 :])
        with contextlib.suppress(PolicyFileError):  # not every byte matters
            policy_file.load(path)


@both_formats
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_numbers_must_be_finite(path: Path, make: Callable[[], Any], bad: float) -> None:
    policy_file.save(make(), path)
    contents = members(path)
    name = next(name for name in contents if name not in ("description.npy", "advice_weight.npy"))
    numbers = np.lib.format.read_array(io.BytesIO(contents[name])).astype(np.float64)
    numbers.flat[-1] = bad
    changed = io.BytesIO()
    np.lib.format.write_array(changed, numbers)
    rebuild(path, contents | {name: changed.getvalue()})
    with pytest.raises(PolicyFileError, match=f"not all numbers of '{name.removesuffix('.npy')}' are finite"):
        policy_file.load(path)


@both_formats
def test_each_array_must_be_there_in_its_shape(path: Path, make: Callable[[], Any]) -> None:
    policy_file.save(make(), path)
    contents = members(path)
    for name in contents.keys() - {"description.npy"}:
        rebuild(path, {other: content for other, content in contents.items() if other != name})
        with pytest.raises(PolicyFileError, match=name.removesuffix(".npy")):
            policy_file.load(path)
        for shape, numbers in (("()", 1), ("(0,)", 0), ("(7,)", 7), ("(3, 5)", 15), ("(2, 2, 2)", 8)):
            rebuild(path, contents | {name: npy(shape, bytes(4 * numbers))})
            with pytest.raises(PolicyFileError, match=r"shape|layer|damaged"):
                policy_file.load(path)


BOMB = 2**29


def packed_zeros(name: str, count: int) -> bytes:
    """A short file that says it holds many zeros, and does."""
    content = io.BytesIO()
    block = bytes(2**20)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file, file.open(name, "w", force_zip64=True) as member:
        member.write(npy(f"({count // 4},)"))
        for _ in range(count // len(block)):
            member.write(block)
    return content.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "message"), [("state.npy", "it would unpack to"), ("description.npy", "its description has")]
)
def test_a_bomb_is_not_unpacked(path: Path, name: str, message: str) -> None:
    path.write_bytes(packed_zeros(name, BOMB))
    assert len(path.read_bytes()) < BOMB / 500
    with pytest.raises(PolicyFileError, match=rf"{message} {BOMB // 10**6}\d+ bytes"):
        policy_file.load(path)


@pytest.mark.slow
def test_a_bomb_that_denies_its_size_takes_no_memory(path: Path) -> None:
    """The list in the file says that little is in it: a process that may have little memory reads no more."""
    bomb = bytearray(packed_zeros("description.npy", BOMB))
    for signature, sizes in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        place = bomb.rfind(signature)
        bomb[place + sizes : place + sizes + 4] = struct.pack("<L", 1000)
    path.write_bytes(bytes(bomb))
    limit = resource.RLIMIT_AS
    program = (
        "import os, resource, sys\n"
        "from ttr_env.agents import archive\n"
        "if os.path.exists('/proc/self/statm'):  # where the memory in use can be told\n"
        f"    most = int(open('/proc/self/statm').read().split()[0]) * {resource.getpagesize()} + 200 * 2**20\n"
        f"    resource.setrlimit({limit}, (most, most))\n"
        "try:\n"
        "    archive.read(sys.argv[1])\n"
        "except (ValueError, *archive.DAMAGE) as error:\n"
        "    print('refused', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("refused")


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        ("(1000000000000,)", "<f4"),
        ("(" + "9" * 5000 + ",)", "<f4"),
        ("(" + "1, " * 300 + ")", "<f4"),
        ("(" + "1, " * 20000 + ")", "<f4"),
        ("(4,)", "|O"),
        ("(4,)", "<c8"),
        ("(4,)", "[('a', '<f4')]"),
        ("(-4,)", "<f4"),
        ("__import__('os')", "<f4"),
        ("(" * 200 + ")" * 200, "<f4"),
    ],
)
def test_an_array_is_what_it_says(path: Path, shape: str, kind: str) -> None:
    policy_file.save(random_scorer(), path)
    rebuild(path, members(path) | {"state.npy": npy(shape, bytes(16), kind)})
    with pytest.raises(PolicyFileError, match=r"policy\.npz"):
        policy_file.load(path)


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"format": ' + "[" * 100_000, '{"format": ' + "9" * 10_000 + "}", "\udc80", "NaN", "{}"],
    ids=range(9),
)
def test_a_description_is_a_table(path: Path, text: str) -> None:
    policy_file.save(random_scorer(), path)
    described = text.encode("utf-8", "surrogateescape")
    rebuild(path, members(path) | {"description.npy": npy(f"({len(described)},)", described, "|u1")})
    with pytest.raises(PolicyFileError, match=r"policy\.npz"):
        policy_file.load(path)


def test_a_long_description_is_not_read(path: Path) -> None:
    policy_file.save(random_scorer(), path)
    size = archive.MAX_DESCRIPTION + 1
    rebuild(path, members(path) | {"description.npy": npy(f"({size},)", b" " * size, "|u1")})
    with pytest.raises(PolicyFileError, match=r"its description has \d+ bytes"):
        policy_file.load(path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_the_usual_packing(path: Path, compression: int) -> None:
    policy_file.save(random_scorer(), path)
    rebuild(path, members(path), compression=compression)
    with pytest.raises(PolicyFileError, match="packed or locked in a way that policies are not"):
        policy_file.load(path)


def test_too_many_parts(path: Path) -> None:
    policy_file.save(random_scorer(), path)
    rebuild(path, members(path) | {f"extra{number}.npy": b"" for number in range(2000)})
    with pytest.raises(PolicyFileError, match="more parts than a policy has"):
        policy_file.load(path)


def test_two_parts_of_one_name(path: Path) -> None:
    policy_file.save(random_scorer(), path)
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as file:
        warnings.simplefilter("ignore")
        file.writestr("state.npy", npy("(1,)", bytes(4)))
    with pytest.raises(PolicyFileError, match="two of its parts have the same name"):
        policy_file.load(path)


def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(PolicyFileError, match="it is no plain file"):
        policy_file.load(path)


def test_a_folder_and_an_odd_name(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="cannot be read: Is a directory"):
        policy_file.load(tmp_path)
    with pytest.raises(PolicyFileError, match="null"):
        policy_file.load("policy\0.npz")


def test_what_numpy_writes_is_read_in_every_order(path: Path) -> None:
    description, arrays = {"any": 1}, {"turned": np.arange(6.0).reshape(2, 3).T, "empty": np.zeros((0, 3))}
    archive.write(path, description, arrays)
    read, found = archive.read(path)
    assert read == description and json.dumps(read)
    assert found["turned"].tolist() == arrays["turned"].tolist() and found["empty"].shape == (0, 3)
    assert {array.dtype for array in found.values()} == {np.dtype(np.float32)}
