"""Fuzz every kind of input: `python -m tests.fuzz --seconds 600 --seed 1 [--only KIND ...]`.

Faults are kept in `runs/fuzz`, each with a command that repeats it; the exit status is 1 if there are any. `--guided`
looks for inputs that reach new code, with atheris, which is to be installed beside (`pip install atheris`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fuzz import kinds
from tests.fuzz.watching import Watched
from tests.fuzz.worker import Task

ACTIONS = ("game", "aec", "gymnasium", "vector", "batch", "openspiel")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="for all kinds together (default: %(default)s)")
    parser.add_argument("--inputs", type=int, default=0, help="at most so many of each kind (default: no bound)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed damages alike (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=kinds.PLACES, metavar="KIND", help=", ".join(kinds.PLACES))
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at once (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/fuzz"), help="for faults (default: %(default)s)")
    parser.add_argument("--guided", action="store_true", help="be led by the code that inputs reach (needs atheris)")
    parser.add_argument("--repeat", nargs=2, metavar=("KIND", "FILE"), help="give one input away, and nothing else")
    options = parser.parse_args(arguments)
    if options.repeat:
        return repeat(*options.repeat)
    if options.guided:
        from tests.fuzz.guided import guide

        return guide(options.only or list(kinds.PLACES), options.seconds, options.seed, options.out.absolute())
    names = options.only or list(kinds.PLACES)
    shares = sum(kinds.PLACES[name][1] for name in names)
    jobs = min(options.jobs, len(names))
    tasks = [
        Task(
            name,
            options.seed,
            options.seconds * jobs * kinds.PLACES[name][1] / shares,
            options.inputs,
            options.out.absolute(),
        )
        for name in names
    ]
    _warm_up()
    with tempfile.TemporaryDirectory(prefix="ttr_env-fuzz-") as scratch:
        return conclude(watch(tasks, jobs, Path(scratch)), options.out)


def repeat(kind: str, file: str) -> int:
    """Give an input of a file away, as a worker would; what it leads to is seen."""
    data = Path(file).read_bytes()
    with tempfile.TemporaryDirectory(prefix="ttr_env-fuzz-") as scratch:
        made = kinds.make(kind, Path(scratch))
        try:
            made.give(data)
        except made.allowed as error:
            print(f"refused: {type(error).__name__}: {error}")
        else:
            print("taken")
        finally:
            made.close()
    return 0


def _warm_up() -> None:
    """Load compiled code once, for all processes that are forked from this one."""
    from ttr_env import Batch, Game

    game = Game(seed=1)
    game.step(int(game.legal_actions()[0]))
    Game.from_snapshot(game.snapshot()).observe(0, "planning")
    Batch(games=2, seed=1).sample()


def watch(tasks: list[Task], jobs: int, scratch: Path) -> list[Watched]:
    """Do all tasks, so many at once."""
    waiting, going, ended = list(tasks), list[Watched](), list[Watched]()
    try:
        while waiting or going:
            while waiting and len(going) < jobs:
                going.append(Watched(waiting.pop(0), scratch))
            time.sleep(0.05)
            for each in list(going):
                if not each.look():
                    going.remove(each)
                    ended.append(each)
                    print(_line(each), flush=True)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        ended += going
    finally:
        for each in going:
            each.end()
    return ended


def figures(watched: Watched) -> dict[str, Any]:
    """What a worker has done."""
    tally = watched.tally
    return {
        "kind": watched.task.kind,
        "inputs": tally.inputs + tally.more,
        "taken": tally.taken,
        "refused": tally.refused,
        "faults": tally.faults,
        "crashes": watched.crashes,
        "hangs": watched.hangs,
        "megabytes": round(watched.peak / 2**20),
    }


def _line(watched: Watched) -> str:
    if watched.missing:
        return f"{watched.task.kind:<12}is not installed"
    told = figures(watched)
    return f"{told.pop('kind'):<12}" + ", ".join(f"{number:,} {name}" for name, number in told.items())


def conclude(watched: list[Watched], out: Path) -> int:
    """Say what was done, and keep it; the exit status."""
    all_figures = [figures(each) for each in watched if not each.missing]
    inputs = sum(each["inputs"] for each in all_figures)
    actions = sum(each["inputs"] for each in all_figures if each["kind"] in ACTIONS)
    faults = sum(each["faults"] + each["crashes"] + each["hangs"] for each in all_figures)
    out.mkdir(parents=True, exist_ok=True)
    (out / "figures.json").write_text(json.dumps(all_figures, indent=1) + "\n", encoding="utf-8")
    print(f"{inputs:,} inputs, of which {inputs - actions:,} no plain actions: ", end="")
    print(f"{faults} faults, kept in {out}" if faults else "no crash, no hang, no error but the documented ones")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
