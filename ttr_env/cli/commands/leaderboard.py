"""`ttr leaderboard`: the table of all results in a folder."""

from __future__ import annotations

from pathlib import Path

import typer

from ttr_env.cli.errors import blame_the_user
from ttr_env.tasks import leaderboard


def run(folder: Path, out: Path) -> None:
    """Write the table as Markdown, and as a page with plots."""
    with blame_the_user(ValueError, OSError):
        found = list(leaderboard.found_in(folder).values())
        out.mkdir(parents=True, exist_ok=True)
        (out / "leaderboard.md").write_text(leaderboard.markdown(found), encoding="utf-8")
        (out / "leaderboard.html").write_text(leaderboard.page(found), encoding="utf-8")
    typer.echo(f"Written to {out / 'leaderboard.md'} and {out / 'leaderboard.html'}")
