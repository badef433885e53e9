"""Shortest-path searches over all cities at once.

LLVM does not vectorise such loops by itself, because it cannot rule out that the rows overlap; written as vector
instructions they take a tenth of the time. A row holds a distance to every city, [MAX_CITIES] bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from ttr_env.maps.limits import MAX_CITIES

FAR = 255  # further than anything; distances add up to no more than this

if config.DISABLE_JIT:

    def relax(reached: Any, onward: Any, start: Any) -> None:
        """Shorten the row `reached` to the distances through a place `start` away, `onward` from there."""
        through = np.minimum(onward.astype(np.int64) + int(start), FAR)
        np.minimum(reached, through.astype(np.uint8), out=reached)

    def where_sum_is(one: Any, other: Any, total: Any) -> Any:
        """The set of cities whose entries in two rows add up to `total`."""
        sums = np.minimum(one.astype(np.int64) + other, FAR)
        return np.uint64(sum(1 << int(city) for city in np.flatnonzero(sums == total)))

else:
    _BYTE = ir.IntType(8)
    _ROW = ir.VectorType(_BYTE, MAX_CITIES)

    def _load(context, builder, kind, array):
        """A row as a vector, and where it came from."""
        pointer = builder.bitcast(context.make_array(kind)(context, builder, array).data, _ROW.as_pointer())
        return builder.load(pointer, align=1), pointer

    def _everywhere(builder, byte):
        """A vector with the same byte in every place."""
        single = builder.insert_element(ir.Constant(_ROW, ir.Undefined), byte, ir.IntType(32)(0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), MAX_CITIES), [0] * MAX_CITIES)
        return builder.shuffle_vector(single, ir.Constant(_ROW, ir.Undefined), first)

    def _call(builder, name, one, other):
        """One of LLVM's own functions of two vectors."""
        kind = ir.FunctionType(_ROW, [_ROW, _ROW])
        function = builder.module.declare_intrinsic(f"llvm.{name}.v{MAX_CITIES}i8", fnty=kind)
        return builder.call(function, [one, other])

    @intrinsic
    def relax(typing_context, reached, onward, start):
        """Shorten the row `reached` to the distances through a place `start` away, `onward` from there."""

        def generate(context, builder, signature, args):
            direct, pointer = _load(context, builder, signature.args[0], args[0])
            rest, _ = _load(context, builder, signature.args[1], args[1])
            through = _call(builder, "uadd.sat", rest, _everywhere(builder, args[2]))
            builder.store(_call(builder, "umin", direct, through), pointer, align=1)
            return context.get_dummy_value()

        return types.void(reached, onward, types.uint8), generate

    @intrinsic
    def where_sum_is(typing_context, one, other, total):
        """The set of cities whose entries in two rows add up to `total`."""

        def generate(context, builder, signature, args):
            first, _ = _load(context, builder, signature.args[0], args[0])
            second, _ = _load(context, builder, signature.args[1], args[1])
            sums = _call(builder, "uadd.sat", first, second)
            equal = builder.icmp_unsigned("==", sums, _everywhere(builder, args[2]))
            return builder.bitcast(equal, ir.IntType(MAX_CITIES))

        return types.uint64(one, other, types.uint8), generate
