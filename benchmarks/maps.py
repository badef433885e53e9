"""Random play on every built-in map: how long games are, what they score, how fast they go.

    python -m benchmarks.maps --games 2000 --repeats 7

Speeds are medians of repeats that take turns, and ratios are against Nederland with as many players in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

import ttr_env
from ttr_env import maps

SEED = 1
COMPARED = "nederland"


def tables() -> list[tuple[str, int]]:
    """Every built-in map with every number of players."""
    return [
        (name, players)
        for name in maps.names()
        for players in range(maps.load(name).rules.players[0], maps.load(name).rules.players[1] + 1)
    ]


def speeds(games: int, repeats: int) -> dict[tuple[str, int], float]:
    """Decisions a second of random play, by map and number of players."""
    samples: dict[tuple[str, int], list[float]] = {table: [] for table in tables()}
    ttr_env.playouts(games=1)
    for _ in range(repeats):
        for (name, players), seen in samples.items():
            begin = time.perf_counter()
            played = ttr_env.playouts(name, players=players, games=games, seed=SEED)
            seen.append(played.decisions / (time.perf_counter() - begin))
    return {table: statistics.median(seen) for table, seen in samples.items()}


def report(games: int, repeats: int) -> str:
    """All figures as a table in Markdown."""
    rates = speeds(games, repeats)
    lines = ["| map | players | mean decisions | mean totals by seat | decisions a second | against Nederland |"]
    lines.append("|---|---|---|---|---|---|")
    for (name, players), rate in rates.items():
        played = ttr_env.playouts(name, players=players, games=games, seed=SEED)
        totals = ", ".join(f"{total:.0f}" for total in played.totals.mean(axis=0))
        ratio = rate / rates[COMPARED, players]
        title = maps.load(name).title
        cells = (title, players, f"{played.decisions / games:.0f}", totals, f"{rate:,.0f}", f"{ratio:.2f}")
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> str:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.maps", description="Random play on every map.")
    parser.add_argument("--games", type=int, default=2000, help="games for each table (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="of each measurement (default: %(default)s)")
    options = parser.parse_args(arguments)
    text = report(options.games, options.repeats)
    print(text)
    return text


if __name__ == "__main__":
    main()
