"""A process that damages inputs of one kind and gives them away, as long as it is told to."""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzz import kinds
from tests.fuzz.kinds.base import Kind, check_complaint
from tests.fuzz.tally import LARGEST, Tally

MOST_DAMAGE = 6
MEMORY = 4 * 2**30  # bytes more than at the start
NOT_INSTALLED = 77  # the exit status where the kind needs what is not there


@dataclass(frozen=True)
class Task:
    """What a worker is to do."""

    kind: str
    seed: int
    seconds: float
    inputs: int  # at most; 0: as many as there is time for
    out: Path


def work(task: Task, tally_file: Path) -> None:
    """Do it, in this process, which is not of use for anything else."""
    _write_to(tally_file.with_suffix(".log"))
    _say_where_it_ends()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for who watches
    with tempfile.TemporaryDirectory(prefix="ttr_env-fuzz-") as scratch:
        try:
            kind = kinds.make(task.kind, Path(scratch))
        except ModuleNotFoundError as missing:
            print(f"{task.kind}: {missing}", file=sys.stderr)
            os._exit(NOT_INSTALLED)
        _say_where_it_ends()
        _limit_memory()
        tally = Tally(tally_file)
        for data in inputs(kind, task, tally.inputs):
            tally.begin(data)
            give(kind, task, data, tally)
        kind.close()
    os._exit(0)  # a library's threads must not keep it


def inputs(kind: Kind, task: Task, first: int) -> Iterator[bytes]:
    """Damaged inputs until the time is over; each depends on the seed and its number alone."""
    seeds, began, number = kind.seeds(), time.monotonic(), first
    while time.monotonic() - began < task.seconds and not 0 < task.inputs <= number:
        rng = Random(f"{task.kind} {task.seed} {number}")
        data = rng.choice(seeds)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, MOST_DAMAGE))):
            data = kind.damage(data, rng)
        yield data[:LARGEST]
        number += 1


def give(kind: Kind, task: Task, data: bytes, tally: Tally) -> None:
    """Give an input away, and write down what came of it."""
    try:
        with warnings_left_alone():
            count = kind.give(data) or 1
    except kind.allowed as error:
        try:
            check_complaint(error)
        except AssertionError as fault:
            report(task, data, fault)
            tally.end(faults=1)
        else:
            tally.end(refused=1)
    except Exception as fault:
        report(task, data, fault)
        tally.end(faults=1)
    else:
        tally.end(taken=count, more=count - 1)


@contextlib.contextmanager
def warnings_left_alone() -> Iterator[None]:
    """Libraries warn of what they are given; a million lines of that help nobody."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def report(task: Task, data: bytes, fault: BaseException) -> None:
    """Keep an input with what it led to; of faults in the same place, the first."""
    place = [frame for frame in traceback.extract_tb(fault.__traceback__) if "tests/fuzz/worker" not in frame.filename]
    where = f"{type(fault).__name__} {place[-1].filename}:{place[-1].lineno}" if place else type(fault).__name__
    where += f" {str(fault)[:60]!r}"
    told = "".join(traceback.format_exception(fault, limit=-12))
    save(task.out, task.kind, data, where, told)


def save(out: Path, kind: str, data: bytes, where: str, told: str) -> None:
    """Write an input that led to a fault, and how it is repeated."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{kind}-{hashlib.sha256(where.encode()).hexdigest()[:12]}.input"
    if not file.exists():
        file.write_bytes(data)
        command = f"python -m tests.fuzz --repeat {kind} {file}"
        file.with_suffix(".txt").write_text(f"{where}\n\nRepeat it with: {command}\n\n{told}", encoding="utf-8")


def _write_to(log: Path) -> None:
    """What libraries write goes to a file, of which whoever watches shows the end of a crash."""
    with log.open("wb") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)


def _say_where_it_ends() -> None:
    """Have a deadly signal write down where it struck; a library that was loaded may have put its own way first."""
    faulthandler.disable()  # or else `enable` takes it for enabled
    faulthandler.enable(2)


def _limit_memory() -> None:
    """A little file must not take all memory; where that is tried, it is a MemoryError, which is no refusal."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        most = int(statm.read_text().split()[0]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
