"""Timing in a way that can be compared: beside each measurement a fixed loop is timed, and repeats are interleaved."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, uint64

ITERATIONS = 4_000_000
TABLE = np.arange(4096, dtype=np.uint64)[::-1].copy()


@dataclass(frozen=True)
class Case:
    """Something to time: `run` does it a number of times, and returns that number and the seconds they took."""

    name: str
    unit: str  # of what it does: "decisions", "copies", "starts"
    run: Callable[[], tuple[float, float]]
    most_repeats: int = 1000


@dataclass
class Timing:
    """What came of a case, a sample for each repeat."""

    case: Case
    seconds: list[float] = field(default_factory=list)  # for one
    costs: list[float] = field(default_factory=list)  # the same as iterations of the calibration loop

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def cost(self) -> float:
        return statistics.median(self.costs)

    @property
    def spread(self) -> float:
        """How far the samples lie apart, as a part of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.case.name,
            "unit": self.case.unit,
            "per_second": 1 / self.median,
            "seconds": self.median,
            "cost": self.cost,
            "spread": self.spread,
            "samples": self.seconds,
        }


def measure(cases: Sequence[Case], repeats: int) -> tuple[list[Timing], float]:
    """Time the cases in turn, again and again; also the calibration loop's median iterations a second."""
    timings = [Timing(case) for case in cases]
    speeds = []
    _calibration_loop(1, TABLE)  # compiles it
    for repeat in range(repeats):
        for timing in timings:
            if repeat < timing.case.most_repeats:
                speeds.append(calibrate())
                count, seconds = timing.case.run()
                timing.seconds.append(seconds / count)
                timing.costs.append(seconds / count * speeds[-1])
    return timings, statistics.median(speeds)


def timed(work: Callable[[], Any]) -> float:
    """The seconds that a call takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def calibrate() -> float:
    """How many iterations of the calibration loop the machine makes a second, right now."""
    return ITERATIONS / timed(lambda: _calibration_loop(ITERATIONS, TABLE))


@njit
def _calibration_loop(iterations: int, table: np.ndarray) -> int:
    """Arithmetic, look-ups and branches that cannot be foreseen, as in a game. It must never change."""
    state = uint64(0)
    total = uint64(0)
    for _ in range(iterations):
        state += uint64(0x9E3779B97F4A7C15)
        mixed = (state ^ (state >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> uint64(27))) * uint64(0x94D049BB133111EB)
        found = table[(mixed ^ (mixed >> uint64(31))) & uint64(4095)]
        if found & uint64(1):
            total += found
        else:
            total ^= mixed
    return total


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    versions = {name: metadata.version(name) for name in ("ttr-env", "numpy", "numba", "llvmlite")}
    return {
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **versions,
    }


def _cpu_name() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()
