"""Random numbers (`docs/rules.md`, section R): SplitMix64, whose state is an array of one `uint64`."""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import wrapping_add, wrapping_multiply
from ttr_env.engine.jit import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@kernel
def advanced(state):
    """The state that follows (R1)."""
    return wrapping_add(state, _STEP)


@kernel
def output(state):
    """The 64 random bits that belong to a state (R1)."""
    z = state
    z = wrapping_multiply(z ^ (z >> np.uint64(30)), _FIRST)
    z = wrapping_multiply(z ^ (z >> np.uint64(27)), _SECOND)
    return z ^ (z >> np.uint64(31))


@kernel
def below(state, n):
    """A uniform integer from 0 to n - 1 (R2), exactly uniform: biased products are drawn again."""
    bound = np.uint64(n)
    state[0] = advanced(state[0])
    product = (output(state[0]) >> _HALF) * bound
    if product & _LOW_HALF < bound:
        biased = (_LOW_HALF - bound + np.uint64(1)) % bound
        while product & _LOW_HALF < biased:
            state[0] = advanced(state[0])
            product = (output(state[0]) >> _HALF) * bound
    return np.int64(product >> _HALF)


@kernel
def seeded(seed):
    """The first state for a seed (R6)."""
    return output(advanced(seed))


@kernel
def derived_seed(seed, row, episode):
    """The seed of one game of a batch: a function of these three alone, in 63 bits."""
    mixed = output(advanced(output(advanced(seeded(seed) ^ np.uint64(row))) ^ np.uint64(episode)))
    return mixed >> np.uint64(1)
