"""Arrays that are put beside each other: ``np.concatenate`` and what is made of it; and parts that lie beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node
from astrace.ir.specs import ListSpec
from astrace.passes.lowering.arrays import (
    allocated,
    check_equal,
    computed,
    materialised,
    store_all,
    viewed,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    ArrayForm,
    Form,
    ListForm,
    MemoryView,
    NumberForm,
    RunningAxis,
    TupleForm,
    integer,
)
from astrace.passes.lowering.functions.array_making import list_as_tuple, result_dtype
from astrace.passes.lowering.functions.axes import listed
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.integers import integers, plus, times
from astrace.passes.lowering.items import item, part_of
from astrace.passes.lowering.layouts import lay_out_as
from astrace.passes.lowering.rules import Kwargs, Rule, converted_to, form_of


def _parts(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> list[ArrayForm]:
    """The arrays that are joined, as elements of the dtype that comes out.

    Raises:
        Unlowered: they are something else, or have several ranks.
    """
    given = args[0] if args else None
    items = given.items if isinstance(given, TupleForm) else list_as_tuple(given)
    arrays = [listed(writer, one) for one in items] if isinstance(items, tuple) else []
    parts = [one for one in arrays if isinstance(one, ArrayForm)]
    if not parts or len(parts) != len(items) or len({len(part.shape) for part in parts}) > 1:
        raise writer.refusal(f"`{node.op}` of other things than arrays of one rank")
    found = [converted_to(writer, part, result_dtype(writer, node)) for part in parts]
    return [one for one in found if isinstance(one, ArrayForm)]


def _axis(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs, rank: int) -> int:
    """The axis along which arrays are joined."""
    form = form_of(writer, kwargs.get("axis", args[1] if len(args) > 1 else 0))
    axis = form.known if isinstance(form, NumberForm) else None
    if len(args) > 2 or kwargs.keys() - {"axis"} or type(axis) is not int or not -rank <= axis < rank:
        raise writer.refusal(f"`{node.op}` along an axis that is not known, or with more arguments")
    return axis % rank


def _joined(writer: LoweredWriter, parts: Sequence[ArrayForm], axis: int) -> ArrayForm:
    """An array of several ones beside each other along an axis."""
    starts = [integer(0)]
    for part in parts:
        for place, (own, other) in enumerate(zip(part.shape, parts[0].shape, strict=True)):
            if place != axis:
                check_equal(writer, own, other)
        starts.append(plus(writer, starts[-1], part.shape[axis]))
    shape = (*parts[0].shape[:axis], starts[-1], *parts[0].shape[axis + 1 :])
    made = allocated(writer, parts[0].dtype, shape, "joined")
    for start, part in zip(starts[:-1], parts, strict=True):
        places = tuple(
            RunningAxis(place, start.operand if place == axis else Constant(0), Constant(1))
            for place in range(len(shape))
        )
        sizes = (*shape[:axis], part.shape[axis], *shape[axis + 1 :])
        store_all(writer, MemoryView(base_of(made), places), sizes, part)
        lay_out_as(writer, made, part)
    return made


def _concatenate(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    parts = _parts(writer, node, args)
    return _joined(writer, parts, _axis(writer, node, args, kwargs, len(parts[0].shape)))


def rows_of_arrays(
    writer: LoweredWriter, node: Node, given: Sequence[Any], dtype: np.dtype[Any]
) -> ArrayForm:
    """``np.array`` of a list of arrays, which gives one in C order.

    Raises:
        Unlowered: they are something else, or have several ranks.
    """
    rows = [one for one in given if isinstance(one, ArrayForm)]
    if len(rows) < len(given) or len({len(row.shape) for row in rows}) > 1:
        raise writer.refusal(f"`{node.op}` of other things than arrays of one rank")
    parts = [converted_to(writer, row, dtype) for row in rows]
    made = _joined(writer, [_with_axis(writer, one, 0) for one in parts if isinstance(one, ArrayForm)], 0)
    writer.unordered.discard(base_of(made))
    writer.in_c_order.add(base_of(made))
    return made


def _is_stacked(node: Node, args: Sequence[Any]) -> bool:
    """Return whether arrays that are joined are a list that was made an array already."""
    return bool(args) and isinstance(args[0], ArrayForm) and isinstance(node.inputs[0].spec, ListSpec)


def _stack(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.stack``: along an axis that is new."""
    if _is_stacked(node, args) and len(args) + len(kwargs) == 1:
        return args[0]
    parts = _parts(writer, node, args)
    axis = _axis(writer, node, args, kwargs, len(parts[0].shape) + 1)
    return _joined(writer, [_with_axis(writer, part, axis) for part in parts], axis)


def _with_axis(writer: LoweredWriter, part: ArrayForm, axis: int) -> ArrayForm:
    found = item(writer, computed(writer, part), (*[slice(None)] * axis, None))
    assert isinstance(found, ArrayForm)
    return found


def _beside(new_axis: int | None, axis: int) -> Rule:
    """``np.vstack`` and its like: arrays of one axis are given another one first, or are joined along theirs."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        stacked = new_axis == 0 and _is_stacked(node, args) and len(args) == 1 and not kwargs
        if stacked and len(args[0].shape) == 2:
            return args[0]
        parts = _parts(writer, node, args)
        if len(args) > 1 or kwargs or not parts[0].shape:
            raise writer.refusal(f"`{node.op}` of arrays without axes, or with more arguments")
        if len(parts[0].shape) > 1:
            return _joined(writer, parts, axis)
        if new_axis is None:
            return _joined(writer, parts, 0)
        return _joined(writer, [_with_axis(writer, part, new_axis) for part in parts], axis)

    return rule


def _split(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.split(x, 3)``: views beside each other, of one size; where the items are not as many, NumPy raises."""
    array = args[0] if len(args) == 2 and not kwargs else None
    parts = form_of(writer, args[1]) if len(args) > 1 else None
    count = parts.known if isinstance(parts, NumberForm) else None
    if not isinstance(array, ArrayForm) or not array.shape or type(count) is not int or count < 1:
        raise writer.refusal(f"`{node.op}` into other parts than several of one size")
    array = array if array.view is not None else materialised(writer, array)
    total, divisor = array.shape[0], integer(count)
    rest = integers(writer, "mod", (total, divisor))
    if rest.known is None or rest.known:
        writer.deopt(writer.emit("ne", (rest.operand, Constant(0)), BOOL))
    size = integers(writer, "floordiv", (total, divisor))
    return ListForm(tuple(_part(writer, array, integer(place), size) for place in range(count)))


def _part(writer: LoweredWriter, array: ArrayForm, place: NumberForm, size: NumberForm) -> ArrayForm:
    """One of several parts of one size, which lie inside."""
    assert array.view is not None
    start = times(writer, place, size)
    whole = slice(start, plus(writer, start, size))
    view, shape = part_of(writer, array.view, array.shape, [whole])
    return viewed(writer, view, array.dtype, (size, *shape[1:]))


RULES: Final[Mapping[str, Rule]] = {
    "np.concatenate": _concatenate,
    "np.stack": _stack,
    "np.split": _split,
    "np.vstack": _beside(0, 0),
    "np.hstack": _beside(None, 1),
    "np.column_stack": _beside(1, 1),
}
