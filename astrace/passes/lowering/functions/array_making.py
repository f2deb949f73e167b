"""Functions that make arrays, or another view of one: ``zeros``, ``copy``, ``where``, ``a.T``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import allocated, computed, elementwise, materialised, store_all, viewed
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    FixedAxis,
    Form,
    ListForm,
    MemoryView,
    NumberForm,
    RunningAxis,
    TupleForm,
    integer,
    is_machine_dtype,
    is_wider,
)
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.integers import times
from astrace.passes.lowering.items import parts_of
from astrace.passes.lowering.layouts import is_one, lay_out_as
from astrace.passes.lowering.numbers import fitted, to_integer
from astrace.passes.lowering.rules import Kwargs, Rule, numeric
from astrace.passes.lowering.unions import literal_of

TAKES_DTYPE: Final = frozenset(
    {"np.zeros", "np.ones", "np.empty", "np.full", "np.array", "np.asarray", "ndarray.astype"}
    | {"np.eye", "np.identity"}
)
"""The functions that may be given a dtype; which it is, the spec of the result tells."""


def result_dtype(writer: LoweredWriter, node: Node) -> np.dtype[Any]:
    """The dtype of the array that a node gives.

    Raises:
        Unlowered: machine numbers do not have it.
    """
    spec = node.output.spec
    if isinstance(spec, ArraySpec) and is_machine_dtype(spec.dtype):
        return spec.dtype
    raise writer.refusal(f"`{node.op}` that gives {spec}")


def shape_of(writer: LoweredWriter, given: Any) -> tuple[NumberForm, ...]:
    """The sizes that a shape names; negative ones raise."""
    parts = parts_of(writer, list_as_tuple(given))
    sizes = [part for part in parts if isinstance(part, NumberForm)]
    if len(sizes) != len(parts):
        raise writer.refusal("a shape that is no tuple of integers")
    for size in sizes:
        if size.bounds[0] < 0:
            writer.deopt(writer.emit("lt", (size.operand, Constant(0)), BOOL))
    return tuple(
        NumberForm(size.operand, size.spec, (0, max(0, size.bounds[1])), size.most) for size in sizes
    )


def list_as_tuple(given: Any) -> Any:
    """Return the items of a list in a tuple; anything else as it is."""
    if isinstance(given, ListForm):
        return given.items
    return tuple(given) if isinstance(given, list) else given


def _made(value: int | None) -> Rule:
    """An array of a shape, filled with a number, or not at all."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if kwargs.keys() - {"dtype"}:
            raise writer.refusal(f"`{node.op}` with more arguments")
        dtype = result_dtype(writer, node)
        return _filled(
            writer, dtype, shape_of(writer, args[0]), None if value is None else Constant(dtype.type(value))
        )

    return rule


def _made_like(value: int | None) -> Rule:
    """An array of the shape and dtype of another one."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if len(args) != 1 or not isinstance(args[0], ArrayForm):
            raise writer.refusal(f"`{node.op}` of other things than one array")
        dtype = result_dtype(writer, node)
        like = computed(writer, args[0])
        made = _filled(writer, dtype, like.shape, None if value is None else Constant(dtype.type(value)))
        lay_out_as(writer, made, like)
        writer.in_c_order -= {base_of(made)}
        return made

    return rule


def _filled(
    writer: LoweredWriter, dtype: np.dtype[Any], shape: tuple[NumberForm, ...], value: Operand | None
) -> ArrayForm:
    made = allocated(writer, dtype, shape, "made")
    assert made.view is not None
    writer.in_c_order.add(made.view.base)
    if value is not None:
        store_all(writer, made.view, shape, NumberForm(value, GenericSpec(dtype)))
    return made


def _full(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 2 or kwargs.keys() - {"dtype"}:
        raise writer.refusal(f"`{node.op}` with more arguments")
    dtype, value = result_dtype(writer, node), numeric(writer, args[1])
    if not isinstance(value, NumberForm) or value.tag is not None or is_wider(value.dtype, dtype):
        raise writer.refusal(f"`{node.op}` of {dtype} with another number")
    return _filled(writer, dtype, shape_of(writer, args[0]), fitted(writer, value, dtype, stored=True))


def _copy(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 1 or not isinstance(args[0], ArrayForm):
        raise writer.refusal(f"`{node.op}` of other things than one array")
    return materialised(writer, args[0])


def astype(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> ArrayForm:
    """Elements converted; of floats made integers NumPy may warn, and gives what the processor gives."""
    dtype = result_dtype(writer, node)
    array = args[0]
    if (
        not isinstance(array, ArrayForm)
        or len(args) + len(kwargs) > 2
        or (is_wider(array.dtype, dtype) and (array.dtype.kind == "c" or dtype == BOOL))
    ):
        raise writer.refusal(
            f"`{node.op}` of {getattr(array, 'dtype', 'something else than an array')} to {dtype}"
        )
    writer.uses_floats |= array.dtype.kind in "fc"
    change = to_integer if array.dtype.kind == "f" and dtype.kind in "iu" else LoweredWriter.cast
    return elementwise(writer, [array], dtype, lambda atoms: change(writer, atoms[0], array.dtype, dtype))


def is_true(writer: LoweredWriter, atom: Operand, dtype: np.dtype[Any]) -> Operand:
    """The truth of an element."""
    if isinstance(atom, Constant):
        return Constant(bool(atom.value))
    return atom if dtype == BOOL else writer.emit("ne", (atom, writer.cast(Constant(0), INT, dtype)), BOOL)


def _check_is_number(writer: LoweredWriter, form: Form, dtype: np.dtype[Any] | None) -> None:
    """Refuse what may be ``None``, and numbers of several types that are not held as one of a dtype; of a test the type makes no difference."""
    if not isinstance(form, NumberForm) or form.tag is None:
        return
    if literal_of(form) is not None or dtype not in (None, form.dtype):
        raise writer.refusal("`np.where` of numbers of several types")


def _where(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 3:
        raise writer.refusal("`np.where` of a test alone")
    test, *choices = (numeric(writer, one) for one in args)
    dtype = result_dtype(writer, node)
    for one in (test, *choices):
        _check_is_number(writer, one, None if one is test else dtype)
    given = [
        NumberForm(fitted(writer, one, dtype), GenericSpec(dtype)) if isinstance(one, NumberForm) else one
        for one in choices
    ]

    def compute(atoms: Sequence[Operand]) -> Operand:
        then, orelse = (
            writer.cast(atom, one.dtype, dtype) for atom, one in zip(atoms[1:], given, strict=True)
        )
        return writer.choose(is_true(writer, atoms[0], test.dtype), then, orelse, dtype)

    return elementwise(writer, [test, *given], dtype, compute)


def _attribute(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``a.T``, ``a.shape`` and the like."""
    array, name = args
    if not isinstance(array, ArrayForm):
        raise writer.refusal("an attribute of something else than an array")
    if name in ("shape", "size", "ndim"):
        return _sizes(writer, computed(writer, array), name)
    if name == "T":
        array = computed(writer, array)
        assert array.view is not None
        return transposed(writer, array, array.view)
    raise writer.refusal(f"the attribute `{name}`")


def _sizes(writer: LoweredWriter, array: ArrayForm, name: str) -> Form:
    if name == "shape":
        return TupleForm(array.shape)
    if name == "ndim":
        return integer(len(array.shape))
    return product_of(writer, array.shape)


def product_of(writer: LoweredWriter, sizes: Sequence[NumberForm]) -> NumberForm:
    """Return the number of items of an array that there is."""
    found = integer(1)
    for size in sizes:
        if found.known == 1:
            found = size
            continue
        operand = times(writer, found, size).operand
        found = NumberForm(operand, PYTHON_INT, (0, LARGEST_SIZE))
    return found


def transposed(
    writer: LoweredWriter, array: ArrayForm, view: MemoryView, order: Sequence[int] = ()
) -> ArrayForm:
    """A view with its axes in another order.

    Args:
        writer: writes nodes.
        array: the array, which has been computed.
        view: its memory.
        order: for each axis of the result, that of the array; backwards if there is nothing.
    """
    order = order or range(len(array.shape))[::-1]

    def moved(place: FixedAxis | RunningAxis) -> FixedAxis | RunningAxis:
        if isinstance(place, FixedAxis):
            return place
        if is_one(array.shape[place.axis]):  # an axis of one item has no part in the order of axes
            return FixedAxis(place.start)
        return replace(place, axis=order.index(place.axis))

    shape = tuple(array.shape[axis] for axis in order)
    return viewed(writer, replace(view, places=tuple(map(moved, view.places))), array.dtype, shape)


RULES: Final[Mapping[str, Rule]] = {
    "np.zeros": _made(0),
    "np.ones": _made(1),
    "np.empty": _made(None),
    "np.full": _full,
    "np.zeros_like": _made_like(0),
    "np.ones_like": _made_like(1),
    "np.empty_like": _made_like(None),
    "np.copy": _copy,
    "ndarray.copy": _copy,
    "ndarray.astype": astype,
    "np.where": _where,
    "get_attr": _attribute,
}
