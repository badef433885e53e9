"""The cache of compiled kernels: what did not change is loaded, what changed anywhere is compiled anew."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ttr_env
from tests.helpers.positions import position
from ttr_env.engine import cache

PACKAGE = Path(ttr_env.__file__).parent
HAND = {"hands": [{"red": 2, "locomotive": 1}]}

# The number of legal actions in a position, and whether the kernel that found them was in the cache.
COUNT = """
import json, sys
import numpy as np
from ttr_env.engine import board, calls, layout
from ttr_env.game import restoring
map, record = restoring.read(json.loads(sys.argv[1]))
games, boards = np.frombuffer(record.tobytes(), layout.GAME).copy(), board.board(map)
mask = np.zeros(boards[0]["actions"], np.int8)
calls.restore(games, 0, boards)
calls.mask(games, 0, boards, mask)
hits = sum(calls.mask.stats.cache_hits.values())
print(json.dumps([int(mask.sum()), hits, calls.mask.stats.cache_path]))
"""

# A package that builds on the engine, with a kernel in one file that calls one in another.
KERNELS = {
    "__init__.py": "",
    "kernels.py": """
from user.helpers import bonus
from ttr_env.engine.claims import fewest_locomotives
from ttr_env.engine.jit import entry

@entry
def value(length, cards):
    return fewest_locomotives(length, cards) + bonus()
""",
    "helpers.py": """
from ttr_env.engine.jit import kernel

@kernel
def bonus():
    return 100
""",
}
# Two packages in two folders, each of which imports the other.
TWO_FOLDERS = {
    "one/alpha/__init__.py": "BASE = 1000\n",
    "one/alpha/kernels.py": """
import beta.deep.helpers as helpers
from ttr_env.engine.jit import entry

@entry
def value(length):
    return helpers.bonus() + length
""",
    "two/beta/__init__.py": "",
    "two/beta/late.py": "SCALE = 1\n",
    "two/beta/stranger.py": "NOBODY_IMPORTS_IT = 1\n",
    "two/beta/deep/helpers.py": """
from alpha import BASE
from ttr_env.engine.jit import kernel

def scale():
    from ..late import SCALE
    return SCALE

TIMES = scale()

@kernel
def bonus():
    return TIMES * BASE + 0
""",
}
VALUE = """
import json
from user.kernels import value
result = value(5, 2)
print(json.dumps([result, sum(value.stats.cache_hits.values()), value.stats.cache_path]))
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the package's sources, and a package beside it that builds on the engine."""
    folder = tmp_path / "sources"
    shutil.copytree(PACKAGE, folder / "ttr_env", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "user").mkdir()
    for name, text in KERNELS.items():
        (folder / "user" / name).write_text(text)
    return folder


def run(sources: Path, script: str, *arguments: str, **environment: str) -> list[Any]:
    """Run a script in a process of its own with the copied sources: its result, the cache hits and their folder."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "PYTHON"))}
    settings |= {"PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=sources, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def edit(file: Path, old: str, new: str) -> None:
    """Change a file, but not the time of its last change nor its size."""
    text, stat = file.read_text(), file.stat()
    assert text.count(old) == 1
    assert len(old) == len(new)
    file.write_text(text.replace(old, new))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.slow
def test_the_engine_never_runs_on_a_stale_cache(sources: Path, tmp_path: Path) -> None:
    where = json.dumps(position(**HAND))
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    legal, hits, _ = run(sources, COUNT, where, **cache)
    assert hits == 0
    assert run(sources, COUNT, where, **cache)[:2] == [legal, 1]
    edit(sources / "ttr_env/engine/claims.py", "max(0, length - cards)", "max(1, length - cards)")
    fewer, hits, _ = run(sources, COUNT, where, **cache)
    assert hits == 0
    assert fewer < legal


@pytest.mark.slow
def test_neither_does_a_package_that_builds_on_it(sources: Path, tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(sources, VALUE, **cache)[:2] == [103, 0]
    assert run(sources, VALUE, **cache)[:2] == [103, 1]
    edit(sources / "user/helpers.py", "return 100", "return 200")
    assert run(sources, VALUE, **cache)[:2] == [203, 0]
    edit(sources / "ttr_env/engine/claims.py", "max(0, length - cards)", "max(7, length - cards)")
    assert run(sources, VALUE, **cache)[:2] == [207, 0]
    assert run(sources, VALUE, **cache)[:2] == [207, 1]


@pytest.mark.slow
def test_nor_do_kernels_in_two_folders_that_import_each_other(sources: Path, tmp_path: Path) -> None:
    for name, text in TWO_FOLDERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    folders = os.pathsep.join(str(tmp_path / each) for each in ("sources", "one", "two"))
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": folders}
    script = VALUE.replace("user.kernels", "alpha.kernels").replace("value(5, 2)", "value(5)")
    assert run(sources, script, **settings)[:2] == [1005, 0]
    for file, old, new, result in (
        ("two/beta/deep/helpers.py", "BASE + 0", "BASE + 7", 1012),
        ("one/alpha/__init__.py", "BASE = 1000", "BASE = 2000", 2012),
        ("two/beta/late.py", "SCALE = 1", "SCALE = 2", 4012),
    ):
        edit(tmp_path / file, old, new)
        assert run(sources, script, **settings)[:2] == [result, 0]
        assert run(sources, script, **settings)[:2] == [result, 1]
    edit(tmp_path / "two/beta/stranger.py", "1", "2")
    assert run(sources, script, **settings)[:2] == [4012, 1]


@pytest.mark.slow
def test_the_cache_is_beside_the_source_or_else_in_the_user_s_own_or_a_temporary_folder(
    sources: Path, tmp_path: Path
) -> None:
    beside, home, temporary = sources / "user/__pycache__", tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    folders = {"HOME": str(home), "XDG_CACHE_HOME": str(home), "TMPDIR": str(temporary)}
    for expected in (beside, home, temporary):
        assert run(sources, VALUE, **folders)[1] == 0
        _, hits, folder = run(sources, VALUE, **folders)
        assert hits == 1
        assert Path(folder).is_relative_to(expected)
        shutil.rmtree(expected)
        expected.write_text("")  # a file in its place: nothing can be written there any more


def test_the_temporary_folder_is_the_user_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = cache.TemporaryFolder(run, cache.__file__)
    folder.ensure_cache_path()
    made = Path(folder.get_cache_path())
    assert made.parent == tmp_path
    assert made.stat().st_mode & 0o777 == 0o700


def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = cache.TemporaryFolder(run, cache.__file__)
    monkeypatch.setattr(cache.os, "getuid", lambda: -1)
    with pytest.raises(OSError, match="belongs to another user"):
        folder.ensure_cache_path()


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir(mode=0o700)
    link.symlink_to(folder)
    for each in (folder, link):
        cache.check_owner(str(each))
    for mode in (0o707, 0o777, 0o1777):
        folder.chmod(mode)
        for each in (folder, link):
            with pytest.raises(OSError, match="can be written to by others"):
                cache.check_owner(str(each))
    folder.chmod(0o700)
    inner = folder / "inner"
    inner.mkdir(mode=0o700)
    cache.check_owner(str(inner))
    folder.chmod(0o777)
    with pytest.raises(OSError, match="can be written to by others"):
        cache.check_owner(str(inner))  # who can write there can put another folder in its place
    folder.chmod(0o1777)
    cache.check_owner(str(inner))  # but not where it is sticky, as /tmp is


def test_a_link_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir(mode=0o700)
    link.symlink_to(folder)
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = list(real(path))
        if path == link:
            found[4] = 12345  # the user
        return os.stat_result(found)

    monkeypatch.setattr(Path, "lstat", lstat)
    with pytest.raises(OSError, match="link belongs to another user"):
        cache.check_owner(str(link))


def damage_half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def damage_a_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def damage_all(content: bytes) -> bytes:
    return b"\x80\x05not a pickle of ours."


def damage_to_nothing(content: bytes) -> bytes:
    return b""


@pytest.mark.slow
def test_damaged_and_foreign_files_are_compiled_anew(sources: Path, tmp_path: Path) -> None:
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(sources, VALUE, **settings)[:2] == [103, 0]
    for kind in ("*.nbi", "*.nbc"):
        for damage in (damage_half, damage_a_bit, damage_all, damage_to_nothing):
            assert run(sources, VALUE, **settings)[:2] == [103, 1]
            for file in (tmp_path / "cache").rglob(kind):
                file.write_bytes(damage(file.read_bytes()))
            assert run(sources, VALUE, **settings)[:2] == [103, 0], (kind, damage)


@pytest.mark.slow
def test_the_first_compilation_says_what_it_does_in_one_line(sources: Path, tmp_path: Path) -> None:
    settings = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(sources)}
    told = [
        subprocess.run(
            [sys.executable, "-c", VALUE], cwd=sources, env=settings, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    [line] = told[0].stderr.splitlines()
    assert line.startswith("ttr_env: compiling") and "`ttr compile`" in line
    assert told[1].stderr == ""


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_costs_time_alone(sources: Path, tmp_path: Path) -> None:
    script = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n" + VALUE  # as on a full disk
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(sources, script, **settings)[:2] == [103, 0]
    assert run(sources, VALUE, **settings)[:2] == [103, 0]
