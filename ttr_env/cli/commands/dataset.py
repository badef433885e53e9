"""`ttr dataset`: games to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ttr_env import data
from ttr_env.cli.errors import blame_the_user
from ttr_env.cli.options import Deal
from ttr_env.options import refuse_idle


def run(
    agents: Sequence[str], games: int, folder: Path, deal: Deal, teacher: str | None, shard_size: int | None
) -> None:
    """Write a data set with a bar, and say what it holds."""
    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    try:
        with blame_the_user(ValueError, OSError), bar as progress:
            refuse_idle(deal.map, deal.options)
            task = progress.add_task("games", total=games)
            manifest = data.write(
                folder,
                agents,
                games,
                deal.map,
                seed=deal.seed or 0,
                teacher=teacher,
                shard_size=shard_size,
                progress=lambda done, of: progress.update(task, completed=done, total=of),
                **deal.options,
            )
    except KeyboardInterrupt:
        console.print("Stopped; the same command goes on from here.")
        raise typer.Abort from None
    told = f"{manifest.played:,} games with {manifest.decisions:,} decisions"
    Console().print(f"{told} are in {folder}", highlight=False, soft_wrap=True, markup=False)
