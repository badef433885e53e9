"""Finding configurations: files that come with the package, by name, or any other by its path.

In a checkout they are in `configs/`, beside this package; an installed package carries them inside it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ttr_env.errors import did_you_mean

_PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (_PACKAGE / "configs", _PACKAGE.parent / "configs")  # of an installed package, of a checkout
_ENDINGS = (".yaml", ".yml")


def names() -> list[str]:
    """The names of the configurations that come with the package."""
    files = (file for folder in FOLDERS if folder.is_dir() for file in folder.iterdir() if file.suffix in _ENDINGS)
    return sorted({file.stem for file in files})


def find(name: str | os.PathLike[str], folder: str | os.PathLike[str] = "") -> Path:
    """The file of a configuration: a path from `folder` as it is given, else one that comes with the package.

    So `configs/NAME.yaml`, as it is called in the documentation, is found from any folder.

    >>> find(__file__) == Path(__file__)
    True
    """
    path = Path(folder, name)
    if os.path.isfile(path):  # unlike its method, False of what no file can be called
        return path
    for place in FOLDERS:
        for ending in ("", *_ENDINGS):
            candidate = place / f"{path.name}{ending}"
            if os.path.isfile(candidate):
                return candidate
    hint, known = did_you_mean(path.stem, names()), ", ".join(names()) or "none"
    raise ValueError(f"config {str(name)!r} is no file and not known{hint}; those that come with ttr-env: {known}")
