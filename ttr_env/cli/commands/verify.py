"""`ttr verify`: whether a result of `ttr evaluate --task` is true."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ttr_env.arena.showing import bar
from ttr_env.cli.errors import UserError
from ttr_env.tasks import results
from ttr_env.tasks.program import print_result
from ttr_env.tasks.verifying import Untrue, Verified, searches_by_time, verify


def run(file: Path, agent: str | None, figures: Path | None) -> int:
    """Verify a result and say what was found; the exit status, 1 if it is not true."""
    console = Console(highlight=False)
    try:
        with bar(Console(stderr=True), "games") as show:
            verified = verify(file, agent, show)
    except Untrue as untrue:
        console.print(f"{file} is not true: {untrue}", markup=False, soft_wrap=True)
        return 1
    except ValueError as error:
        raise UserError(str(error)) from error
    print_result(verified.result, console)
    console.print(f"{file} is true: {_told(verified, agent)}", markup=False, soft_wrap=True)
    if figures is not None:
        results.write(verified.result.without_games(), figures)
    return 0


def _told(verified: Verified, agent: str | None) -> str:
    asked = "the opponents were asked again for all their moves"
    if verified.agent_asked:
        asked = "the agent and the opponents were asked again for all their moves"
    elif agent is not None and searches_by_time(agent):
        asked += ", and the agent was not: it searches by time"
    state = "" if verified.result.complete else ", and it is not complete"
    return f"{verified.result.games:,} games were replayed, {asked}, and all numbers follow{state}"
