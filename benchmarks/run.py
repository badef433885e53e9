"""Measure how fast the engine is: `ttr bench [--quick] [--json FILE] [--policy FILE]`; in a checkout also `make bench`.

Seconds differ from machine to machine. The column "cost" says the same in another way: how many iterations of a fixed
loop take as long. The loop is timed right before each measurement, so that costs of different machines compare.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ttr_env.errors import PolicyFileError

from .cases import cases, facts
from .measure import Timing, machine, measure
from .networks import COMPARED, trained


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure, print a table, and return what `--json` writes."""
    options = parse(arguments)
    timings, speed = measure(
        list(cases(options.quick, options.network)), options.repeats or (2 if options.quick else 7)
    )
    report = {
        "format": 1,
        "machine": machine(),
        "calibration": {"iterations_per_second": speed},
        "timings": [timing.as_dict() for timing in timings],
        "ratios": ratios(timings),
        "facts": facts(options.quick),
    }
    print("\n".join(table(timings, report)))
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return report


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="ttr bench", description="Measure how fast the engine is.")
    parser.add_argument("--quick", action="store_true", help="a few short measurements only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file, too")
    parser.add_argument(
        "--policy", type=Path, metavar="FILE", help="the trained network that plays (default: the champion)"
    )
    parser.add_argument("--repeats", type=int, metavar="N", help="how often each measurement is made")
    options = parser.parse_args(arguments)
    if options.repeats is not None and options.repeats < 1:
        parser.error(f"--repeats: at least 1 is needed, not {options.repeats}")
    if options.json and (options.json.is_dir() or not options.json.absolute().parent.is_dir()):
        parser.error(f"--json {options.json}: a file in a folder that is there is needed")  # now, not after minutes
    try:
        options.network = trained(options.policy)
    except PolicyFileError as error:
        parser.error(f"--policy: {error}")
    return options


def ratios(timings: Iterable[Timing]) -> dict[str, float]:
    """How many times as fast one case is as another, in the median of repeats that were made side by side."""
    seconds = {timing.case.name: timing.seconds for timing in timings}
    return {
        name: statistics.median(slow / fast for fast, slow in zip(seconds[one], seconds[other], strict=True))
        for name, (one, other) in COMPARED.items()
        if one in seconds and other in seconds
    }


def table(timings: Iterable[Timing], report: dict[str, Any]) -> list[str]:
    """The report for people."""
    about = report["machine"]
    versions = ", ".join(f"{name} {about[name]}" for name in ("ttr-env", "python", "numpy", "numba"))
    millions = report["calibration"]["iterations_per_second"] / 1e6
    lines = [f"{about['cpu']}, {about['cores']} cores; {versions}"]
    lines += [f"calibration loop: {millions:,.0f} million iterations a second", ""]
    lines += [row("", "a second", "each", "cost", "spread")]
    for timing in timings:
        rate = f"{1 / timing.median:,.0f} {timing.case.unit}" if timing.median < 0.1 else ""
        lines += [row(timing.case.name, rate, duration(timing.median), amount(timing.cost), f"{timing.spread:.0%}")]
    lines += ["", "cost: iterations of the calibration loop that take as long", ""]
    lines += [f"{name:<44}{value:>19.2f}x" for name, value in report["ratios"].items()]
    return lines + [f"{name:<44}{value:>20,.0f}" for name, value in report["facts"].items()]


def row(name: str, rate: str, each: str, cost: str, spread: str) -> str:
    """One line of the table."""
    return f"{name:<44}{rate:>20}{each:>12}{cost:>12}{spread:>9}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> duration(0.0000004567), duration(12.345)
    ('0.457 us', '12.3 s')
    """
    scale, unit = (1e6, "us") if seconds < 1e-3 else (1e3, "ms") if seconds < 1 else (1, "s")
    return f"{seconds * scale:.3g} {unit}"


def amount(number: float) -> str:
    """A large number in short.

    >>> amount(312.4), amount(4.1e9)
    ('312', '4,100 M')
    """
    return f"{number:,.0f}" if number < 1e6 else f"{number / 1e6:,.0f} M"


if __name__ == "__main__":
    main()
