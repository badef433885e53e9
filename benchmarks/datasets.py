"""How fast data sets are written and loaded, on one core: `python -m benchmarks.datasets [--games 1000] [--repeats 5]`.

Two planners play Nederland; rates are of wall-clock time and, in brackets, of the processor's, which other programs on
the machine disturb less. Medians of repeats that take turns.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence

from ttr_env import data

SIGHTS = ("base", "planning", "actions")


def rate(folder: str, sight: str, batch_size: int) -> tuple[float, float]:
    """Decisions a second of loading a data set once, by the clock and by the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    decisions = sum(len(batch) for batch in data.load(folder, sight, batch_size=batch_size))
    return decisions / (time.perf_counter() - clock), decisions / (time.process_time() - processor)


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print; the rates by the clock."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="games in the data set")
    parser.add_argument("--batch-size", type=int, default=1024, help="decisions in a batch")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is measured")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        manifest = data.write(folder, ["planner", "planner"], options.games)
        written = manifest.decisions / (time.perf_counter() - began)
        print(f"{manifest.games:,} games, {manifest.decisions:,} decisions; written at {written:,.0f} decisions/s")
        for sight in SIGHTS:
            next(iter(data.load(folder, sight)))  # so that all is compiled
        samples: dict[str, list[tuple[float, float]]] = {sight: [] for sight in SIGHTS}
        for _ in range(options.repeats):
            for sight in SIGHTS:
                samples[sight].append(rate(folder, sight, options.batch_size))
    found = {}
    for sight, rates in samples.items():
        clock, processor = (statistics.median(each) for each in zip(*rates, strict=True))
        print(f"load, {sight:<9} {clock:>10,.0f} decisions/s ({processor:,.0f})")
        found[sight] = clock
    return found


if __name__ == "__main__":
    main()
