"""How long the longest path of one player can take to find, over networks that are made to be tangled.

    python -m benchmarks.paths --networks 200

Every network is one player's, of tracks of length 1: at random, with three tracks at every city, and knots on bridges.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from tests.helpers.tangles import Edge, complete, connected, position, side_by_side
from ttr_env.engine import calls
from ttr_env.engine.scoring import SHEET_SHAPE, SHEET_TYPE

Make = Callable[[np.random.Generator], list[Edge]]


def three_each(rng: np.random.Generator, cities: int) -> list[Edge]:
    """A network in which three tracks meet at every city, as far as chance lets them."""
    ends = rng.permutation(np.repeat(np.arange(cities), 3)).reshape(-1, 2)
    routes = {(min(pair), max(pair)) for pair in ends.tolist() if pair[0] != pair[1]}
    return [(one, other, 1) for one, other in routes]


def knots(rng: np.random.Generator) -> list[Edge]:
    """Networks of their own, with bridges between them."""
    pieces = [connected(rng, 8, 13, 1) for _ in range(6)]
    return side_by_side(pieces, [(int(rng.integers(piece)), piece) for piece in range(1, 6)])


KINDS: dict[str, Make] = {
    "24 cities, 45 tracks": lambda rng: connected(rng, 24, 45, 1),
    "30 cities, 45 tracks": lambda rng: connected(rng, 30, 45, 1),
    "30 cities, three tracks each": lambda rng: three_each(rng, 30),
    "64 cities, three tracks each": lambda rng: three_each(rng, 64),
    "64 cities, 100 tracks": lambda rng: connected(rng, 64, 100, 1),
    "30 cities, 100 tracks": lambda rng: connected(rng, 30, 100, 1),
    "complete, 14 cities": lambda _: complete(14),
    "six knots on bridges": knots,
}


def times(make: Make, networks: int) -> np.ndarray:
    """How many milliseconds each network took; the best of three, as other programs may run."""
    rng = np.random.default_rng(1)
    sheet = np.zeros(SHEET_SHAPE, SHEET_TYPE)
    taken = np.zeros((networks, 3))
    for row in taken:
        game = position(make(rng))
        for trial in range(3):
            begin = time.perf_counter()
            calls.score_sheet(game.records, 0, game.board, sheet)
            row[trial] = 1000 * (time.perf_counter() - begin)
    return taken.min(axis=1)


def main(arguments: Sequence[str] | None = None) -> str:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paths", description="How long longest paths take.")
    parser.add_argument("--networks", type=int, default=200, help="of each kind (default: %(default)s)")
    networks = parser.parse_args(arguments).networks
    lines = ["| networks | median ms | longest ms |", "|---|---|---|"]
    for kind, make in KINDS.items():
        taken = times(make, networks)
        lines.append(f"| {kind} | {np.median(taken):.2f} | {taken.max():.2f} |")
    text = "\n".join(lines)
    print(text)
    return text


if __name__ == "__main__":
    main()
