"""Lists of machine numbers, or of such lists, in compiled code: Numba's own, whose items are read and changed without a test of the index.

A list that is an item is counted as a reference to it.

Without memory for a list, the kernel fails, and has given up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from numba.core import cgutils, types
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic

# pyright: basic


@intrinsic
def new_list(typing_context, size, dtype):
    """A list whose items are zero, or not there yet; of lists like an example."""
    kind = types.List(dtype if isinstance(dtype, types.List) else dtype.dtype)

    def generate(context, builder, signature, args):
        made = ListInstance.allocate(context, builder, kind, args[0])
        made.size = args[0]
        return made.value

    return kind(types.int64, dtype), generate


@intrinsic
def size_of_list(typing_context, items):
    """The number of items."""

    def generate(context, builder, signature, args):
        return ListInstance(context, builder, signature.args[0], args[0]).size

    return types.int64(items), generate


@intrinsic
def address_of_list(typing_context, items):
    """Tell a list from others."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        return builder.ptrtoint(found.meminfo, cgutils.intp_t)

    return types.int64(items), generate


@intrinsic
def item_of_list(typing_context, items, index):
    """Return an item of a list, at an index that is inside."""

    def generate(context, builder, signature, args):
        value = ListInstance(context, builder, signature.args[0], args[0]).getitem(args[1])
        context.nrt.incref(builder, signature.return_type, value)
        return value

    return items.dtype(items, types.int64), generate


@intrinsic
def put_in_list(typing_context, items, index, value):
    """Replace an item of a list, at an index that is inside."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        before = found.getitem(args[1])
        found.inititem(args[1], args[2])
        found.decref_value(before)
        return context.get_dummy_value()

    return types.none(items, types.int64, items.dtype), generate


@intrinsic
def append_to_list(typing_context, items, value):
    """Add an item at the end."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        place = found.size
        found.resize(builder.add(place, place.type(1)))
        found.inititem(place, args[1])
        return context.get_dummy_value()

    return types.none(items, items.dtype), generate


@intrinsic
def grow_list(typing_context, items, count):
    """Add items at the end that are not set."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        found.resize(builder.add(found.size, args[1]))
        return context.get_dummy_value()

    return types.none(items, types.int64), generate


@intrinsic
def insert_in_list(typing_context, items, index, value):
    """Add an item in front of another one."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        size, one = found.size, args[1].type(1)
        found.resize(builder.add(size, one))
        found.move(builder.add(args[1], one), args[1], builder.sub(size, args[1]))
        found.inititem(args[1], args[2])
        return context.get_dummy_value()

    return types.none(items, types.int64, items.dtype), generate


@intrinsic
def take_from_list(typing_context, items, index):
    """Remove an item, and return it."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        value, one = found.getitem(args[1]), args[1].type(1)
        size = builder.sub(found.size, one)
        found.move(args[1], builder.add(args[1], one), builder.sub(size, args[1]))
        found.size = size
        return value

    return items.dtype(items, types.int64), generate


@intrinsic
def place_in_list(typing_context, items, value):
    """The first place of a number; -1 if it is not there."""

    def generate(context, builder, signature, args):
        items = ListInstance(context, builder, signature.args[0], args[0])
        size = items.size
        found = cgutils.alloca_once_value(builder, size.type(-1))
        compare = builder.fcmp_ordered if isinstance(signature.args[1], types.Float) else builder.icmp_signed

        def is_it(place):
            return compare("==", items.getitem(place), args[1])

        with cgutils.for_range(builder, size) as turn, builder.if_then(is_it(turn.index)):
            builder.store(turn.index, found)
            turn.do_break()
        return builder.load(found)

    return types.int64(items, items.dtype), generate


@intrinsic
def cut_list(typing_context, items, size):
    """Remove all items but the first."""

    def generate(context, builder, signature, args):
        found = ListInstance(context, builder, signature.args[0], args[0])
        if isinstance(found.dtype, types.List):
            with cgutils.for_range_slice(builder, args[1], found.size, args[1].type(1)) as (place, _):
                found.clear_value(place)
        found.size = args[1]
        return context.get_dummy_value()

    return types.none(items, types.int64), generate


FUNCTIONS: Final[Mapping[str, Any]] = {
    "new_list": new_list,
    "size_of_list": size_of_list,
    "address_of_list": address_of_list,
    "item_of_list": item_of_list,
    "put_in_list": put_in_list,
    "append_to_list": append_to_list,
    "grow_list": grow_list,
    "insert_in_list": insert_in_list,
    "take_from_list": take_from_list,
    "cut_list": cut_list,
    "place_in_list": place_in_list,
}
"""What is done with lists, by op."""
