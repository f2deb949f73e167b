"""Sums of what arrays name, are, or have on their diagonal, and running sums: ``np.bincount``, ``np.trace``, ``np.cumsum``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import (
    ZERO,
    allocated,
    computed,
    element_at,
    elementwise,
    loop_nest,
    materialised,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.complex_numbers import Arithmetic, complexes
from astrace.passes.lowering.forms import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    integer,
    typed,
)
from astrace.passes.lowering.functions.accumulation import carrying_loops
from astrace.passes.lowering.functions.array_making import is_true, result_dtype
from astrace.passes.lowering.functions.axes import Axes
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.functions.rearranging import axis_of
from astrace.passes.lowering.functions.reductions import along, converted, reduced
from astrace.passes.lowering.functions.reshaping import flattened
from astrace.passes.lowering.integers import index_of, minus, plus
from astrace.passes.lowering.layouts import lay_out_as
from astrace.passes.lowering.numbers import floats
from astrace.passes.lowering.rules import Kwargs, Rule, converted_to, form_of, store


def _count(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.count_nonzero`` of a whole array."""
    array = args[0] if len(args) == 1 and not kwargs else None
    if not isinstance(array, ArrayForm) or not array.shape or node.output.spec != GenericSpec(INT):
        raise writer.refusal(f"`{node.op}` of something else than an array, or with more arguments")
    given = array.dtype

    def one_or_none(atoms: Sequence[Operand]) -> Operand:
        return writer.cast(is_true(writer, atoms[0], given), BOOL, INT)

    ones = elementwise(writer, [array], INT, one_or_none)
    return along(writer, "sum", Axes(writer, node, (ones,), {}), INT)


def _trace(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.trace`` of a matrix: NumPy adds up its diagonal as it does any array of one axis."""
    array, spec = args[0] if len(args) == 1 and not kwargs else None, node.output.spec
    if not isinstance(array, ArrayForm) or len(array.shape) != 2 or not isinstance(spec, GenericSpec):
        raise writer.refusal(f"`{node.op}` of something else than a matrix, or with more arguments")
    if spec.dtype not in (INT, FLOAT) or array.dtype.kind not in "if":
        raise writer.refusal(f"`{node.op}` of {array.dtype}")
    array = computed(writer, array)
    rows, columns = (size.operand for size in array.shape)
    least = writer.choose(writer.emit("lt", (rows, columns), BOOL), rows, columns, INT)
    size = NumberForm(least, PYTHON_INT, (0, LARGEST_SIZE), (rows, 0))

    def element(indices: Sequence[Operand]) -> Operand:
        return array.element((indices[0], indices[0]))

    diagonal = ArrayForm(array.dtype, (size,), element, ())
    return reduced(
        writer, "sum", materialised(writer, converted(writer, "sum", diagonal, spec.dtype)), spec.dtype
    )


def _bincount(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.bincount``: how often each integer is there, or the sum of its weights, in their order."""
    given = dict(zip(("x", "weights", "minlength"), args, strict=False)) | dict(kwargs)
    names, weights, least = given.get("x"), given.get("weights"), form_of(writer, given.get("minlength", 0))
    if len(args) > len(given) or not given.keys() <= {"x", "weights", "minlength"}:
        raise writer.refusal(f"`{node.op}` with more arguments")
    if (
        not isinstance(names, ArrayForm)
        or len(names.shape) != 1
        or names.dtype.kind not in "iu"
        or names.dtype == np.dtype(np.uint64)
        or not (weights is None or (isinstance(weights, ArrayForm) and weights.dtype == FLOAT))
        or not isinstance(least, NumberForm)
        or least.spec != PYTHON_INT
    ):
        raise writer.refusal(f"`{node.op}` of something else than integers along one axis")
    places = computed(writer, _as(writer, names, INT))
    size = _number_of_bins(writer, places, least)
    made = allocated(writer, INT if weights is None else FLOAT, (size,), "bins")
    zero = Constant(0) if weights is None else Constant(0.0)
    store(writer, made, NumberForm(zero, GenericSpec(made.dtype)))
    _fill(writer, made, places, None if weights is None else computed(writer, weights))
    return made


def _as(writer: LoweredWriter, array: ArrayForm, dtype: np.dtype[Any]) -> ArrayForm:
    found = converted_to(writer, array, dtype)
    assert isinstance(found, ArrayForm)
    return found


def _number_of_bins(writer: LoweredWriter, places: ArrayForm, least: NumberForm) -> NumberForm:
    """One more than the largest integer, or as many as are asked for; given up where there is none, or one is negative."""
    lowest, highest = (reduced(writer, name, places, INT).operand for name in ("min", "max"))
    writer.deopt(writer.emit("lt", (lowest, ZERO), BOOL))
    writer.deopt(writer.emit("gt", (highest, Constant(LARGEST_SIZE)), BOOL))
    if least.bounds[0] < 0:
        writer.deopt(writer.emit("lt", (least.operand, ZERO), BOOL))
    count = plus(writer, index_of(highest), integer(1)).operand
    fewer = writer.emit("lt", (count, least.operand), BOOL)
    return NumberForm(writer.choose(fewer, least.operand, count, INT), PYTHON_INT, (0, LARGEST_SIZE))


def _fill(writer: LoweredWriter, made: ArrayForm, places: ArrayForm, weights: ArrayForm | None) -> None:
    """Add one, or a weight, to the bin of each integer."""
    base = base_of(made)
    if weights is not None:
        size = weights.shape[0].operand
        writer.deopt(writer.emit("ne", (size, places.shape[0].operand), BOOL))

    def body(indices: Sequence[Operand]) -> None:
        place = (places.element(indices),)
        so_far = writer.load(base, place, made.dtype)
        if weights is None:
            total = writer.emit("add", (so_far, Constant(1)), INT)
        else:
            operands = so_far, weights.element(indices)
            total = floats(writer, "add", operands, FLOAT, checks_zero=False)
        writer.store(base, place, total)

    loop_nest(writer, places.shape, body)


# -- running sums and products ---------------------------------------------------------------------------


NEUTRAL: Final = {"add": complex(-0.0, -0.0), "mul": complex(1.0, 0.0)}
"""What combines with the first element to that element, whatever its sign."""


def _accumulated(name: str) -> Rule:
    """``np.cumsum`` and the like: each result is the one before and an element, along an axis or of all elements."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        given = dict(zip(("a", "axis"), args, strict=False)) | dict(kwargs)
        array, dtype = given.get("a"), result_dtype(writer, node)
        if (
            len(args) > len(given)
            or given.keys() - {"a", "axis"}
            or not isinstance(array, ArrayForm)
            or not array.shape
            or not (dtype.kind == "f" or dtype == INT or (dtype == COMPLEX and name == "add"))
        ):
            raise writer.refusal(
                f"`{node.op}` of something else than an array of numbers, or with more arguments"
            )
        if given.get("axis") is None:
            array = array if len(array.shape) == 1 else flattened(writer, array)
            axis = 0
        else:
            axis = axis_of(writer, node, given["axis"], len(array.shape))
        converted = converted_to(writer, array, dtype)
        assert isinstance(converted, ArrayForm)
        return (_by_rows if axis == len(array.shape) - 1 else _by_columns)(writer, name, converted, axis)

    return rule


def _combined(
    writer: LoweredWriter, name: str, so_far: Operand, element: Operand, dtype: np.dtype[Any]
) -> Operand:
    if dtype.kind == "f":
        return floats(writer, name, (so_far, element), dtype, checks_zero=False)
    if dtype.kind == "c":
        return complexes(writer, name, (so_far, element), dtype, Arithmetic.ELEMENT)
    return writer.emit(name, (so_far, element), dtype)


def _by_rows(writer: LoweredWriter, name: str, array: ArrayForm, axis: int) -> ArrayForm:
    """Along the last axis: the result so far is a number, which need not be read from memory again."""
    dtype = array.dtype
    made = allocated(writer, dtype, array.shape, "temporary")
    lay_out_as(writer, made, array)
    view = made.view
    assert view is not None
    neutral = Constant(typed(NEUTRAL[name] if dtype.kind == "c" else NEUTRAL[name].real, dtype))

    def row(indices: Sequence[Operand]) -> None:
        def step(places: Sequence[Operand], so_far: Operand) -> Operand:
            total = _combined(writer, name, so_far, element_at(array, places), dtype)
            writer.store(view.base, tuple(places), total)
            return total

        carrying_loops(writer, array.shape[axis:], indices, neutral, dtype, step)

    loop_nest(writer, array.shape[:axis], row)
    return made


def _by_columns(writer: LoweredWriter, name: str, array: ArrayForm, axis: int) -> ArrayForm:
    """Along another axis: each element is combined with the one before, in place, so that several columns are computed at once."""
    made = materialised(writer, array)
    dtype = made.dtype
    assert made.view is not None
    base, last = made.view.base, minus(writer, made.shape[axis], integer(1))

    def body(indices: Sequence[Operand]) -> None:
        places = list(indices)
        places[axis] = plus(writer, index_of(indices[axis]), integer(1)).operand
        operands = writer.load(base, tuple(indices), dtype), writer.load(base, tuple(places), dtype)
        writer.store(base, tuple(places), _combined(writer, name, *operands, dtype))

    loop_nest(writer, (*made.shape[:axis], last, *made.shape[axis + 1 :]), body)
    return made


TAKES_KEYWORDS: Final = frozenset(
    {"np.bincount", "np.cumsum", "np.cumprod", "ndarray.cumsum", "ndarray.cumprod"}
)
"""The functions whose rules know what their arguments are called."""
RULES: Final[Mapping[str, Rule]] = {
    "np.count_nonzero": _count,
    "np.trace": _trace,
    "ndarray.trace": _trace,
    "np.bincount": _bincount,
    **{f"{owner}.cumsum": _accumulated("add") for owner in ("np", "ndarray")},
    **{f"{owner}.cumprod": _accumulated("mul") for owner in ("np", "ndarray")},
}
