"""Any program as an agent: lines of JSON on its standard input and output (`docs/language-models.md`)."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NoReturn

from ttr_env.agents.base import Agent
from ttr_env.agents.pipes import LineProcess
from ttr_env.errors import ProgramError
from ttr_env.game import Game
from ttr_env.maps import Map
from ttr_env.text import as_json

PROTOCOL = 1
SECONDS = 10.0  # for each answer
START_SECONDS = 60.0  # for the first one: some programs load a model
_SECONDS_OPTION = ",seconds="


class Program(Agent):
    """A program that is asked for every decision, and told only what its seat knows.

    It is started without a shell when it is first asked, and ended when it fails or is not needed any more.
    """

    def __init__(self, command: str, seconds: float = SECONDS, seed: int = 0) -> None:
        """Say which program plays.

        Args:
            command: the program and its arguments, quoted as for a shell; none is involved.
            seconds: the time that it has for an answer.
            seed: what it is told to take chance from.
        """
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"exec:{command}: the quotation marks do not match: {error}") from error
        if not self._command:
            raise ValueError("exec: names no program: exec:PROGRAM")
        if "\0" in command:
            raise ValueError(f"exec:{command!r}: a command cannot hold a zero byte")
        if not 0 < seconds < math.inf:
            raise ValueError(f"exec:{command}: seconds must be a number above 0, not {seconds!r}")
        self._seconds = float(seconds)
        self._process: LineProcess | None = None
        self._told_map, self._asked = "", 0  # since it was started
        super().__init__(seed)

    @classmethod
    def named(cls, spec: str, seed: int) -> Program:
        """The program that an agent's name stands for: `PROGRAM ARGUMENTS`, or with `,seconds=2` after it."""
        command, found, seconds = spec.rpartition(_SECONDS_OPTION)
        if not found:
            return cls(spec, seed=seed)
        try:
            return cls(command, float(seconds), seed)
        except ValueError as error:
            raise ValueError(f"agent 'exec:{spec}': {error}") from error

    def reset(self, seed: int) -> None:
        self.close()
        self._seed = seed

    def act(self, game: Game) -> int:
        if self._process is None:
            self._start()
        news = [] if self._told_map == game.map.digest else [{"type": "map", "map": _map(game.map)}]
        self._told_map, self._asked = game.map.digest, self._asked + 1
        seen = as_json(game)
        answer = self._ask([*news, {"type": "act", "id": self._asked, **seen}], self._seconds)
        action = answer.get("action")
        if answer.get("id") != self._asked:
            self._fail(f"it answered question {answer.get('id')!r} when {self._asked} was asked")
        if not isinstance(action, int) or isinstance(action, bool):
            self._fail(f'it answered {json.dumps(answer)[:200]}, which has no number under "action"')
        if action not in [each["action"] for each in seen["legal"]]:
            self.close()  # the game refuses the action and says why
        return action

    @property
    def running(self) -> bool:
        """Whether the program has been started, and not ended yet."""
        return self._process is not None

    def close(self) -> None:
        """End the program, if it runs; it is started anew when it is asked again."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _start(self) -> None:
        self._asked, self._told_map = 0, ""
        try:
            self._process = LineProcess(self._command)
        except OSError as error:
            raise ProgramError(f"{self._command[0]} cannot be started: {error.strerror or error}") from error
        answer = self._ask([{"type": "hello", "protocol": PROTOCOL, "seed": self._seed}], START_SECONDS)
        if answer.get("protocol") != PROTOCOL:
            self._fail(f"it speaks protocol {answer.get('protocol')!r}; {PROTOCOL} is needed")

    def _ask(self, messages: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
        """Send messages, and wait for the line that answers the last of them."""
        assert self._process is not None
        lines = "".join(json.dumps(message, separators=(",", ":")) + "\n" for message in messages)
        try:
            line = self._process.ask(lines, seconds)
        except ProgramError as failure:
            self._fail(str(failure))
        except BaseException:  # Ctrl-C: the answer that is still to come would be taken for the next one
            self.close()
            raise
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._fail(f"it answered {line.strip()[:200]!r}, which is no JSON object in one line")
        return answer

    def _fail(self, how: str) -> NoReturn:
        """End the program, and say what was wrong with it."""
        complaints = self._process.complaints() if self._process is not None else ""
        self.close()
        said = f"; it complained: {complaints}" if complaints else ""
        raise ProgramError(f"the program {shlex.join(self._command)} was ended: {how}{said}")

    def __getstate__(self) -> dict[str, Any]:
        """What is copied: not the process; a copy starts one of its own."""
        return {**self.__dict__, "_process": None}


def _map(map: Map) -> dict[str, Any]:
    """A map as plain JSON types; cities, tracks and tickets are named by their places in the lists."""
    return {
        "name": map.name,
        "digest": map.digest,
        "cities": [str(city) for city in map.cities],
        "tracks": _plain(map.tracks),
        "tickets": _plain(map.tickets),
        "rules": _plain(map.rules),
    }


def _plain(value: Any) -> Any:
    """A part of a map as plain JSON types."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
