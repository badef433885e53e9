"""The arena: agents play each other, and the table says who is how strong.

Usage: `python -m training.evaluate --agents planner racer greedy random --players 2 --games 2000 --seed 1 --out DIR`

Every deal is played from every seat, so that luck and seat cancel. More agents than seats: every combination of them
plays `--games` games; fewer: agents repeat. With `--against`, each agent meets each of those in all other seats. A
shared win counts its share. Intervals are over deals. Ctrl-C stops and reports what has been played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from ttr_env.agents.catalogue import SHORT
from ttr_env.arena.command_line import make_folder, reporting_errors, whole
from ttr_env.arena.contest import MOST_GAMES
from ttr_env.arena.showing import evaluate_with_bar, print_results
from ttr_env.arena.writing import write
from ttr_env.options import GameOptions, command_line_options, of_kind, refuse_idle

_EXAMPLE = (
    "Example: --agents champion policy:runs/quickstart/policy.npz --against planner --games 500 --out results. "
    "With --task TASK, `ttr evaluate` tests one agent by itself (`ttr evaluate --task TASK --help`)."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the tables, and write what was asked for; the exit status."""
    return reporting_errors(run, parse(arguments), "the arena", extra="arena")


def run(options: argparse.Namespace, console: Console) -> int:
    """See that all is right, so that no games are played in vain; then play and report."""
    from ttr_env.arena import reporting  # like all that needs an extra, when somebody is there to hear what is missing

    if options.json and (options.json.is_dir() or not options.json.absolute().parent.is_dir()):
        raise ValueError(f"--json {options.json}: a file in a folder that is there is needed")
    if options.out:
        make_folder(options.out)
    refuse_idle(options.map, vars(options))
    results = evaluate_with_bar(
        console,
        options.agents,
        options.against,
        options.map,
        **of_kind(vars(options), GameOptions),
        games=options.games,
        seed=options.seed,
        keep_records=options.records,
        blind=options.blind,
        folder=options.out or "",
    )
    print_results(results, console)
    if options.json:
        write(options.json, reporting.as_json(results))
    if options.out:
        reporting.write_folder(options.out, results)
        console.print(f"Written to {options.out}", markup=False, soft_wrap=True)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="ttr evaluate", description=__doc__.splitlines()[0], epilog=_EXAMPLE)
    parser.add_argument(
        "--task",
        metavar="TASK",
        help="test one agent by a task of the benchmark; see `ttr evaluate --task TASK --help`",
    )
    parser.add_argument("--agents", nargs="+", required=True, metavar="AGENT", help=f"{SHORT} (`ttr agents` says more)")
    parser.add_argument(
        "--against", nargs="+", default=[], metavar="AGENT", help="let each agent meet each of these in all other seats"
    )
    parser.add_argument("--games", type=whole, default=2000, help="games for each table (default: 2000)")
    parser.add_argument("--seed", type=whole, default=1, help="seed of all deals and agents (default: 1)")
    parser.add_argument("--map", default="nederland", help="a map's name or folder (default: nederland)")
    _add_game_options(parser)
    parser.add_argument("--blind", action="store_true", help="show agents only what their seat knows")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write results as CSV and JSON, and plots as PNG and SVG"
    )
    parser.add_argument("--records", action="store_true", help="with --out: write all games, one JSON a line")
    options = parser.parse_args(arguments)
    if options.task:  # `ttr evaluate` hands it on, where it is written out
        parser.error("--task: tests are played by `ttr evaluate --task TASK`")
    if options.players < 2:
        parser.error(f"--players: at least 2 are needed, not {options.players}")
    if options.games < options.players:
        parser.error(f"--games: at least {options.players} are needed to play a deal from every seat")
    if options.games > MOST_GAMES:
        parser.error(f"--games: at most {MOST_GAMES:,} are needed")
    if options.records and not options.out:
        parser.error("--records needs --out DIR")
    return options


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    for option in command_line_options():
        if option.type is bool:
            meaning: dict[str, Any] = {"action": "store_const", "const": option.typed, "help": option.help}
        else:
            meaning = {"type": whole, "help": f"{option.help} (default: {option.default})"}
        parser.add_argument(option.flag, dest=option.name, default=option.default, **meaning)


if __name__ == "__main__":
    sys.exit(main())
