"""Lists of arrays, all of one shape: the elements of all items one after the other, in a list of machine numbers.

Nothing tells such a list from one of references where nothing is stored into its items, neither before nor after they are read, and
none comes out of the program (`list_uses`).  An item that is read is a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astrace.ir.block import Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, ListSpec, Spec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering import lists
from astrace.passes.lowering.arrays import ZERO, allocated, loop_nest
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    ArrayListForm,
    Form,
    NumberForm,
    NumberListForm,
    integer,
    is_machine_dtype,
)
from astrace.passes.lowering.functions.reshaping import in_one_piece
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.items import bounds_of_slice, checked
from astrace.passes.lowering.layouts import is_in_order
from astrace.passes.lowering.list_uses import ListUse
from astrace.passes.lowering.together import list_arrays


def new(writer: LoweredWriter, element: Spec | None, first: Sequence[Form]) -> ArrayListForm:
    """A list of some arrays.

    Args:
        writer: writes nodes.
        element: the type of its items.
        first: the arrays.

    Raises:
        Unlowered: its items are something else.
    """
    if not isinstance(element, ArraySpec) or not element.shape or not is_machine_dtype(element.dtype):
        raise writer.refusal("a list of something else than arrays of one type")
    columns: list[Value] = []
    for dtype in (element.dtype, *(INT for _ in element.shape)):
        columns.append(Value(ListSpec(GenericSpec(dtype)), "items"))
        attrs = {"dtype": dtype}
        writer.nodes.append(Node("new_list", (ZERO,), (columns[-1],), attrs, location=writer.location))
    found = ArrayListForm(element.dtype, columns[0], tuple(columns[1:]))
    for one in first:
        append(writer, found, one)
    return found


def size_of(writer: LoweredWriter, items: ArrayListForm) -> NumberForm:
    """The number of items that a list has now."""
    return _size(writer, items.sizes[0])


def append(writer: LoweredWriter, items: ArrayListForm, value: Form) -> None:
    """``items.append(value)``; the program is given up for an array of another shape.

    Raises:
        Unlowered: it is something else than an array of the type, or its axes may run in another order.
    """
    array = _fitting(writer, items, value)
    start, count = _size(writer, items.elements), integer(1)
    for size in array.shape:
        count = times(writer, count, size)
    inputs = items.elements, count.operand
    writer.nodes.append(Node("grow_list", inputs, (), location=writer.location))
    _put(writer, "put_in_list", items, start, array)
    for column, size in zip(items.sizes, array.shape, strict=True):
        node = Node("append_to_list", (column, size.operand), (), location=writer.location)
        writer.nodes.append(node)


def store(writer: LoweredWriter, items: ArrayListForm, index: NumberForm, value: Form) -> None:
    """``items[index] = value``; the same holds for the array.

    Raises:
        Unlowered: as above.
    """
    place = checked(writer, index, size_of(writer, items))
    array = _fitting(writer, items, value)
    _put(writer, "put_in_list", items, _start(writer, array.shape, place), array)


def insert(writer: LoweredWriter, items: ArrayListForm, index: NumberForm, value: Form) -> None:
    """``items.insert(index, value)``; the same holds for the array.

    Raises:
        Unlowered: as above.
    """
    array = _fitting(writer, items, value)
    inside = writer.emit("clipped", (index.operand, size_of(writer, items).operand), INT)
    _put(writer, "insert_in_list", items, _start(writer, array.shape, index_of(inside)), array)
    for column, size in zip(items.sizes, array.shape, strict=True):
        inputs = column, inside, size.operand
        writer.nodes.append(Node("insert_in_list", inputs, (), location=writer.location))


def _fitting(writer: LoweredWriter, items: ArrayListForm, value: Form) -> ArrayForm:
    """An array that can be an item; the program is given up where its shape is another one."""
    if not isinstance(value, ArrayForm) or value.dtype != items.dtype or len(value.shape) != len(items.sizes):
        raise writer.refusal("a list of arrays of several types")
    if value.view is not None:
        in_one_piece(writer, value)  # as the copy is that takes its place
    elif len(value.shape) > 1:
        writer.needs_c_order = True
        if not is_in_order(writer, value):
            raise writer.refusal("a list of arrays whose axes may be in another order")
    has_items = writer.emit("gt", (size_of(writer, items).operand, ZERO), BOOL)
    with writer.region() as tests:
        for column, size in zip(items.sizes, value.shape, strict=True):
            writer.deopt(writer.emit("ne", (_number(writer, column, ZERO), size.operand), BOOL))
    regions = block_of((), tests, ()), block_of((), [], ())
    writer.nodes.append(Node("cond", (has_items,), (), {}, regions, writer.location))
    return value


def _put(writer: LoweredWriter, op: str, items: ArrayListForm, start: NumberForm, array: ArrayForm) -> None:
    """Put the elements of an array into a list of machine numbers, from a place on."""

    def body(indices: Sequence[Operand]) -> None:
        place = plus(writer, start, _place(writer, indices, array.shape))
        inputs = items.elements, place.operand, array.element(indices)
        writer.nodes.append(Node(op, inputs, (), location=writer.location))

    loop_nest(writer, array.shape, body)


def walked(writer: LoweredWriter, items: ArrayListForm) -> tuple[NumberForm, lists.ItemOf]:
    """Return the number of items, and what gives one, by a place that lies inside."""
    return size_of(writer, items), lambda index: _item_at(writer, items, index)


def part(writer: LoweredWriter, items: ArrayListForm, key: slice, use: ListUse) -> ArrayListForm:
    """``items[key]``, a new list.

    Args:
        writer: writes nodes.
        items: the list.
        key: what of it is copied.
        use: of the new list.

    Raises:
        Unlowered: something is stored into arrays of the new list.
    """
    if not use.stays:
        raise writer.refusal("a list of arrays that are changed")
    start, step, count = bounds_of_slice(writer, key, size_of(writer, items))
    found = new(writer, use.element, ())

    def body(indices: Sequence[Operand]) -> None:
        place = plus(writer, start, times(writer, index_of(indices[0]), step))
        append(writer, found, _item_at(writer, items, place))

    loop_nest(writer, (count,), body)
    return found


def item(writer: LoweredWriter, items: ArrayListForm, index: NumberForm) -> ArrayForm:
    """``items[index]``, a copy."""
    return _item_at(writer, items, checked(writer, index, size_of(writer, items)))


def _item_at(writer: LoweredWriter, items: ArrayListForm, place: NumberForm) -> ArrayForm:
    found = _copied(writer, items, _shape(writer, items, place.operand), place)
    assert found.view is not None
    writer.copies.add(found.view.base)
    return found


def as_array(writer: LoweredWriter, items: ArrayListForm) -> ArrayForm:
    """``np.array(items)``, with one more axis; of nothing NumPy makes one of another type."""
    size = size_of(writer, items)
    writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    return _copied(writer, items, (size, *_shape(writer, items, ZERO)), integer(0))


def array_of_list(writer: LoweredWriter, given: Any) -> Any:
    """Return the array that NumPy makes of a list that is changed; anything else as it is."""
    match given:
        case NumberListForm():
            return list_arrays.as_array(writer, given)
        case ArrayListForm():
            return as_array(writer, given)
        case _:
            return given


def _copied(
    writer: LoweredWriter, items: ArrayListForm, shape: tuple[NumberForm, ...], first: NumberForm
) -> ArrayForm:
    """An array of consecutive elements, from those of an item on."""
    start = _start(writer, shape[len(shape) - len(items.sizes) :], first)
    made = allocated(writer, items.dtype, shape, "item")
    assert made.view is not None
    base = made.view.base
    writer.in_c_order.add(base)

    def body(indices: Sequence[Operand]) -> None:
        place = plus(writer, start, _place(writer, indices, shape))
        writer.store(base, tuple(indices), _number(writer, items.elements, place.operand))

    loop_nest(writer, shape, body)
    return made


def _start(writer: LoweredWriter, shape: Sequence[NumberForm], place: NumberForm) -> NumberForm:
    """The place of the first element of an item."""
    found = place
    for size in shape:
        found = times(writer, found, size)
    return found


def _place(writer: LoweredWriter, indices: Sequence[Operand], shape: Sequence[NumberForm]) -> NumberForm:
    """The place of an element among those of an array, in C order."""
    found = integer(0)
    for index, size in zip(indices, shape, strict=True):
        found = plus(writer, times(writer, found, size), index_of(index))
    return found


def _shape(writer: LoweredWriter, items: ArrayListForm, place: Operand) -> tuple[NumberForm, ...]:
    """The sizes of the item at a place."""
    found = [_number(writer, column, place) for column in items.sizes]
    return tuple(NumberForm(size, PYTHON_INT, (0, LARGEST_SIZE), (size, 0)) for size in found)


def _size(writer: LoweredWriter, column: Value) -> NumberForm:
    found = Value(GenericSpec(INT), "size")
    writer.nodes.append(Node("size_of_list", (column,), (found,), location=writer.location))
    return NumberForm(found, PYTHON_INT, (0, LARGEST_SIZE), (found, 0))


def _number(writer: LoweredWriter, column: Value, place: Operand) -> Operand:
    """A machine number of a list, by a place that lies inside."""
    assert isinstance(column.spec, ListSpec)
    assert isinstance(column.spec.element, GenericSpec)
    found = Value(column.spec.element)
    writer.nodes.append(Node("item_of_list", (column, place), (found,), location=writer.location))
    return found
