"""`ttr evaluate --task`: an agent plays the test of a task, and one file holds what came of it.

Ctrl-C stops, and writes what has been played; the same command goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_env.agents.catalogue import SHORT
from ttr_env.arena.command_line import reporting_errors, whole
from ttr_env.arena.showing import short, told
from ttr_env.arena.stopping import stoppable
from ttr_env.arena.waiting import bar
from ttr_env.errors import RecordError
from ttr_env.game.files import from_json, read_bytes
from ttr_env.tasks import definitions, testing
from ttr_env.tasks.checking import BEATEN, check_beaten
from ttr_env.tasks.figures import told_rating
from ttr_env.tasks.results import ENDING, Result, Terms

_EXAMPLE = f"Example: --task nederland-2p --agents policy:runs/mine/policy.npz --track scratch --out mine{ENDING}"
_MOST_BYTES = 2**16  # of a file that says how well an agent can be beaten


def main(arguments: Sequence[str] | None = None) -> int:
    """Test an agent, and print and write what came of it; the exit status."""
    return reporting_errors(run, parse(arguments), "the arena", extra="arena")


def run(options: argparse.Namespace, console: Console) -> int:
    """See that all is right, so that no games are played in vain; then play and report."""
    if not options.out.name.endswith(ENDING) or options.out.is_dir() or not options.out.absolute().parent.is_dir():
        raise ValueError(f"--out {options.out}: a file NAME{ENDING} in a folder that is there is needed")
    terms = Terms.of(
        definitions.load(options.task),
        options.agents[0],
        definitions.OPPONENTS[options.opponents],
        options.deals,
        track=options.track,
        budget=options.budget,
        beaten=read_beaten(options.beaten) if options.beaten else None,
    )
    testing.check_agent(terms)
    try:
        with stoppable(), bar(console, "games") as show:
            result = testing.run(terms, options.out, show)
    except testing.Stopped:
        there = f"the same command goes on with {options.out}"
        state = there if options.out.exists() else "nothing is written, as not even the first deal was played"
        with contextlib.suppress(OSError):  # the terminal may be gone
            console.print(f"Stopped; {state}.", markup=False, soft_wrap=True)
        return 130
    print_result(result, console)
    console.print(f"Written to {options.out}", markup=False, soft_wrap=True)
    return 0


def read_beaten(file: Path) -> dict[str, Any]:
    """How well an agent can be beaten, from a file: by what was trained against it, or by search that knows it."""
    try:
        beaten = from_json(read_bytes(file, _MOST_BYTES), containers=10)
    except RecordError as error:
        raise ValueError(f"--beaten {file} cannot be read: {error}") from error
    check_beaten(beaten, f"--beaten {file}")
    return dict(beaten)


def print_result(result: Result, console: Console) -> None:
    """The numbers of a result as a table."""
    about = f"{short(result.terms.agent)} on {result.terms.task}, version {result.terms.version}"
    table = Table(title=Text(about, style="table.title"))
    for heading in ("against", "games", "wins", "95 % interval", "total"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    boards = len(result.terms.boards)
    for each in result.figures["tables"]:
        against = f"{each['against']} on {each['map']}" if boards > 1 else each["against"]
        table.add_row(told(against), *_cells(each))
    for name, kind in (("public opponents", "public"), ("held-out opponents", "held_out")):
        if result.figures[kind]:
            table.add_row(name, *_cells(result.figures[kind]))
    public = result.figures["public"] or {}
    if "rating" in public:
        rating = f"Rating {told_rating(public, result.terms.agent)} ({definitions.ANCHOR} has 1000)"
        table.caption = f"{rating}; normalised score {public['normalised']:.1f}"
    console.print(table)


def _cells(numbers: dict[str, Any]) -> list[str]:
    low, high = numbers["interval"]
    return [
        f"{numbers['games']:,}",
        f"{numbers['win_share']:.1%}",
        f"{100 * low:.1f} to {100 * high:.1f}",
        f"{numbers['mean_total']:.1f}",
    ]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="ttr evaluate", description=__doc__.splitlines()[0], epilog=_EXAMPLE)
    parser.add_argument("--task", required=True, metavar="TASK", help=", ".join(definitions.names()))
    parser.add_argument("--agents", nargs=1, required=True, metavar="AGENT", help=f"the one that is tested: {SHORT}")
    parser.add_argument("--out", type=Path, required=True, metavar="RESULT", help=f"the file to write, NAME{ENDING}")
    parser.add_argument(
        "--opponents", choices=definitions.OPPONENTS, default="all", help="which it meets (default: all)"
    )
    parser.add_argument("--deals", type=whole, metavar="N", help="only the first so many deals of the task")
    parser.add_argument("--track", metavar="TRACK", help=f"what the agent uses: {', '.join(definitions.tracks())}")
    parser.add_argument("--budget", type=whole, metavar="N", help="decisions of the learner: one of the track's")
    parser.add_argument(
        "--beaten", type=Path, metavar="FILE", help=f"how well it can be beaten, as JSON: {', '.join(BEATEN)}"
    )
    return parser.parse_args(arguments)
