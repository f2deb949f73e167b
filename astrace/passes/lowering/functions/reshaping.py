"""``np.reshape`` that adds or takes away axes of one item, and ``flatten``: the same elements, with other axes.

What joins or splits axes is a view or a copy, as strides allow, and is left to NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand
from astrace.passes.lowering.arrays import allocated, check_equal, computed, element_at, loop_nest
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, ArrayForm, Form, NumberForm, TupleForm, integer
from astrace.passes.lowering.functions.array_making import list_as_tuple, product_of
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.items import item
from astrace.passes.lowering.layouts import is_one
from astrace.passes.lowering.rules import Kwargs, Rule, scalar


def _reshape(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.reshape`` where axes that may have other sizes than one stay what they are: it gives a view."""
    array = args[0] if args else None
    if kwargs or len(args) != 2 or not isinstance(array, ArrayForm):
        raise writer.refusal(f"`{node.op}` of other things than an array, or with more arguments")
    given = args[1].items if isinstance(args[1], TupleForm) else list_as_tuple(args[1])
    sizes = [scalar(writer, one) for one in (given if isinstance(given, tuple) else (given,))]
    if not sizes or any(size.dtype != INT or size.tag is not None for size in sizes):
        raise writer.refusal(f"`{node.op}` to sizes that are no integers")
    own = [size for size in array.shape if not is_one(size)]
    asked = [size for size in sizes if not is_one(size)]
    open_axes = [place for place, size in enumerate(asked) if size.known == -1]
    if len(own) != len(asked) or len(open_axes) > 1:
        raise writer.refusal(f"`{node.op}` that joins or splits axes")
    for place, (size, other) in enumerate(zip(asked, own, strict=True)):
        if place not in open_axes:
            check_equal(writer, other, size)
            if open_axes:  # of nothing there is any number of rows
                writer.deopt(writer.emit("eq", (other.operand, Constant(0)), BOOL))
    return item(writer, computed(writer, array), _key(array.shape, sizes))


def _key(shape: Sequence[NumberForm], sizes: Sequence[NumberForm]) -> tuple[Any, ...]:
    """Return the index that takes away the axes of one item that an array has, and adds those that are asked for."""
    key: list[Any] = []
    ahead = [is_one(size) for size in sizes]
    for size in shape:
        if is_one(size):
            key.append(integer(0))
            continue
        while ahead.pop(0):
            key.append(None)
        key.append(slice(None))
    return (*key, *(None for _ in ahead))


def _flatten(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``a.flatten()``: a copy of the elements one after the other."""
    array = args[0] if args else None
    if kwargs or len(args) != 1 or not isinstance(array, ArrayForm):
        raise writer.refusal(f"`{node.op}` with more arguments")
    return flattened(writer, array)


def flattened(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """A copy of the elements of an array, one after the other."""
    made = allocated(writer, array.dtype, (product_of(writer, array.shape),), "flat")

    def body(indices: Sequence[Operand]) -> None:
        place = integer(0)
        for index, size in zip(indices, array.shape, strict=True):
            place = plus(writer, times(writer, place, size), index_of(index))
        writer.store(base_of(made), (place.operand,), element_at(array, indices))

    loop_nest(writer, array.shape, body)
    return made


RULES: Final[Mapping[str, Rule]] = {"np.reshape": _reshape, "ndarray.flatten": _flatten}
