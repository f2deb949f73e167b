"""``np.reshape``, ``ravel`` and ``flatten``: the same elements, with other axes.

What joins or splits axes is a view of what follows each other in memory; where the array does not, the program is given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import COMPLEX as PYTHON_COMPLEX
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec
from astrace.ops.numpy.method_aliases import with_methods
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import (
    allocated,
    argument,
    check_equal,
    computed,
    element_at,
    is_whole,
    loop_nest,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    Form,
    MemoryView,
    NumberForm,
    RunningAxis,
    TupleForm,
    dtype_of,
    integer,
)
from astrace.passes.lowering.functions.array_making import list_as_tuple, product_of
from astrace.passes.lowering.functions.numpy_calls import base_of, in_memory
from astrace.passes.lowering.integers import index_of, integers, plus, times
from astrace.passes.lowering.items import item
from astrace.passes.lowering.layouts import is_one, may_be_made, require_order
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
    if len(open_axes) > 1:
        raise writer.refusal(f"`{node.op}` to several sizes that are not told")
    if len(own) != len(asked):
        return _with_other_axes(writer, node, array, sizes)
    for place, (size, other) in enumerate(zip(asked, own, strict=True)):
        if place not in open_axes:
            check_equal(writer, other, size)
            if open_axes:  # of nothing there is any number of rows
                writer.deopt(writer.emit("eq", (other.operand, Constant(0)), BOOL))
    return item(writer, computed(writer, array), _key(array.shape, sizes))


def _with_other_axes(
    writer: LoweredWriter, node: Node, array: ArrayForm, sizes: Sequence[NumberForm]
) -> ArrayForm:
    """All elements with as many axes as there are sizes; -1 stands for what is left.

    It is a view, or a copy of an array whose axes run in another order.

    Raises:
        Unlowered: they may not follow each other in memory, and it may matter whether there is a copy.
    """
    array = computed(writer, array)
    flat = _copied_in_order(writer, node, array, len(sizes) == 1)
    base = in_one_piece(writer, flat or array)
    shape = _fitting(writer, product_of(writer, array.shape), sizes)
    if flat is not None and len(sizes) == 1:
        return flat
    made = Value(ArraySpec((None,) * len(shape), array.dtype), "reshaped")
    inputs = base, *(size.operand for size in shape)
    writer.nodes.append(Node("reshape_of", inputs, (made,), location=writer.location))
    writer.memory.join([made, base])
    if base in writer.own:
        writer.own.add(made)
    for axis, size in enumerate(shape):
        writer.know_size(made, axis, size)
    return replace(argument(writer, made), is_whole=False)


def _copied_in_order(writer: LoweredWriter, node: Node, array: ArrayForm, one_axis: bool) -> ArrayForm | None:
    """The elements one after the other, of an array whose axes run in another order than in C; ``None`` for another array.

    Nothing tells a copy from a view where nothing is stored into either, and neither comes out.  With one axis NumPy gives a copy for
    certain where two axes of several items are the wrong way round.
    """
    view = array.view
    assert view is not None
    axes = [place.axis for place in view.places if isinstance(place, RunningAxis)]
    if axes == sorted(axes) and view.base not in writer.unordered:
        return None
    settled = bool(node.inputs) and writer.sharing is not None and writer.sharing.is_settled(node.output)
    if one_axis and axes != sorted(axes) and (writer.is_outermost or not settled):
        return _certain_copy(writer, array)
    if not settled:
        raise writer.refusal("other axes of an array whose axes may be in another order")
    flat = flattened(writer, array)
    writer.copies.add(base_of(flat))
    return flat


def _certain_copy(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """The copy that NumPy makes of several axes in the wrong order; given up where one of two such axes has one item.

    In memory whose axes run as in C, the second of the two is no shorter way than the first, unless its items are one.
    """
    assert array.view is not None
    base = array.view.base
    require_order(writer, base, "other axes")
    for axis in _wrong_pair(array.view):
        writer.deopt(writer.emit("le", (array.shape[axis].operand, Constant(1)), BOOL))
    for place, one in enumerate(array.view.places):
        if isinstance(one, RunningAxis) and base not in writer.own:
            writer.deopt(writer.emit("is_repeated", (base, Constant(place)), BOOL))
    return flattened(writer, array)


def _wrong_pair(view: MemoryView) -> tuple[int, int]:
    """Return two axes of a view beside each other, the first of which stands behind the other one in memory."""
    places = {one.axis: place for place, one in enumerate(view.places) if isinstance(one, RunningAxis)}
    return next((one, other) for one, other in pairwise(sorted(places)) if places[one] > places[other])


def _fitting(writer: LoweredWriter, total: NumberForm, sizes: Sequence[NumberForm]) -> list[NumberForm]:
    """The sizes of so many elements, with what is left in the place of -1; given up where they do not fit."""
    product, open_axis = integer(1), None
    for place, size in enumerate(sizes):
        if size.known == -1:
            open_axis = place
            continue
        if size.bounds[0] < 0:
            writer.deopt(writer.emit("lt", (size.operand, Constant(0)), BOOL))
        held = NumberForm(size.operand, size.spec, (0, max(0, size.bounds[1])), size.most)
        product = integers(writer, "mul", (product, held))
    shape = list(sizes)
    if open_axis is None:
        check_equal(writer, product, total)
    else:
        if product.bounds[0] <= 0:
            writer.deopt(writer.emit("le", (product.operand, Constant(0)), BOOL))
        held = NumberForm(product.operand, integer(0).spec, (1, max(1, product.bounds[1])))
        rest = integers(writer, "mod", (total, held))
        writer.deopt(writer.emit("ne", (rest.operand, Constant(0)), BOOL))
        found = integers(writer, "floordiv", (total, held))
        shape[open_axis] = NumberForm(found.operand, found.spec, (0, LARGEST_SIZE))
    return shape


def in_one_piece(writer: LoweredWriter, array: ArrayForm) -> Value:
    """The memory of an array whose elements follow each other in it, in the order of its axes; given up where they do not.

    Raises:
        Unlowered: the order of its axes is not known.
    """
    view = array.view
    assert view is not None
    if len(view.places) > 1 and may_be_made(writer, view.base):
        require_order(writer, view.base, "other axes")
    whole = is_whole(writer, array, view)
    base = view.base if whole else in_memory(writer, array)
    if not whole or base not in writer.own:
        writer.memory.join([base, view.base])
        writer.deopt(writer.inverted(writer.emit("is_contiguous", (base, Constant(0)), BOOL)))
    return base


def _ravel(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.ravel``: a view of what follows each other in memory."""
    array = args[0] if args else None
    if kwargs or len(args) != 1 or not isinstance(array, ArrayForm):
        raise writer.refusal(f"`{node.op}` with more arguments")
    if len(array.shape) == 1:
        raise writer.refusal(f"`{node.op}` of an array of one axis")
    return _with_other_axes(writer, node, array, [integer(-1)])


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


def _item(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``a.item()``: the only element, or the one at given indices, as a number of Python's."""
    array, *key = args
    if kwargs or not isinstance(array, ArrayForm) or array.dtype.kind not in PYTHON_KINDS:
        raise writer.refusal(f"`{node.op}` of other things than an array of numbers")
    if key and len(key) != len(array.shape):
        raise writer.refusal(f"`{node.op}` by the place among all elements")
    for size in () if key else array.shape:
        check_equal(writer, size, integer(1))
    found = item(writer, array, TupleForm(tuple(key) or (integer(0),) * len(array.shape)))
    if not isinstance(found, NumberForm) or found.dtype.char == "L":
        raise writer.refusal(f"`{node.op}` of something else than a number")
    spec = PYTHON_KINDS[found.dtype.kind]
    dtype = dtype_of(spec)
    assert dtype is not None
    return NumberForm(writer.cast(found.operand, found.dtype, dtype), spec, found.bounds)


PYTHON_KINDS: Final = {
    "b": PYTHON_BOOL,
    "i": PYTHON_INT,
    "u": PYTHON_INT,
    "f": PYTHON_FLOAT,
    "c": PYTHON_COMPLEX,
}
"""The type of Python's for each kind of elements."""

RULES: Final[Mapping[str, Rule]] = with_methods(
    {"np.reshape": _reshape, "np.ravel": _ravel, "ndarray.flatten": _flatten, "ndarray.item": _item}
)
