"""Functions of the C library on floats, of which LLVM is told that they touch none of the program's memory.

They raise flags of the processor's, and set ``errno``, which nothing in compiled code looks at; so a call stays where it is, and what is in memory
may be kept in registers around it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

# pyright: basic


def c_function_of(name, count, kind: Any = types.float64, is_rare: bool = False) -> Any:
    """A function of the C library for compiled code.

    Args:
        name: of its symbol.
        count: the number of its arguments.
        kind: their type, and that of its result.
        is_rare: it is seldom called: LLVM moves values out of registers at the call, not around the loop that it stands in.
    """

    def generate(context, builder, signature, args):
        called = builder.call(_declared(builder.module, name, args), args)
        if is_rare:
            set.add(called.attributes, "cold")
        return called

    if count == 1:

        @intrinsic
        def of_one(typing_context, x):
            return kind(kind), generate

        return of_one

    @intrinsic
    def of_two(typing_context, x, y):
        return kind(kind, kind), generate

    return of_two


def _declared(module, name, args):
    found = module.globals.get(name)
    if found is not None:
        return found
    made = ir.Function(module, ir.FunctionType(args[0].type, [one.type for one in args]), name)
    made.attributes.add("nounwind")
    made.attributes.add("inaccessiblememonly")
    set.add(made.attributes, "willreturn")
    return made
