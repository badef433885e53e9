"""The source files that a module is built on: its own, those that it imports, and those that they import.

They are found by reading, without importing anything. What is installed, like Numba and Python's library, is left out,
but for `ttr_env` and the package that the module itself is in.

A package's `__init__` counts where a name is taken out of it: `from package import name`. It does not count where
Python merely runs it on the way to a module inside, as in `from package.module import name`: that takes nothing out of
it, and a kernel is made of its own source and of what the names in its module stand for. Where one cannot read which
file a name comes from (`import package`, `import *`, names that a package makes when they are asked for), everything in
the package counts. What is imported for type checkers alone is never imported, and can be no part of a kernel.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import symtable
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_PACKAGE = Path(__file__).parents[1].name
_STANDARD_LIBRARY = Path(os.__file__).parent
_INSTALLATIONS = ("site-packages", "dist-packages")
_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")  # where a statement has statements


class _Import(NamedTuple):
    """`from module import names`, or `import module` where there are no names."""

    level: int  # how many dots stand before the module
    module: tuple[str, ...]
    names: tuple[str, ...]


class _Top(NamedTuple):
    """Where the modules are whose names begin with the same word."""

    places: tuple[Path, ...]  # packages as folders, modules as files without suffix
    installed: bool


@functools.cache
def source_digest(file: Path) -> str:
    """A digest of all files that the module in `file` is built on, and of how they lie to each other."""
    digest = hashlib.sha256()
    for position, path in sorted((_position(path, file.parent), path) for path in reached(file)):
        digest.update(position.encode() + b"\0" + hashlib.sha256(_content(path)).digest())
    return digest.hexdigest()


def _position(path: Path, folder: Path) -> str:
    try:
        return os.path.relpath(path, folder)
    except ValueError:  # on another drive
        return str(path)


def reached(file: Path) -> set[Path]:
    """The files that the module in `file` is built on."""
    own = (_PACKAGE, _top_name(file))
    found, waiting = {file}, [file]
    while waiting:
        path = waiting.pop()
        new = {target for each in _imports(path) for target in _targets(each, path.parent, own)} - found
        found |= new
        waiting += new
    return found


def _top_name(file: Path) -> str:
    """The first word of a module's name, as far as its file tells."""
    top = file
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return top.stem


def _targets(statement: _Import, folder: Path, own: Sequence[str]) -> Iterator[Path]:
    """The files from which a module in `folder` takes something by this statement."""
    if statement.level:
        above = [folder, *folder.parents][statement.level - 1]
        yield from _taken(above.joinpath(*statement.module), statement.names)
        return
    first, *rest = statement.module
    top = _find(first)
    if top.installed and first not in own:
        return
    for place in top.places:
        if statement.names:
            yield from _taken(place.joinpath(*rest), statement.names)
        else:
            yield from _everything(place)  # `import a.b` makes the name `a`


@functools.cache
def _find(name: str) -> _Top:
    """Where Python finds a module whose name is one word; nothing is imported for that."""
    try:
        spec = importlib.util.find_spec(name)
    except (AttributeError, ImportError, ValueError):  # what runs as a script has no specification
        spec = None
    if spec is None or not (spec.has_location or spec.submodule_search_locations):
        return _Top((), installed=True)
    places = [Path(each) for each in spec.submodule_search_locations or [os.path.splitext(str(spec.origin))[0]]]
    return _Top(tuple(places), any(_is_installation(place.parent) for place in places))


@functools.cache
def _is_installation(folder: Path) -> bool:
    """Whether what is in a folder came there by an installation."""
    if any(name in folder.parts for name in _INSTALLATIONS) or folder.is_relative_to(_STANDARD_LIBRARY):
        return True
    return any(folder.glob("*.dist-info"))


@functools.cache
def _taken(place: Path, names: tuple[str, ...]) -> tuple[Path, ...]:
    """The files that names come from which are imported from a module or package."""
    found = set(_module(place))
    if place.is_dir():
        for name in names:
            found.update(_origins(place, name))
    return tuple(found)


def _origins(package: Path, name: str) -> tuple[Path, ...]:
    """The files that a name in a package can come from."""
    start, inside = package / "__init__.py", _everything(package / name)
    if name in _names_made_in(start):
        return (start, *inside)
    return inside or _everything(package)


@functools.cache
def _everything(place: Path) -> tuple[Path, ...]:
    """The file of a module, and all files of a package; nothing where there is neither."""
    found = list(_module(place))
    for folder, subfolders, files in os.walk(place):
        subfolders[:] = [name for name in subfolders if name.isidentifier() and name != "__pycache__"]
        found += [Path(folder, name) for name in files if name.endswith(".py")]
    return tuple(found)


def _module(place: Path) -> tuple[Path, ...]:
    file = Path(f"{place}.py")
    return (file,) if file.is_file() else ()


@functools.cache
def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


@functools.cache
def _names_made_in(file: Path) -> frozenset[str]:
    """The names that a module makes where it begins."""
    try:
        source = importlib.util.decode_source(_content(file))
        symbols = symtable.symtable(source, str(file), "exec").get_symbols()
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset(symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported())


@functools.cache
def _imports(file: Path) -> tuple[_Import, ...]:
    """The imports of a module, those inside of functions too."""
    return tuple(_found_in(_parse(_content(file))))


def _parse(source: bytes) -> ast.Module:
    """A source as a tree as far as the last line that may import: most of it need not be read."""
    end = source.find(b"\n", max(source.rfind(b"import"), 0))
    for text in (source[:end] if end >= 0 else source, source):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):  # cut in the middle of a statement; or it is no Python
            continue
    return ast.Module([], [])


def _found_in(tree: ast.Module) -> Iterator[_Import]:
    waiting: list[Any] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from map(_plain_import, node.names)
        elif isinstance(node, ast.ImportFrom):
            module = tuple(node.module.split(".")) if node.module else ()
            yield _Import(node.level, module, tuple(alias.name for alias in node.names))
        else:
            blocks = _BLOCKS[1:] if _is_for_type_checkers(node) else _BLOCKS
            waiting += [statement for block in blocks for statement in getattr(node, block, ())]


def _plain_import(alias: ast.alias) -> _Import:
    *package, name = alias.name.split(".")
    if alias.asname and package:  # `import a.b as c` is `from a import b as c`
        return _Import(0, tuple(package), (name,))
    return _Import(0, (*package, name), ())


def _is_for_type_checkers(node: Any) -> bool:
    test = node.test if isinstance(node, ast.If) else None
    return getattr(test, "attr", getattr(test, "id", "")) == "TYPE_CHECKING"
