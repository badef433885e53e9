"""`ttr`, the command-line tool: watch games, play one, look at records, measure, train.

`ttr --help` says what there is. Commands are declared in `app`, and each lives in a module of its own that is imported
when it is used, so that asking for help is quick.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tool, with the arguments of the process unless others are given; always ends in `SystemExit`."""
    try:
        from ttr_env.cli import plain  # noqa: F401 - it knows what to write for what a terminal lacks
        from ttr_env.cli.app import app

        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as the package has it while it is imported
            signal.signal(signal.SIGINT, signal.default_int_handler)
    except KeyboardInterrupt:
        sys.exit(130)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")
    # An agent of one's own is often a file in the current folder. Last in the path, so that it hides nothing installed.
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    app(args=None if arguments is None else list(arguments), prog_name="ttr")
