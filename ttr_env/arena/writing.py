"""Files for results: all that belong together are written, or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ttr_env.game.files import in_one_piece


def write(file: Path, content: str | bytes) -> None:
    """Write a file in one piece or not at all; an `OSError` names it."""
    write_all({file: content})


def write_all(contents: Mapping[Path, str | bytes]) -> None:
    """Write files, or none of them, as on a full disk; an `OSError` names the one that could not be written."""
    with ExitStack() as unfinished:
        for file, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            with _naming(file):
                unfinished.enter_context(in_one_piece(file)).write_bytes(data)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Some errors, such as that of a full disk, do not say which file they are about."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
