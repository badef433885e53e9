"""What programs with a command line have in common: errors in one line, and a folder for what they write."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from ttr_env.errors import install_command
from ttr_env.options import MOST_BITS


def reporting_errors(
    program: Callable[[argparse.Namespace, Console], int],
    options: argparse.Namespace,
    name: str = "training",
    extra: str = "train",
) -> int:
    """Run a program; what it cannot do it says in one line. Modules that are missing come with the `extra`."""
    try:
        return program(options, Console())
    except ModuleNotFoundError as error:
        message = f"{name} needs {error.name}, which comes with an extra: {install_command(extra)}"
    except OSError as error:
        named = error.filename is not None and error.strerror
        message = f"{error.filename} cannot be used: {error.strerror}" if named else str(error)
    except ValueError as error:
        message = str(error)
    except KeyboardInterrupt:  # where nobody waits for it: before the first update, or for the second time
        Console(stderr=True).print("Stopped.")
        return 130
    Console(stderr=True).print(message, style="red", soft_wrap=True, highlight=False, markup=False)
    return 2


def whole(text: str) -> int:
    """A whole number, as `argparse` takes it.

    >>> whole("12")
    12
    """
    try:
        number = int(text)
    except ValueError:  # also of numbers with thousands of digits
        number = None
    if number is None or number.bit_length() > MOST_BITS:
        shown = text if len(text) < 30 else f"{text[:12]}… ({len(text):,} characters)"
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {shown!r}")
    return number


def make_folder(folder: Path) -> None:
    """Make a folder for what is to be written, if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"--out {folder} cannot be made a folder: {error.strerror}; choose another") from error
