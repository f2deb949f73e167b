"""Functions of `math` that Python computes by itself, of two numbers or of integers, and NumPy's scalars that are made of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ScalarSpec
from astrace.passes.analysis.int_ranges import LARGEST
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    DTYPE_CHARS,
    FLOAT,
    INT,
    UNSIGNED,
    Form,
    NumberForm,
    bounds_of_dtype,
    is_wider,
)
from astrace.passes.lowering.functions.python_calls import float_operand
from astrace.passes.lowering.numbers import fitted, unsigned, within
from astrace.passes.lowering.rules import Kwargs, Rule, scalar
from astrace.passes.lowering.unions import present


def _hypot(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``math.hypot`` of two numbers; given up where it is not finite."""
    if len(args) != 2:
        raise writer.refusal(f"`{node.op}` of other things than two numbers")
    operands = tuple(float_operand(writer, one) for one in args)
    if all(isinstance(one, Constant) for one in operands):
        raise writer.refusal("arithmetic on constants alone")
    writer.uses_floats = True
    found = writer.emit("distance", operands, FLOAT)
    writer.deopt(writer.inverted(writer.emit("is_finite", (found,), BOOL)))
    return NumberForm(found, PYTHON_FLOAT)


def _whole(name: str, count: int) -> Rule:
    """A function of ``math`` on integers of 64 bits, without the least one."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        forms = [present(writer, scalar(writer, one)) for one in args]
        if len(forms) != count or any(form.spec != PYTHON_INT for form in forms):
            raise writer.refusal(f"`{node.op}` of other things than Python's integers")
        for form in forms:
            least = 0 if name == "whole_root" else 1 - LARGEST
            if form.bounds[0] < least:
                writer.deopt(writer.emit("lt", (form.operand, Constant(least)), BOOL))
        found = writer.emit(name, tuple(form.operand for form in forms), INT)
        return NumberForm(found, PYTHON_INT, (0, LARGEST - 1))

    return rule


def _numpy_scalar(dtype: np.dtype[Any]) -> Rule:
    """``np.float32(x)``: a number as a scalar of NumPy's."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if len(args) != 1:
            raise writer.refusal(f"`{node.op}` of other things than one number")
        given = unsigned(args[0]) if dtype == UNSIGNED else args[0]
        form = present(writer, scalar(writer, given))
        if form.tag is not None or is_wider(form.dtype, dtype):
            raise writer.refusal(f"`{node.op}` of {form.spec}")
        writer.uses_floats |= dtype.kind in "fc"
        made = fitted(writer, form, dtype)
        if dtype.kind not in "iu":
            return NumberForm(made, GenericSpec(dtype))
        limits = np.iinfo(dtype)
        stays = within(form.bounds, limits) == form.bounds or isinstance(form.spec, ScalarSpec)
        bounds = within(form.bounds, limits) if stays else bounds_of_dtype(dtype)
        return NumberForm(made, GenericSpec(dtype), bounds)

    return rule


def _bit_length(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``bit_length`` of one of Python's integers."""
    form = scalar(writer, args[0])
    if len(args) != 1 or form.spec != PYTHON_INT:
        raise writer.refusal(f"`{node.op}` of something else than one of Python's integers")
    low, high = form.bounds
    if isinstance(form.operand, Constant):
        return NumberForm(Constant(int(form.operand.value).bit_length()), PYTHON_INT)
    longest = max(low.bit_length(), high.bit_length())
    shortest = max(low, 0).bit_length()
    found = writer.emit("length_in_bits", (form.operand,), INT)
    return NumberForm(found, PYTHON_INT, (shortest, longest))


NUMPY_SCALARS: Final = tuple(np.dtype(char).name for char in DTYPE_CHARS if char != "?")
RULES: Final[Mapping[str, Rule]] = {
    "math.hypot": _hypot,
    **{f"np.{name}": _numpy_scalar(np.dtype(name)) for name in NUMPY_SCALARS},
    "math.gcd": _whole("greatest_divisor", 2),
    "math.isqrt": _whole("whole_root", 1),
    "ndarray.bit_length": _bit_length,
}
