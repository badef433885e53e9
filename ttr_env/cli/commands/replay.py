"""`ttr replay`: a record, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from ttr_env.cli import records
from ttr_env.cli.errors import UserError
from ttr_env.cli.screen.films import Film
from ttr_env.cli.screen.show import show, tell
from ttr_env.cli.screen.story import Story
from ttr_env.game import Game


def replay(file: Path, number: int, to: int | None, speed: float, film: Film) -> None:
    """Show a record, or write a film of it."""
    film.check()
    record = records.read(file, number)
    decisions = len(record["actions"])
    if to is not None and to > decisions:
        raise UserError(f"--to {to}: the game has {decisions} decisions")
    story, console = retell(record), Console()
    if film.wanted:
        film.write(story, to, console)
    elif console.is_terminal:
        show(story, console, speed, at=to or 0, paused=True)
    else:
        tell(story, console, to)


def retell(record: dict[str, Any]) -> Story:
    """The story of a record."""
    start = Game.replay({**record, "actions": []})
    upcoming = iter(record["actions"])

    def decide(game: Game) -> int | None:
        action: int | None = next(upcoming, None)
        if action is not None:
            game.step(action)
        return action

    return Story(start, records.names(record), decide)
