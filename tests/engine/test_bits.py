"""Bit sets and rows of distances, in the processor's instructions or as plain Python: what they promise."""

import numpy as np
import pytest
from numba import njit

from ttr_env.engine import bits, vectors
from ttr_env.maps.limits import MAX_CITIES

SETS = [1, 2, 3, 0b1011000, 1 << 63, (1 << 63) | 1, 2**64 - 1]


# Compiled here and kept in no cache, so that the instructions are written anew.


@njit
def measure(some):
    return bits.popcount(some), bits.lowest(some)


@njit
def wrap(a, b):
    return bits.wrapping_add(a, b), bits.wrapping_multiply(a, b)


@njit
def relax(reached, onward, start):
    vectors.relax(reached, onward, np.uint8(start))


@njit
def where_sum_is(one, other, total):
    return vectors.where_sum_is(one, other, np.uint8(total))


@pytest.mark.parametrize("number", SETS)
def test_size_and_lowest_member_of_a_set(number: int) -> None:
    members = [position for position in range(64) if number >> position & 1]
    assert measure(np.uint64(number)) == (len(members), members[0])


@pytest.mark.parametrize("a", SETS)
@pytest.mark.parametrize("b", SETS)
def test_arithmetic_wraps_at_64_bits(a: int, b: int) -> None:
    assert tuple(map(int, wrap(np.uint64(a), np.uint64(b)))) == ((a + b) % 2**64, a * b % 2**64)


def rows() -> tuple[np.ndarray, np.ndarray]:
    """Two rows with near, far and unreachable cities."""
    chance = np.random.default_rng(3)
    return tuple(chance.choice([0, 1, 7, 200, 254, vectors.FAR], MAX_CITIES).astype(np.uint8) for _ in range(2))


@pytest.mark.parametrize("start", [0, 1, 55, 254, vectors.FAR])
def test_a_row_is_shortened_and_far_stays_far(start: int) -> None:
    reached, onward = rows()
    ways = zip(reached.tolist(), onward.tolist(), strict=True)
    shortest = [min(direct, rest + start) for direct, rest in ways]
    relax(reached, onward, start)
    assert reached.tolist() == shortest


@pytest.mark.parametrize("total", [0, 1, 8, 14, 207, 254, vectors.FAR])
def test_the_cities_where_two_rows_add_up(total: int) -> None:
    one, other = rows()
    pairs = enumerate(zip(one.tolist(), other.tolist(), strict=True))
    expected = sum(1 << city for city, pair in pairs if min(sum(pair), vectors.FAR) == total)
    assert int(where_sum_is(one, other, total)) == expected
