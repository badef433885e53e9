"""`ttr dataset`: games to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console

from ttr_env import data
from ttr_env.arena.waiting import bar
from ttr_env.cli.errors import blame_the_user
from ttr_env.cli.options import Deal
from ttr_env.options import refuse_idle


def run(
    agents: Sequence[str], games: int, folder: Path, deal: Deal, teacher: str | None, shard_size: int | None
) -> None:
    """Write a data set with a bar, and say what it holds."""
    console = Console(stderr=True)
    try:
        with blame_the_user(ValueError, OSError), bar(console, "games") as show:
            refuse_idle(deal.map, deal.options)
            manifest = data.write(
                folder,
                agents,
                games,
                deal.map,
                seed=deal.seed or 0,
                teacher=teacher,
                shard_size=shard_size,
                progress=show,
                **deal.options,
            )
    except KeyboardInterrupt:
        console.print("Stopped; the same command goes on from here.")
        raise typer.Abort from None
    told = f"{manifest.played:,} games with {manifest.decisions:,} decisions"
    Console().print(f"{told} are in {folder}", highlight=False, soft_wrap=True, markup=False)
