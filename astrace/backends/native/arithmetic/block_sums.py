"""Sums of some floats as compiled code, in the order in which NumPy adds them up: eight sums at a time, and what is left one by one.

Written as operations on eight floats, which LLVM compiles much faster than loops of which it has to find that out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.ops.numpy.few_items import FEW

# pyright: basic
WORD: Final = ir.IntType(64)
LANE: Final = ir.IntType(32)


@intrinsic
def block_sum(typing_context, array):
    """The sum of the items of an array of one axis, which follow each other; there are at least `FEW` of them, and few enough for one block."""

    def generate(context, builder, signature, args):
        (kind,) = signature.args
        made = context.make_array(kind)(context, builder, args[0])
        (size,) = cgutils.unpack_tuple(builder, made.shape, 1)
        whole = builder.and_(size, WORD(-FEW))
        eight = ir.VectorType(context.get_data_type(kind.dtype), FEW)
        align = context.get_abi_sizeof(eight.element)

        def loaded(place):
            pointer = builder.bitcast(builder.gep(made.data, [place]), eight.as_pointer())
            return builder.load(pointer, align=align)

        sums = cgutils.alloca_once_value(builder, loaded(WORD(0)))
        with cgutils.for_range_slice(builder, WORD(FEW), whole, WORD(FEW), WORD) as (place, _):
            builder.store(builder.fadd(builder.load(sums), loaded(place)), sums)
        found = cgutils.alloca_once_value(builder, _sum_of_pairs(builder, builder.load(sums)))
        with cgutils.for_range_slice(builder, whole, size, WORD(1), WORD) as (place, _):
            item = builder.load(builder.gep(made.data, [place]))
            builder.store(builder.fadd(builder.load(found), item), found)
        return builder.load(found)

    is_known = isinstance(array, types.Array) and array.ndim == 1 and isinstance(array.dtype, types.Float)
    return (array.dtype(array), generate) if is_known else None


def _sum_of_pairs(builder: Any, items: Any) -> Any:
    """Return the sum of the sums of pairs, of pairs of those, and so on."""
    count = items.type.count
    while count > 1:
        evens, odds = (_picked(builder, items, range(first, count, 2)) for first in (0, 1))
        items, count = builder.fadd(evens, odds), count // 2
    return builder.extract_element(items, LANE(0))


def _picked(builder: Any, items: Any, places: Sequence[int]) -> Any:
    """Return some of the items of a vector."""
    mask = ir.Constant(ir.VectorType(LANE, len(places)), list(places))
    return builder.shuffle_vector(items, ir.Constant(items.type, ir.Undefined), mask)
