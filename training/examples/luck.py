"""How much luck there is between two players: `python -m training.examples.luck champion planner:version=1`.

Some deals are played many times, with other cards to come, from both seats. How much more often one deal is won than
another is luck of the deal; how games of one deal differ is luck of the draw, and what players do with it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ttr_env import Game, playouts


class Luck(NamedTuple):
    """What became of the deals."""

    share: float  # of games that the first player wins; a draw is half a win
    of_deal: float  # part of the variance of who wins that the deal and the seat make
    both: float  # part of deals that the first player wins from both seats, of the first game of each
    one: float
    neither: float


def measure(players: Sequence[str], deals: int, draws: int, *, map: str = "nederland", seed: int = 0) -> Luck:
    """Play every deal from both seats, so many times each.

    >>> measure(["greedy", "random"], deals=2, draws=3).share
    1.0
    """
    first, second = players
    wins = np.zeros((deals, 2, draws))
    for deal in range(deals):
        start = Game(map, players=2, seed=seed + deal)
        for seat, policy in enumerate(([first, second], [second, first])):
            totals = playouts(start=start, games=draws, policy=policy, seed=seed + deal, threads=2).totals
            ahead = np.sign(totals[:, seat] - totals[:, 1 - seat])
            wins[deal, seat] = 0.5 + 0.5 * ahead
    won = (wins[:, :, 0] == 1.0).sum(axis=1)
    return Luck(float(wins.mean()), part_of_deal(wins), *(float(np.mean(won == seats)) for seats in (2, 1, 0)))


def part_of_deal(wins: np.ndarray) -> float:
    """The part of the variance of `wins` [deals, seats, draws] that is between deals and seats, not within them.

    >>> part_of_deal(np.array([[[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]))
    1.0
    """
    within = float(wins.var(axis=2, ddof=1).mean())
    between = max(0.0, float(wins.mean(axis=2).var(ddof=1)) - within / wins.shape[2])  # less what chance alone makes
    return between / (between + within) if between + within > 0 else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and tell."""
    parser = argparse.ArgumentParser(prog="python -m training.examples.luck", description="How much luck there is.")
    parser.add_argument("players", nargs=2, help="two agents, by name")
    parser.add_argument("--deals", type=int, default=60, help="(default: %(default)s)")
    parser.add_argument("--draws", type=int, default=25, help="of each deal, from each seat (default: %(default)s)")
    parser.add_argument("--map", default="nederland", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first deal (default: %(default)s)")
    options = parser.parse_args(arguments)
    luck = measure(options.players, options.deals, options.draws, map=options.map, seed=options.seed)
    print(f"{options.players[0]} wins {luck.share:.1%} of {options.deals * options.draws * 2} games")
    print(f"the deal makes {luck.of_deal:.1%} of the variance of who wins")
    print(f"of a deal, both seats are won in {luck.both:.1%}, one in {luck.one:.1%}, neither in {luck.neither:.1%}")


if __name__ == "__main__":
    main()
