"""`ttr check`: whether an agent is legal, repeatable and honest."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ttr_env.agents.checking import Report, check
from ttr_env.arena.waiting import bar
from ttr_env.cli.errors import blame_the_user

_FINDINGS = {
    "illegal": ("legal", "every choice was a legal action"),
    "unrepeatable": ("repeatable", "the same seed, the same choices"),
    "dishonest": ("honest", "the same choices when what its seat does not know was dealt anew"),
}


def run(agent: str, maps: Sequence[str], games: int, seed: int) -> int:
    """Let an agent play, and print what was found; the exit status, 1 if something was."""
    console = Console(highlight=False)
    with bar(Console(stderr=True), "games") as show, blame_the_user(ValueError):
        report = check(agent, maps, games, seed, show)
    for line in told(report):
        console.print(line, markup=False, soft_wrap=True)
    return 0 if report.passed else 1


def told(report: Report) -> list[str]:
    """A report in lines."""
    lines = [f"{report.agent}: {report.games:,} games, {report.decisions:,} decisions"]
    lines += [f"  does not play {each}" for each in report.refused]
    if not report.games:
        return lines
    for finding, (name, fine) in _FINDINGS.items():
        found = getattr(report, finding)
        if finding == "dishonest" and not found and report.unrepeatable:
            lines.append(f"  {name + '?':12} cannot be told of an agent that does not repeat itself")
        else:
            lines.append(f"  {'NOT ' + name if found else name:16} {found or fine}")
    return lines
