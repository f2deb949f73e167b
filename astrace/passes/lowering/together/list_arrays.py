"""Lists as arrays: the machine numbers that a list holds, ``np.array`` of a list, and lists of the elements of an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ListSpec, ScalarSpec, Spec, TupleSpec, options_of
from astrace.passes.lowering.arrays import ZERO, allocated, loop_nest
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    ArrayForm,
    NumberForm,
    NumberListForm,
    TupleForm,
    dtype_of,
    integer,
)
from astrace.passes.lowering.lists import extend, made, new, read, size_of, walked
from astrace.passes.lowering.together.merged_values import held_in


def column_array(writer: LoweredWriter, column: Value, size: NumberForm) -> ArrayForm:
    """The machine numbers of a list as an array."""
    assert isinstance(column.spec, ListSpec)
    assert isinstance(column.spec.element, GenericSpec)
    dtype = column.spec.element.dtype
    found = allocated(writer, dtype, (size,), "items")
    assert found.view is not None
    base = found.view.base

    def body(indices: Sequence[Operand]) -> None:
        value = Value(GenericSpec(dtype))
        given = (column, indices[0])
        writer.nodes.append(Node("item_of_list", given, (value,), location=writer.location))
        writer.store(base, tuple(indices), value)

    loop_nest(writer, (size,), body)
    return found


def columns_of(writer: LoweredWriter, items: NumberListForm) -> list[ArrayForm]:
    """The machine numbers of a list as arrays; of a list of lists, which list each item is, its length, then all of their items."""
    size = size_of(writer, items)
    if not isinstance(items.element, ListSpec):
        return [column_array(writer, column, size) for column in items.columns]
    found = [allocated(writer, INT, (size,), name) for name in ("rows", "sizes")]
    every = new(writer, items.element.element, items.passed, integer(0))

    def row_at(indices: Sequence[Operand]) -> None:
        row = read(writer, items, indices[0])
        assert isinstance(row, NumberListForm)
        address, count = Value(GenericSpec(INT)), size_of(writer, row)
        writer.nodes.append(Node("address_of_list", (row.columns[0],), (address,), location=writer.location))
        for array, number in zip(found, (address, count.operand), strict=True):
            assert array.view is not None
            writer.store(array.view.base, tuple(indices), number)
        extend(writer, every, row)

    loop_nest(writer, (size,), row_at)
    return [*found, *columns_of(writer, every)]


def as_array(writer: LoweredWriter, items: NumberListForm) -> ArrayForm:
    """``np.array(items)``.

    Raises:
        Unlowered: what dtype it has depends on the items.
    """
    if isinstance(items.element, TupleSpec):
        return _array_of_rows(writer, items, items.element)
    if isinstance(items.element, ListSpec):
        return _array_of_lists(writer, items)
    dtypes = {_array_dtype(option) for option in options_of(items.element)}
    if len(dtypes) != 1 or None in dtypes:
        raise writer.refusal("an array of a list whose items are of several types")
    size = size_of(writer, items)
    (dtype,) = dtypes
    if dtype != FLOAT:  # an array of no items is one of floats
        writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    found = column_array(writer, items.columns[0], size)
    if found.dtype != dtype:
        raise writer.refusal("an array of a list whose items are held in another way")
    return found


def _array_of_rows(writer: LoweredWriter, items: NumberListForm, row: TupleSpec) -> ArrayForm:
    """``np.array(items)`` of tuples of numbers; of nothing NumPy makes one of a single axis."""
    columns = [{_array_dtype(option) for option in options_of(one)} for one in row.items]
    dtypes = [dtype for found in columns for dtype in found if dtype is not None]
    if not dtypes or any(len(found) > 1 or None in found for found in columns) or row.cls is not tuple:
        raise writer.refusal("an array of a list whose items are of several types")
    size, dtype = size_of(writer, items), np.result_type(*dtypes)
    writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    made = allocated(writer, dtype, (size, integer(len(dtypes))), "rows")
    assert made.view is not None
    base = made.view.base

    def body(indices: Sequence[Operand]) -> None:
        held = read(writer, items, indices[0])
        assert isinstance(held, TupleForm)
        for column, part in enumerate(held.items):
            assert isinstance(part, NumberForm)
            writer.store(base, (indices[0], Constant(column)), writer.cast(part.operand, part.dtype, dtype))

    loop_nest(writer, (size,), body)
    return made


def _array_of_lists(writer: LoweredWriter, items: NumberListForm) -> ArrayForm:
    """``np.array(items)`` of lists of numbers, all of one length; of nothing NumPy makes one of floats."""
    size = size_of(writer, items)
    writer.deopt(writer.emit("eq", (size.operand, ZERO), BOOL))
    first = read(writer, items, ZERO)
    assert isinstance(first, NumberListForm)
    assert first.element is not None
    dtypes = {_array_dtype(option) for option in options_of(first.element)}
    count, dtype = size_of(writer, first), dtypes.pop()
    if dtypes or dtype is None or dtype != _dtype_of_column(first.columns[0]):
        raise writer.refusal("an array of lists whose items are of several types")
    writer.deopt(writer.emit("eq", (count.operand, ZERO), BOOL))
    made = allocated(writer, dtype, (size, count), "rows")
    assert made.view is not None
    base = made.view.base

    def row_at(indices: Sequence[Operand]) -> None:
        row = read(writer, items, indices[0])
        assert isinstance(row, NumberListForm)
        writer.deopt(writer.emit("ne", (size_of(writer, row).operand, count.operand), BOOL))

        def item_at(inner: Sequence[Operand]) -> None:
            value = Value(GenericSpec(dtype))
            given = (row.columns[0], inner[0])
            writer.nodes.append(Node("item_of_list", given, (value,), location=writer.location))
            writer.store(base, (indices[0], inner[0]), value)

        loop_nest(writer, (count,), item_at)

    loop_nest(writer, (size,), row_at)
    return made


def _dtype_of_column(column: Value) -> np.dtype[Any]:
    return held_in(column)["dtype"]


OF_PYTHON: Final = {"b": (BOOL, PYTHON_BOOL), "i": (INT, PYTHON_INT), "f": (FLOAT, PYTHON_FLOAT)}
"""By kind of dtype, the dtype and the type of Python's numbers."""


def of_python(writer: LoweredWriter, element: Spec | None, passed: bool, array: ArrayForm) -> NumberListForm:
    """The elements of an array of one axis as a list of Python's numbers."""
    dtype, spec = OF_PYTHON[array.dtype.kind]
    size, at = walked(writer, array)

    def number_at(index: NumberForm) -> NumberForm:
        form = at(index)
        assert isinstance(form, NumberForm)
        return NumberForm(writer.cast(form.operand, form.dtype, dtype), spec, form.bounds)

    return made(writer, element, passed, size, number_at)


def _array_dtype(spec: Spec) -> np.dtype[Any] | None:
    return dtype_of(spec) if isinstance(spec, ScalarSpec | GenericSpec) else None
