"""Any program as an agent: lines of JSON on its standard input and output (`docs/language-models.md`)."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
from collections import deque
from typing import Any, NoReturn

from ttr_env.agents.base import Agent
from ttr_env.errors import ProgramError
from ttr_env.game import Game
from ttr_env.maps import Map
from ttr_env.text import as_json

PROTOCOL = 1
SECONDS = 10.0  # for each answer
START_SECONDS = 60.0  # for the first one: some programs load a model
LONGEST_LINE = 1_000_000  # characters
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
        if not seconds > 0:
            raise ValueError(f"exec:{command}: seconds must be a number above 0, not {seconds!r}")
        self._seconds = float(seconds)
        self._process: subprocess.Popen[str] | None = None
        self._told_map = ""
        self._asked = 0
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
        if self._told_map != game.map.digest:
            self._tell({"type": "map", "map": _map(game.map)}, self._seconds)
            self._told_map = game.map.digest
        self._asked += 1
        seen = as_json(game)
        answer = self._ask({"type": "act", "id": self._asked, **seen}, self._seconds)
        action = answer.get("action")
        if answer.get("id", self._asked) != self._asked:
            self._fail(f"it answered question {answer['id']!r} when {self._asked} was asked")
        if not isinstance(action, int) or isinstance(action, bool):
            self._fail(f'it answered {json.dumps(answer)[:200]}, which has no number under "action"')
        if action not in [each["action"] for each in seen["legal"]]:
            self.close()  # the game refuses the action and says why
        return action

    # The process.

    def _start(self) -> None:
        self._asked, self._told_map = 0, ""
        self._complaints: deque[str] = deque(maxlen=5)
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that what it has started ends with it
            )
        except OSError as error:
            raise ProgramError(f"{self._command[0]} cannot be started: {error.strerror or error}") from error
        threading.Thread(target=self._listen_to_complaints, args=(self._process,), daemon=True).start()
        answer = self._ask({"type": "hello", "protocol": PROTOCOL, "seed": self._seed}, START_SECONDS)
        if answer.get("protocol") != PROTOCOL:
            self._fail(f"it speaks protocol {answer.get('protocol')!r}; {PROTOCOL} is needed")

    def _listen_to_complaints(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr:
            for line in process.stderr:
                self._complaints.append(line.rstrip()[:500])

    def _ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message, and wait for the line that answers it."""
        line = self._tell(message, seconds, answered=True)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._fail(f"it answered {line.strip()[:200]!r}, which is no JSON object in one line")
        return answer

    def _tell(self, message: dict[str, Any], seconds: float, answered: bool = False) -> str:
        """Send a message, and read a line if it is to be answered. A program that takes too long is ended."""
        process, late = self._process, threading.Event()
        assert process is not None and process.stdin is not None and process.stdout is not None

        def end() -> None:
            late.set()
            _kill(process)

        watch = threading.Timer(seconds, end)
        watch.start()
        line, broken = "", False
        try:
            process.stdin.write(json.dumps(message, separators=(",", ":")) + "\n")
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_LINE) if answered else ""
        except OSError:
            broken = True
        except BaseException:  # Ctrl-C: the answer that is still to come would be taken for the next one
            self.close()
            raise
        finally:
            watch.cancel()
        if late.is_set():
            self._fail(f"it did not answer within {seconds:g} seconds")
        if broken or (answered and not line):
            self._fail(f"it ended{_status(process)}")
        if answered and not line.endswith("\n"):
            self._fail(f"its answer is longer than {LONGEST_LINE:,} characters, or has no end")
        return line

    def _fail(self, how: str) -> NoReturn:
        """End the program, and say what was wrong with it."""
        complaints = " / ".join(self._complaints)
        self.close()
        said = f"; it complained: {complaints}" if complaints else ""
        raise ProgramError(f"the program {' '.join(self._command)!r} was ended: {how}{said}")

    @property
    def running(self) -> bool:
        """Whether the program has been started, and not ended yet."""
        return self._process is not None

    def close(self) -> None:
        """End the program, if it runs."""
        process, self._process = getattr(self, "_process", None), None
        if process is None:
            return
        _kill(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()

    def __del__(self) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """What is copied: not the process; a copy starts one of its own."""
        blank = {"_process": None, "_told_map": "", "_asked": 0}
        return {"_command": self._command, "_seconds": self._seconds, "_seed": self._seed, **blank}


def _kill(process: subprocess.Popen[str]) -> None:
    """End a program and what it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _status(process: subprocess.Popen[str]) -> str:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return f" with status {process.wait(timeout=1)}"
    return ""


def _map(map: Map) -> dict[str, Any]:
    """A map as plain JSON types; cities, tracks and tickets are named by their places in the lists."""
    return {
        "name": map.name,
        "digest": map.digest,
        "cities": [str(city) for city in map.cities],
        "tracks": [{name: getattr(track, name) for name in track.__dataclass_fields__} for track in map.tracks],
        "tickets": [{"a": ticket.a, "b": ticket.b, "points": ticket.points} for ticket in map.tickets],
    }
