"""``np.bincount``, ``np.count_nonzero`` and ``np.trace``: sums of what arrays name, are, or have on their diagonal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import ZERO, allocated, computed, elementwise, loop_nest, materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, Form, NumberForm, integer
from astrace.passes.lowering.functions.array_making import is_true
from astrace.passes.lowering.functions.axes import Axes
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.functions.reductions import along, converted, reduced
from astrace.passes.lowering.integers import index_of, plus
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


RULES: Final[Mapping[str, Rule]] = {
    "np.count_nonzero": _count,
    "np.trace": _trace,
    "ndarray.trace": _trace,
    "np.bincount": _bincount,
}
