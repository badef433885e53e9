"""`ttr verify`: whether a result of `ttr evaluate --task` is true."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ttr_env.arena.waiting import bar
from ttr_env.cli.errors import blame_the_user
from ttr_env.tasks import results
from ttr_env.tasks.program import print_result
from ttr_env.tasks.verifying import Report, other_versions, verify


def run(file: Path, agent: str | None, figures: Path | None) -> int:
    """Verify a result and say what was found; the exit status, 1 if it is not true."""
    console = Console(highlight=False)
    with blame_the_user(ValueError), bar(Console(stderr=True), "games") as show:
        report = verify(file, agent, show)
    if not report.true:
        others = other_versions(report.result)
        made = f" (it was made with other versions: {others})" if others else ""
        console.print(f"{file} is not true: {report.difference}{made}", markup=False, soft_wrap=True)
        return 1
    print_result(report.result, console)
    console.print(f"{file} is true: {_told(report)}", markup=False, soft_wrap=True)
    if figures is not None:
        results.write(report.result.without_games(), figures)
    return 0


def _told(report: Report) -> str:
    asked = "the agent and the opponents were asked again for all their moves"
    if report.unasked:
        asked = f"the opponents were asked again for all their moves, and the agent was not ({report.unasked})"
    state = "" if report.result.complete else ", and it is not complete"
    return f"{report.result.games:,} games were replayed, {asked}, and all numbers follow{state}"
