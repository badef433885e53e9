"""Files that are there as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def in_one_piece(file: Path) -> Iterator[Path]:
    """Where to write what belongs into a file: if that fails, as on a full disk, the file stays as it was.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with in_one_piece(folder / "game.json") as place:
    ...     _ = place.write_text("{}")
    >>> [each.name for each in folder.iterdir()]
    ['game.json']
    """
    if is_special(file):
        yield file
        return
    target = file.resolve()  # of a link, the file that it leads to
    unfinished = target.with_name(f".{target.stem}.unfinished{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    finally:
        if unfinished.is_file():
            unfinished.unlink()


def is_special(file: Path) -> bool:
    """Whether it is a device or a pipe, such as /dev/null, in whose place no file must be put."""
    return file.exists() and not file.is_file()
