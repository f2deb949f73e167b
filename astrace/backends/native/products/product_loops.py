"""Products of matrices and vectors by the loops that NumPy calls, and by machine code in their place where that gives their bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.loop_calls import (
    TYPES,
    WORD,
    array_of,
    run_loop,
    sizes_of,
    strides_of,
)
from astrace.backends.native.arithmetic.small_products import (
    ITEM,
    small_dot,
    small_matrix_product,
    small_vector_product,
    unless_small,
)
from astrace.backends.native.host import LoopCall
from astrace.backends.native.products.outer_code import LONG_PRODUCT, VECTOR_PRODUCT, WIDE_PRODUCT, kind_of
from astrace.backends.native.symbols import outer_function
from astrace.ops.lowered_products import FEWEST_BESIDE, MOST_BESIDE, MOST_LONG, MOST_WIDE

# pyright: basic


@contextmanager
def _unless_in_place(
    context: Any, builder: Any, call: LoopCall, small: Sequence[Any] = (), outer: Sequence[Any] = ()
) -> Iterator[None]:
    """Write what runs where machine code does not compute a product of ``float64`` into an array in C order.

    Args:
        context: Numba's.
        builder: writes LLVM instructions.
        call: of the loop.
        small: what `unless_small` takes.
        outer: what `_unless_outer` takes.
    """
    if call.types != "dd->d" or not small:
        yield
        return
    with unless_small(context, builder, *small), _unless_outer(builder, *outer):
        yield


@contextmanager
def _unless_outer(
    builder: Any,
    name: str,
    arguments: Sequence[Any],
    sizes: Sequence[tuple[Any, int, int]],
    steps: Sequence[Any],
) -> Iterator[None]:
    """Write a call of a function of `outer_code`; what is written inside of the context runs where that does nothing.

    Args:
        builder: writes LLVM instructions.
        name: of the function.
        arguments: addresses, sizes and steps in bytes.
        sizes: with the least and the most that they may be.
        steps: whole items where it is called.
    """
    fits = cgutils.true_bit
    for size, least, most in sizes:
        near = builder.icmp_unsigned("<=", builder.sub(size, WORD(least)), WORD(most - least))
        fits = builder.and_(fits, near)
    for step in steps:
        rest = builder.and_(step, WORD(ITEM - 1))
        fits = builder.and_(fits, builder.icmp_signed("==", rest, WORD(0)))
    done = cgutils.alloca_once_value(builder, WORD(0))
    builder.store(WORD(0), done)
    with builder.if_then(fits):
        function = cgutils.get_or_insert_function(builder.module, kind_of(name), outer_function(name))
        builder.store(builder.call(function, arguments), done)
    with builder.if_then(builder.icmp_signed("==", builder.load(done), WORD(0))):
        yield


def dot(call: LoopCall) -> Any:
    """The product of two arrays of one axis; of few items without the loop, where that gives the same bits."""
    kind = TYPES[call.types[0]]

    def generate(context, builder, signature, args):
        arrays = [array_of(context, builder, one, value) for one, value in zip(signature.args, args)]
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        size = sizes_of(builder, arrays[0], signature.args[0])[0]
        strides = [strides_of(builder, one, kind_)[0] for one, kind_ in zip(arrays, signature.args)]
        zero, one = WORD(0), WORD(1)
        steps = [zero, zero, zero, zero, strides[0], strides[1], zero, zero, zero]
        left, right = (array.data for array in arrays)
        given = [builder.ptrtoint(place, WORD) for place in (out, left, right)]
        long = LONG_PRODUCT, [*given, size, *strides], [(size, 1, MOST_LONG)], strides
        small = small_dot, [out, left, right], [size], strides
        with _unless_in_place(context, builder, call, small, long):
            run_loop(builder, call, [left, right, out], [one, one, size, one], steps)
        return builder.load(out)

    def product(typing_context, a, b):
        return kind(a, b), generate

    return intrinsic(product)


def slide_products(call: LoopCall) -> Any:
    """Products of two arrays of one axis, the first of which begins one item later each time; all in one call of the loop."""

    def generate(context, builder, signature, args):
        out, numbers, weights = (
            array_of(context, builder, one, value) for one, value in zip(signature.args, args)
        )
        count, inner = (sizes_of(builder, one, signature.args[0])[0] for one in (out, weights))
        strides = [
            strides_of(builder, one, kind)[0] for one, kind in zip((numbers, weights, out), signature.args)
        ]
        zero, one = WORD(0), WORD(1)
        steps = [strides[0], zero, strides[2], zero, strides[0], strides[1], zero, zero, zero]
        run_loop(builder, call, [numbers.data, weights.data, out.data], [count, one, inner, one], steps)
        return context.get_dummy_value()

    def products(typing_context, out, numbers, weights):
        return types.void(out, numbers, weights), generate

    return intrinsic(products)


def _outer_of(builder: Any, function: Any, places: list[Any], sizes: list[Any], steps: list[Any]) -> Any:
    """What `_unless_outer` takes, of what `unless_small` does."""
    words = [builder.ptrtoint(place, WORD) for place in places]
    if function is small_vector_product:
        fits = [(size, least, MOST_BESIDE) for size, least in zip(sizes, (FEWEST_BESIDE, 2))]
        return VECTOR_PRODUCT, [*words, *sizes, *steps], fits, steps
    return WIDE_PRODUCT, [*words, *sizes, *steps], [(size, 2, MOST_WIDE) for size in sizes], steps


def multiply_matrices(call: LoopCall) -> Any:
    """The product of matrices, or of one and a vector; of small ones without the loop, where that gives the same bits."""

    def generate(context, builder, signature, args):
        kinds = signature.args
        out, left, right = (array_of(context, builder, kind, value) for kind, value in zip(kinds, args))
        zero, one = WORD(0), WORD(1)
        sizes = [sizes_of(builder, array, kind) for array, kind in zip((left, right), kinds[1:])]
        strides = [
            strides_of(builder, array, kind)
            for array, kind in zip((left, right, out), (*kinds[1:], kinds[0]))
        ]
        rows, inner = sizes[0] if len(sizes[0]) == 2 else (one, sizes[0][0])
        columns = sizes[1][1] if len(sizes[1]) == 2 else one
        of_left = strides[0] if len(strides[0]) == 2 else [zero, *strides[0]]
        of_right = strides[1] if len(strides[1]) == 2 else [*strides[1], zero]
        if len(strides[2]) == 2:
            of_out = strides[2]
        else:
            of_out = [zero, strides[2][0]] if len(sizes[0]) == 1 else [strides[2][0], zero]
        steps = [zero, zero, zero, *of_left, *of_right, *of_out]
        places = [out.data, left.data, right.data]
        if len(sizes[0]) == len(sizes[1]):
            small = small_matrix_product, places, [rows, inner, columns], [*strides[0], *strides[1]]
        elif len(sizes[0]) == 2:
            small = small_vector_product, places, [rows, inner], [*strides[0], *strides[1]]
        else:
            places = [out.data, right.data, left.data]
            small = small_vector_product, places, [columns, inner], [*strides[1][::-1], *strides[0]]
        ways = (small, _outer_of(builder, *small)) if kinds[0].layout == "C" else ()
        with _unless_in_place(context, builder, call, *ways):
            run_loop(builder, call, [left.data, right.data, out.data], [one, rows, inner, columns], steps)
        return context.get_dummy_value()

    def product(typing_context, out, a, b):
        return types.void(out, a, b), generate

    return intrinsic(product)
