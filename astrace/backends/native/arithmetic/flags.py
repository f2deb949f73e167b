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

from astrace.backends.native.arithmetic import error_settings
from astrace.backends.native.callees import callee
from astrace.backends.native.symbols import ALL, FLAGS, WATCHED

# pyright: basic
WORD: Final = ir.IntType(64)
NUMBER: Final = ir.IntType(32)
POINTER: Final = ir.IntType(8).as_pointer()
TOLD: Final = "astrace_told_of"
NEEDED: Final = "astrace_needed"
_clear = types.ExternalFunction("feclearexcept", types.int32(types.int32))


@callee
def clear_flags():
    _clear(ALL)


@intrinsic
def flags_raised(typing_context):
    """Whether a flag is up that NumPy would tell of; all that is needed is computed by then."""

    def generate(context, builder, signature, args):
        return builder.icmp_signed("!=", _raised(builder), NUMBER(0))

    return types.boolean(), generate


def _raised(builder):
    """The flags that are up, of those that NumPy may tell of; all that is needed is computed by then."""
    word = ir.FunctionType(ir.VoidType(), [WORD])
    builder.asm(word, "", "r", [builder.load(_needed_word(builder))], side_effect=True)
    test = cgutils.get_or_insert_function(builder.module, ir.FunctionType(NUMBER, [NUMBER]), "fetestexcept")
    return builder.call(test, [NUMBER(WATCHED)])


@intrinsic
def warnings_due(typing_context):
    """Whether a flag is up that NumPy tells of under its settings of now.

    These are read only if a flag is up; where their form is not known, NumPy is taken to tell of all kinds.
    """

    def generate(context, builder, signature, args):
        raised = _raised(builder)
        if error_settings.variable() is None:
            return builder.icmp_unsigned("!=", raised, NUMBER(0))
        due = cgutils.alloca_once_value(builder, NUMBER(0))
        with builder.if_then(builder.icmp_unsigned("!=", raised, NUMBER(0)), likely=False):
            told = builder.call(_told_of(context, builder.module), [])
            builder.store(builder.and_(raised, told), due)
        return builder.icmp_unsigned("!=", builder.load(due), NUMBER(0))

    return types.boolean(), generate


@intrinsic
def overflow_is_told(typing_context):
    """Whether NumPy tells of overflows under its settings of now; it is taken to where their form is not known."""

    def generate(context, builder, signature, args):
        if error_settings.variable() is None:
            return ir.IntType(1)(1)
        flag = NUMBER(FLAGS[error_settings.KINDS.index("over")])
        told = builder.call(_told_of(context, builder.module), [])
        return builder.icmp_unsigned("!=", builder.and_(told, flag), NUMBER(0))

    return types.boolean(), generate


def _told_of(context, module):
    """The function that gives the flags of the kinds of errors that NumPy does not ignore."""
    if TOLD in module.globals:
        return module.globals[TOLD]
    function = ir.Function(module, ir.FunctionType(NUMBER, []), TOLD)
    function.linkage = "internal"
    for attribute in ("noinline", "cold", "nounwind"):
        function.attributes.add(attribute)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    own = module.globals.get(error_settings.VARIABLE)
    own = own or ir.GlobalVariable(module, ir.IntType(8), error_settings.VARIABLE)
    found = cgutils.alloca_once_value(builder, POINTER(None))
    get = ir.FunctionType(NUMBER, [POINTER, POINTER, POINTER.as_pointer()])
    read = ir.FunctionType(POINTER, [POINTER, POINTER])
    builder.call(cgutils.get_or_insert_function(module, get, "PyContextVar_Get"), [own, POINTER(None), found])
    name = context.insert_const_string(module, error_settings.CAPSULE)
    capsule = builder.load(found)
    held = builder.call(cgutils.get_or_insert_function(module, read, "PyCapsule_GetPointer"), [capsule, name])
    word = builder.load(builder.bitcast(held, NUMBER.as_pointer()))
    drop = ir.FunctionType(ir.VoidType(), [POINTER])
    builder.call(cgutils.get_or_insert_function(module, drop, "Py_DecRef"), [capsule])
    told = NUMBER(0)
    for kind, flag in zip(error_settings.KINDS, FLAGS, strict=True):
        bits = builder.and_(word, NUMBER(error_settings.BITS << error_settings.PLACES[kind]))
        is_told = builder.icmp_unsigned("!=", bits, NUMBER(0))
        told = builder.or_(told, builder.select(is_told, NUMBER(flag), NUMBER(0)))
    builder.ret(told)
    return function


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
