"""Bit sets in `uint64`, and arithmetic that wraps at 64 bits, compiled or as plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, types
from numba.extending import intrinsic

from ttr_env.engine.jit import kernel

NO_BITS = np.uint64(0)
ONE = np.uint64(1)

if config.DISABLE_JIT:

    def popcount(bits: Any) -> Any:
        """How many bits are set."""
        return int(bits).bit_count()

    def lowest(bits: Any) -> Any:
        """The position of the lowest set bit; `bits` is not empty."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def wrapping_add(a: Any, b: Any) -> Any:
        """`a + b` modulo 2**64."""
        return np.uint64((int(a) + int(b)) & 0xFFFFFFFFFFFFFFFF)

    def wrapping_multiply(a: Any, b: Any) -> Any:
        """`a * b` modulo 2**64."""
        return np.uint64((int(a) * int(b)) & 0xFFFFFFFFFFFFFFFF)

else:  # the processor's own instructions

    @intrinsic
    def _ctpop(typing_context, bits):
        def generate(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def _cttz(typing_context, bits):
        def generate(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.uint64(types.uint64), generate

    @kernel
    def popcount(bits: Any) -> Any:
        """How many bits are set."""
        return np.int64(_ctpop(bits))

    @kernel
    def lowest(bits: Any) -> Any:
        """The position of the lowest set bit; `bits` is not empty."""
        return np.int64(_cttz(bits))

    @kernel
    def wrapping_add(a: Any, b: Any) -> Any:
        """`a + b` modulo 2**64."""
        return a + b

    @kernel
    def wrapping_multiply(a: Any, b: Any) -> Any:
        """`a * b` modulo 2**64."""
        return a * b


@kernel
def bit(position):
    """The set of `position` alone."""
    return ONE << np.uint64(position)


@kernel
def has(bits, position):
    """Whether `position` is in the set."""
    return (bits >> np.uint64(position)) & ONE != NO_BITS


@kernel
def without_lowest(bits):
    """The set without its lowest member; `bits` is not empty."""
    return bits & (bits - ONE)


@kernel
def nth(bits, n):
    """The n-th lowest member, from 0; the set has more than `n`."""
    for _ in range(n):
        bits = without_lowest(bits)
    return lowest(bits)
