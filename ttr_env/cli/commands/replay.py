"""`ttr replay`: a record, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from ttr_env.cli import records
from ttr_env.cli.errors import UserError
from ttr_env.cli.screen.films import Film
from ttr_env.cli.screen.pages import PageFile
from ttr_env.cli.screen.show import show, tell
from ttr_env.cli.screen.story import Story
from ttr_env.game import Game
from ttr_env.game.records import begin, names, take


def replay(file: Path, number: int, to: int | None, speed: float, film: Film, page: PageFile) -> None:
    """Show a record, or write a film or a page of it."""
    film.check()
    page.check()
    with records.reporting_damage(file):
        story = retell(records.read(file, number))
        decisions = story.finish()  # so that a damaged record is refused now
    if to is not None and to > decisions:
        raise UserError(f"--to {to}: the game has {decisions} decisions")
    console = Console()
    if film.wanted or page.wanted:
        film.write(story, to, console)
        page.write(story, to, console)
    elif console.is_terminal:
        show(story, console, speed, at=to or 0, paused=True)
    else:
        tell(story, console, to)


def retell(record: Any) -> Story:
    """The story of a record."""
    start = begin(record, Game)
    upcoming = iter(enumerate(record["actions"]))

    def decide(game: Game) -> bool:
        for step, action in upcoming:
            take(game, step, action)
            return True
        return False

    return Story(start, names(record), decide)
