"""Items that a kernel copies right before it overwrites them, in machine code.

The items of a part lie at equal distances in memory, as in one array at one of several times.  They are copied to the same places as
if all of them were, in a range that grows at both ends: what has been overwritten is always in it.  Copies that are larger than a
cache are stored around it, so that their memory is not read first; smaller ones are made at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from astrace.backends.native.entry.checking import POINTER, WORD
from astrace.backends.native.entry.freed_memory import HEAD, take
from astrace.backends.native.host import LoopCall

# pyright: basic
AHEAD: Final = 96
"""The items that are copied at least where any are: as many as a turn of lines has (`fusion.lines`)."""
LINE: Final = 8
"""Ranges begin and end at multiples of it: 64 bytes of floats."""
ALIGNED: Final = 64
SMALL: Final = 1 << 17
"""The items of a part that are copied at once: a megabyte of floats stays in a cache."""
WIDE: Final = 4
"""The items that are stored at once."""
EXTEND: Final = "astrace_extend_log"


def is_even(kind: Any, axes: str) -> bool:
    """Return whether the items of a part lie at equal distances, and are words.

    Args:
        kind: the array's type, as Numba names it.
        axes: as for `KeptPart`.
    """
    return (
        kind.layout == "C"
        and as_dtype(kind.dtype).itemsize == WORD.width // 8
        and ":" not in axes.lstrip(":")
    )


def memory_of(builder: Any, copy: Any) -> Any:
    """Return the place of the first item in the memory of a log.

    Args:
        builder: of LLVM's.
        copy: the address of the memory, as a word.
    """
    first = builder.add(copy, WORD(HEAD + ALIGNED - 1))
    return builder.inttoptr(builder.and_(first, WORD(-ALIGNED)), POINTER)


def is_small(builder: Any, size: Any) -> Any:
    """Return whether all items of a part are copied at once.

    Args:
        builder: of LLVM's.
        size: of the items, in bytes.
    """
    return builder.icmp_unsigned("<=", size, WORD(8 * SMALL))


def taken(builder: Any, size: Any) -> Any:
    """Return memory for a log, or a null pointer.

    Args:
        builder: of LLVM's.
        size: of the items, in bytes.
    """
    return take(builder, builder.add(size, WORD(HEAD + ALIGNED)))


def keep_items(call: LoopCall) -> Any:
    """What copies some items along an axis, and what lies between them and those that have been copied."""
    axes, (place, axis) = call.ufunc, map(int, call.types.split())

    def generate(context, builder, signature, args):
        undo, array, count, *indices = args
        kind = signature.args[1]
        if is_even(kind, axes):
            made = context.make_array(kind)(context, builder, array)
            words = builder.gep(builder.inttoptr(undo, WORD.as_pointer()), [WORD(place)])
            with builder.if_then(builder.icmp_signed(">", count, WORD(0))):
                _keep(builder, made, (axes, axis), (words, count, indices))
        return context.get_dummy_value()

    def typed(typing_context, undo, array, count, *indices):
        return types.void(types.int64, array, types.int64, *(types.int64 for _ in indices)), generate

    return intrinsic(_with_indices(typed, len(axes)))


def _with_indices(typed: Any, count: int) -> Any:
    """Return a function with as many parameters as an array has axes."""

    def one(typing_context, undo, array, count, a):
        return typed(typing_context, undo, array, count, a)

    def two(typing_context, undo, array, count, a, b):
        return typed(typing_context, undo, array, count, a, b)

    def three(typing_context, undo, array, count, a, b, c):
        return typed(typing_context, undo, array, count, a, b, c)

    def four(typing_context, undo, array, count, a, b, c, d):
        return typed(typing_context, undo, array, count, a, b, c, d)

    def five(typing_context, undo, array, count, a, b, c, d, e):
        return typed(typing_context, undo, array, count, a, b, c, d, e)

    return (one, two, three, four, five)[count - 1]


MOST_AXES: Final = 5
"""The axes of an array whose items are logged."""


def _keep(builder: Any, made: Any, part: tuple[str, int], given: tuple[Any, Any, Sequence[Any]]) -> None:
    """Copy items, if they have not been copied."""
    (axes, axis), (words, count, indices) = part, given
    sizes = cgutils.unpack_tuple(builder, made.shape, len(axes))
    strides = cgutils.unpack_tuple(builder, made.strides, len(axes))
    begin, weight, along = WORD(0), WORD(1), WORD(0)
    data, stride = builder.bitcast(made.data, POINTER), strides[-1]
    for number in reversed(range(len(axes))):
        if axes[number] == "i":
            data = builder.gep(data, [builder.mul(indices[number], strides[number])])
            stride = strides[number - 1] if number else stride
            continue
        begin = builder.add(begin, builder.mul(indices[number], weight))
        along = weight if number == axis else along
        weight = builder.mul(weight, sizes[number])
    last = builder.mul(builder.sub(count, WORD(1)), along)
    end = builder.add(builder.add(begin, last), WORD(1))
    bounds = builder.gep(words, [WORD(1 + axes.count("i"))])
    low, high = builder.load(bounds), builder.load(builder.gep(bounds, [WORD(1)]))
    before, behind = builder.icmp_signed("<", begin, low), builder.icmp_signed(">", end, high)
    with builder.if_then(builder.or_(before, behind), likely=False):
        memory = memory_of(builder, builder.load(words))
        builder.call(_extend(builder.module), [bounds, data, stride, memory, begin, end, weight])


def _extend(module: Any) -> Any:
    """The function that copies items so that a range of them has been copied."""
    if EXTEND in module.globals:
        return module.globals[EXTEND]
    kind = ir.FunctionType(ir.VoidType(), [WORD.as_pointer(), POINTER, WORD, POINTER, WORD, WORD, WORD])
    function = ir.Function(module, kind, EXTEND)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    bounds, data, stride, memory, begin, end, total = function.args
    # a loop may count further than the array has items: it gives up when it gets there
    begin, end = (_larger(builder, WORD(0), _smaller(builder, one, total)) for one in (begin, end))
    with builder.if_then(builder.icmp_signed(">=", begin, end), likely=False):
        builder.ret_void()
    place = builder.gep(bounds, [WORD(1)])
    low, high = builder.load(bounds), builder.load(place)
    first = builder.and_(begin, WORD(-LINE))
    none = builder.icmp_signed("==", low, high)
    low, high = builder.select(none, first, low), builder.select(none, first, high)
    upper = _larger(builder, end, builder.add(high, WORD(AHEAD)))
    upper = builder.and_(builder.add(upper, WORD(LINE - 1)), WORD(-LINE))
    upper = _smaller(builder, upper, total)
    upper = builder.select(builder.icmp_signed(">", end, high), upper, high)
    lower = _smaller(builder, first, builder.sub(low, WORD(AHEAD)))
    lower = _larger(builder, builder.and_(lower, WORD(-LINE)), WORD(0))
    lower = builder.select(builder.icmp_signed("<", begin, low), lower, low)
    for bound in ((high, upper), (lower, low)):
        _copy(builder, (data, stride, memory), bound)
    builder.store(lower, bounds)
    builder.store(upper, place)
    builder.ret_void()
    return function


def _copy(builder: Any, places: tuple[Any, Any, Any], bound: tuple[Any, Any]) -> None:
    """Copy the items from one to before another, the first one at a multiple of `LINE`."""
    data, stride, memory = places
    start, stop = bound
    whole = builder.and_(_larger(builder, builder.sub(stop, start), WORD(0)), WORD(-WIDE))
    middle = builder.add(start, whole)
    follows = builder.icmp_signed("==", stride, WORD(8))
    with builder.if_else(follows) as branches:
        for branch, is_one in zip(branches, (True, False), strict=True):
            with branch, cgutils.for_range_slice(builder, start, middle, WORD(WIDE), WORD) as (index, _):
                _copy_several(builder, places, index, is_one)
    with cgutils.for_range_slice(builder, middle, stop, WORD(1), WORD) as (index, _):
        target = builder.bitcast(builder.gep(memory, [builder.shl(index, WORD(3))]), WORD.as_pointer())
        builder.store(_item(builder, data, stride, index), target)


def _copy_several(builder: Any, places: tuple[Any, Any, Any], index: Any, follows: bool) -> None:
    """Copy as many items as are stored at once, which follow each other, or do not, past the cache."""
    data, stride, memory = places
    several = ir.VectorType(WORD, WIDE)
    if follows:
        place = builder.gep(data, [builder.shl(index, WORD(3))])
        found = builder.load(builder.bitcast(place, several.as_pointer()), align=8)
    else:
        found = ir.Constant(several, ir.Undefined)
        for number in range(WIDE):
            item = _item(builder, data, stride, builder.add(index, WORD(number)))
            found = builder.insert_element(found, item, WORD(number))
    target = builder.gep(memory, [builder.shl(index, WORD(3))])
    stored = builder.store(found, builder.bitcast(target, several.as_pointer()), align=WIDE * 8)
    stored.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))


def _item(builder: Any, data: Any, stride: Any, index: Any) -> Any:
    place = builder.gep(data, [builder.mul(index, stride)])
    return builder.load(builder.bitcast(place, WORD.as_pointer()))


def _larger(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_signed(">", one, other), one, other)


def _smaller(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_signed("<", one, other), one, other)


def put_back_items(builder: Any, places: tuple[Any, Any, Any], bounds: Any) -> None:
    """Put back the items that have been copied.

    Args:
        builder: of LLVM's.
        places: the first item of the part, the distance of its items in bytes, and the first item of the copy.
        bounds: the place of two words: the first item that has been copied, and the one behind the last.
    """
    data, stride, memory = places
    low, high = builder.load(bounds), builder.load(builder.gep(bounds, [WORD(1)]))
    with cgutils.for_range_slice(builder, low, high, WORD(1), WORD) as (index, _):
        target = builder.bitcast(builder.gep(data, [builder.mul(index, stride)]), WORD.as_pointer())
        builder.store(_item(builder, memory, WORD(8), index), target)
