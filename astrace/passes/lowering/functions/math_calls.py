"""Functions of `math` that Python computes by itself, of two numbers or of integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.passes.analysis.int_ranges import LARGEST
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, Form, NumberForm
from astrace.passes.lowering.functions.python_calls import float_operand
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


RULES: Final[Mapping[str, Rule]] = {
    "math.hypot": _hypot,
    "math.gcd": _whole("greatest_divisor", 2),
    "math.isqrt": _whole("whole_root", 1),
    "ndarray.bit_length": _bit_length,
}
