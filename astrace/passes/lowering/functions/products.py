"""Products of matrices and arrays of one axis: ``@``, ``np.dot``, by the loops that NumPy calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.lowering.arrays import (
    ZERO,
    allocated,
    check_equal,
    computed,
    elementwise,
    is_whole,
    materialised,
    store_all,
)
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.forms import BOOL, ArrayForm, Form, MemoryView, NumberForm, RunningAxis
from astrace.passes.lowering.functions.accumulation import inner_product, multiply
from astrace.passes.lowering.functions.array_making import transposed
from astrace.passes.lowering.functions.numpy_calls import base_of, in_memory, runs_forward
from astrace.passes.lowering.integers import index_of
from astrace.passes.lowering.layouts import is_in_order, is_one, may_be_made, require_order
from astrace.passes.lowering.rules import Kwargs, Rule
from astrace.passes.lowering.sizes.few_products import are_few, product_of_few


def _product(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    arrays = [one for one in args if isinstance(one, ArrayForm)]
    if kwargs or len(args) != 2 or len(arrays) != 2:
        raise writer.refusal(f"`{node.op}` of other things than two arrays")
    left, right = arrays
    dtype = np.result_type(left.dtype, right.dtype)
    if dtype.kind not in "iufc" or not all(1 <= len(one.shape) <= 2 for one in arrays):
        raise writer.refusal(f"`{node.op}` of {left.dtype} and {right.dtype}")
    left, right = arrays = [_converted(writer, one, dtype) for one in arrays]
    if dtype.kind in "iu":
        check_equal(writer, left.shape[-1], right.shape[0])
        return _multiplied_by_loops(writer, left, right)
    if node.op != "np.dot":
        return multiplied(writer, left, right)
    if len(left.shape) == len(right.shape) == 1:
        left, right = (_in_one_piece(writer, one) for one in arrays)
        return _dotted(writer, left, right)
    return _dotted_matrices(writer, left, right)


def _converted(writer: LoweredWriter, array: ArrayForm, dtype: np.dtype[Any]) -> ArrayForm:
    """A factor in the dtype that is computed in: a copy, as NumPy makes it.

    Raises:
        Unlowered: the axes of the copy may run in another order, which bits depend on.
    """
    if array.dtype == dtype:
        return array
    if dtype.kind in "fc" and not (runs_forward(array) and is_in_order(writer, array)):
        raise writer.refusal(f"a product that converts {array.dtype} in another order than that of the axes")
    given = array.dtype

    def convert(atoms: Sequence[Operand]) -> Operand:
        return writer.cast(atoms[0], given, dtype)

    return materialised(writer, elementwise(writer, [array], dtype, convert))


def _dotted_matrices(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form:
    """``np.dot`` of matrices, or of one and an array of one axis: as ``@``, of copies of what is not in one piece.

    Where all axes have one item it multiplies, and adds nothing to the product; complex numbers it rounds in another way where
    one product makes up each sum.
    """
    left, right = (_in_one_piece(writer, one) for one in (left, right))
    is_complex = left.dtype.kind == "c"
    single: Operand = Constant(True)
    for size in right.shape[:1] if is_complex else (*left.shape, *right.shape):
        single = writer.both(single, writer.emit("eq", (size.operand, Constant(1)), BOOL))
    if isinstance(single, Constant) and not single.value:
        return multiplied(writer, left, right)
    if is_complex:
        writer.deopt(single)
        return multiplied(writer, left, right)
    made = multiplied(writer, left, right)
    with writer.region() as product:
        factors = (one.element([ZERO] * len(one.shape)) for one in (left, right))
        number = writer.emit("mul", tuple(factors), left.dtype)
        assert isinstance(made, ArrayForm)
        writer.store(base_of(made), (ZERO,) * len(made.shape), number)
    regions = block_of((), product, ()), block_of((), [], ())
    writer.nodes.append(Node("cond", (single,), (), {}, regions, writer.location))
    return made


def _in_one_piece(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """A factor as ``np.dot`` takes it: all of an array, as it is or transposed, or a copy; along one axis, what runs forward."""
    if len(array.shape) == 1:
        return _running_forward(writer, array)
    if array.view is None or not _is_whole_or_turned(writer, array, array.view):
        return materialised(writer, array)
    base = array.view.base
    if base not in writer.own:
        writer.deopt(writer.inverted(writer.emit("is_contiguous", (base, ZERO), BOOL)))
    return array


def _running_forward(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """A vector as ``np.dot`` takes it: NumPy copies one that runs backwards, or whose items are one item in memory."""
    if not runs_forward(array):
        return materialised(writer, array)
    if array.view is not None and array.view.base not in writer.own:
        for place, at in enumerate(array.view.places):
            if isinstance(at, RunningAxis):
                writer.deopt(writer.emit("is_repeated", (array.view.base, Constant(place)), BOOL))
    return array


def _is_whole_or_turned(writer: LoweredWriter, array: ArrayForm, view: MemoryView) -> bool:
    turned = transposed(writer, array, view)
    assert turned.view is not None
    return is_whole(writer, array, view) or is_whole(writer, turned, turned.view)


def _dotted(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form:
    """``np.dot`` of two arrays of one axis; where there is one element it multiplies, and adds nothing to it, as ``@`` does."""
    left, right = (computed(writer, one) for one in (left, right))
    (size,) = left.shape
    check_equal(writer, size, right.shape[0])
    if size.known not in (None, 1):
        return multiplied(writer, left, right)
    is_single = writer.emit("eq", (size.operand, Constant(1)), BOOL)
    if left.dtype.kind == "c":
        writer.deopt(is_single)
        return multiplied(writer, left, right)
    with writer.region() as single:
        factors = left.element([ZERO]), right.element([ZERO])
        product = writer.emit("mul", factors, left.dtype)
    with writer.region() as several:
        found = multiplied(writer, left, right)
    assert isinstance(found, NumberForm)
    out = Value(GenericSpec(left.dtype))
    regions = block_of((), single, (product,)), block_of((), several, (found.operand,))
    writer.nodes.append(Node("cond", (is_single,), (out,), {}, regions, writer.location))
    return NumberForm(out, found.spec)


def _without_new_axes(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """A row or column that is a view of consecutive elements, as a copy, of which a product has the same bits; else the array itself."""
    view = array.view
    running = [place for place in view.places if isinstance(place, RunningAxis)] if view is not None else []
    if view is None or view.part or len(array.shape) != 2 or len(running) != 1:
        return array
    other = array.shape[1 - running[0].axis]
    place = view.places.index(running[0])
    behind = (writer.size(view.base, axis) for axis in range(place + 1, len(view.places)))
    if not is_one(other) or not all(map(is_one, behind)) or not is_one(index_of(running[0].step)):
        return array
    if view.base not in writer.own:
        last = Constant(place)
        writer.deopt(writer.inverted(writer.emit("is_contiguous", (view.base, last), BOOL)))
    return materialised(writer, array)


def _laid_out(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """An expression of transposed matrices alone in memory, with its axes in the order that NumPy gives them: transposed, too."""
    if array.view is not None or len(array.shape) != 2 or not _is_turned(writer, array):
        return array
    rows, columns = array.shape
    made = allocated(writer, array.dtype, (columns, rows), "turned")
    assert made.view is not None

    def element(indices: Sequence[Operand]) -> Operand:
        return array.element(indices[::-1])

    turned = replace(array, shape=made.shape, element=element)
    store_all(writer, made.view, made.shape, turned)
    return transposed(writer, made, made.view)


def _is_turned(writer: LoweredWriter, array: ArrayForm) -> bool:
    """Return whether all that an expression reads are transposed matrices, whose memory is in order."""
    bases = {view.base for view in array.reads}
    if not bases or bases & writer.unordered or not all(map(_runs_turned, array.reads)):
        return False
    writer.taken_in_order |= bases
    return True


def _runs_turned(view: MemoryView) -> bool:
    axes = [place.axis for place in view.places if isinstance(place, RunningAxis)]
    return view.writeable and axes == [1, 0]


def _factor(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """A factor in memory, its axes in NumPy's order, on which the bits of a product depend, as do those of one with a row.

    Raises:
        Unlowered: that order is not known.
    """
    array = computed(writer, _laid_out(writer, _without_new_axes(writer, array)))
    base = base_of(array)
    assert isinstance(base.spec, ArraySpec)
    if len(array.shape) > 1 or (len(base.spec.shape) > 1 and may_be_made(writer, base)):
        require_order(writer, base, "a product")
    return array


def multiplied(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form:
    """``left @ right``."""
    writer.uses_floats = True
    writer.needs_forward = True
    check_equal(writer, left.shape[-1], right.shape[0])
    if not writer.exact:
        return _multiplied_by_loops(writer, left, right)
    if are_few(left, right):
        left, right = _factor(writer, left), _factor(writer, right)
        few = product_of_few(writer, left, right)
        if few is not None:
            return few
    bases = in_memory(writer, _factor(writer, left)), in_memory(writer, _factor(writer, right))
    shape = (*left.shape[:-1], *right.shape[1:])
    location = writer.location
    if not shape:
        number = Value(GenericSpec(left.dtype))
        writer.nodes.append(Node("dot", bases, (number,), location=location))
        return NumberForm(number, GenericSpec(left.dtype))
    made = allocated(writer, left.dtype, shape, "product")
    out = base_of(made)
    writer.nodes.append(Node("multiply_matrices", (out, *bases), (), location=location))
    return made


def _multiplied_by_loops(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form:
    """``left @ right`` where sums may be computed in any order."""
    shape = (*left.shape[:-1], *right.shape[1:])
    if not shape:
        return inner_product(writer, left, right)
    left, right = computed(writer, left), computed(writer, right)
    bases = in_memory(writer, left), in_memory(writer, right)
    made = allocated(writer, left.dtype, shape, "product")
    node = Node("multiply_matrices", (base_of(made), *bases), (), location=writer.location)
    multiply(writer, made, left, right, lambda: writer.nodes.append(node))
    return made


RULES: Final[Mapping[str, Rule]] = {"matmul": _product, "np.matmul": _product, "np.dot": _product}
