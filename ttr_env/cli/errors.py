"""Mistakes of the user: one line on stderr, exit status 2, no traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup


class UserError(typer.TyperException):
    """Something the user can put right; the message says how."""


@contextmanager
def blame_the_user(*kinds: type[Exception]) -> Iterator[None]:
    """Errors of these kinds come from what the user asked for."""
    try:
        yield
    except kinds as error:
        raise UserError(str(error)) from error


class OneLineErrors(TyperGroup):
    """A tool whose complaints are one line each."""

    def main(self, *arguments: Any, **settings: Any) -> NoReturn:
        """Run, and exit with a status: 0, what a program returned, 2 after a mistake, 130 after Ctrl-C."""
        settings["standalone_mode"] = False  # the group's own way with errors is a box of several lines
        try:
            status = super().main(*arguments, **settings)
        except typer.TyperException as error:
            typer.echo(f"ttr: {' '.join(error.format_message().split())}", err=True)
            sys.exit(2)
        except typer.Abort:
            sys.exit(130)
        except OSError as error:
            if error.filename is None or not error.strerror:
                raise  # it is about no file that somebody named
            typer.echo(f"ttr: {error.filename} cannot be used: {error.strerror}", err=True)
            sys.exit(2)
        sys.exit(status if isinstance(status, int) else 0)
