"""Play and train for as long as asked, checking everything: `python -m tests.soak --minutes 60 [--out DIR]`.

Round after round: random games with every invariant checked, copies of all kinds, batches, environments, agents, and
two training runs, one of which is killed in every round. At the end of each round it is seen what the process holds.
Ctrl-C ends the soak after the round. The exit status is 1 if something grew; whatever breaks ends it at once.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.soak import jobs, vitals
from tests.soak.training_runs import KilledRun, LongRun
from ttr_env.learning.finishing import Interruption

Job = Callable[[int], int]
COLUMNS = ("round", "seconds", "decisions", "kills", "megabytes", "handles", "threads")


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10, help="how long (default: %(default)s)")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/soak"), help="where rounds.csv goes (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="ttr_env-soak-") as folder:
        rounds, totals = soak(60 * options.minutes, Path(folder), options.out)
    return conclude(rounds, totals)


def soak(seconds: float, scratch: Path, out: Path) -> tuple[list[vitals.Vitals], dict[str, int]]:
    """Rounds until the time is over: what the process held after each, and the decisions of each job."""
    long_run, killed_run = LongRun(scratch / "long"), KilledRun(scratch / "killed")
    work: dict[str, Job] = {
        "checked games": jobs.checked_games,
        "copied games": jobs.copied_games,
        "batches": jobs.batches,
        "environments": jobs.environments,
        "agents": jobs.agents_at_tables,
        "training": long_run,
    }
    totals, rounds = dict.fromkeys(work, 0), list[vitals.Vitals]()
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with (out / "rounds.csv").open("w", newline="", encoding="utf-8") as file, Interruption() as interruption:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        try:
            while time.monotonic() - began < seconds and not interruption.wanted:
                killed_run.start()
                for name, job in work.items():
                    totals[name] += job(len(rounds))
                killed_run.kill()
                rounds.append(vitals.measure())
                passed = round(time.monotonic() - began)
                table.writerow(
                    (len(rounds), passed, sum(totals.values()), killed_run.kills, *dataclasses.astuple(rounds[-1]))
                )
                file.flush()
                _show(len(rounds), passed, sum(totals.values()), rounds[-1])
        finally:
            killed_run.end()
    return rounds, totals


def _show(number: int, seconds: int, decisions: int, held: vitals.Vitals) -> None:
    print(
        f"round {number}, {seconds // 60}:{seconds % 60:02} min: {decisions:,} decisions; "
        f"{held.megabytes:.0f} MB, {held.handles} handles, {held.threads} threads",
        flush=True,
    )


def conclude(rounds: Sequence[vitals.Vitals], totals: dict[str, int]) -> int:
    """Say what was done and what grew; the exit status."""
    for name, decisions in totals.items():
        print(f"{name:<16}{decisions:>16,}")
    if len(rounds) < vitals.FEWEST_ROUNDS:
        print(f"No invariant was broken. Growth is judged from {vitals.FEWEST_ROUNDS} rounds on.")
        return 0
    found = vitals.faults(rounds)
    print("\n".join(found) if found else "No invariant was broken, and nothing grew.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
