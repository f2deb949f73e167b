"""The processor's status flags in compiled code, and what LLVM has to compute before they are read.

The flags are read through libm (C11, 7.6).  LLVM takes arithmetic on floats to have no other effect than its result, and would
drop it, or move it behind the reading: values go into a word that is needed then, or through an empty piece of assembly.
"""

from __future__ import annotations

import functools
from typing import Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.callees import callee
from astrace.backends.native.symbols import ALL, WATCHED

# pyright: basic
WORD: Final = ir.IntType(64)
NEEDED: Final = "astrace_needed"
_clear = types.ExternalFunction("feclearexcept", types.int32(types.int32))


@callee
def clear_flags():
    _clear(ALL)


@intrinsic
def flags_raised(typing_context):
    """Whether a flag is up that NumPy would tell of; all that is needed is computed by then."""

    def generate(context, builder, signature, args):
        word = ir.FunctionType(ir.VoidType(), [WORD])
        builder.asm(word, "", "r", [builder.load(_needed_word(builder))], side_effect=True)
        number = ir.IntType(32)
        test = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(number, [number]), "fetestexcept"
        )
        return builder.icmp_signed("!=", builder.call(test, [number(WATCHED)]), number(0))

    return types.boolean(), generate


@intrinsic
def needed(typing_context, value):
    """The value, computed by the time at which `flags_raised` reads the flags: it goes into a word that is needed then.

    An empty piece of assembly does that, of which LLVM knows no more than that it reads and writes no memory.
    """
    signature = value(value)

    def generate(context, builder, signature, args):
        place = _needed_word(builder)
        for given in _parts(builder, args[0]):
            held, constraint = _held(builder, given)
            function = ir.FunctionType(WORD, [held.type, WORD])
            word = [held, builder.load(place)]
            found = builder.asm(function, "", f"=r,{constraint},0", word, side_effect=False)
            found.attributes.add("readnone")
            builder.store(found, place)
        return args[0]

    return signature, generate


def _held(builder, given):
    """A number as a register holds it, and which one that may be."""
    if not isinstance(given.type, ir.IntType):
        return given, "x"
    return (builder.zext(given, WORD) if given.type.width < 64 else given), "r"


def _needed_word(builder):
    """The word of a function; LLVM holds it in a register."""
    known = [one for one in builder.function.entry_basic_block.instructions if one.name.startswith(NEEDED)]
    if known:
        return known[0]
    place = cgutils.alloca_once(builder, WORD, name=NEEDED)
    with builder.goto_entry_block():
        builder.store(WORD(0), place)
    return place


@intrinsic
def settled(typing_context, value):
    """The value, computed by now."""
    signature = value(value)

    def generate(context, builder, signature, args):
        for given in _parts(builder, args[0]):
            held, constraint = _held(builder, given)
            function = ir.FunctionType(ir.VoidType(), [held.type])
            builder.asm(function, "", constraint, [held], side_effect=True)
        return args[0]

    return signature, generate


def _parts(builder, value):
    """A number, or the parts of a complex one."""
    if not isinstance(value.type, ir.LiteralStructType):
        return [value]
    return [builder.extract_value(value, index) for index in range(len(value.type.elements))]


@intrinsic
def bits_of(typing_context, number):
    """The bits of a float; of a complex number those that are set in either part."""
    signature = types.int64(number)

    def generate(context, builder, signature, args):
        words = [
            builder.bitcast(one, ir.IntType(64 if isinstance(one.type, ir.DoubleType) else 32))
            for one in _parts(builder, args[0])
        ]
        wide = [builder.zext(one, WORD) if one.type.width < 64 else one for one in words]
        return functools.reduce(builder.or_, wide)

    return signature, generate


@intrinsic
def opaque(typing_context, value):
    """The value, which LLVM does not know."""
    signature = value(value)

    def generate(context, builder, signature, args):
        hidden = [
            builder.asm(ir.FunctionType(one.type, [one.type]), "", "=x,0", [one], side_effect=False)
            for one in _parts(builder, args[0])
        ]
        return hidden[0] if len(hidden) == 1 else cgutils.pack_struct(builder, hidden)

    return signature, generate


@intrinsic
def turned(typing_context, number, minus_zero):
    """A float or a complex number with the other sign, given an `opaque` negative zero: LLVM makes no difference of a sum with it, whose NaN has another sign."""
    signature = number(number, minus_zero)

    def generate(context, builder, signature, args):
        word = ir.IntType(64 if isinstance(args[1].type, ir.DoubleType) else 32)
        sign = builder.bitcast(args[1], word)
        parts = [
            builder.bitcast(builder.xor(builder.bitcast(one, word), sign), one.type)
            for one in _parts(builder, args[0])
        ]
        return parts[0] if len(parts) == 1 else cgutils.pack_struct(builder, parts)

    return signature, generate
