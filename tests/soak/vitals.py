"""What a process holds, and whether that grows from round to round."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

FEWEST_ROUNDS = 8  # with fewer, growth cannot be told from the start
MOST_GROWTH = 0.03  # of memory, between the second and the last quarter of the rounds


@dataclass(frozen=True)
class Vitals:
    """What a process holds at the end of a round."""

    megabytes: float
    handles: int  # open files and sockets
    threads: int


def measure() -> Vitals:
    """What this process holds now, with nothing left to collect."""
    gc.collect()
    process = psutil.Process()
    with process.oneshot():
        return Vitals(process.memory_info().rss / 2**20, process.num_fds(), process.num_threads())


def faults(rounds: Sequence[Vitals]) -> list[str]:
    """What grew; the first quarter of the rounds, in which caches and buffers are filled, does not count."""
    if len(rounds) < FEWEST_ROUNDS:
        return []
    quarter = len(rounds) // 4
    early, late = rounds[quarter : 2 * quarter], rounds[-quarter:]
    found = []
    before, after = (statistics.median(each.megabytes for each in some) for some in (early, late))
    if after > before * (1 + MOST_GROWTH):
        found.append(f"memory grew from {before:.0f} to {after:.0f} MB")
    for name in ("handles", "threads"):
        most, last = max(getattr(each, name) for each in early), min(getattr(each, name) for each in late)
        if last > most:
            found.append(f"{name} grew from {most} to {last}")
    return found
