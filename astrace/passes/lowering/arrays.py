"""Arrays by their elements: views, elementwise operations, and loops over all elements.

An elementwise operation makes no loop.  Whoever stores or adds up its elements does, so that a chain of operations
is one loop without arrays in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.iteration import Range
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.lowering.block import LoweredWriter, block_of, same_operand
from astrace.passes.lowering.broadcasts import is_soon_computed
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    FixedAxis,
    MemoryView,
    NumberForm,
    RunningAxis,
    integer,
    part_dtype,
)
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.layouts import (
    is_one,
    is_same_place,
    is_same_view,
    lay_out_as,
    leading,
    never_meet,
    reads_in,
    repeated_axes,
)

ZERO: Final = Constant(0)
ONE: Final = Constant(1)


def argument(writer: LoweredWriter, base: Value) -> ArrayForm:
    """The array that a value of the program is."""
    spec = base.spec
    assert isinstance(spec, ArraySpec)
    places = tuple(RunningAxis(axis, ZERO, ONE) for axis in range(len(spec.shape)))
    shape = tuple(writer.size(base, axis) for axis in range(len(spec.shape)))
    writer.arrays.append(base)
    return replace(viewed(writer, MemoryView(base, places), spec.dtype, shape), is_whole=True)


def viewed(
    writer: LoweredWriter, view: MemoryView, dtype: np.dtype[np.generic], shape: tuple[NumberForm, ...]
) -> ArrayForm:
    """The array that a view of memory is."""

    def element(indices: Sequence[Operand]) -> Operand:
        return read(writer, view, address(writer, view, indices), dtype)

    return ArrayForm(dtype, shape, element, (view,), view)


def read(
    writer: LoweredWriter, view: MemoryView, place: tuple[Operand, ...], dtype: np.dtype[np.generic]
) -> Operand:
    """An element of a view, or the part of it that the view has, by its place in memory."""
    if not view.part:
        return writer.load(view.base, place, dtype)
    return writer.emit(view.part, (writer.load(view.base, place, memory_dtype(view)),), dtype)


def write(writer: LoweredWriter, view: MemoryView, place: tuple[Operand, ...], value: Operand) -> None:
    """Store an element of a view, or the part of it that the view has; the other part stays what it is."""
    if view.part:
        dtype = memory_dtype(view)
        other = "imaginary_part" if view.part == "real_part" else "real_part"
        kept = writer.emit(other, (writer.load(view.base, place, dtype),), part_dtype(dtype))
        parts = (value, kept) if view.part == "real_part" else (kept, value)
        value = writer.emit("complex_number", parts, dtype)
    writer.store(view.base, place, value)


def memory_dtype(view: MemoryView) -> np.dtype[np.generic]:
    """The dtype of the elements of the memory that a view is of."""
    assert isinstance(view.base.spec, ArraySpec)
    return view.base.spec.dtype


def address(writer: LoweredWriter, view: MemoryView, indices: Sequence[Operand]) -> tuple[Operand, ...]:
    """Return the place of a view's element in memory."""
    found: list[Operand] = []
    for place in view.places:
        if isinstance(place, FixedAxis):
            found.append(place.index)
            continue
        moved = times(writer, index_of(indices[place.axis]), index_of(place.step))
        found.append(plus(writer, index_of(place.start), moved).operand)
    return tuple(found)


# -- shapes ------------------------------------------------------------------------------------------------


def common_shape(writer: LoweredWriter, shapes: Sequence[tuple[NumberForm, ...]]) -> tuple[NumberForm, ...]:
    """The shape to which arrays are broadcast, none for numbers alone; where sizes that are not known differ, the program is given up."""
    rank = max(map(len, shapes), default=0)
    found: list[NumberForm] = []
    for axis in range(rank):
        sizes = [shape[axis - rank + len(shape)] for shape in shapes if axis >= rank - len(shape)]
        wide = [size for size in sizes if not is_one(size)]
        for size in wide[1:]:
            check_equal(writer, wide[0], size)
        found.append(wide[0] if wide else integer(1))
    return tuple(found)


def check_equal(writer: LoweredWriter, left: NumberForm, right: NumberForm) -> None:
    """Give up where two sizes differ."""
    if left.operand is right.operand or (left.known is not None and left.known == right.known):
        return
    writer.meet(left.operand, right.operand)
    writer.deopt(writer.emit("ne", (left.operand, right.operand), BOOL))


def check_fits(writer: LoweredWriter, shape: Sequence[NumberForm], value: ArrayForm) -> None:
    """Give up where an array can't be broadcast to a place of a shape."""
    if len(value.shape) > len(shape):
        raise writer.refusal("more axes than the place has where they are stored")
    for own, other in zip(shape[len(shape) - len(value.shape) :], value.shape, strict=True):
        if not is_one(other):
            check_equal(writer, own, other)


def element_at(array: ArrayForm, indices: Sequence[Operand]) -> Operand:
    """The element of an array that is broadcast to as many axes as there are indices."""
    own = indices[len(indices) - len(array.shape) :]
    return array.element(
        [ZERO if is_one(size) else index for size, index in zip(array.shape, own, strict=True)]
    )


# -- elementwise -------------------------------------------------------------------------------------------


def elementwise(
    writer: LoweredWriter,
    operands: Sequence[ArrayForm | NumberForm],
    dtype: np.dtype[np.generic],
    compute: Callable[[Sequence[Operand]], Operand],
) -> ArrayForm:
    """An operation on elements of arrays that are broadcast.

    Args:
        writer: writes nodes.
        operands: the arrays, and numbers that take part at each element.
        dtype: of the result.
        compute: gives an element, from those of the operands.
    """
    shape = common_shape(writer, [one.shape for one in operands if isinstance(one, ArrayForm)])
    operands = [spread(writer, one, shape) if isinstance(one, ArrayForm) else one for one in operands]
    arrays = [one for one in operands if isinstance(one, ArrayForm)]

    def element(indices: Sequence[Operand]) -> Operand:
        return compute(
            [element_at(one, indices) if isinstance(one, ArrayForm) else one.operand for one in operands]
        )

    reads = tuple(view for one in arrays for view in reads_in(one, shape))
    return ArrayForm(dtype, shape, element, reads, leads=leading(writer, arrays, shape))


def spread(writer: LoweredWriter, array: ArrayForm, shape: Sequence[NumberForm]) -> ArrayForm:
    """An array that is broadcast to a shape; an expression is computed before, once and for all its elements, unless it takes no longer than to read them."""
    own = (*(integer(1) for _ in shape[len(array.shape) :]), *array.shape)
    repeated = [other for size, other in zip(own, shape, strict=True) if is_one(size) and not is_one(other)]
    if array.view is not None or not array.reads or not (repeated or len(own) > len(array.shape)):
        return array
    if not is_soon_computed(writer, array):
        return materialised(writer, array)
    for size in repeated:  # NumPy computes it where it is repeated no times, and may warn
        if size.bounds[0] <= 0:
            writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    return array


# -- loops over elements -----------------------------------------------------------------------------------


def loop_nest(
    writer: LoweredWriter, shape: Sequence[NumberForm], body: Callable[[Sequence[Operand]], None]
) -> None:
    """Loops over all indices of a shape, in C order."""
    _nest(writer, list(shape), [], body)


def _nest(
    writer: LoweredWriter,
    sizes: list[NumberForm],
    indices: list[Operand],
    body: Callable[[Sequence[Operand]], None],
) -> None:
    if not sizes:
        body(indices)
        return
    size, *inner = sizes
    if is_one(size):
        _nest(writer, inner, [*indices, ZERO], body)
        return
    index = Value(GenericSpec(INT), NAMES[min(len(indices), len(NAMES) - 1)])
    with writer.region() as nodes:
        _nest(writer, inner, [*indices, index], body)
    over = {"over": Range(0, 1, 2), "breaks": False}
    region = block_of((index,), nodes, ())
    bounds = (ZERO, size.operand, ONE)
    writer.nodes.append(Node("for_loop", bounds, (), over, (region,), writer.location))


NAMES: Final = ("row", "column", "item")


def store_all(
    writer: LoweredWriter, target: MemoryView, shape: tuple[NumberForm, ...], value: ArrayForm | NumberForm
) -> None:
    """Store elements, or one number everywhere, into a view; the shapes are known to fit.

    What is read from the same memory at another place is computed before anything is stored.
    """
    check_writeable(writer, target)
    if _is_stored_already(writer, target, shape, value):
        return
    value = spread(writer, value, shape) if isinstance(value, ArrayForm) else value
    if isinstance(value, ArrayForm) and not all(
        _keeps_apart(writer, target, len(shape), view) for view in reads_in(value, shape)
    ):
        _check_copied(writer, target, shape, value)
        value = materialised(writer, value)
    if isinstance(value, ArrayForm):
        writer.apart.update((target.base, view.base) for view in value.reads if view.base is not target.base)

    def body(indices: Sequence[Operand]) -> None:
        found = element_at(value, indices) if isinstance(value, ArrayForm) else value.operand
        write(writer, target, address(writer, target, indices), found)

    loop_nest(writer, shape, body)


def _is_stored_already(
    writer: LoweredWriter, target: MemoryView, shape: Sequence[NumberForm], value: ArrayForm | NumberForm
) -> bool:
    """Return whether a view holds what is stored: `q[:, j] -= x` stores the view that was changed.

    Where nothing else is stored into the array, NumPy still asks whether it can be written: the store has to be seen.
    """
    if not isinstance(value, ArrayForm) or value.view is None or repeated_axes(value, shape):
        return False
    return is_same_view(value.view, target) and target.base in writer.stored


def _check_copied(
    writer: LoweredWriter, target: MemoryView, shape: Sequence[NumberForm], value: ArrayForm
) -> None:
    """Make sure that NumPy stores a view as if it were copied first.

    It does so for several axes, for axes that run in opposite directions, and where both have the same stride.  Otherwise it
    goes forward or backward, by the addresses, and may read what it has stored (``PyArray_AssignArray``).

    Raises:
        Unlowered: it may not.
    """
    if value.view is None or len(shape) != 1:
        return
    ways = [_only_step(view) for view in (target, value.view)]
    if None in ways:
        return  # one item everywhere
    (axis, step), (other_axis, other_step) = [way for way in ways if way is not None]
    if axis == other_axis and value.view.base is target.base and same_operand(step, other_step):
        return
    steps = [one.value for one in (step, other_step) if isinstance(one, Constant)]
    if axis == other_axis and value.view.base is target.base and len(steps) == 2 and steps[0] * steps[1] < 0:
        return
    raise writer.refusal("an axis of an array stored along another one of the same memory")


def _only_step(view: MemoryView) -> tuple[int, Operand] | None:
    """Return along which axis of memory a view of one axis runs, and its step there; ``None`` along none."""
    for axis, place in enumerate(view.places):
        if isinstance(place, RunningAxis):
            return axis, place.step
    return None


def check_writeable(writer: LoweredWriter, view: MemoryView) -> None:
    """Make sure that a view can be written.

    Raises:
        Unlowered: NumPy raises.
    """
    if not view.writeable:
        raise writer.refusal("a view that can't be written")


def _keeps_apart(writer: LoweredWriter, target: MemoryView, rank: int, read: MemoryView) -> bool:
    """Tell whether an element is read before it is stored, at the latest in the iteration that stores it, or never stored."""
    if read.base is not target.base:
        return not writer.may_share(read.base, target.base)
    if never_meet(writer, read, target):
        return True
    along = [place for place in read.places if isinstance(place, RunningAxis)]
    return len(along) == rank and target.part == read.part and _run_together(read, target)


def _run_together(one: MemoryView, other: MemoryView) -> bool:
    """Return whether two views run along the same axes in the same way: what differs at an index are the items at other axes."""
    return all(
        is_same_place(left, right) or (isinstance(left, FixedAxis) and isinstance(right, FixedAxis))
        for left, right in zip(one.places, other.places, strict=True)
    )


def allocated(
    writer: LoweredWriter, dtype: np.dtype[np.generic], shape: tuple[NumberForm, ...], name: str
) -> ArrayForm:
    """An array in memory of its own, in C order, whose elements are not set."""
    base = Value(ArraySpec((None,) * len(shape), dtype), name)
    writer.own.add(base)
    sizes = tuple(size.operand for size in shape)
    _check_memory(writer, shape)
    writer.nodes.append(Node("allocate", sizes, (base,), {"dtype": dtype}, location=writer.location))
    for axis, size in enumerate(shape):
        writer.know_size(base, axis, size)
    return argument(writer, base)


def _check_memory(writer: LoweredWriter, shape: Sequence[NumberForm]) -> None:
    """Give up where there is no memory for so many elements: NumPy raises at the user's line."""
    if all(
        size.known is not None or (size.most is not None and size.most[0] is size.operand) for size in shape
    ):
        return  # as large as an array that there is
    total: Operand = ONE
    for size in shape:
        if total is not ONE:
            writer.deopt(writer.inverted(writer.emit("product_fits", (total, size.operand), BOOL)))
        total = size.operand if total is ONE else writer.emit("mul", (total, size.operand), INT)
    writer.deopt(writer.emit("gt", (total, Constant(MOST_ELEMENTS)), BOOL))


MOST_ELEMENTS: Final = 2**32
"""Arrays that a program makes are not larger."""


def materialised(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """An array in memory of its own, with the elements that it has now."""
    made = allocated(writer, array.dtype, array.shape, "temporary")
    lay_out_as(writer, made, array)
    assert made.view is not None
    store_all(writer, made.view, made.shape, array)
    return made


def computed(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """An array whose elements are there: an expression of which only the sizes are looked at may warn or raise."""
    return materialised(writer, array) if array.view is None else array


def in_own_memory(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """An array that is all of a value's memory, in the order of its axes: itself, or a copy."""
    if array.view is None or not is_whole(writer, array, array.view):
        return materialised(writer, array)
    return array


def is_whole(writer: LoweredWriter, array: ArrayForm, view: MemoryView) -> bool:
    """Return whether a view is all of an array, whose axes it has in their order."""
    return (
        view.writeable
        and not view.part
        and len(view.places) == len(array.shape)
        and all(
            isinstance(place, RunningAxis)
            and place.axis == axis
            and getattr(place.start, "value", None) == 0
            and getattr(place.step, "value", None) == 1
            and array.shape[axis].operand is writer.size(view.base, axis).operand
            for axis, place in enumerate(view.places)
        )
    )
