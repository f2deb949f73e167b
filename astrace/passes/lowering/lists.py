"""Lists of numbers, or of tuples of numbers: made, read, changed, joined, and turned into arrays.

A list is a list of machine numbers for each part of its items (`merging`), all of one length.  It is a reference, as in
Python: what is changed under one name is seen under all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ListSpec, Spec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import MOST_ELEMENTS, ZERO, loop_nest, materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    Form,
    ListForm,
    NumberForm,
    NumberListForm,
    RangeForm,
    StaticForm,
    integer,
)
from astrace.passes.lowering.integers import index_of, minus, plus, times
from astrace.passes.lowering.items import bounds_of_slice, checked
from astrace.passes.lowering.items import item as item_of_array
from astrace.passes.lowering.numbers import number
from astrace.passes.lowering.together.merged_values import held_in
from astrace.passes.lowering.together.merging import element_of

ItemOf: TypeAlias = Callable[[NumberForm], Form]
"""Gives the item of a place."""


# -- what a list is ------------------------------------------------------------------------------------------------


def size_of(writer: LoweredWriter, items: NumberListForm) -> NumberForm:
    """The number of items that a list has now."""
    found = Value(GenericSpec(INT), "size")
    writer.nodes.append(Node("size_of_list", (items.columns[0],), (found,), location=writer.location))
    return NumberForm(found, PYTHON_INT, (0, LARGEST_SIZE), (found, 0))


def read(writer: LoweredWriter, items: NumberListForm, place: Operand, op: str = "item_of_list") -> Form:
    """An item, by an index that lies inside.

    Args:
        writer: writes nodes.
        items: the list.
        place: the index.
        op: reads a machine number, or takes it out.
    """
    held = element_of(writer, items.element, items.passed)
    for column, value in zip(items.columns, held.values, strict=True):
        writer.nodes.append(Node(op, (column, place), (value,), location=writer.location))
    if isinstance(items.element, ListSpec):
        writer.memory.join([items.columns[0], held.values[0]])
    return held.form()


def write(
    writer: LoweredWriter, op: str, items: NumberListForm, places: Sequence[Operand], value: Form
) -> None:
    """Put an item into a list.

    Args:
        writer: writes nodes.
        op: puts a machine number into a list of such.
        items: the list.
        places: an index, or nothing where it is added at the end.
        value: the item.
    """
    parts = element_of(writer, items.element, items.passed).parts(value)
    if isinstance(value, NumberListForm):
        writer.memory.join([items.columns[0], value.columns[0]])
    for column, part in zip(items.columns, parts, strict=True):
        writer.nodes.append(Node(op, (column, *places, part), (), location=writer.location))


def item(writer: LoweredWriter, items: NumberListForm, index: NumberForm) -> Form:
    """``items[index]``."""
    place = checked(writer, index, size_of(writer, items))
    return read(writer, items, place.operand)


def store(writer: LoweredWriter, items: NumberListForm, index: NumberForm, value: Form) -> None:
    """``items[index] = value``."""
    place = checked(writer, index, size_of(writer, items))
    write(writer, "put_in_list", items, (place.operand,), value)


def part(
    writer: LoweredWriter, items: NumberListForm, key: slice, element: Spec | None, passed: bool
) -> NumberListForm:
    """``items[key]``, a new list.

    Args:
        writer: writes nodes.
        items: the list.
        key: what of it is copied.
        element: the type of items that the new list has to hold.
        passed: these may be objects that there are besides.
    """
    start, step, count = bounds_of_slice(writer, key, size_of(writer, items))

    def at(index: NumberForm) -> Form:
        return read(writer, items, plus(writer, start, times(writer, index, step)).operand)

    return made(writer, element, passed, count, at)


# -- making lists --------------------------------------------------------------------------------------------------


def new(writer: LoweredWriter, element: Spec | None, passed: bool, size: NumberForm) -> NumberListForm:
    """A list whose items are not set; given up where it would be very long."""
    held = element_of(writer, element, passed)
    if size.known is None:
        writer.deopt(writer.emit("gt", (size.operand, Constant(MOST_ELEMENTS)), BOOL))
    columns = [Value(ListSpec(value.spec), "items") for value in held.values]
    for column in columns:
        attrs = held_in(column)
        writer.nodes.append(Node("new_list", (size.operand,), (column,), attrs, location=writer.location))
    assert element is not None
    return NumberListForm(element, tuple(columns), passed)


def made(
    writer: LoweredWriter, element: Spec | None, passed: bool, size: NumberForm, at: ItemOf
) -> NumberListForm:
    """A list of the items that a function gives for each place."""
    found = new(writer, element, passed, size)
    fill(writer, found, integer(0), size, at)
    return found


def written_out(
    writer: LoweredWriter, element: Spec | None, passed: bool, given: Sequence[Form]
) -> NumberListForm:
    """A list of items that are written down: no loop could go through them.

    Raises:
        Unlowered: there are very many, and each would be a line of a kernel.
    """
    if len(given) > MOST_WRITTEN_DOWN:
        raise writer.refusal(f"a list of {len(given)} items that are written down")
    found = new(writer, element, passed, integer(len(given)))
    for index, item in enumerate(given):
        write(writer, "put_in_list", found, (Constant(index),), item)
    return found


def fill(
    writer: LoweredWriter, items: NumberListForm, start: NumberForm, size: NumberForm, at: ItemOf
) -> None:
    """Set items from a place on."""
    if size.known is not None and size.known <= MOST_ONE_BY_ONE:
        for index in range(size.known):
            place = plus(writer, start, integer(index)).operand
            write(writer, "put_in_list", items, (place,), at(integer(index)))
        return

    def body(indices: Sequence[Operand]) -> None:
        index = NumberForm(indices[0], PYTHON_INT, (0, LARGEST_SIZE), (size.operand, -1))
        write(writer, "put_in_list", items, (plus(writer, start, index).operand,), at(index))

    loop_nest(writer, (size,), body)


MOST_ONE_BY_ONE: Final = 8
"""Items that are set one by one; more are set by a loop."""
MOST_WRITTEN_DOWN: Final = 64
"""Items that a program may write down for a list that is changed."""


def walked(writer: LoweredWriter, value: Any) -> tuple[NumberForm, ItemOf]:
    """Return the number of items of a list, a range or an array, and what gives an item.

    Raises:
        Unlowered: it is something else.
    """
    match value:
        case NumberListForm():
            items = value
            return size_of(writer, items), lambda index: read(writer, items, index.operand)
        case ListForm() | list():
            given: Sequence[Any] = value.items if isinstance(value, ListForm) else value
            return integer(len(given)), lambda index: _known(writer, given, index)
        case RangeForm():
            return _walked_range(writer, value)
        case ArrayForm() if value.shape:
            array = materialised(writer, value) if value.view is None else value
            return array.shape[0], lambda index: item_of_array(writer, array, index)
        case _:
            raise writer.refusal("a list of something else than numbers")


def _known(writer: LoweredWriter, given: Sequence[Any], index: NumberForm) -> Form:
    """The item of a list that was written down."""
    if len(given) == 1 or index.known is not None:
        value = given[index.known or 0]
        return value if isinstance(value, Form) else number(writer, value) or StaticForm(value)
    raise writer.refusal("a list of several items that is repeated")


def _walked_range(writer: LoweredWriter, value: RangeForm) -> tuple[NumberForm, ItemOf]:
    start, stop, step = value.start, value.stop, value.step
    if start.known == 0 and step.known == 1 and stop.bounds[0] >= 0:
        count = stop
    else:
        found = writer.emit("extent", (start.operand, stop.operand, step.operand), INT)
        count = NumberForm(found, PYTHON_INT, (0, LARGEST_SIZE))

    def at(index: NumberForm) -> Form:
        return replace(plus(writer, start, times(writer, index, step)), spec=PYTHON_INT)

    return count, at


def joined(
    writer: LoweredWriter, element: Spec | None, passed: bool, parts: Sequence[tuple[NumberForm, ItemOf]]
) -> NumberListForm:
    """A list of the items of several ones."""
    total = integer(0)
    for size, _ in parts:
        total = plus(writer, total, size)
    total = replace(total, bounds=(0, LARGEST_SIZE)) if total.known is None else total
    found = new(writer, element, passed, total)
    start = integer(0)
    for size, at in parts:
        fill(writer, found, start, size, at)
        start = plus(writer, start, size)
    return found


def repeated(
    writer: LoweredWriter, element: Spec | None, passed: bool, value: Any, times_: NumberForm
) -> NumberListForm:
    """A list of the items of another one, several times."""
    size, at = walked(writer, value)
    count = times_.operand
    if times_.bounds[0] < 0:  # a negative number of times is none at all
        count = writer.choose(writer.emit("lt", (count, ZERO), BOOL), ZERO, count, INT)
    turns = NumberForm(count, PYTHON_INT, (0, max(0, times_.bounds[1])), times_.most)
    if size.known == 1:
        return made(writer, element, passed, turns, lambda _: at(integer(0)))
    if not isinstance(value, NumberListForm):
        single = made(writer, element, passed, size, at)
        size, at = walked(writer, single)
    writer.deopt(writer.inverted(writer.emit("product_fits", (size.operand, turns.operand), BOOL)))
    total = NumberForm(writer.emit("mul", (size.operand, turns.operand), INT), PYTHON_INT, (0, LARGEST_SIZE))

    def item_at(index: NumberForm) -> Form:
        return at(index_of(writer.emit("mod", (index.operand, size.operand), INT)))

    return made(writer, element, passed, total, item_at)


# -- changing lists ------------------------------------------------------------------------------------------------


def append(writer: LoweredWriter, items: NumberListForm, value: Form) -> None:
    """``items.append(value)``."""
    write(writer, "append_to_list", items, (), value)


def pop(writer: LoweredWriter, items: NumberListForm, index: NumberForm | None) -> Form:
    """``items.pop(index)``; of an empty list Python raises."""
    size = size_of(writer, items)
    if index is not None and index.known != -1:
        return read(writer, items, checked(writer, index, size).operand, "take_from_list")
    writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    last = minus(writer, size, integer(1))
    found = read(writer, items, last.operand)
    cut(writer, items, last)
    return found


def cut(writer: LoweredWriter, items: NumberListForm, size: NumberForm) -> None:
    """Remove all items but the first."""
    for column in items.columns:
        writer.nodes.append(Node("cut_list", (column, size.operand), (), location=writer.location))


def extend(writer: LoweredWriter, items: NumberListForm, value: Any) -> None:
    """``items.extend(value)``; the items are those that there are before."""
    size, at = walked(writer, value)
    if size.known is not None:
        for index in range(size.known):
            append(writer, items, at(integer(index)))
        return
    loop_nest(writer, (size,), lambda indices: append(writer, items, at(index_of(indices[0]))))
