"""`ttr leaderboard`: the table of all results in a folder."""

from __future__ import annotations

from pathlib import Path

import typer

from ttr_env.arena.writing import write_all
from ttr_env.cli.errors import blame_the_user
from ttr_env.tasks import leaderboard


def run(folder: Path, out: Path) -> None:
    """Write the table as Markdown, and as a page with plots."""
    markdown, page = out / "leaderboard.md", out / "leaderboard.html"
    with blame_the_user(ValueError):
        found = leaderboard.found_in(folder)
        contents = {markdown: leaderboard.markdown(found.values()), page: leaderboard.page(found.values())}
        out.mkdir(parents=True, exist_ok=True)
        write_all(contents)
    for file, result in found.items():
        if not result.complete:
            typer.echo(f"{file} is left out: its test is not complete", err=True)
    typer.echo(f"Written to {markdown} and {page}")
