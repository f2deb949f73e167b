"""Draws in compiled code: NumPy's own C functions are called; the bits of the commonest generator are made inline.

A generator is the address of its Python object here.  What is drawn changes its state in memory at once, so that it does not
matter by how many names the generator is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.extending import intrinsic

from astrace.backends.native.drawing import generators, streams
from astrace.backends.native.drawing.inline_bits import next_double, scaled
from astrace.backends.native.drawing.inline_words import next_bits, next_number
from astrace.backends.native.host import LoopCall
from astrace.backends.native.object_code import TYPE_FIELD
from astrace.backends.native.symbols import class_name, draw_function
from astrace.ops.numpy.draws import FUNCTIONS, LEGACY_INTEGERS

# pyright: basic
BYTE: Final = ir.IntType(8)
POINTER: Final = BYTE.as_pointer()
WORD: Final = ir.IntType(64)
FLOAT: Final = ir.DoubleType()
INTEGERS: Final = "integers"
KINDS: Final = {"d": FLOAT, "l": WORD}


class GeneratorType(types.Type):
    """A generator, as Numba names it.

    Args:
        kind: the class of its bits.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(name=f"Generator({kind})")


register_default(GeneratorType)(models.OpaqueModel)


def bitgen(builder: Any, generator: Any, kind: str) -> Any:
    """Return the address of a generator's ``bitgen_t``."""
    return builder.gep(generator, [WORD(generators.layout_of(kind).bitgen)])


def state(builder: Any, generator: Any, kind: str) -> Any:
    """Return the address of a generator's state.

    Args:
        builder: writes LLVM instructions.
        generator: its address.
        kind: the class of its bits.
    """
    if kind == streams.KIND:
        return builder.gep(generator, [WORD(streams.PLACE)])
    return _loaded(builder, bitgen(builder, generator, kind))


def is_known(builder: Any, generator: Any, kind: str) -> Any:
    """Whether a generator's bits are of a class of NumPy's, and it draws from these.

    Args:
        builder: writes LLVM instructions.
        generator: its address.
        kind: the class.
    """
    if kind == streams.KIND:
        return _is_of(builder, generator, kind)
    known = generators.layout_of(kind)
    bits = _loaded(builder, builder.gep(generator, [WORD(known.bits)]))
    own = builder.gep(bits, [WORD(known.states[kind].place)])
    same = builder.icmp_unsigned("==", state(builder, generator, kind), own)
    return builder.and_(_is_of(builder, bits, kind), same)


def _is_of(builder: Any, one: Any, kind: str) -> Any:
    """Whether an object is of a class."""
    name = class_name(kind)
    cls = builder.module.globals.get(name) or ir.GlobalVariable(builder.module, BYTE, name)
    return builder.icmp_unsigned("==", _loaded(builder, builder.gep(one, [WORD(TYPE_FIELD)])), cls)


def _loaded(builder: Any, place: Any) -> Any:
    """The address that stands at a place."""
    return builder.load(builder.bitcast(place, POINTER.as_pointer()))


def draw(call: LoopCall) -> Any:
    """A single draw."""
    given, gives = _types(call)

    def generate(context, builder, signature, args):
        generator, *parameters = args
        if call.ufunc in (INTEGERS, LEGACY_INTEGERS):
            place = cgutils.alloca_once(builder, WORD)
            bits = bitgen(builder, generator, signature.args[0].kind)
            _fill_integers(builder, bits, parameters, WORD(1), place, call.ufunc == LEGACY_INTEGERS)
            return builder.load(place)
        return _number(builder, signature.args[0].kind, call, generator, parameters)

    def none(typing_context, generator):
        return gives(generator), generate

    def one(typing_context, generator, a):
        return gives(generator, *given), generate

    def two(typing_context, generator, a, b):
        return gives(generator, *given), generate

    return intrinsic((none, one, two)[len(given)])


def fill_draws(call: LoopCall) -> Any:
    """An array of draws, in C order."""
    given, _ = _types(call)

    def generate(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        generator, *parameters = args[1:]
        if call.ufunc == INTEGERS:
            data = builder.bitcast(array.data, WORD.as_pointer())
            bits = bitgen(builder, generator, signature.args[1].kind)
            _fill_integers(builder, bits, parameters, array.nitems, data)
            return context.get_dummy_value()
        with cgutils.for_range(builder, array.nitems) as loop:
            found = _number(builder, signature.args[1].kind, call, generator, parameters)
            builder.store(found, builder.gep(array.data, [loop.index]))
        return context.get_dummy_value()

    def none(typing_context, out, generator):
        return types.void(out, generator), generate

    def one(typing_context, out, generator, a):
        return types.void(out, generator, *given), generate

    def two(typing_context, out, generator, a, b):
        return types.void(out, generator, *given), generate

    return intrinsic((none, one, two)[len(given)])


def _types(call: LoopCall) -> tuple[list[Any], Any]:
    """The types of the parameters, and of what is drawn."""
    numbers = {"d": types.float64, "l": types.int64}
    given, gives = call.types.split("->")
    return [numbers[one] for one in given], numbers[gives]


def _number(builder: Any, kind: str, call: LoopCall, generator: Any, parameters: Sequence[Any]) -> Any:
    """One draw."""
    if kind == streams.KIND:
        words = state(builder, generator, kind)
        return next_bits(builder, words, *parameters) if parameters else next_number(builder, words)
    if call.ufunc == "uniform":
        low, high = parameters
        parameters = (low, builder.fsub(high, low))
    if generators.is_inline(kind):
        if call.ufunc == "random":
            return next_double(builder, state(builder, generator, kind))
        if call.ufunc == "uniform":
            return scaled(builder, next_double(builder, state(builder, generator, kind)), *parameters)
    method = FUNCTIONS[call.ufunc]
    gives = FLOAT if method.dtype == np.dtype(np.float64) else WORD
    kinds = [POINTER, *(one.type for one in parameters)]
    function = _external(builder, draw_function(method.function), gives, kinds)
    return builder.call(function, [bitgen(builder, generator, kind), *parameters])


def _fill_integers(
    builder: Any, bits: Any, parameters: Sequence[Any], count: Any, place: Any, masked: bool = False
) -> None:
    """Integers between two, which may come out themselves; as older generators draw them, by as many bits until they fit."""
    low, last = parameters
    kinds = [POINTER, WORD, WORD, WORD, BYTE, WORD.as_pointer()]
    name = draw_function(FUNCTIONS["integers"].function)
    function = _external(builder, name, ir.VoidType(), kinds)
    extent = builder.sub(last, low)
    builder.call(function, [bits, low, extent, count, BYTE(int(masked)), place])


def _external(builder: Any, name: str, gives: Any, kinds: Sequence[Any]) -> Any:
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(gives, kinds), name)


DRAWS: Final = {"draw": draw, "fill_draws": fill_draws}
"""By op, what makes the function that the text of a kernel calls."""
