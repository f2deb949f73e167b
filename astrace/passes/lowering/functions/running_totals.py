"""Running sums and products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.passes.lowering.arrays import allocated, element_at, loop_nest, materialised
from astrace.passes.lowering.block import LoweredWriter, typed
from astrace.passes.lowering.forms import INT, ArrayForm, Form, integer
from astrace.passes.lowering.functions.accumulation import carrying_loops
from astrace.passes.lowering.functions.array_making import result_dtype
from astrace.passes.lowering.functions.rearranging import along
from astrace.passes.lowering.functions.reshaping import flattened
from astrace.passes.lowering.integers import index_of, minus, plus
from astrace.passes.lowering.layouts import lay_out_as
from astrace.passes.lowering.numbers import floats
from astrace.passes.lowering.rules import Kwargs, Rule, converted_to

NEUTRAL: Final = {"add": -0.0, "mul": 1.0}
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
            or (dtype.kind != "f" and dtype != INT)
        ):
            raise writer.refusal(
                f"`{node.op}` of something else than an array of numbers, or with more arguments"
            )
        if given.get("axis") is None:
            array = array if len(array.shape) == 1 else flattened(writer, array)
            axis = 0
        else:
            axis = along(writer, node, given["axis"], len(array.shape))
        converted = converted_to(writer, array, dtype)
        assert isinstance(converted, ArrayForm)
        return (_by_rows if axis == len(array.shape) - 1 else _by_columns)(writer, name, converted, axis)

    return rule


def _combined(
    writer: LoweredWriter, name: str, so_far: Operand, element: Operand, dtype: np.dtype[Any]
) -> Operand:
    if dtype.kind == "f":
        return floats(writer, name, (so_far, element), dtype, checks_zero=False)
    return writer.emit(name, (so_far, element), dtype)


def _by_rows(writer: LoweredWriter, name: str, array: ArrayForm, axis: int) -> ArrayForm:
    """Along the last axis: the result so far is a number, which need not be read from memory again."""
    dtype = array.dtype
    made = allocated(writer, dtype, array.shape, "temporary")
    lay_out_as(writer, made, array)
    view = made.view
    assert view is not None
    neutral = Constant(typed(NEUTRAL[name], dtype))

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


RULES: Final = {"np.cumsum": _accumulated("add"), "np.cumprod": _accumulated("mul")}
