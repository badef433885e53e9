"""`ttr maps`: what there is to play on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ttr_env import maps
from ttr_env.cli.errors import blame_the_user
from ttr_env.maps import GENERATED, Map


def show(sources: Sequence[str]) -> None:
    """Print a table of maps: those named, or all that are built in."""
    with blame_the_user(ValueError):
        found = [maps.load(source) for source in sources or maps.names()]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("map", "players"):
        table.add_column(heading)
    for heading in ("cities", "routes", "tracks", "tickets"):
        table.add_column(heading, justify="right")
    table.add_column("variants and features")
    for map in found:
        fewest, most = map.rules.players
        routes = sum(partner is None or partner > index for index, partner in enumerate(map.partners))
        sizes = (len(map.cities), routes, len(map.tracks), len(map.tickets))
        notes = ", ".join(features(map)) or "none"
        name = map.name if map.name in maps.names() else map.title
        table.add_row(name, f"{fewest} to {most}", *(str(size) for size in sizes), notes)
    Console().print(table)


def generate(wishes: str, folder: Path | None) -> None:
    """Make the board of a seed, or of wishes like `seed=7,cities=20`, and write it to a folder."""
    name = GENERATED + (f"seed={wishes}" if wishes.isdecimal() else wishes)
    with blame_the_user(ValueError):
        board = maps.load(name)
        if folder is not None:
            board.save(folder)
    show([board.name])
    place = board.name if folder is None else folder
    Console().print(f"Play on it: ttr watch planner racer --map {place}", highlight=False, soft_wrap=True)


def features(map: Map) -> list[str]:
    """What a map has beyond cities and plain tracks.

    >>> features(maps.load("nederland"))
    ['tolls', 'neutral player']
    """
    return [
        name
        for name, there in {
            "tolls": map.rules.tolls is not None,
            "neutral player": map.rules.neutral is not None,
            "tunnels": any(track.tunnel for track in map.tracks),
            "ferries": any(track.ferry for track in map.tracks),
        }.items()
        if there
    ]
