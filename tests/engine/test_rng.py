"""R2: random numbers below a bound, beside those of the reference."""

import numpy as np
import pytest
from numba import njit

from tests.reference import chance
from ttr_env.engine import rng


@njit
def below(state, n):
    return rng.below(state, n)


@pytest.mark.parametrize("bound", [1, 2, 3, 110, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_R2_numbers_are_those_of_the_reference_also_where_many_are_drawn_again(bound: int) -> None:
    """Of the largest bounds up to half of all draws would favour small numbers; small ones hardly ever have any."""
    state, reference = np.array([77], np.uint64), {"rng": f"{77:016x}"}
    for _ in range(200):
        assert below(state, bound) == chance.below(reference, bound)
        assert f"{int(state[0]):016x}" == reference["rng"]


def test_R2_some_draws_are_drawn_again() -> None:
    state, once = np.array([77], np.uint64), 77
    for _ in range(50):
        below(state, 2**31 + 1)
        once = chance.advance(once)[0]
    assert int(state[0]) != once
