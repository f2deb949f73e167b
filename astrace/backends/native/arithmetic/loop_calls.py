"""Calls of NumPy's inner loops, as compiled code writes them: addresses of operands, sizes, strides, and the processor's flags."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from astrace.backends.native.host import LoopCall
from astrace.backends.native.symbols import WATCHED, inner_loop

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
    "L": types.uint64,
    "f": types.float32,
    "d": types.float64,
    "F": types.complex64,
    "D": types.complex128,
}


def run_loop(
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


def put_in_memory(builder: Any, kind: Any, value: Any, context: Any) -> Any:
    """Store a number; return its address.

    Args:
        builder: writes LLVM instructions.
        kind: its type, as Numba has it.
        value: it.
        context: Numba's.
    """
    stored = context.get_value_as_data(builder, kind, value)
    place = cgutils.alloca_once(builder, stored.type)
    builder.store(stored, place)
    return place


def array_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return an array's fields.

    Args:
        context: Numba's.
        builder: writes LLVM instructions.
        kind: the array's type, as Numba has it.
        value: it.
    """
    return context.make_array(kind)(context, builder, value)


def sizes_of(builder: Any, array: Any, kind: Any) -> list[Any]:
    """Return the sizes of an array's axes.

    Args:
        builder: writes LLVM instructions.
        array: its fields.
        kind: its type.
    """
    return cgutils.unpack_tuple(builder, array.shape, kind.ndim)


def strides_of(builder: Any, array: Any, kind: Any) -> list[Any]:
    """Return an array's strides in bytes.

    Args:
        builder: writes LLVM instructions.
        array: its fields.
        kind: its type.
    """
    return cgutils.unpack_tuple(builder, array.strides, kind.ndim)
