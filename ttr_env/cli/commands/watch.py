"""`ttr watch`: agents play, and one looks on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ttr_env.cli import records
from ttr_env.cli.options import Deal
from ttr_env.cli.screen.films import Film
from ttr_env.cli.screen.pages import PageFile
from ttr_env.cli.screen.show import show
from ttr_env.cli.screen.story import Story
from ttr_env.cli.seating import act, getting_ready, seat, warm_up
from ttr_env.game import Game


def watch(specs: Sequence[str], deal: Deal, speed: float, film: Film, page: PageFile, save: Path | None) -> None:
    """Show a game of these agents, or write a film or a page of it."""
    console = Console()
    film.check()
    page.check()
    records.check_writable(save)
    with getting_ready():
        story = play_out(specs, deal)
        warm_up(story.positions[0], specs)
    if film.wanted or page.wanted:
        film.write(story, None, console)
        page.write(story, None, console)
    else:
        show(story, console, speed)
    if save is not None:
        story.finish()
        records.write(save, story.positions[-1], story.names)
    Console(stderr=True).print(f"Seed {story.positions[0].seed} repeats this game.", style="dim", highlight=False)


def play_out(specs: Sequence[str], deal: Deal) -> Story:
    """The story of a game between agents, played as far as it is asked for."""
    game = deal.game(len(specs))
    actors = seat(specs, game)

    def decide(game: Game) -> bool:
        act(game, actors[game.player], specs[game.player])
        return True

    return Story(game, specs, decide)
