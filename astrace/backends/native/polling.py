"""Signals that are handled, and other threads that run, while a kernel does."""

from __future__ import annotations

from typing import Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

# pyright: basic


def polling(yields):
    """An intrinsic that handles pending signals now and then; other threads may run meanwhile if it yields.

    A handler that raises ends the kernel with that exception.
    """

    @intrinsic
    def poll(typing_context):
        def generate(context, builder, signature, args):
            count = builder.add(builder.load(counter := _counter(builder)), ir.IntType(32)(1))
            builder.store(count, counter)
            due = builder.icmp_unsigned(
                "==", builder.and_(count, ir.IntType(32)(BETWEEN_POLLS - 1)), ir.IntType(32)(0)
            )
            with builder.if_then(due, likely=False):
                check = ir.FunctionType(ir.IntType(32), [])
                signals = cgutils.get_or_insert_function(builder.module, check, "PyErr_CheckSignals")
                failed = builder.icmp_signed("!=", builder.call(signals, []), ir.IntType(32)(0))
                with builder.if_then(failed, likely=False):
                    context.call_conv.return_exc(builder)
                if yields:
                    _yield(builder)
            return context.get_dummy_value()

        return types.none(), generate

    return poll


BETWEEN_POLLS: Final = 1 << 16
"""Iterations; a power of two."""


def _counter(builder):
    """The variable that counts iterations."""
    name = "astrace_iterations"
    known = builder.module.globals.get(name)
    if known is not None:
        return known
    made = ir.GlobalVariable(builder.module, ir.IntType(32), name)
    made.linkage = "internal"
    made.initializer = ir.IntType(32)(0)  # type: ignore[assignment]
    return made


def _yield(builder):
    """Let other threads run."""
    state = ir.IntType(8).as_pointer()
    save = cgutils.get_or_insert_function(builder.module, ir.FunctionType(state, []), "PyEval_SaveThread")
    restore_type = ir.FunctionType(ir.VoidType(), [state])
    restore = cgutils.get_or_insert_function(builder.module, restore_type, "PyEval_RestoreThread")
    builder.call(restore, [builder.call(save, [])])
