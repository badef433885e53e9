"""Single keys from a terminal, without waiting for Enter."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

_NAMES = {
    " ": "pause",
    "\x1b[C": "forth",
    "\x1b[D": "back",
    "\x1bOC": "forth",
    "\x1bOD": "back",
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), "first"),  # Home and End differ between terminals
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), "last"),
    "l": "forth",
    "h": "back",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "q": "quit",
}
HINT = "space pause  ←→ step  Home End  + - speed  q quit"


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Make the terminal hand out keys one by one, and put it back afterwards."""
    if not _has_keys():
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def wait(seconds: float, forever: bool = False) -> str | None:
    """What is asked for within so many seconds, by name; None if nothing is.

    Where no key can come, it only waits; what would wait `forever` for one then ends.
    """
    if not _has_keys():
        time.sleep(0 if forever else seconds)
        return "quit" if forever else None
    import select

    if not select.select([sys.stdin], [], [], seconds)[0]:
        return None
    # An arrow key is several bytes, which arrive together.
    typed = os.read(sys.stdin.fileno(), 16).decode(errors="ignore")
    return _NAMES.get(typed, _NAMES.get(typed[:1], "other"))


def _has_keys() -> bool:
    """Whether keys can come one by one: from a terminal, and not on Windows, where Ctrl-C ends a game."""
    return sys.platform != "win32" and sys.stdin.isatty()
