"""What machine code is written of that adds up products: loops, and vectors of floats.  It needs llvmlite alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from llvmlite import ir

# pyright: basic
WORD: Final = ir.IntType(64)
ITEM: Final = ir.DoubleType()
BYTES: Final = 8
"""The bytes of a ``float64``."""


@contextmanager
def counted(builder: Any, begin: Any, end: Any, step: int) -> Iterator[Any]:
    """Write the body of a loop over numbers.

    Args:
        builder: writes LLVM instructions.
        begin: the first number.
        end: the one that is not reached.
        step: from one to the next.
    """
    index = builder.alloca(WORD)
    builder.store(begin, index)
    test, body, done = (builder.append_basic_block(name) for name in ("test", "body", "done"))
    builder.branch(test)
    builder.position_at_end(test)
    number = builder.load(index)
    builder.cbranch(builder.icmp_signed("<", number, end), body, done)
    builder.position_at_end(body)
    yield number
    builder.store(builder.add(number, WORD(step)), index)
    builder.branch(test)
    builder.position_at_end(done)


def items_of(width: int) -> Any:
    """Return the type of so many floats.

    Args:
        width: their number.
    """
    return ir.VectorType(ITEM, width) if width > 1 else ITEM


def constant(width: int, kind: Any, value: Any) -> Any:
    """Return a number, or a vector that repeats it.

    Args:
        width: the number of items.
        kind: of one.
        value: of each.
    """
    return ir.Constant(ir.VectorType(kind, width), [value] * width) if width > 1 else ir.Constant(kind, value)


def fused(builder: Any, width: int, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c``, each rounded once.

    Args:
        builder: writes LLVM instructions.
        width: the number of items.
        a: a factor.
        b: the other one.
        c: what is added.
    """
    kind = items_of(width)
    name = f"llvm.fma.v{width}f64" if width > 1 else "llvm.fma.f64"
    known = builder.module.globals.get(name)
    function = known or ir.Function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(function, [a, b, c])


def loaded(builder: Any, width: int, address: Any) -> Any:
    """Return floats that follow each other in memory.

    Args:
        builder: writes LLVM instructions.
        width: their number.
        address: of the first one.
    """
    return builder.load(builder.inttoptr(address, items_of(width).as_pointer()), align=BYTES)


def stored(builder: Any, value: Any, address: Any) -> None:
    """Store floats.

    Args:
        builder: writes LLVM instructions.
        value: one, or a vector of them.
        address: of the first one.
    """
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()), align=BYTES)


def moved(builder: Any, address: Any, step: Any, count: Any) -> Any:
    """Return the address that is so many steps further.

    Args:
        builder: writes LLVM instructions.
        address: where it begins.
        step: in bytes.
        count: the number of steps.
    """
    return builder.add(address, builder.mul(step, count))


def part_of(builder: Any, vector: Any, begin: int, width: int) -> Any:
    """Return items of a vector.

    Args:
        builder: writes LLVM instructions.
        vector: of floats.
        begin: the first one's place.
        width: their number.
    """
    mask = ir.Constant(ir.VectorType(ir.IntType(32), width), [*range(begin, begin + width)])
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), mask)
