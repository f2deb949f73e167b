"""Arrays that are put beside each other: ``np.concatenate`` and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node
from astrace.passes.lowering.arrays import allocated, check_equal, computed, store_all
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    ArrayForm,
    Form,
    MemoryView,
    NumberForm,
    RunningAxis,
    TupleForm,
    integer,
)
from astrace.passes.lowering.functions.array_making import list_as_tuple, result_dtype
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.integers import plus
from astrace.passes.lowering.items import item
from astrace.passes.lowering.layouts import lay_out_as
from astrace.passes.lowering.rules import Kwargs, Rule, converted_to, form_of


def _parts(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> list[ArrayForm]:
    """The arrays that are joined, as elements of the dtype that comes out.

    Raises:
        Unlowered: they are something else, or have several ranks.
    """
    given = args[0] if args else None
    items = given.items if isinstance(given, TupleForm) else list_as_tuple(given)
    parts = [one for one in items if isinstance(one, ArrayForm)] if isinstance(items, tuple) else []
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


def _stack(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.stack``: along an axis that is new."""
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
        parts = _parts(writer, node, args)
        if len(args) > 1 or kwargs:
            raise writer.refusal(f"`{node.op}` with more arguments")
        if len(parts[0].shape) > 1:
            return _joined(writer, parts, axis)
        if new_axis is None:
            return _joined(writer, parts, 0)
        return _joined(writer, [_with_axis(writer, part, new_axis) for part in parts], axis)

    return rule


RULES: Final[Mapping[str, Rule]] = {
    "np.concatenate": _concatenate,
    "np.stack": _stack,
    "np.vstack": _beside(0, 0),
    "np.hstack": _beside(None, 1),
    "np.column_stack": _beside(1, 1),
}
