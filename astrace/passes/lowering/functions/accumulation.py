"""Reductions, functions and products that need not be exact: loops over elements, without arrays in between.

The order in which elements are added up is left to whoever compiles the loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.iteration import Range
from astrace.ir.specs import GenericSpec
from astrace.ops.numpy.reductions import OF_NOTHING
from astrace.passes.lowering.arrays import ONE, ZERO, element_at, loop_nest, materialised
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, NumberForm, typed
from astrace.passes.lowering.layouts import is_one
from astrace.passes.lowering.rules import elements

INLINE: Final = frozenset(
    {
        *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
        *("arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt"),
        *("fabs", "square", "reciprocal", "arctan2", "hypot", "copysign"),
        *("fmax", "fmin", "isnan", "isinf", "isfinite"),
    }
)
"""The ufuncs that are called element by element."""
OPERATORS: Final = {
    "sum": "add",
    "prod": "mul",
    "max": "maximum",
    "min": "minimum",
    "any": "or_",
    "all": "and_",
}
"""By function, the operator on two elements."""
SINGLE: Final = np.dtype(np.float32)
Step = Callable[[Sequence[Operand], Operand], Operand]
"""Gives the next result, from the indices of an element and the result so far."""


def combined(writer: LoweredWriter, name: str, operands: Sequence[Operand], dtype: np.dtype[Any]) -> Operand:
    """The reduction of two elements."""
    if name in OF_NOTHING:
        return elements(writer, OPERATORS[name], operands, dtype, dtype)
    return writer.emit(OPERATORS[name], tuple(operands), dtype)


def accumulated(
    writer: LoweredWriter, name: str, array: ArrayForm, reduced: Sequence[int], dtype: np.dtype[Any]
) -> ArrayForm | NumberForm:
    """A reduction along axes, each result by a loop of its own; there are elements, where nothing has no result.

    Args:
        writer: writes nodes.
        name: of the function.
        array: what is reduced, in the dtype of the result.
        reduced: the axes.
        dtype: of the result.
    """
    kept = [axis for axis in range(len(array.shape)) if axis not in reduced]
    sizes = [array.shape[axis] for axis in reduced]
    held = FLOAT if dtype == SINGLE and name == "sum" else dtype

    def element(own: Sequence[Operand], others: Sequence[Operand]) -> Operand:
        places = {**dict(zip(kept, own, strict=True)), **dict(zip(reduced, others, strict=True))}
        return writer.cast(element_at(array, [places[axis] for axis in sorted(places)]), dtype, held)

    def result(own: Sequence[Operand]) -> Operand:
        def step(others: Sequence[Operand], so_far: Operand) -> Operand:
            return combined(writer, name, (so_far, element(own, others)), held)

        known = name in OF_NOTHING
        first = Constant(typed(OF_NOTHING[name], held)) if known else element(own, [ZERO for _ in sizes])
        return writer.cast(carrying_loops(writer, sizes, [], first, held, step), held, dtype)

    if not kept:
        return NumberForm(result(()), GenericSpec(dtype))
    shape = tuple(array.shape[axis] for axis in kept)
    return materialised(writer, ArrayForm(dtype, shape, result, array.reads))


def carrying_loops(
    writer: LoweredWriter,
    sizes: Sequence[NumberForm],
    indices: Sequence[Operand],
    so_far: Operand,
    dtype: np.dtype[Any],
    step: Step,
) -> Operand:
    """Loops over all indices, which carry a result.

    Args:
        writer: writes nodes.
        sizes: of the axes that are left.
        indices: of the others.
        so_far: the result in front of the loops.
        dtype: of the result.
        step: gives the next one.
    """
    if not sizes:
        return step(indices, so_far)
    size, *inner = sizes
    if is_one(size):
        return carrying_loops(writer, inner, [*indices, ZERO], so_far, dtype, step)
    index = Value(GenericSpec(INT), "item")
    carried, out = Value(GenericSpec(dtype), "so_far"), Value(GenericSpec(dtype))
    with writer.region() as nodes:
        end = carrying_loops(writer, inner, [*indices, index], carried, dtype, step)
    region = block_of((index, carried), nodes, (end,))
    attrs = {"over": Range(0, 1, 2), "breaks": False}
    inputs = (ZERO, size.operand, ONE, so_far)
    writer.nodes.append(Node("for_loop", inputs, (out,), attrs, (region,), writer.location))
    return out


def inner_product(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> NumberForm:
    """The product of two arrays of one axis, of equal size and dtype."""
    dtype = left.dtype
    held = FLOAT if dtype == SINGLE else dtype

    def step(indices: Sequence[Operand], so_far: Operand) -> Operand:
        factors = [writer.cast(element_at(one, indices), dtype, held) for one in (left, right)]
        product = elements(writer, "mul", factors, held, held)
        return elements(writer, "add", (so_far, product), held, held)

    found = carrying_loops(writer, left.shape, [], Constant(typed(0, held)), held, step)
    return NumberForm(writer.cast(found, held, dtype), GenericSpec(dtype))


SMALL: Final = 1000
"""Products of two elements: up to so many, loops are faster than the library that NumPy multiplies matrices with."""


def multiply(
    writer: LoweredWriter, out: ArrayForm, left: ArrayForm, right: ArrayForm, otherwise: Callable[[], None]
) -> None:
    """Multiply matrices, or a matrix and a vector, by loops where they are small.

    Args:
        writer: writes nodes.
        out: in memory of its own.
        left: in memory.
        right: the same, of a size that fits.
        otherwise: multiplies what is larger.
    """
    view = out.view
    assert view is not None
    (inner,) = left.shape[-1:]

    def body(indices: Sequence[Operand]) -> None:
        rows, columns = indices[: len(left.shape) - 1], indices[len(left.shape) - 1 :]

        def step(place: Sequence[Operand], so_far: Operand) -> Operand:
            factors = left.element([*rows, *place]), right.element([*place, *columns])
            product = elements(writer, "mul", factors, left.dtype, left.dtype)
            return elements(writer, "add", (so_far, product), left.dtype, left.dtype)

        zero = Constant(typed(0, left.dtype))
        found = carrying_loops(writer, [inner], [], zero, left.dtype, step)
        writer.store(view.base, tuple(indices), found)

    work = inner.operand
    for size in out.shape:
        work = writer.emit("mul", (work, size.operand), INT)
    with writer.region() as loops:
        loop_nest(writer, out.shape, body)
    with writer.region() as call:
        otherwise()
    test = writer.emit("le", (work, Constant(SMALL)), BOOL)
    regions = block_of((), loops, ()), block_of((), call, ())
    writer.nodes.append(Node("cond", (test,), (), {}, regions, writer.location))
