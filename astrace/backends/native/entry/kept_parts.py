"""Parts of arrays that a kernel copies before it writes them, and their way back where it gives up.

The kernel is handed the address of words on the stack of its entrance: for each part the address of the copy, zero as long as there
is none, and the indices of the part.  The entrance puts back what has been copied, and frees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.entry.checking import BIT, POINTER, WORD
from astrace.backends.native.entry.freed_memory import HEAD, give, take
from astrace.backends.native.entry.item_logs import is_even, is_small, memory_of, put_back_items, taken
from astrace.backends.native.host import LoopCall
from astrace.backends.native.signature import KeptPart

# pyright: basic
NARROW: Final = (1, 2, 4, 8)
"""The sizes of items that are copied as one integer."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """What is put back where a kernel gives up.

    Args:
        written: the places of the generators that it draws from, whose state is copied in front of it.
        kept: the parts of arrays that it copies itself.
    """

    written: tuple[int, ...]
    kept: tuple[KeptPart, ...]


@dataclass(frozen=True, slots=True)
class ArrayPart:
    """A part of an array: loops over memory.

    Args:
        data: the address of its first item.
        sizes: of the loops, from the outermost one.
        strides: the same, in bytes.
        item: the bytes of an item.
        has_rows: the innermost loop's items are known to follow each other.
    """

    data: Any
    sizes: Sequence[Any]
    strides: Sequence[Any]
    item: int
    has_rows: bool

    def bytes(self, builder: Any) -> Any:
        """The bytes that all items take.

        Args:
            builder: of LLVM's.
        """
        found = WORD(self.item)
        for size in self.sizes:
            found = builder.mul(found, size)
        return found

    def move(self, builder: Any, copy: Any, back: bool) -> None:
        """Copy all items to other memory, or back.

        Args:
            builder: of LLVM's.
            copy: the address of the other memory.
            back: back.
        """
        place = cgutils.alloca_once_value(builder, copy)
        *outer, count = self.sizes
        with cgutils.loop_nest(builder, outer, WORD) as indices:
            row = self.data
            for index, stride in zip(indices or (), self.strides, strict=False):
                row = builder.gep(row, [builder.mul(index, stride)])
            kept = builder.load(place)
            if self.has_rows:
                pair = (row, kept) if back else (kept, row)
                cgutils.raw_memcpy(builder, *pair, count, WORD(self.item))
            else:
                self._move_row(builder, row, kept, back)
            builder.store(builder.gep(kept, [builder.mul(count, WORD(self.item))]), place)

    def _move_row(self, builder: Any, row: Any, kept: Any, back: bool) -> None:
        """Copy the items of the innermost loop; where they follow each other, all at once."""
        count, stride = self.sizes[-1], self.strides[-1]
        follows = builder.icmp_unsigned("==", stride, WORD(self.item))
        with builder.if_else(follows) as (at_once, apart):
            with at_once:
                pair = (row, kept) if back else (kept, row)
                cgutils.raw_memcpy(builder, *pair, count, WORD(self.item))
            with apart, cgutils.for_range(builder, count, intp=WORD) as loop:
                one = builder.gep(row, [builder.mul(loop.index, stride)])
                other = builder.gep(kept, [builder.mul(loop.index, WORD(self.item))])
                self._move_item(builder, *((one, other) if back else (other, one)))

    def _move_item(self, builder: Any, target: Any, source: Any) -> None:
        kind = ir.IntType(8 * self.item) if self.item in NARROW else ir.ArrayType(WORD, self.item // 8)
        value = builder.load(builder.bitcast(source, kind.as_pointer()), align=1)
        builder.store(value, builder.bitcast(target, kind.as_pointer()), align=1)


def part_of(
    context: Any, builder: Any, kind: Any, array: Any, axes: str, indices: Sequence[Any]
) -> tuple[ArrayPart, Any]:
    """Return a part of an array, and whether its indices lie inside.

    Args:
        context: Numba's.
        builder: of LLVM's.
        kind: the array's type, as Numba names it.
        array: the array, as Numba has it.
        axes: as for `KeptPart`.
        indices: of the axes that have one.
    """
    made = context.make_array(kind)(context, builder, array)
    sizes, strides = (cgutils.unpack_tuple(builder, one, kind.ndim) for one in (made.shape, made.strides))
    data, inside, rest = builder.bitcast(made.data, POINTER), BIT(1), iter(indices)
    found: list[tuple[Any, Any]] = []
    is_next = False
    for axis, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        if axes[axis] == "i":
            index = next(rest)
            inside = builder.and_(inside, builder.icmp_unsigned("<", index, size))
            data = builder.gep(data, [builder.mul(index, stride)])
            is_next = False
        elif is_next and kind.layout == "C":
            found[-1] = (builder.mul(found[-1][0], size), stride)
        else:
            found.append((size, stride))
            is_next = True
    loops = found or [(WORD(1), WORD(0))]
    has_rows = kind.layout == "C" and axes[-1:] == ":"
    item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    return ArrayPart(data, [one for one, _ in loops], [one for _, one in loops], item, has_rows), inside


def keep_part(call: LoopCall) -> Any:
    """What copies a part, or makes memory for its items, where these are logged; tells whether that failed."""
    axes, place = call.ufunc, int(call.types)

    def generate(context, builder, signature, args):
        undo, array, *indices = args
        kind = signature.args[1]
        words = builder.gep(builder.inttoptr(undo, WORD.as_pointer()), [WORD(place)])
        part, inside = part_of(context, builder, kind, array, axes, indices)
        grows = call.op == "keep_log" and is_even(kind, axes)
        failed = cgutils.alloca_once_value(builder, BIT(1))
        with builder.if_then(inside):
            size = part.bytes(builder)
            copy = taken(builder, size) if grows else take(builder, builder.add(size, WORD(HEAD)))
            with builder.if_then(cgutils.is_not_null(builder, copy)):
                told = [builder.ptrtoint(copy, WORD), *indices]
                for number, value in enumerate(told):
                    builder.store(value, builder.gep(words, [WORD(number)]))
                if grows:
                    _begin_log(builder, part, size, words, len(indices))
                else:
                    part.move(builder, builder.gep(copy, [WORD(HEAD)]), back=False)
                builder.store(BIT(0), failed)
        return builder.load(failed)

    def none(typing_context, undo, array):
        return types.boolean(types.int64, array), generate

    def one(typing_context, undo, array, first):
        return types.boolean(types.int64, array, types.int64), generate

    def two(typing_context, undo, array, first, second):
        return types.boolean(types.int64, array, types.int64, types.int64), generate

    def three(typing_context, undo, array, first, second, third):
        return types.boolean(types.int64, array, types.int64, types.int64, types.int64), generate

    return intrinsic((none, one, two, three)[axes.count("i")])


def _begin_log(builder: Any, part: ArrayPart, size: Any, words: Any, indices: int) -> None:
    """Copy a part of few items at once."""
    with builder.if_then(is_small(builder, size)):
        part.move(builder, memory_of(builder, builder.load(words)), back=False)
        behind = builder.gep(words, [WORD(2 + indices)])
        builder.store(builder.lshr(size, WORD(3)), behind)


class KeptParts:
    """The words that tell of the copies of a kernel, on the stack of its entrance.

    Args:
        builder: of LLVM's.
        kept: the parts.
    """

    def __init__(self, builder: Any, kept: Sequence[KeptPart]) -> None:
        self._builder = builder
        self._kept = kept
        self._words = cgutils.alloca_once(builder, WORD, size=max(1, sum(part.words for part in kept)))
        for place, part in self._placed():
            for number in range(part.words if part.is_logged else 1):
                builder.store(WORD(0), self._word(place + number))

    @property
    def arguments(self) -> list[Any]:
        """What the kernel is given for them."""
        return [self._builder.ptrtoint(self._words, WORD)] if self._kept else []

    def _placed(self) -> list[tuple[int, KeptPart]]:
        """The parts, and the places of their words."""
        found: list[tuple[int, KeptPart]] = []
        place = 0
        for part in self._kept:
            found.append((place, part))
            place += part.words
        return found

    def _word(self, place: int) -> Any:
        return self._builder.gep(self._words, [WORD(place)])

    def put_back(self, context: Any, kinds: Sequence[Any], values: Sequence[Any]) -> None:
        """Put back what has been copied.

        Args:
            context: Numba's.
            kinds: the types of the kernel's arguments, as Numba names them.
            values: the arguments.
        """
        builder = self._builder
        for place, part in self._placed():
            copy = builder.load(self._word(place))
            with builder.if_then(builder.icmp_unsigned("!=", copy, WORD(0))):
                count = part.axes.count("i")
                indices = [builder.load(self._word(place + 1 + number)) for number in range(count)]
                kind, value = kinds[part.argument], values[part.argument]
                found, _ = part_of(context, builder, kind, value, part.axes, indices)
                if part.is_logged and is_even(kind, part.axes):
                    places = found.data, found.strides[-1], memory_of(builder, copy)
                    put_back_items(builder, places, self._word(place + 1 + count))
                    continue
                memory = builder.gep(builder.inttoptr(copy, POINTER), [WORD(HEAD)])
                found.move(builder, memory, back=True)

    def free(self) -> None:
        """Give the memory of the copies back."""
        builder = self._builder
        for place, _ in self._placed():
            copy = builder.load(self._word(place))
            with builder.if_then(builder.icmp_unsigned("!=", copy, WORD(0))):
                give(builder, builder.inttoptr(copy, POINTER))
