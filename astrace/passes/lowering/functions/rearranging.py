"""Functions that make arrays of numbers, or of the elements of others at other places: ``array``, ``outer``, ``roll``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ListSpec
from astrace.passes.lowering.arrays import (
    allocated,
    check_equal,
    computed,
    elementwise,
    materialised,
    viewed,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    FixedAxis,
    Form,
    NumberForm,
    RunningAxis,
    StaticForm,
    TupleForm,
    integer,
    is_wider,
)
from astrace.passes.lowering.functions.array_making import (
    astype,
    is_true,
    list_as_tuple,
    result_dtype,
    shape_of,
)
from astrace.passes.lowering.functions.joining import rows_of_arrays
from astrace.passes.lowering.gathers import has_one_value, names_items, put
from astrace.passes.lowering.integers import check_small, index_of, integers, plus, times
from astrace.passes.lowering.items import item, parts_of
from astrace.passes.lowering.layouts import is_one
from astrace.passes.lowering.numbers import UFUNCS, fitted
from astrace.passes.lowering.rules import (
    Kwargs,
    Rule,
    apply,
    converted_to,
    elements,
    form_of,
    loop_of,
    numeric,
    scalar,
)
from astrace.passes.lowering.unions import present

NARROW: Final = frozenset(map(np.dtype, ("int8", "int16", "int32", "uint8", "uint16", "uint32")))
# -- numbers -------------------------------------------------------------------------------------------------


def _array(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.array`` of numbers, of rows of numbers, or of an array."""
    if not args or not _names_dtype(args[1:]) or kwargs.keys() - {"dtype"}:
        raise writer.refusal(f"`{node.op}` with more arguments")
    given = args[0]
    if (
        isinstance(given, ArrayForm)
        and isinstance(node.inputs[0].spec, ListSpec)
        and len(args) + len(kwargs) == 1
    ):
        return given  # an array that was made of the list
    dtype = result_dtype(writer, node)
    if isinstance(given, ArrayForm):
        return materialised(writer, given if given.dtype == dtype else astype(writer, node, (given,), {}))
    rows = _items(given)
    if rows is None or not rows:
        raise writer.refusal(f"`{node.op}` of other things than numbers")
    if any(isinstance(row, ArrayForm) for row in rows):
        return rows_of_arrays(writer, node, rows, dtype)
    lengths = {None if inner is None else len(inner) for inner in map(_items, rows)}
    (length, *others) = lengths
    if others:
        raise writer.refusal(f"`{node.op}` of rows of several lengths")
    sizes = [len(rows), *([] if length is None else [length])]
    made = allocated(writer, dtype, tuple(map(integer, sizes)), "made")
    assert made.view is not None
    for places in np.ndindex(*sizes):
        found: Any = rows[places[0]]
        number = _number(writer, node, found if length is None else (_items(found) or ())[places[1]], dtype)
        writer.store(made.view.base, tuple(map(Constant, places)), number)
    return made


def _names_dtype(more: Sequence[Any]) -> bool:
    """Return whether there is no further argument, or it is a dtype."""
    return not more or (len(more) == 1 and isinstance(more[0], type | np.dtype | str))


def _asarray(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.asarray``: an array that has the dtype is what comes out."""
    given = args[0] if args else None
    plain = _names_dtype(args[1:]) and not kwargs.keys() - {"dtype"}
    if plain and isinstance(given, ArrayForm) and given.dtype == result_dtype(writer, node):
        return computed(writer, given)
    return _array(writer, node, args, kwargs)


def _items(given: Any) -> tuple[Any, ...] | None:
    """Return the items of a list or tuple; ``None`` for anything else."""
    found = given.items if isinstance(given, TupleForm) else list_as_tuple(given)
    return found if isinstance(found, tuple) else None


def _number(writer: LoweredWriter, node: Node, given: Any, dtype: np.dtype[Any]) -> Operand:
    form = present(writer, scalar(writer, given))
    if not has_one_value(form, dtype) or is_wider(form.dtype, dtype):
        raise writer.refusal(f"`{node.op}` of numbers of several types")
    return fitted(writer, form, dtype, stored=True)


def _arange(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.arange`` of integers."""
    bounds = [scalar(writer, one) for one in args]
    wide = [one.dtype in (INT, *NARROW) and one.tag is None for one in bounds]
    if kwargs or len(bounds) not in (1, 2, 3) or not all(wide):
        raise writer.refusal(f"`{node.op}` of other things than integers")
    whole = [
        NumberForm(writer.cast(one.operand, one.dtype, INT), PYTHON_INT, one.bounds, one.most)
        for one in bounds
    ]
    start, stop, step = (integer(0), *whole, integer(1)) if len(whole) == 1 else (*whole, integer(1))[:3]
    for one in (start, stop, step):
        check_small(writer, one)
    if step.bounds[0] <= 0 <= step.bounds[1]:
        writer.deopt(writer.emit("eq", (step.operand, Constant(0)), BOOL))
    if start.known == 0 and step.known == 1 and stop.bounds[0] >= 0:
        size = stop
    else:
        operand = writer.emit("extent", (start.operand, stop.operand, step.operand), INT)
        size = NumberForm(operand, PYTHON_INT, (0, max(0, stop.bounds[1] - min(0, start.bounds[0]))))

    def element(indices: Sequence[Operand]) -> Operand:
        return plus(writer, start, times(writer, index_of(indices[0]), step)).operand

    return materialised(writer, ArrayForm(INT, (size,), element, ()))


# -- arrays side by side -------------------------------------------------------------------------------------


def _outer(name: str) -> Rule:
    """An operator on each pair of elements of two arrays of one axis."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        arrays = [one for one in args if isinstance(one, ArrayForm) and len(one.shape) == 1]
        if kwargs or len(args) != 2 or len(arrays) != 2:
            raise writer.refusal(f"`{node.op}` of other things than two arrays of one axis")
        left, right = arrays
        column = item(writer, computed(writer, left), (slice(None), None))
        return apply(writer, name, (column, right), node.output.spec)

    return rule


def _roll(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.roll`` along one axis: elements are read at other places, where they are used."""
    given = dict(zip(("a", "shift", "axis"), args, strict=False)) | dict(kwargs)
    array, shift = given.get("a"), form_of(writer, given.get("shift"))
    axis = form_of(writer, given["axis"]) if given.get("axis") is not None else None
    rank = len(array.shape) if isinstance(array, ArrayForm) else 0
    place = getattr(axis, "known", None) if axis is not None else (0 if rank == 1 else None)
    if (
        not isinstance(array, ArrayForm)
        or not isinstance(shift, NumberForm)
        or shift.dtype != INT
        or not isinstance(place, int)
        or not -rank <= place < rank
    ):
        raise writer.refusal(f"`{node.op}` along more than one axis")
    array = array if array.moves else computed(writer, array)
    size = array.shape[place]
    writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    held = NumberForm(size.operand, PYTHON_INT, (1, max(1, size.bounds[1])), size.most)
    whole = NumberForm(shift.operand, PYTHON_INT, shift.bounds, shift.most)
    by = integers(writer, "mod", (whole, held))
    return _moved(writer, array, place % rank, by.operand, size.operand)


def _moved(writer: LoweredWriter, array: ArrayForm, axis: int, by: Operand, size: Operand) -> ArrayForm:
    """An array whose elements are those some items before, along an axis whose end meets its start."""
    somewhere = Value(GenericSpec(INT), "somewhere")

    def element(indices: Sequence[Operand]) -> Operand:
        place = writer.emit("wrapped", (indices[axis], by, size), INT)
        return array.element([*indices[:axis], place, *indices[axis + 1 :]])

    def moved(place: FixedAxis | RunningAxis) -> FixedAxis | RunningAxis:
        runs = isinstance(place, RunningAxis) and place.axis == axis
        return replace(place, start=somewhere) if runs else place

    reads = tuple(replace(view, places=tuple(map(moved, view.places))) for view in array.reads)
    leads = array.leads if array.view is None else array.view
    return ArrayForm(array.dtype, array.shape, element, reads, leads=leads, moves=True)


def axis_of(writer: LoweredWriter, node: Node, given: Any, rank: int) -> int:
    """The axis that a call names.

    Raises:
        Unlowered: it is not known, or there is no such one.
    """
    form = form_of(writer, given)
    axis = form.known if isinstance(form, NumberForm) else None
    if type(axis) is not int or not -rank <= axis < rank:
        raise writer.refusal(f"`{node.op}` along an axis that is not known")
    return axis % rank


def _differences(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.diff``: differences of neighbours along an axis, and of these again."""
    given = dict(zip(("a", "n", "axis"), args, strict=False)) | dict(kwargs)
    array, turns = given.get("a"), form_of(writer, given.get("n", 1))
    times = turns.known if isinstance(turns, NumberForm) else None
    if not isinstance(array, ArrayForm) or not array.shape or array.dtype == BOOL or type(times) is not int:
        raise writer.refusal(f"`{node.op}` of something else than an array of numbers")
    if times < 1 or len(args) > len(given) or given.keys() - {"a", "n", "axis"}:
        raise writer.refusal(f"`{node.op}` with more arguments, or no differences")
    before = (slice(None),) * axis_of(writer, node, given.get("axis", -1), len(array.shape))
    for _ in range(times):
        array = computed(writer, array)
        pair = [item(writer, array, (*before, part)) for part in (slice(1, None), slice(None, -1))]
        found = apply(writer, "sub", pair, node.output.spec)
        assert isinstance(found, ArrayForm)
        array = found
    return array


def _broadcast(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.broadcast_to``: a view that can't be written, which repeats axes."""
    if kwargs or len(args) != 2 or not isinstance(args[0], ArrayForm):
        raise writer.refusal(f"`{node.op}` of other things than an array")
    array, shape = computed(writer, args[0]), shape_of(writer, args[1])
    if len(array.shape) > len(shape):
        raise writer.refusal(f"`{node.op}` to fewer axes")
    more = len(shape) - len(array.shape)
    for own, other in zip(array.shape, shape[more:], strict=True):
        if not is_one(own):
            check_equal(writer, own, other)
    view = array.view
    assert view is not None

    def place(one: FixedAxis | RunningAxis) -> FixedAxis | RunningAxis:
        if isinstance(one, FixedAxis) or is_one(array.shape[one.axis]):
            return FixedAxis(one.index if isinstance(one, FixedAxis) else one.start)
        return replace(one, axis=one.axis + more)

    repeated = replace(view, places=tuple(map(place, view.places)), writeable=False)

    return viewed(writer, repeated, array.dtype, shape)


# -- truth values --------------------------------------------------------------------------------------------


def _logical(name: str) -> Rule:
    """``np.logical_and`` and the like: an operator on the truth of elements."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        forms = [numeric(writer, one) for one in args]
        forms = [present(writer, one) if isinstance(one, NumberForm) else one for one in forms]
        if kwargs or len(forms) != (1 if name == "invert" else 2):
            raise writer.refusal(f"`{node.op}` with more arguments")

        def compute(atoms: Sequence[Operand]) -> Operand:
            truths = [is_true(writer, atom, form.dtype) for atom, form in zip(atoms, forms, strict=True)]
            return writer.inverted(truths[0]) if name == "invert" else writer.emit(name, tuple(truths), BOOL)

        if any(isinstance(form, ArrayForm) for form in forms):
            return elementwise(writer, forms, BOOL, compute)
        return NumberForm(
            compute([one.operand for one in forms if isinstance(one, NumberForm)]), GenericSpec(BOOL)
        )

    return rule


def _at(name: str) -> Rule:
    """``np.add.at``: each element is changed as often as its index is given, in order."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if kwargs or len(args) != 3 or not isinstance(args[0], ArrayForm) or args[0].view is None:
            raise writer.refusal(f"`{node.op}` of other things than an array, indices and a value")
        target, key, value = args
        form = numeric(writer, value)
        dtypes = loop_of(writer, UFUNCS[name], (target, form))
        if set(dtypes) != {target.dtype}:
            raise writer.refusal(f"`{node.op}` that converts")
        parts = parts_of(writer, key, arrays=True)
        if not names_items(parts):
            raise writer.refusal(f"`{node.op}` without an array of indices")

        def combine(old: Operand, new: Operand) -> Operand:
            return elements(writer, name, (old, new), target.dtype, target.dtype)

        put(writer, target, parts, converted_to(writer, form, target.dtype), combine)
        return StaticForm(None)

    return rule


RULES: Final[Mapping[str, Rule]] = {
    "np.array": _array,
    "np.asarray": _asarray,
    "np.arange": _arange,
    "np.outer": _outer("mul"),
    **{
        f"np.{ufunc}.outer": _outer(name)
        for ufunc, name in (("add", "add"), ("subtract", "sub"), ("multiply", "mul"))
    },
    "np.roll": _roll,
    "np.add.at": _at("add"),
    "np.subtract.at": _at("sub"),
    "np.multiply.at": _at("mul"),
    "np.diff": _differences,
    "np.broadcast_to": _broadcast,
    "np.logical_and": _logical("and_"),
    "np.logical_or": _logical("or_"),
    "np.logical_xor": _logical("xor"),
    "np.logical_not": _logical("invert"),
}
