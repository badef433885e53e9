"""Which files a module is built on: not one too few, and none that it does not import."""

import importlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import ttr_env
from ttr_env.engine.sources import reached, source_digest

PACKAGE = Path(ttr_env.__file__).parent
KERNELS = sorted(
    str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*.py") if "engine.jit import" in file.read_text()
)
DIGESTS = """
import json, sys
from pathlib import Path
import ttr_env
from ttr_env.engine.sources import source_digest
folder = Path(ttr_env.__file__).parent
print(json.dumps({name: source_digest(folder / name) for name in sys.argv[1:]}))
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names(folder: Path, file: str) -> set[str]:
    """The files that one in a folder is built on, without itself, as seen from the folder."""
    return {Path(os.path.relpath(path, folder)).as_posix() for path in reached(folder / file)} - {file}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("from .near import x", {"near.py"}),
        ("from . import near", {"near.py"}),
        ("from ..above import x", {"../above.py"}),
        ("from .. import above, inner", {"../above.py", "near.py", "__init__.py", "sub/deep.py", "sub/__init__.py"}),
        ("from .sub import deep", {"sub/deep.py"}),
        ("from .sub.deep import x", {"sub/deep.py"}),
        ("from .sub import made", {"sub/__init__.py", "near.py"}),
        ("from .sub import asked_for", {"sub/__init__.py", "sub/deep.py", "near.py"}),
        ("from .sub import *", {"sub/__init__.py", "sub/deep.py", "near.py"}),
        ("from . import sub", {"sub/__init__.py", "sub/deep.py", "near.py"}),
        ("from .near import (\n    x,\n    y,\n)", {"near.py"}),
        ("def f():\n    if f:\n        from .near import x", {"near.py"}),
        ("try:\n    from .absent import x\nexcept ImportError:\n    from .near import x", {"near.py"}),
        ("match 1:\n    case 1:\n        from .near import x", {"near.py"}),
        ("if TYPE_CHECKING:\n    from .near import x", set()),
        ("if typing.TYPE_CHECKING:\n    pass\nelse:\n    from .near import x", {"near.py"}),
        ("import numpy.linalg, json, sys, no_such_module, __main__", set()),
        ("from numba.core import types", set()),
        ("this is no Python; from .near import x", set()),
        ('"""from .near import x"""', set()),
    ],
)
def test_every_form_of_import(statement: str, expected: set[str], tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    write(
        outer,
        {
            "above.py": "",
            "inner/__init__.py": "",
            "inner/near.py": "",
            "inner/start.py": f"import typing\n{statement}\n",
            "inner/sub/__init__.py": "from ..near import something\nmade = something\n",
            "inner/sub/deep.py": "",
            "inner/sub/__pycache__/old.py": "",
        },
    )
    assert names(outer / "inner", "start.py") == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("from {0}.part import x", {"part.py", "other.py"}),
        ("from {0} import part", {"part.py", "other.py"}),
        ("import {0}.part as p", {"part.py", "other.py"}),
        ("import {0}.part", {"__init__.py", "part.py", "other.py", "stranger.py"}),
        ("import {0}", {"__init__.py", "part.py", "other.py", "stranger.py"}),
        ("import {0} as p", {"__init__.py", "part.py", "other.py", "stranger.py"}),
    ],
)
def test_packages_in_other_folders_count(
    statement: str, expected: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"package_{abs(hash(tmp_path))}"  # where a package is found is asked once in a process
    write(
        tmp_path / "there" / package,
        {
            "__init__.py": "",
            "part.py": f"from {package} import other\nfrom {package}.part import itself",
            "other.py": "",
            "stranger.py": "",
        },
    )
    write(tmp_path, {"here/start.py": statement.format(package)})
    monkeypatch.syspath_prepend(tmp_path / "there")
    found = names(tmp_path, "here/start.py")
    assert found == {f"there/{package}/{name}" for name in expected}


@pytest.mark.parametrize("start", ["start.py", "{0}/start.py"])
def test_what_is_installed_counts_for_itself_alone(start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = f"installed_{abs(hash(tmp_path))}"
    file = start.format(package)
    text = f"from {package} import part"
    write(tmp_path, {f"{package}/__init__.py": "", f"{package}/part.py": "", "any-1.0.dist-info/METADATA": ""})
    write(tmp_path, {file: text})
    monkeypatch.syspath_prepend(tmp_path)
    assert names(tmp_path, file) == (set() if file == "start.py" else {f"{package}/part.py"})


def test_what_is_in_no_folder_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = f"zipped_{abs(hash(tmp_path))}"
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr(f"{package}.py", "x = 1")
    monkeypatch.syspath_prepend(tmp_path / "code.zip")
    write(tmp_path, {"start.py": f"from {package} import x"})
    assert names(tmp_path, "start.py") == set()
    for file in ("code.zip/a.py", "<stdin>", "absent.py"):
        assert len(source_digest(tmp_path / file)) == 64


def test_the_digest_is_the_same_wherever_the_files_lie(tmp_path: Path) -> None:
    files = {"start.py": "from .a.x import one\nfrom .b.x import two", "a/x.py": "one = 1", "b/x.py": "two = 2"}
    swapped = files | {"a/x.py": files["b/x.py"], "b/x.py": files["a/x.py"]}
    for folder, contents in (("here", files), ("moved", files), ("swapped", swapped)):
        write(tmp_path / folder, contents)
    here, moved, other = (source_digest(tmp_path / name / "start.py") for name in ("here", "moved", "swapped"))
    assert here == moved != other


def test_every_compiled_function_that_a_kernel_calls_is_in_the_stamp() -> None:
    for name in KERNELS:
        module = importlib.import_module("ttr_env." + name.removesuffix(".py").replace("/", "."))
        assert files_called_by(module) <= reached(PACKAGE / name)


def files_called_by(module: ModuleType) -> set[Path]:
    """The files of all compiled functions that those of a module can call, found by what their names stand for."""
    seen: set[int] = set()
    files: set[Path] = set()
    waiting: list[Any] = [value for value in vars(module).values() if isinstance(value, Dispatcher)]
    while waiting:
        function = waiting.pop().py_func
        if id(function) not in seen:
            seen.add(id(function))
            files.add(Path(function.__code__.co_filename))
            waiting += [value for value in used(function) if isinstance(value, Dispatcher)]
    return files


def used(function: Any) -> Iterator[Any]:
    known = function.__globals__
    for name in function.__code__.co_names:
        yield known.get(name)
        yield from (getattr(value, name, None) for value in known.values() if isinstance(value, ModuleType))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to be edited."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "ttr_env", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digests(folder: Path) -> dict[str, str]:
    settings = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", DIGESTS, *KERNELS]
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def changed_by(folder: Path, file: str) -> set[str]:
    """The modules with kernels that are compiled anew when a comment is added to a file."""
    before = digests(folder)
    with (folder / "ttr_env" / file).open("a") as text:
        text.write("# a comment\n")
    after = digests(folder)
    return {name for name in KERNELS if before[name] != after[name]}


@pytest.mark.parametrize("file", ["__init__.py", "envs/__init__.py", "envs/aec.py", "game/game.py", "maps/loader.py"])
def test_what_no_kernel_uses_may_change(file: str, copied: Path) -> None:
    assert changed_by(copied, file) == set()


def test_a_changed_bot_concerns_only_those_who_play_it(copied: Path) -> None:
    changed = changed_by(copied, "bots/planner.py")
    assert {"bots/planner.py", "bots/search.py", "bots/built_in.py"} <= changed
    assert not {name for name in changed if name.startswith("engine/")} and "bots/simple.py" not in changed


def test_a_changed_record_concerns_nearly_everything(copied: Path) -> None:
    changed = changed_by(copied, "engine/layout.py")
    unchanged = {"batch/recorded.py", "bots/beliefs.py", "bots/layers.py"}
    unchanged |= {"engine/bits.py", "engine/rng.py", "engine/sweep.py"}
    assert set(KERNELS) - changed == unchanged  # what they do with records follows from the types of arguments
