"""Whether this checkout is slower than another commit: `python -m benchmarks.pairs COMMIT`.

Each side has a process of its own that stays, and they take turns, so that what else the machine does hits both alike.
What is told is the mean of some rounds, each with new processes, of the median of the pairs' ratios.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from .pairs_side import CASES

HERE = Path(__file__).resolve().parents[1]
SIDE = HERE / "benchmarks" / "pairs_side.py"


class Side:
    """A process that times cases with the package of one checkout, when it is told to."""

    def __init__(self, root: Path, cache: Path | None = None):
        places = {"PYTHONPATH": str(root)} | ({"NUMBA_CACHE_DIR": str(cache)} if cache else {})
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(SIDE)],  # -P: nothing is imported from this file's own folder
            cwd=root,
            env=os.environ | places,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, case: str) -> float | None:
        """How long one run of the case takes now; None where the commit cannot do it."""
        assert self.process.stdin and self.process.stdout
        with suppress(BrokenPipeError):
            print(case, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"The process ended while it ran: {case}")
        return None if answer == "none\n" else float(answer)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        with suppress(BrokenPipeError):
            self.process.communicate()


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """That commit's files, for a while."""
    with tempfile.TemporaryDirectory(prefix="ttr_env-pairs-") as folder:
        place = Path(folder, "tree")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(place), commit], cwd=HERE, check=True)
        try:
            yield place
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(place)], cwd=HERE, check=True)


def compile_all(root: Path, cache: Path | None, cases: Sequence[str]) -> None:
    """Have compiled what the cases need: a process that has compiled by itself is some per cent slower."""
    side = Side(root, cache)
    for case in cases:
        side.seconds(case)
    side.end()


def ratio(now: Side, then: Side, case: str, pairs: int) -> float | None:
    """How many times as long the case takes now as then, in the median of pairs; None where one side cannot do it."""
    if now.seconds(case) is None or then.seconds(case) is None:  # which also warms both up
        return None
    ratios = []
    for number in range(pairs):
        sides = (now, then) if number % 2 else (then, now)
        times = {side: side.seconds(case) for side in sides}
        ratios.append((times[now] or 0.0) / (times[then] or 1.0))
    return statistics.median(ratios)


def line(case: str, ratios: Sequence[float | None]) -> str:
    """A line of the table: the mean over rounds, and the lowest and highest of them.

    >>> line("Batch, base", [1.01, 0.99, 1.03])
    'Batch, base                                      +1.0%   (-1.0% to +3.0%)'
    """
    found = [each - 1 for each in ratios if each is not None]
    if not found:
        return f"{case:<44}{'not there':>10}"
    return f"{case:<44}{statistics.mean(found):>+10.1%}   ({min(found):+.1%} to {max(found):+.1%})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print, for each case, how much more time it takes here than at the other commit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairs", description="Compare with another commit.")
    parser.add_argument("commit", help="what to compare with, as git names it")
    parser.add_argument("--rounds", type=int, default=6, metavar="N", help="each with new processes (6)")
    parser.add_argument("--pairs", type=int, default=8, metavar="N", help="runs on each side in a round (8)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose names contain this")
    options = parser.parse_args(arguments)
    chosen = [case for case in CASES if options.only in case]
    with checkout(options.commit) as root, tempfile.TemporaryDirectory(prefix="ttr_env-pairs-") as cache:
        places: list[tuple[Path, Path | None]] = [(HERE, None), (root, Path(cache))]
        for place in places:
            compile_all(*place, chosen)
        print(
            f"More time than {options.commit}: the mean of {options.rounds} rounds, and the lowest and highest of them"
        )
        for case in chosen:
            rounds = []
            for _ in range(options.rounds):  # how fast a process is depends a little on where it put things
                now, then = (Side(*place) for place in places)
                rounds.append(ratio(now, then, case, options.pairs))
                now.end()
                then.end()
            print(line(case, rounds), flush=True)


if __name__ == "__main__":
    main()
