"""Looks for better beliefs of the planner at one table, and ends with how good they are.

Usage: `python -m training.tune --map nederland --players 4 [--generations 90] [--deals 160] [--seed 0] [--out DIR]`

Ctrl-C leaves; the same command goes on from the last generation. The end prints what was found,
for `ttr_env/bots/beliefs.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from ttr_env.arena.command_line import make_folder, reporting_errors
from ttr_env.bots.beliefs import Beliefs
from ttr_env.options import Variant, positive

TEST_SEED = 1  # of the deals at the end, which no search meets
TEST_DEALS = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, and print what was found; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.tune", description=__doc__.splitlines()[0])
    parser.add_argument("--map", default="nederland", help="a built-in map, or the folder of your own")
    parser.add_argument("--players", type=int, default=2, help="at the table")
    parser.add_argument("--generations", type=int, default=90, help="of candidates")
    parser.add_argument("--deals", type=int, default=160, help="that a generation plays, each from every seat")
    parser.add_argument("--seed", type=int, default=0, help="everything random follows from it")
    parser.add_argument("--threads", type=int, default=2, help="processor threads")
    parser.add_argument("--out", type=Path, default=Path("runs/tune"), metavar="DIR", help="for what was found")
    return reporting_errors(run, parser.parse_args(arguments), "tuning")


def run(options: argparse.Namespace, console: Console) -> int:
    """A whole search, or the rest of one."""
    from ttr_env.learning.tuning import OPPONENTS, Judge, Search

    for name in ("generations", "deals", "threads"):
        positive(getattr(options, name), f"--{name}")
    variant = Variant.of(options.map, players=options.players)
    make_folder(options.out)
    file = options.out / f"{variant.map.name}-{options.players}.json"
    search = Search(variant, options.deals, options.seed, file, options.threads)
    for generation in search.generations(options.generations):
        console.print(
            f"generation {generation.number}: its candidates are worth {generation.value:.3f}", highlight=False
        )
    judge = Judge(variant, options.threads)
    deals = np.random.default_rng(TEST_SEED).integers(2**63, size=TEST_DEALS, dtype=np.uint64)
    for name, (opponent, _) in OPPONENTS.items():
        [match] = judge.play([search.best], opponent, deals)
        games = TEST_DEALS * options.players
        console.print(f"wins {match.wins:.1%} of {games:,} games against {name}", highlight=False)
    console.print(written(search.best), highlight=False, soft_wrap=True)
    return 0


def written(beliefs: Beliefs) -> str:
    """Beliefs as they stand in the source, to three digits.

    >>> written(Beliefs(token=0.12345))[:34]
    'Beliefs(spare_train=3.1, token=0.1'
    """
    return f"Beliefs({', '.join(f'{name}={value:.3g}' for name, value in beliefs._asdict().items())})"


if __name__ == "__main__":
    sys.exit(main())
