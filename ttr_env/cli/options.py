"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

# As `agents.names()` has them, which is not asked: asking for help is to be quick.
AGENTS = "champion, planner, racer, greedy, random, ismcts, champion+search, policy:FILE or module:Class"

MapName = Annotated[str, typer.Option("--map", metavar="MAP", help="A map's name (see `ttr maps`), or its folder.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="The same seed repeats a game; without one, any.")]
NoTolls = Annotated[bool, typer.Option("--no-tolls", help="Play without tolls, on a map that has them.")]
NeutralPlayer = Annotated[bool, typer.Option("--neutral-player", help="The neutral player joins 2 players.")]
Speed = Annotated[float, typer.Option(metavar="N", min=0.1, max=1000, help="Decisions a second, also in a film.")]
Gif = Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="Write a GIF instead of showing the game.")]
Mp4 = Annotated[Path | None, typer.Option("--mp4", metavar="FILE", help="Write an MP4 instead (extra: video).")]
Width = Annotated[int, typer.Option(metavar="N", min=200, max=4000, help="Width of a film in pixels.")]
