"""The words of a Mersenne twister in compiled code, and what Python makes of them: ``random`` and ``getrandbits``.

`streams.TwisterWords` does the same in Python, and is compared with Python's own.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from astrace.backends.native.drawing.generators import FRACTION
from astrace.backends.native.drawing.streams import MASKS, MATRIX, MIDDLE, TOP, WORDS

# pyright: basic
HALF: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
FLOAT: Final = ir.DoubleType()
TURN: Final = "astrace_turn_words"
"""The name of the function that makes the words anew."""


def next_number(builder: Any, state: Any) -> Any:
    """A float between zero and one.

    Args:
        builder: writes LLVM instructions.
        state: the address of the state.
    """
    high, low = (builder.zext(builder.lshr(next_word(builder, state), HALF(bits)), WORD) for bits in (5, 6))
    whole = builder.or_(builder.shl(high, WORD(26)), low)
    return builder.fmul(builder.sitofp(whole, FLOAT), FLOAT(FRACTION))


def next_bits(builder: Any, state: Any, count: Any) -> Any:
    """An integer of so many random bits.

    Args:
        builder: writes LLVM instructions.
        state: the address of the state.
        count: of the bits, 0 to 63.
    """
    place = cgutils.alloca_once_value(builder, WORD(0))
    with builder.if_then(builder.icmp_unsigned(">", count, WORD(0))):
        low = builder.zext(next_word(builder, state), WORD)
        with builder.if_else(builder.icmp_unsigned("<=", count, WORD(32)), likely=True) as (few, many):
            with few:
                builder.store(builder.lshr(low, builder.sub(WORD(32), count)), place)
            with many:
                high = builder.zext(next_word(builder, state), WORD)
                high = builder.lshr(high, builder.sub(WORD(64), count))
                builder.store(builder.or_(builder.shl(high, WORD(32)), low), place)
    return builder.load(place)


def next_word(builder: Any, state: Any) -> Any:
    """The next 32 bits."""
    state = builder.bitcast(state, HALF.as_pointer())
    with builder.if_then(builder.icmp_unsigned(">=", builder.load(state), HALF(WORDS)), likely=False):
        builder.call(_turn(builder.module), [state])
    place = builder.load(state)
    word = builder.load(builder.gep(state, [builder.add(builder.zext(place, WORD), WORD(1))]))
    builder.store(builder.add(place, HALF(1)), state)
    word = builder.xor(word, builder.lshr(word, HALF(11)))
    for turn, mask in zip((7, 15), MASKS, strict=True):
        word = builder.xor(word, builder.and_(builder.shl(word, HALF(turn)), HALF(mask)))
    return builder.xor(word, builder.lshr(word, HALF(18)))


def _turn(module: Any) -> Any:
    """The function that makes the words anew, and sets the place of the next one to the first."""
    known = module.globals.get(TURN)
    if known is not None:
        return known
    made = ir.Function(module, ir.FunctionType(ir.VoidType(), [HALF.as_pointer()]), TURN)
    made.linkage = "internal"
    made.attributes.add("noinline")
    builder = ir.IRBuilder(made.append_basic_block("entry"))
    (state,) = made.args
    for first, last in ((0, WORDS - MIDDLE), (WORDS - MIDDLE, WORDS - 1)):
        with cgutils.for_range_slice(builder, WORD(first), WORD(last), WORD(1), intp=WORD) as (place, _):
            _mix(builder, state, place, builder.add(place, WORD(1)), MIDDLE if not first else MIDDLE - WORDS)
    _mix(builder, state, WORD(WORDS - 1), WORD(0), MIDDLE - WORDS)
    builder.store(HALF(0), state)
    builder.ret_void()
    return made


def _mix(builder: Any, state: Any, place: Any, behind: Any, distance: int) -> None:
    """Make a word of itself, of the one behind it, and of one at a distance."""
    here, after, other = (
        builder.gep(state, [builder.add(one, WORD(1))])
        for one in (place, behind, builder.add(place, WORD(distance)))
    )
    mixed = builder.or_(
        builder.and_(builder.load(here), HALF(TOP)), builder.and_(builder.load(after), HALF(TOP - 1))
    )
    odd = builder.and_(builder.neg(builder.and_(mixed, HALF(1))), HALF(MATRIX))
    found = builder.xor(builder.xor(builder.load(other), builder.lshr(mixed, HALF(1))), odd)
    builder.store(found, here)
