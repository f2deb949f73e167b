"""NumPy's own inner loops, called from compiled code: their results are NumPy's to the bit, since they are NumPy's.

A loop is given the addresses of its operands, the sizes and the strides; it needs no interpreter for numbers.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.c_functions import c_function_of
from astrace.backends.native.arithmetic.hypotenuses import array_hypot
from astrace.backends.native.arithmetic.loop_calls import (
    BYTES,
    TYPES,
    WORD,
    array_of,
    put_in_memory,
    run_loop,
    sizes_of,
    strides_of,
)
from astrace.backends.native.arithmetic.negative_powers import array_power
from astrace.backends.native.arithmetic.small_reductions import reduction_of_few
from astrace.backends.native.drawing.c_draws import DRAWS
from astrace.backends.native.entry.item_logs import keep_items
from astrace.backends.native.entry.kept_parts import keep_part
from astrace.backends.native.host import LoopCall
from astrace.backends.native.products.product_loops import dot, multiply_matrices, slide_products
from astrace.backends.native.symbols import c_function

# pyright: basic


def call_ufunc(call: LoopCall) -> Any:
    """A ufunc of numbers."""
    inputs, result = call.types.split("->")
    given, gives = [TYPES[char] for char in inputs], TYPES[result]

    def generate(context, builder, signature, args):
        operands = [put_in_memory(builder, kind, value, context) for kind, value in zip(given, args)]
        out = cgutils.alloca_once(builder, context.get_data_type(gives))
        steps = [WORD(0) for _ in (*operands, out)]
        run_loop(builder, call, [*operands, out], [WORD(1)], steps, single=True)
        return context.data_model_manager[gives].load_from_data_pointer(builder, out)

    def unary(typing_context, a):
        return gives(*given), generate

    def binary(typing_context, a, b):
        return gives(*given), generate

    return intrinsic(unary if len(given) == 1 else binary)


def _step(builder: Any, array: Any, size: Any) -> Any:
    """The step from element to element; an array of one stands for a number, beside arrays of more."""
    single = builder.icmp_unsigned("<", array.nitems, size)
    return builder.select(single, WORD(0), array.itemsize)


def apply_ufunc(call: LoopCall) -> Any:
    """A ufunc of arrays in C order, all of one shape, or of one element."""
    if (call.ufunc, call.types) == ("power", "dd->d"):
        return array_power(_apply_by_loop(call), call_ufunc(call))
    if (call.ufunc, call.types) == ("hypot", "dd->d"):
        return array_hypot(_apply_by_loop(call))
    return _apply_by_loop(call)


def _apply_by_loop(call: LoopCall) -> Any:
    def generate(context, builder, signature, args):
        arrays = [array_of(context, builder, kind, value) for kind, value in zip(signature.args, args)]
        size = WORD(1)
        for one in sizes_of(builder, arrays[0], signature.args[0]):
            size = builder.mul(size, one)
        order = [*arrays[1:], arrays[0]]
        run_loop(
            builder, call, [one.data for one in order], [size], [_step(builder, one, size) for one in order]
        )
        return context.get_dummy_value()

    def unary(typing_context, out, a):
        return types.void(out, a), generate

    def binary(typing_context, out, a, b):
        return types.void(out, a, b), generate

    return intrinsic(unary if call.types.index("->") == 1 else binary)


def reduce_ufunc(call: LoopCall) -> Any:
    """A reduction along the only axis: of few numbers by itself, since a call takes longer than that."""
    char = call.types[0]
    return reduction_of_few(_reduce_by_loop(call), call.ufunc, char, TYPES[char])


def _reduce_by_loop(call: LoopCall) -> Any:
    """A reduction; one without identity begins with the first item."""
    identity = getattr(np, call.ufunc).identity
    kind = TYPES[call.types[0]]

    def generate(context, builder, signature, args):
        array = array_of(context, builder, signature.args[0], args[0])
        (size,), (stride,) = (f(builder, array, signature.args[0]) for f in (sizes_of, strides_of))
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        data = builder.bitcast(array.data, BYTES)
        if identity is None:
            builder.store(builder.load(array.data), out)
            data, size = builder.gep(data, [stride]), builder.sub(size, WORD(1))
        else:
            first = context.get_constant(kind, identity)
            builder.store(context.get_value_as_data(builder, kind, first), out)
        run_loop(builder, call, [out, data, out], [size], [WORD(0), stride, WORD(0)])
        return context.data_model_manager[kind].load_from_data_pointer(builder, out)

    def reduction(typing_context, array):
        return kind(array), generate

    return intrinsic(reduction)


def apply_gufunc(call: LoopCall) -> Any:
    """A generalised ufunc of matrices that gives a matrix, or a vector: the loop's outer axis has one item."""

    def generate(context, builder, signature, args):
        kinds = signature.args
        out, *given = (array_of(context, builder, kind, value) for kind, value in zip(kinds, args))
        sizes = [WORD(1), sizes_of(builder, given[0], kinds[1])[0]]
        if len(given) == 2 and kinds[2].ndim == 2:
            sizes.append(sizes_of(builder, given[1], kinds[2])[1])
        order = [*zip(given, kinds[1:]), (out, kinds[0])]
        steps = [WORD(0) for _ in order]
        for array, kind in order:
            steps += strides_of(builder, array, kind)
        run_loop(builder, call, [array.data for array, _ in order], sizes, steps)
        return context.get_dummy_value()

    def of_one(typing_context, out, a):
        return types.void(out, a), generate

    def of_two(typing_context, out, a, b):
        return types.void(out, a, b), generate

    return intrinsic(of_one if call.types.index("->") == 1 else of_two)


def apply_transform(call: LoopCall) -> Any:
    """A Fourier transform of an array of one axis, times a number."""

    def generate(context, builder, signature, args):
        out, given = (array_of(context, builder, *one) for one in zip(signature.args[:2], args))
        factor = put_in_memory(builder, types.float64, args[2], context)
        sizes = [sizes_of(builder, one, signature.args[0])[0] for one in (given, out)]
        steps = [WORD(0)] * 3
        steps += [
            strides_of(builder, one, kind)[0]
            for one, kind in ((given, signature.args[1]), (out, signature.args[0]))
        ]
        run_loop(builder, call, [given.data, factor, out.data], [WORD(1), *sizes], steps)
        return context.get_dummy_value()

    def transform(typing_context, out, given, factor):
        return types.void(out, given, types.float64), generate

    return intrinsic(transform)


def reduce_gufunc(call: LoopCall) -> Any:
    """A generalised ufunc that gives a number for a matrix."""
    kind = TYPES[call.types[-1]]

    def generate(context, builder, signature, args):
        array = array_of(context, builder, signature.args[0], args[0])
        size = sizes_of(builder, array, signature.args[0])[0]
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        steps = [WORD(0), WORD(0), *strides_of(builder, array, signature.args[0])]
        run_loop(builder, call, [array.data, out], [WORD(1), size], steps)
        return builder.load(out)

    def reduction(typing_context, array):
        return kind(array), generate

    return intrinsic(reduction)


def call_math(call: LoopCall) -> Any:
    """A function of the C library."""
    return c_function_of(c_function(call.ufunc).function, call.types.index("->"))


def nothing(call: LoopCall) -> Any:
    """What a kernel returns that gives up: numbers that are zero, and arrays without memory, in the place of outputs."""
    outputs = [
        types.Array(TYPES[kind], int(axes), "C") if axes else TYPES[kind]
        for kind, axes in re.findall(r"(\D)(\d*)", call.types)
    ]
    returned = types.BaseTuple.from_types([types.boolean, *outputs])
    assert returned is not None

    def generate(context, builder, signature, args):
        return context.get_constant_null(returned)

    def give_up(typing_context):
        return returned(), generate

    return intrinsic(give_up)


LOOPS = {
    **DRAWS,
    "call_math": call_math,
    "call_ufunc": call_ufunc,
    "apply_ufunc": apply_ufunc,
    "reduce_ufunc": reduce_ufunc,
    "dot": dot,
    "slide_products": slide_products,
    "multiply_matrices": multiply_matrices,
    "apply_gufunc": apply_gufunc,
    "apply_transform": apply_transform,
    "reduce_gufunc": reduce_gufunc,
    "nothing": nothing,
    "keep_part": keep_part,
    "keep_log": keep_part,
    "keep_items": keep_items,
}
"""By op, what makes the function that the text of a kernel calls."""
