"""Boards: the built-in ones by name, your own by folder, and new ones from a seed.

>>> from ttr_env import maps
>>> "nederland" in maps.names()
True
>>> len(maps.load("nederland").tickets)
44
"""

from __future__ import annotations

import functools
import os
from importlib import resources
from pathlib import Path

from ttr_env.errors import MapError, did_you_mean

from .faults import shortened
from .generating import GENERATED, generate, named
from .loader import load_folder
from .model import City, Map, Outline, Spot, Ticket, Track

__all__ = ["GENERATED", "City", "Map", "Outline", "Spot", "Ticket", "Track", "generate", "load", "names"]


def names() -> list[str]:
    """The names of the built-in maps."""
    return list(_names())


def load(source: str | os.PathLike[str] | Map) -> Map:
    """The map called `source`, or in the folder `source`; a `Map` is returned as it is.

    A text is first tried as the name of a built-in map, then as that of a made one, like `"generate:seed=7,cities=20"`,
    then as a folder; a `Path` is always a folder.
    The name of a map from a folder is the folder's absolute path.

    >>> load("nederland").title
    'Nederland'
    """
    if isinstance(source, Map):
        return source
    if isinstance(source, str) and source in _names():
        return _built_in(source)
    if isinstance(source, str) and source.startswith(GENERATED):
        return named(source)
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"map: a name, a folder or a Map is needed, not {shortened(source)}")
    if not os.path.isdir(source):
        hint = did_you_mean(str(source), _names())
        raise MapError(
            f"{shortened(str(source), 300)} is no map and no folder{hint}; the built-in maps are: {', '.join(_names())}"
        )
    folder = Path(source).resolve()
    return load_folder(folder, str(folder))


@functools.cache
def _names() -> tuple[str, ...]:
    here = resources.files(__name__)
    return tuple(sorted(entry.name for entry in here.iterdir() if (entry / "map.toml").is_file()))


@functools.cache
def _built_in(name: str) -> Map:
    return load_folder(resources.files(__name__) / name, name)
