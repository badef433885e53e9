"""A class for `GRPOTrainer(environment_factory=...)` of TRL. It needs nothing but the game.

TRL makes one for each rollout, calls `reset` with the columns of the data set, and offers every other public method
as a tool to the model; so there is one, `move`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ttr_env.errors import SnapshotError, did_you_mean
from ttr_env.llm.episode import Episode
from ttr_env.text import Task

_TASK = ("legal", "scope", "form", "retries", "fallback")
_GAME = ("map", "seed", "opponents", "seat", "players", "tolls", "neutral_player", "snapshot")
_MISSPELLED = 0.85  # how like an option's name a column's must be; of other columns a data set may have any


class TicketToRide:
    """Ticket to Ride as an environment of TRL: the rules and a position to begin with, moves as a tool.

    >>> env = TicketToRide()
    >>> print(env.reset(seed=7, opponents="random").splitlines()[2])
    TICKET TO RIDE: Nederland, 2 players, with tolls
    >>> "Your tickets:" in env.move("keep all")
    True
    >>> env.get_reward()
    0.0
    """

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def reset(self, **row: Any) -> str:
        """Begin a game as a row of the data set asks for; a position to begin in may also be the text of its JSON.

        Columns that are no options are left alone, unless one is nearly called like an option. What is refused leaves
        the game as it was.

        TRL appends what is returned to the last message of the prompt, so it begins with an empty line.
        """
        _check_columns(row)
        options = {name: row[name] for name in _GAME if row.get(name) is not None}
        if isinstance(options.get("snapshot"), str):
            options["snapshot"] = _read(options["snapshot"])
        task = Task(**{name: row[name] for name in _TASK if row.get(name) is not None})
        begun = Episode(**options, task=task)
        if self._episode is not None:
            self._episode.close()
        self._episode = begun
        return f"\n\n{self._episode.rules}\n\n{self._episode.text}"

    def move(self, move: str) -> str:
        """
        Make your next move in the game, and see what happens until it is your turn again.

        Args:
            move: The move in one sentence, such as "Take a red card" or "Draw tickets".

        Returns:
            What the others did, the position as you know it, and what you are asked next.
        """
        if self._episode is None:
            raise ValueError("reset has not been called yet")
        if self._episode.done:
            return "The game is over; no more moves can be made."
        return self._episode.say(move).text

    def get_reward(self) -> float:
        """What the game was worth: 1 for a win, -1 for a loss, shares in between; 0 if it was not finished."""
        return self._episode.reward if self._episode is not None and self._episode.done else 0.0

    def _tally(self) -> dict[str, float]:
        return self._episode.tally.as_dict() if self._episode is not None else {}


def _check_columns(names: Iterable[str]) -> None:
    for name in names:
        hint = did_you_mean(name, (*_GAME, *_TASK), likeness=_MISSPELLED)
        if hint and name not in (*_GAME, *_TASK):
            raise ValueError(f"reset has no option {name!r}{hint}; rename the column if it is meant for something else")


def _read(snapshot: str) -> Any:
    try:
        return json.loads(snapshot)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"snapshot: a dictionary or its JSON is needed; {error}") from None
