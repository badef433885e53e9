"""The arena: agents play each other, and the table says who is how strong.

Usage: `python -m training.evaluate --agents planner racer greedy random --players 2 --games 2000 --seed 1 --out DIR`

Every deal is played from every seat, so that luck and seat cancel. More agents than seats: every combination of them
plays `--games` games; fewer: agents repeat. With `--against`, each agent meets each of those in all other seats. A
shared win counts its share. Intervals are over deals. Ctrl-C stops and reports what has been played.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ttr_env import agents, maps
from ttr_env.agents.base import check_map
from ttr_env.agents.catalogue import SHORT
from ttr_env.arena.tables import Played, Table, tables
from ttr_env.learning.train import make_folder, reporting_errors

if TYPE_CHECKING:
    from ttr_env.arena.ratings import Pairs, Standing


_EXAMPLE = "Example: --agents champion policy:runs/quickstart/policy.npz --against planner --games 500 --out results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the tables, and write what was asked for; the exit status."""
    return reporting_errors(run, parse(arguments), "the arena")


def run(options: argparse.Namespace, console: Console) -> int:
    """See that all is right, so that no games are played in vain; then play and report."""

    board = maps.load(options.map)
    for name in [*options.agents, *options.against]:
        check_map(agents.make(name), board)
    if options.json and (options.json.is_dir() or not options.json.absolute().parent.is_dir()):
        raise ValueError(f"--json {options.json}: a file in a folder that is there is needed")
    if options.out:
        make_folder(options.out)
    report(play(options, console), options, console)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate", description=__doc__.splitlines()[0], epilog=_EXAMPLE
    )
    parser.add_argument("--agents", nargs="+", required=True, metavar="AGENT", help=f"{SHORT} (`ttr agents` says more)")
    parser.add_argument(
        "--against", nargs="+", default=[], metavar="AGENT", help="let each agent meet each of these in all other seats"
    )
    parser.add_argument("--players", type=int, default=2, help="seats at a table (default: 2)")
    parser.add_argument("--games", type=int, default=2000, help="games for each table (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all deals and agents (default: 1)")
    parser.add_argument("--map", default="nederland", help="a map's name or folder (default: nederland)")
    parser.add_argument("--no-tolls", dest="tolls", action="store_const", const=False, help="play without tolls")
    parser.add_argument("--neutral-player", action="store_true", help="the neutral player joins 2 players")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write results as CSV and JSON, and plots as PNG and SVG"
    )
    parser.add_argument("--records", action="store_true", help="with --out: write all games, one JSON a line")
    options = parser.parse_args(arguments)
    if options.players < 2:
        parser.error(f"--players: at least 2 are needed, not {options.players}")
    if options.games < options.players:
        parser.error(f"--games: at least {options.players} are needed to play a deal from every seat")
    if options.records and not options.out:
        parser.error("--records needs --out DIR")
    return options


def play(options: argparse.Namespace, console: Console) -> list[Played]:
    """Play all tables, showing progress; Ctrl-C ends early."""
    settings = {"map": options.map, "tolls": options.tolls, "neutral_player": options.neutral_player}
    seated = seating(options)
    games = -(-options.games // options.players) * options.players  # whole deals
    folder = options.out or Path.cwd()
    found: list[Played] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("games", total=games * len(seated), speed="")
        for names_at_table in seated:
            table = Table(names_at_table, settings, options.seed, folder, keep_records=options.records)
            before = progress.tasks[task].completed
            try:
                for finished in table.play(games):
                    speed = progress.tasks[task].speed
                    shown = f"{speed:,.0f} games/s" if speed else ""
                    progress.update(task, completed=before + finished, speed=shown)
            except KeyboardInterrupt:
                console.print("Stopped; here is what has been played.")
                return [*found, table.played()]
            found.append(table.played())
    return found


def seating(options: argparse.Namespace) -> list[tuple[str, ...]]:
    """Who sits together at each table."""
    if options.against:
        others = options.players - 1
        met = dict.fromkeys((name, other) for name in options.agents for other in options.against if other != name)
        if not met:
            raise ValueError("--against: the agents would only meet themselves; name another one")
        return [(name, *[other] * others) for name, other in met]
    names = list(dict.fromkeys(options.agents))
    return tables(names if len(names) >= options.players else options.agents, options.players)


def report(played: list[Played], options: argparse.Namespace, console: Console) -> None:
    """Print the results, and write the files that were asked for."""
    from ttr_env.arena import reporting
    from ttr_env.arena.ratings import pairs, standings

    played = [table for table in played if len(table.games)]  # a run that was stopped has empty ones
    if not played:
        raise ValueError("no deal was played from every seat, so there is nothing to report")
    met_at_all = {name for table in played for name in table.names}
    names = [name for name in dict.fromkeys([*options.agents, *options.against]) if name in met_at_all]
    ranked = standings(names, played, options.seed)
    met = pairs(played)
    reporting.print_standings(ranked, console)
    reporting.print_pairs([standing.name for standing in ranked], met, console)
    form = as_json(options, ranked, met)
    if options.json:
        options.json.write_text(json.dumps(form, indent=2) + "\n", encoding="utf-8")
    if options.out:
        reporting.write_folder(options.out, form, ranked, met, played)
        console.print(f"Written to {options.out}", markup=False, soft_wrap=True)


def as_json(options: argparse.Namespace, ranked: list[Standing], met: Pairs) -> dict[str, Any]:
    """The results as plain JSON types."""
    return {
        "players": options.players,
        "games": options.games,
        "seed": options.seed,
        "map": options.map,
        "tolls": options.tolls,
        "neutral_player": options.neutral_player,
        "agents": [standing.as_dict() for standing in ranked],
        "pairs": met,
    }


if __name__ == "__main__":
    sys.exit(main())
