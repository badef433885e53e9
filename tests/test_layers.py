"""Who may import whom: the one line of order, read from the sources and kept."""

from __future__ import annotations

import ast
import functools
import graphlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import ttr_env
import ttr_env.engine

# Each imports only from those to its left; those with a comma between them do not import each other.
ORDER = (
    "errors -> maps -> engine -> options -> bots -> game -> batch, text -> agents -> envs, render, arena, data, llm, "
    "openspiel, torchrl -> tasks -> learning -> web -> cli"
)
# For users: these may import anything, and nothing inside imports them.
FRONT_DOOR = {"", "actions", "mini_v0", "nederland_v0", "nordic_v0", "observation", "usa_v0"}

ALLOWED = {  # (module, room it imports): why
    ("game.game", "render"): "Game.to_svg() draws for whoever asks, and nothing is imported before",
    ("envs.drawing", "render"): "so does render() of an environment",
    ("game.game", "agents"): "Game.playout() is played by whoever is named, and nothing is imported before",
}

PACKAGE = Path(ttr_env.__file__).parent
TESTS = Path(__file__).parent
CONTRIBUTING = TESTS.parent / "CONTRIBUTING.md"
RANKS = {room: rank for rank, rooms in enumerate(ORDER.split(" -> ")) for room in rooms.split(", ")}


class Import(NamedTuple):
    """An import of one module of the package by another; both are named without `ttr_env.`."""

    module: str
    target: str
    at_once: bool  # when the module is imported, not when a function is called


def name_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file): file for file in PACKAGE.rglob("*.py")}


def room_of(module: str) -> str:
    return module.partition(".")[0]


@functools.cache
def imports() -> list[Import]:
    """All imports inside of the package, by whatever form, in functions and for type checkers too."""
    return [found for module, file in MODULES.items() for found in imports_of(module, file)]


def imports_of(module: str, file: Path) -> Iterator[Import]:
    tree = ast.parse(file.read_bytes())
    at_once = set(run_at_once(tree.body))
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        for target in targets(node, package):
            yield Import(module, target, node in at_once)


def run_at_once(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when their module is imported."""
    for node in statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from run_at_once(getattr(node, block, []))


def targets(node: ast.AST, package: str) -> Iterator[str]:
    """The modules of ours that an import statement in a package names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == "ttr_env":
                yield alias.name.partition(".")[2]
    if isinstance(node, ast.ImportFrom):
        source = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join(["ttr_env", *above, *source.split(".")]).rstrip(".")
        if source.partition(".")[0] == "ttr_env":
            names = [alias.name for alias in node.names if alias.name != "__version__"]  # which is in no room
            yield from (origin(source.partition(".")[2], name) for name in names)


def origin(module: str, name: str) -> str:
    """The module that a name imported from a module stands for, or comes from."""
    inside = f"{module}.{name}".removeprefix(".")
    if inside in MODULES or module:
        return inside if inside in MODULES else module
    value = getattr(ttr_env, name)  # through the front door, which counts as from the room behind it
    home = value.__name__ if isinstance(value, ModuleType) else value.__module__
    return home.removeprefix("ttr_env.")


def may_import(found: Import) -> bool:
    here, there = room_of(found.module), room_of(found.target)
    if here in FRONT_DOOR or here == there:
        return True
    return there in RANKS and RANKS[there] < RANKS[here]


def test_contributors_are_told_the_order() -> None:
    page = CONTRIBUTING.read_text(encoding="utf-8")
    assert f"\n{ORDER}\n" in page
    for room in RANKS:
        assert f"| `ttr_env/{room}{'.py' if room in ('errors', 'options') else '/'}` |" in page


def test_the_order_of_reading_the_engine_leaves_nothing_out() -> None:
    told = ttr_env.engine.__doc__ or ""
    assert not [name for name in MODULES if name.startswith("engine.") and f"`{name.partition('.')[2]}`" not in told]


def test_every_module_has_a_room() -> None:
    assert {room_of(module) for module in MODULES} - FRONT_DOOR <= set(RANKS)
    assert all(room in map(room_of, MODULES) for room in [*RANKS, *FRONT_DOOR])


def test_each_room_imports_only_from_its_left() -> None:
    breaches = {(each.module, room_of(each.target)) for each in imports() if not may_import(each)}
    assert breaches <= ALLOWED.keys()
    assert ALLOWED.keys() <= breaches, "an exception that nobody needs any more"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for each in imports():
        if each.at_once and each.target != each.module:
            graph[each.module].add(each.target)
    graphlib.TopologicalSorter(graph).prepare()


def test_one_module_steps_many_games() -> None:
    assert {room_of(each.module) for each in imports() if each.target == "batch.stepping"} == {"batch"}


def test_few_modules_lie_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 9


def test_every_package_has_a_folder_of_tests() -> None:
    packages = {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    assert packages <= {file.relative_to(TESTS).parts[0] for file in TESTS.glob("*/**/test_*.py")}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import ttr_env.engine.jit", ["engine.jit"]),
        ("import ttr_env", [""]),
        ("from ttr_env import Game, agents, options, IllegalAction", ["game.game", "agents", "options", "errors"]),
        ("from ttr_env.engine import calls", ["engine.calls"]),
        ("from ttr_env.engine.jit import kernel", ["engine.jit"]),
        ("from .loader import load_folder", ["maps.loader"]),
        ("from . import model", ["maps.model"]),
        ("from ..engine import calls", ["engine.calls"]),
        ("from numpy import array", []),
    ],
)
def test_every_form_of_import_is_read(statement: str, expected: list[str]) -> None:
    [node] = ast.parse(statement).body
    assert list(targets(node, "maps")) == expected
