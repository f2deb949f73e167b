"""The bits of a ``PCG64`` as LLVM's instructions, and the floats that are made of them.

They are those of ``pcg64_random_r`` and ``next_double`` (``numpy/random/src/pcg64``): a step of a linear congruential generator of 128 bits,
whose halves are combined and rotated.  `generators.is_inline` compares them with NumPy's.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from astrace.backends.native.drawing.generators import FRACTION, MULTIPLIER

# pyright: basic
WORD: Final = ir.IntType(64)
WIDE: Final = ir.IntType(128)
POINTER: Final = ir.IntType(8).as_pointer()
FLOAT: Final = ir.DoubleType()


def next_double(builder: Any, state: Any) -> Any:
    """A float between zero and one.

    Args:
        builder: writes LLVM instructions.
        state: the address of the state; its first word is that of the two numbers.
    """
    numbers = builder.bitcast(builder.load(builder.bitcast(state, POINTER.as_pointer())), WIDE.as_pointer())
    before = builder.load(numbers, align=8)
    increment = builder.load(builder.gep(numbers, [WORD(1)]), align=8)
    after = builder.add(builder.mul(before, WIDE(MULTIPLIER)), increment)
    builder.store(after, numbers, align=8)
    high = builder.trunc(builder.lshr(after, WIDE(64)), WORD)
    mixed = builder.xor(high, builder.trunc(after, WORD))
    turn = builder.lshr(high, WORD(58))
    back = builder.and_(builder.neg(turn), WORD(63))
    bits = builder.or_(builder.lshr(mixed, turn), builder.shl(mixed, back))
    return builder.fmul(builder.sitofp(builder.lshr(bits, WORD(11)), FLOAT), FLOAT(FRACTION))


def scaled(builder: Any, number: Any, low: Any, extent: Any) -> Any:
    """A number between others."""
    return builder.fadd(low, builder.fmul(extent, number))
