"""Finding configuration files: as given, or by name among those that come with the project."""

from __future__ import annotations

from pathlib import Path

from training.settings import SettingsError

FOLDERS = (
    Path(__file__).parent.parent / "configs",  # in the repository
    Path(__file__).parent / "configs",  # in a wheel
)


def find(name: str) -> Path:
    """A configuration file as a path, or by name.

    >>> find("quickstart").name
    'quickstart.yaml'
    """
    if Path(name).is_file():
        return Path(name)
    for folder in FOLDERS:
        for candidate in (folder / Path(name).name, folder / f"{Path(name).name}.yaml"):
            if candidate.is_file():
                return candidate
    raise SettingsError(f"there is no config {name}; those that come along are: {', '.join(names())}")


def names() -> list[str]:
    """The configurations that come with the project."""
    return sorted(path.stem for folder in FOLDERS for path in folder.glob("*.yaml"))
