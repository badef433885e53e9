"""What an agent's name says: whether it can be asked again for the moves of a result, and whether two are the same."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ttr_env.agents.registry import is_built_in
from ttr_env.maps.faults import shortened
from ttr_env.tasks.definitions import with_version

_SEARCHING = ("ismcts", "champion+search")  # the built-in agents that take a number of playouts, or a time
_FILE = re.compile(  # an agent that is read from a file: FILE,temperature=0.5, or policy=FILE among options
    r"(?:policy|sb3):(?P<whole>.+?)(?:,temperature=.*)?|[^:]+:(?:.*,)?policy=(?P<option>[^,]+).*"
)


def searches_by_time(agent: str) -> bool:
    """Whether an agent thinks for a time, so that the machine has a say in what it does.

    >>> searches_by_time("ismcts:seconds=0.2"), searches_by_time("ismcts:iterations=1000")
    (True, False)
    >>> searches_by_time("policy:seconds=1.npz")
    False
    """
    return draws_chance(agent) and "seconds" in _options(agent)


def draws_chance(agent: str) -> bool:
    """Whether a built-in agent draws from a seed of its own, so that its moves depend on the order of its games.

    >>> draws_chance("champion+search:iterations=5"), draws_chance("champion:version=2")
    (True, False)
    """
    return agent.partition(":")[0] in _SEARCHING


def _options(agent: str) -> list[str]:
    return [option.partition("=")[0].strip() for option in agent.partition(":")[2].split(",")]


def agent_digest(agent: str) -> str | None:
    """The SHA-256 of the file that an agent is read from, if its name says so."""
    found = _FILE.fullmatch(agent)
    file = Path(found["whole"] or found["option"]) if found else None
    return hashlib.sha256(file.read_bytes()).hexdigest() if file and file.is_file() else None


def check_same(agent: str, told: str, digest: str | None) -> None:
    """Refuse an agent that is not the one a result tells of, by its name and the SHA-256 of its file.

    Files, programs and modules may be in other places than they were.
    """
    name = with_version(agent)
    if _without_place(name) != _without_place(told):
        raise ValueError(f"the result is of agent {told!r}, and not of {shortened(agent)}")
    found = agent_digest(name)
    if found != digest:
        raise ValueError(f"agent {name!r}: the SHA-256 of its file is {found}, and that of the result's is {digest}")


def _without_place(agent: str) -> str:
    """A name without where its file, program or module is.

    >>> _without_place("policy:runs/mine/policy.npz,temperature=0.5"), _without_place("my.module:Mine")
    ('policy:,temperature=0.5', ':Mine')
    """
    if is_built_in(agent):
        return agent
    found = _FILE.fullmatch(agent)
    if found:
        start, end = found.span("whole" if found["whole"] else "option")
        return agent[:start] + agent[end:]
    kind, colon, name = agent.partition(":")
    return "exec:" if kind == "exec" else colon + name
