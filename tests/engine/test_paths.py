"""The longest path of networks in which there are too many paths to try (U3)."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import pytest

from tests.helpers.tangles import Edge, between, complete, connected, position, side_by_side
from ttr_env.engine import calls
from ttr_env.engine.scoring import PATH, SHEET_SHAPE, SHEET_TYPE

NETWORKS = int(os.environ.get("TTR_NETWORKS", "300"))


def longest(edges: Sequence[Edge]) -> int:
    """The longest path of a player who owns these tracks."""
    game, sheet = position(edges), np.zeros(SHEET_SHAPE, SHEET_TYPE)
    calls.score_sheet(game.records, 0, game.board, sheet)
    return int(sheet[0, PATH])


def tried(edges: Sequence[Edge]) -> int:
    """The same by trying every path."""
    at: dict[int, list[int]] = {}
    for index, (one, other, _) in enumerate(edges):
        at.setdefault(one, []).append(index)
        at.setdefault(other, []).append(index)

    def from_city(city: int, used: int) -> int:
        ways = [index for index in at[city] if not used >> index & 1]
        return max((edges[way][2] + from_city(sum(edges[way][:2]) - city, used | 1 << way) for way in ways), default=0)

    return max(from_city(city, 0) for city in at)


@pytest.mark.slow
def test_the_longest_path_is_the_one_that_is_found_by_trying_all() -> None:
    rng = np.random.default_rng(3)
    for _ in range(NETWORKS):
        cities = int(rng.integers(2, 9))
        edges = connected(
            rng, cities, int(rng.integers(cities - 1, min(cities * (cities - 1), 14))), int(rng.choice([1, 3, 6]))
        )
        assert longest(edges) == tried(edges), edges


@pytest.mark.parametrize("parts", [2, 3])
def test_bridges_are_crossed_once(parts: int) -> None:
    rng = np.random.default_rng(parts)
    for _ in range(10):
        networks = [connected(rng, 4, 5, 2) for _ in range(parts)]
        edges = side_by_side(networks, [(int(rng.integers(part)), part) for part in range(1, parts)])
        assert longest(edges) == tried(edges), edges


@pytest.mark.parametrize("cities", [9, 10, 12, 16])
def test_of_a_complete_network_one_track_is_left_out_for_each_pair_of_odd_cities_but_one(cities: int) -> None:
    left_out = 0 if cities % 2 else (cities - 2) // 2
    assert longest(complete(cities)) == cities * (cities - 1) // 2 - left_out


@pytest.mark.parametrize(
    ("some", "others", "expected"), [(3, 15, 32), (3, 42, 86), (5, 9, 38), (11, 11, 111), (7, 8, 50)]
)
def test_networks_between_two_groups_of_cities(some: int, others: int, expected: int) -> None:
    assert longest(between(some, others)) == expected


def test_a_board_that_took_seconds() -> None:
    """24 cities, 45 tracks of length 1: one is left out for each pair of odd cities but one, and not many more."""
    for seed in range(40):
        edges = connected(np.random.default_rng(seed), 24, 45, 1)
        odd = np.bincount(np.array(edges)[:, :2].ravel()) % 2
        assert 45 - 24 <= longest(edges) <= 45 - (odd.sum() - 2) // 2


def test_many_knots_on_a_string() -> None:
    """Complete networks of five cities, each of which can be walked whole, in a row."""
    string = side_by_side([complete(5)] * 9, [(part - 1, part) for part in range(1, 9)])
    assert longest(string) == 9 * 10 + 8 * 2
    star = side_by_side([complete(5)] * 9, [(0, part) for part in range(1, 9)])
    assert longest(star) == 3 * 10 + 2 * 2
