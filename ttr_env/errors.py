"""The errors a user can meet, each a `ValueError` that says what is wrong and what would be right."""

from __future__ import annotations

import difflib
import importlib.metadata
import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote


class IllegalAction(ValueError):
    """The action cannot be taken here; the game is as it was before.

    >>> from ttr_env import Game
    >>> try:
    ...     Game(seed=7).step(0)
    ... except IllegalAction as error:
    ...     error.action, error.reason
    (0, 'the phase is keep_tickets')
    """

    def __init__(
        self,
        message: str = "",
        *,
        row: int | None = None,
        action: Any = None,
        reason: str | None = None,
        bot: str | None = None,
    ) -> None:
        """Say what is wrong.

        Args:
            message: the whole sentence.
            row: the row of a batch or vector environment; None in a game alone.
            action: what was to be done, as it was given; None where that is not known.
            reason: why it cannot be done, without saying what; None where that is not known.
            bot: who chose it, if that was a bot in compiled code; None: whoever called.
        """
        super().__init__(message)
        self.row = row
        self.action = action
        self.reason = reason
        self.bot = bot


class IllegalActionType(IllegalAction, TypeError):
    """What was given as an action is no whole number."""


class UnreadableReply(ValueError):
    """A reply in words is not one legal action: it cannot be read, is illegal, or has several readings.

    >>> from ttr_env import Game, text
    >>> try:
    ...     text.parse(Game(seed=7), "Take a red card")
    ... except UnreadableReply as error:
    ...     error.reason
    'that is not legal now: the phase is keep_tickets'
    """

    def __init__(self, message: str = "", *, reply: str = "", reason: str = "", readings: Sequence[int] = ()) -> None:
        """Say why.

        Args:
            message: the whole sentence.
            reply: what was to be read.
            reason: why that is not one legal action, without the reply.
            readings: the legal actions that it could be, where there are several.
        """
        super().__init__(message)
        self.reply = reply
        self.reason = reason
        self.readings = tuple(readings)


class AboutInput(ValueError):
    r"""What came from outside is wrong. It may be quoted: in a bearable length, without signs that steer a terminal.

    >>> str(AboutInput("the name \x1b[2J is too long: " + 5000 * "a"))[:33], len(str(AboutInput(5000 * "a")))
    ('the name ?[2J is too long: aaaaaa', 3000)
    """

    def __init__(self, message: object = "") -> None:
        """Say what is wrong."""
        super().__init__(_bearable(str(message)))


class MapError(AboutInput):
    """A board's files are broken; the message names file, line and field."""


class SnapshotError(AboutInput):
    """A snapshot does not describe a position of the game; the message names the field."""


class RecordError(AboutInput):
    """A record cannot be replayed; the message names the step at which it fails."""


class PageError(AboutInput):
    """A page cannot be made or written; the message says why."""


class PolicyFileError(AboutInput):
    """A file is not a policy file, or is for another map or version; the message says which."""


class SharedByThreads(ValueError):
    """Two threads use a batch or an environment at once, which belongs to one; nothing was done for the second."""


class BadAgent(ValueError):
    """An agent returned an illegal action; the message names it and the file with the position."""


class ProgramError(AboutInput):
    """A program that plays (`exec:PROGRAM`) failed and was ended; the message says how, and what it complained of."""


class TableError(AboutInput):
    """A table of `ttr serve` is not there, cannot be opened, or cannot be made as it was asked for."""


class StaleAction(ValueError):
    """What a page of `ttr serve` asks for does not fit the table as it is now; nothing was done."""


class AgentFailed(ValueError):
    """An agent at a table of `ttr serve` raised an error, thought for too long or ended; the message says which."""


class SettingsError(AboutInput):
    """A configuration is wrong; the message names the field, and what would be right."""


class CheckpointError(AboutInput):
    """A checkpoint cannot be written, or cannot be resumed from; the message says why."""


class ClusterError(ValueError):
    """Ray cannot be reached, or is too small for what was asked; the message says why."""


_LONGEST = 3000  # letters of a complaint
_END = 500  # of them that are kept of the end of one that is too long


def _bearable(text: str) -> str:
    lines = text.replace("\t", " ").split("\n")
    visible = "\n".join("".join(sign if sign.isprintable() else "?" for sign in line) for line in lines)
    if len(visible) <= _LONGEST:
        return visible
    gap = " ... "
    return visible[: _LONGEST - _END - len(gap)] + gap + visible[-_END:]


def did_you_mean(name: str, known: Iterable[str], form: str = " ({})", likeness: float = 0.6) -> str:
    """A hint for a message: the nearest of the known names, if one is near enough, whatever its case.

    >>> did_you_mean("Player", ["players", "tolls"])
    " (did you mean 'players'?)"
    """
    spelled = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), spelled, 1, likeness)
    return form.format(f"did you mean {spelled[near[0]]!r}?") if near else ""


def install_command(extra: str) -> str:
    """What to type to get an extra: from where ttr-env was installed from, or else by its name.

    >>> install_command("arena").startswith("pip install ")
    True
    """
    try:
        origin = json.loads(importlib.metadata.distribution("ttr-env").read_text("direct_url.json") or "{}")
    except (importlib.metadata.PackageNotFoundError, ValueError):
        origin = {}
    place = unquote(str(origin.get("url", "")).removeprefix("file://"))
    if not place.startswith("/"):
        return f"pip install 'ttr-env[{extra}]'"
    editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{place}[{extra}]')}"
