"""NumPy's own inner loops, called from compiled code: their results are NumPy's to the bit, since they are NumPy's.

A loop is given the addresses of its operands, the sizes and the strides; it needs no interpreter for numbers.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.c_functions import c_function_of
from astrace.backends.native.arithmetic.hypotenuses import array_hypot
from astrace.backends.native.arithmetic.negative_powers import array_power
from astrace.backends.native.arithmetic.small_products import (
    small_dot,
    small_matrix_product,
    small_vector_product,
    unless_small,
)
from astrace.backends.native.arithmetic.small_reductions import reduction_of_few
from astrace.backends.native.drawing.c_draws import DRAWS
from astrace.backends.native.entry.kept_parts import keep_part
from astrace.backends.native.host import LoopCall
from astrace.backends.native.symbols import WATCHED, c_function, inner_loop

# pyright: basic
BYTES = ir.IntType(8).as_pointer()
WORD = ir.IntType(64)
LOOP = ir.FunctionType(ir.VoidType(), [BYTES.as_pointer(), WORD.as_pointer(), WORD.as_pointer(), BYTES])
TYPES = {
    "?": types.boolean,
    "b": types.int8,
    "h": types.int16,
    "i": types.int32,
    "l": types.int64,
    "B": types.uint8,
    "H": types.uint16,
    "I": types.uint32,
    "f": types.float32,
    "d": types.float64,
    "F": types.complex64,
    "D": types.complex128,
}


def _run(
    builder: Any,
    call: LoopCall,
    operands: list[Any],
    dims: list[Any],
    steps: list[Any],
    single: bool = False,
) -> None:
    """Call a loop.

    Args:
        builder: writes LLVM instructions.
        call: which loop.
        operands: their addresses.
        dims: sizes.
        steps: strides in bytes.
        single: for one element.
    """
    loop = inner_loop(call.ufunc, call.types)
    function = cgutils.get_or_insert_function(builder.module, LOOP, loop.function)
    places = cgutils.alloca_once(builder, BYTES, size=len(operands))
    sizes = cgutils.alloca_once(builder, WORD, size=len(dims))
    strides = cgutils.alloca_once(builder, WORD, size=len(steps))
    for memory, values in ((places, operands), (sizes, dims), (strides, steps)):
        for index, value in enumerate(values):
            held = builder.bitcast(value, BYTES) if memory is places else value
            builder.store(held, builder.gep(memory, [WORD(index)]))
    given = [places, sizes, strides, _data(builder, loop.data)]
    if single and not loop.clears_flags:
        builder.call(function, given)
        return
    before = _flags(builder, "fetestexcept", WATCHED)
    builder.call(function, given)
    with builder.if_then(builder.icmp_signed("!=", before, before.type(0)), likely=False):
        _flags(builder, "feraiseexcept", before)  # some loops clear the flags that they find


def _flags(builder: Any, name: str, flags: Any) -> Any:
    """Call a function of the processor's status flags."""
    number = ir.IntType(32)
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [number]), name)
    return builder.call(function, [number(flags) if isinstance(flags, int) else flags])


def _data(builder: Any, name: str) -> Any:
    """The address of a loop's data."""
    if not name:
        return BYTES(None)
    return builder.module.globals.get(name) or ir.GlobalVariable(builder.module, ir.IntType(8), name)


def _in_memory(builder: Any, kind: Any, value: Any, context: Any) -> Any:
    """The address of a number."""
    stored = context.get_value_as_data(builder, kind, value)
    place = cgutils.alloca_once(builder, stored.type)
    builder.store(stored, place)
    return place


def call_ufunc(call: LoopCall) -> Any:
    """A ufunc of numbers."""
    inputs, result = call.types.split("->")
    given, gives = [TYPES[char] for char in inputs], TYPES[result]

    def generate(context, builder, signature, args):
        operands = [_in_memory(builder, kind, value, context) for kind, value in zip(given, args)]
        out = cgutils.alloca_once(builder, context.get_data_type(gives))
        steps = [WORD(0) for _ in (*operands, out)]
        _run(builder, call, [*operands, out], [WORD(1)], steps, single=True)
        return context.data_model_manager[gives].load_from_data_pointer(builder, out)

    def unary(typing_context, a):
        return gives(*given), generate

    def binary(typing_context, a, b):
        return gives(*given), generate

    return intrinsic(unary if len(given) == 1 else binary)


def _array(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value)


def _sizes(builder: Any, array: Any, kind: Any) -> list[Any]:
    return cgutils.unpack_tuple(builder, array.shape, kind.ndim)


def _strides(builder: Any, array: Any, kind: Any) -> list[Any]:
    return cgutils.unpack_tuple(builder, array.strides, kind.ndim)


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
        arrays = [_array(context, builder, kind, value) for kind, value in zip(signature.args, args)]
        size = WORD(1)
        for one in _sizes(builder, arrays[0], signature.args[0]):
            size = builder.mul(size, one)
        order = [*arrays[1:], arrays[0]]
        _run(builder, call, [one.data for one in order], [size], [_step(builder, one, size) for one in order])
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
        array = _array(context, builder, signature.args[0], args[0])
        (size,), (stride,) = (f(builder, array, signature.args[0]) for f in (_sizes, _strides))
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        data = builder.bitcast(array.data, BYTES)
        if identity is None:
            builder.store(builder.load(array.data), out)
            data, size = builder.gep(data, [stride]), builder.sub(size, WORD(1))
        else:
            first = context.get_constant(kind, identity)
            builder.store(context.get_value_as_data(builder, kind, first), out)
        _run(builder, call, [out, data, out], [size], [WORD(0), stride, WORD(0)])
        return context.data_model_manager[kind].load_from_data_pointer(builder, out)

    def reduction(typing_context, array):
        return kind(array), generate

    return intrinsic(reduction)


def _unless_small(
    context: Any, builder: Any, call: LoopCall, is_in_order: bool, *small: Any
) -> AbstractContextManager[None]:
    """Write what computes small products of ``float64`` into arrays in C order; of others, nothing does (`unless_small`)."""
    return unless_small(context, builder, *small) if call.types == "dd->d" and is_in_order else nullcontext()


def dot(call: LoopCall) -> Any:
    """The product of two arrays of one axis; of few items without the loop, where that gives the same bits."""
    kind = TYPES[call.types[0]]

    def generate(context, builder, signature, args):
        arrays = [_array(context, builder, one, value) for one, value in zip(signature.args, args)]
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        size = _sizes(builder, arrays[0], signature.args[0])[0]
        strides = [_strides(builder, one, kind_)[0] for one, kind_ in zip(arrays, signature.args)]
        zero, one = WORD(0), WORD(1)
        steps = [zero, zero, zero, zero, strides[0], strides[1], zero, zero, zero]
        left, right = (array.data for array in arrays)
        with _unless_small(context, builder, call, True, small_dot, [out, left, right], [size], strides):
            _run(builder, call, [left, right, out], [one, one, size, one], steps)
        return builder.load(out)

    def product(typing_context, a, b):
        return kind(a, b), generate

    return intrinsic(product)


def slide_products(call: LoopCall) -> Any:
    """Products of two arrays of one axis, the first of which begins one item later each time; all in one call of the loop."""

    def generate(context, builder, signature, args):
        out, numbers, weights = (
            _array(context, builder, one, value) for one, value in zip(signature.args, args)
        )
        count, inner = (_sizes(builder, one, signature.args[0])[0] for one in (out, weights))
        strides = [
            _strides(builder, one, kind)[0] for one, kind in zip((numbers, weights, out), signature.args)
        ]
        zero, one = WORD(0), WORD(1)
        steps = [strides[0], zero, strides[2], zero, strides[0], strides[1], zero, zero, zero]
        _run(builder, call, [numbers.data, weights.data, out.data], [count, one, inner, one], steps)
        return context.get_dummy_value()

    def products(typing_context, out, numbers, weights):
        return types.void(out, numbers, weights), generate

    return intrinsic(products)


def multiply_matrices(call: LoopCall) -> Any:
    """The product of matrices, or of one and a vector; of small ones without the loop, where that gives the same bits."""

    def generate(context, builder, signature, args):
        kinds = signature.args
        out, left, right = (_array(context, builder, kind, value) for kind, value in zip(kinds, args))
        zero, one = WORD(0), WORD(1)
        sizes = [_sizes(builder, array, kind) for array, kind in zip((left, right), kinds[1:])]
        strides = [
            _strides(builder, array, kind) for array, kind in zip((left, right, out), (*kinds[1:], kinds[0]))
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
        with _unless_small(context, builder, call, kinds[0].layout == "C", *small):
            _run(builder, call, [left.data, right.data, out.data], [one, rows, inner, columns], steps)
        return context.get_dummy_value()

    def product(typing_context, out, a, b):
        return types.void(out, a, b), generate

    return intrinsic(product)


def apply_gufunc(call: LoopCall) -> Any:
    """A generalised ufunc of matrices that gives a matrix, or a vector: the loop's outer axis has one item."""

    def generate(context, builder, signature, args):
        kinds = signature.args
        out, *given = (_array(context, builder, kind, value) for kind, value in zip(kinds, args))
        sizes = [WORD(1), _sizes(builder, given[0], kinds[1])[0]]
        if len(given) == 2 and kinds[2].ndim == 2:
            sizes.append(_sizes(builder, given[1], kinds[2])[1])
        order = [*zip(given, kinds[1:]), (out, kinds[0])]
        steps = [WORD(0) for _ in order]
        for array, kind in order:
            steps += _strides(builder, array, kind)
        _run(builder, call, [array.data for array, _ in order], sizes, steps)
        return context.get_dummy_value()

    def of_one(typing_context, out, a):
        return types.void(out, a), generate

    def of_two(typing_context, out, a, b):
        return types.void(out, a, b), generate

    return intrinsic(of_one if call.types.index("->") == 1 else of_two)


def apply_transform(call: LoopCall) -> Any:
    """A Fourier transform of an array of one axis, times a number."""

    def generate(context, builder, signature, args):
        out, given = (_array(context, builder, *one) for one in zip(signature.args[:2], args))
        factor = _in_memory(builder, types.float64, args[2], context)
        sizes = [_sizes(builder, one, signature.args[0])[0] for one in (given, out)]
        steps = [WORD(0)] * 3
        steps += [
            _strides(builder, one, kind)[0]
            for one, kind in ((given, signature.args[1]), (out, signature.args[0]))
        ]
        _run(builder, call, [given.data, factor, out.data], [WORD(1), *sizes], steps)
        return context.get_dummy_value()

    def transform(typing_context, out, given, factor):
        return types.void(out, given, types.float64), generate

    return intrinsic(transform)


def reduce_gufunc(call: LoopCall) -> Any:
    """A generalised ufunc that gives a number for a matrix."""
    kind = TYPES[call.types[-1]]

    def generate(context, builder, signature, args):
        array = _array(context, builder, signature.args[0], args[0])
        size = _sizes(builder, array, signature.args[0])[0]
        out = cgutils.alloca_once(builder, context.get_data_type(kind))
        steps = [WORD(0), WORD(0), *_strides(builder, array, signature.args[0])]
        _run(builder, call, [array.data, out], [WORD(1), size], steps)
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
}
"""By op, what makes the function that the text of a kernel calls."""
