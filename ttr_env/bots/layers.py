"""Layers of small networks, in vector instructions.

LLVM does not vectorise such loops by itself, because it cannot rule out that the rows overlap; written like this they
take an eighth of the time. Products are added in the order of the rows, so that every machine gets the same sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from ttr_env.engine.jit import kernel

LANES = 32  # units that are worked out together: room for units is a multiple of this


@kernel
def list_positive(row, size, places, factors):
    """List the entries of a row that are above 0, and where they are; returns how many."""
    count = 0
    for place in range(size):
        places[count] = place
        factors[count] = row[place]
        count += int(row[place] > np.float32(0.0))
    return count


@kernel
def list_nonzero(row, places, factors):
    """List the entries of a row that are not 0, and where they are; returns how many."""
    count = 0
    for place in range(row.shape[0]):
        places[count] = place
        factors[count] = row[place]
        count += int(row[place] != np.float32(0.0))
    return count


if config.DISABLE_JIT:

    def add_rows(sums: Any, table: Any, places: Any, factors: Any, count: int, size: int) -> None:
        """Add to `sums` the rows of a table at `count` places, each times its factor; `size` units, in whole lanes."""
        for number in range(count):
            sums[:size] += factors[number] * table[places[number], :size]

else:
    _NUMBER, _INDEX = ir.FloatType(), ir.IntType(64)
    _UNITS = ir.VectorType(_NUMBER, LANES)

    def _everywhere(builder, number):
        """A vector with the same number in every place."""
        single = builder.insert_element(ir.Constant(_UNITS, ir.Undefined), number, ir.IntType(32)(0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(single, ir.Constant(_UNITS, ir.Undefined), first)

    def _units(builder, data, place):
        """Where the units from a place on lie."""
        return builder.bitcast(builder.gep(data, [place]), _UNITS.as_pointer())

    @intrinsic
    def add_rows(typing_context, sums, table, places, factors, count, size):
        """Add to `sums` the rows of a table at `count` places, each times its factor; `size` units, in whole lanes."""

        def generate(context, builder, signature, args):
            arrays = [context.make_array(kind)(context, builder, args[n]) for n, kind in enumerate(signature.args[:4])]
            total, rows, at, times = (array.data for array in arrays)
            stride = builder.udiv(builder.extract_value(arrays[1].strides, 0), _INDEX(4))
            running = cgutils.alloca_once(builder, _UNITS)  # it becomes registers
            with cgutils.for_range_slice(builder, _INDEX(0), args[5], _INDEX(LANES)) as (begin, _):
                builder.store(builder.load(_units(builder, total, begin), align=4), running)
                with cgutils.for_range(builder, args[4]) as loop:
                    row = builder.mul(builder.load(builder.gep(at, [loop.index])), stride)
                    weights = builder.load(_units(builder, rows, builder.add(row, begin)), align=4)
                    factor = _everywhere(builder, builder.load(builder.gep(times, [loop.index])))
                    builder.store(builder.fadd(builder.load(running), builder.fmul(factor, weights)), running)
                builder.store(builder.load(running), _units(builder, total, begin), align=4)
            return context.get_dummy_value()

        return types.void(sums, table, places, factors, types.int64, types.int64), generate
