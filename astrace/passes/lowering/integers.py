"""Operators on Python's integers in 64 bits, and on indices and sizes, with the ranges that are known of them.

What may leave 64 bits, or raises in Python, gives the program up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import NO_ATTRS, Constant, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.passes.analysis.int_ranges import FULL, bounds_of, fits, most_of, overflow_test
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, NumberForm, integer

SMALL: Final = 2**60
"""Sums and differences of up to four integers of this size have 64 bits."""


def integers(
    writer: LoweredWriter, name: str, forms: Sequence[NumberForm], attrs: Mapping[str, Any] = NO_ATTRS
) -> NumberForm:
    """An operator on integers of 64 bits that may not wrap around.

    Args:
        writer: writes nodes.
        name: of the operator.
        forms: the operands.
        attrs: of the test whether a sum, a difference or a product has 64 bits; with any, it may have been let pass.
    """
    operands = tuple(form.operand for form in forms)
    bounds = bounds_of(name, forms)
    match name:
        case "neg" | "abs":
            if forms[0].bounds[0] == FULL[0]:
                writer.deopt(writer.emit("eq", (operands[0], Constant(FULL[0])), BOOL))
        case "add" | "sub" | "mul":
            test = overflow_test(name, forms[0].bounds, forms[1].bounds)
            if test is not None:
                writer.deopt(writer.inverted(writer.emit(test, operands, BOOL)), attrs)
                if attrs:
                    return NumberForm(writer.emit(name, operands, INT), PYTHON_INT)
        case "floordiv" | "mod":
            check_divisor(writer, *forms)
            forms = [forms[0], writer.limited(forms[1])]
            bounds = bounds_of(name, forms)
        case "lshift" | "rshift":
            _check_shift(writer, name, *forms)
        case _:
            pass
    most = most_of(name, forms)
    if name == "mod" and most is None and forms[1].bounds[0] > 0 and forms[1].known is None:
        most = forms[1].operand, -1
    return NumberForm(_simplified(writer, name, forms), PYTHON_INT, bounds, most)


def _simplified(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> Operand:
    """An operator on integers, without what changes nothing."""
    if len(forms) == 2:
        left, right = forms
        neutral = {"add": 0, "sub": 0, "mul": 1, "floordiv": 1}.get(name)
        if neutral is not None and right.known == neutral:
            return left.operand
        if neutral is not None and left.known == neutral and name in ("add", "mul"):
            return right.operand
    return writer.emit(name, tuple(form.operand for form in forms), INT)


def check_divisor(writer: LoweredWriter, dividend: NumberForm, divisor: NumberForm) -> None:
    """Give up where an integer is divided by zero, or the least one by minus one."""
    low, high = divisor.bounds
    if low > 0:
        return
    zero = writer.emit("eq", (divisor.operand, Constant(0)), BOOL)
    writer.deopt(zero if high >= 0 >= low else Constant(False))
    if low == 0:
        writer.facts.limit(divisor.operand, 1, high)
    if low <= -1 <= high and dividend.bounds[0] == FULL[0]:
        least = writer.emit("eq", (dividend.operand, Constant(FULL[0])), BOOL)
        writer.deopt(writer.both(least, writer.emit("eq", (divisor.operand, Constant(-1)), BOOL)))


def _check_shift(writer: LoweredWriter, name: str, form: NumberForm, by: NumberForm) -> None:
    """Give up where a shift is negative or wide, or loses bits."""
    low, high = by.bounds
    if low < 0 or high > 62:
        writer.deopt(writer.emit("outside", (by.operand, Constant(63)), BOOL))
    if name == "lshift":
        largest = 1 << min(max(high, 0), 62)
        if not fits((form.bounds[0] * largest, form.bounds[1] * largest)):
            power = writer.emit("lshift", (Constant(1), by.operand), INT)
            writer.deopt(writer.inverted(writer.emit("product_fits", (form.operand, power), BOOL)))


def integer_power(writer: LoweredWriter, base: NumberForm, exponent: NumberForm) -> NumberForm:
    """``base ** exponent`` of Python's integers; given up where it has more than 64 bits, or is a float."""
    operands = (base.operand, exponent.operand)
    if exponent.bounds[0] < 0:
        writer.deopt(writer.emit("lt", (exponent.operand, Constant(0)), BOOL))
    writer.deopt(writer.inverted(writer.emit("power_fits", operands, BOOL)))
    bounds = (0 if base.bounds[0] >= 0 else FULL[0], FULL[1])
    return NumberForm(writer.emit("integer_power", operands, INT), PYTHON_INT, bounds)


def check_small(writer: LoweredWriter, form: NumberForm) -> None:
    """Give up where an integer is so large that sums and differences of two may leave 64 bits."""
    if form.bounds[0] < -SMALL:
        writer.deopt(writer.emit("lt", (form.operand, Constant(-SMALL)), BOOL))
    if form.bounds[1] > SMALL:
        writer.deopt(writer.emit("gt", (form.operand, Constant(SMALL)), BOOL))


# -- arithmetic on indices and sizes -------------------------------------------------------------------------


def plus(writer: LoweredWriter, left: NumberForm, right: NumberForm) -> NumberForm:
    """A sum of indices or sizes, which can't leave 64 bits."""
    return _of_indices(writer, "add", left, right)


def minus(writer: LoweredWriter, left: NumberForm, right: NumberForm) -> NumberForm:
    """A difference of indices or sizes."""
    return _of_indices(writer, "sub", left, right)


def times(writer: LoweredWriter, left: NumberForm, right: NumberForm) -> NumberForm:
    """A product of an index and a step."""
    return _of_indices(writer, "mul", left, right)


def _of_indices(writer: LoweredWriter, name: str, left: NumberForm, right: NumberForm) -> NumberForm:
    bounds = bounds_of(name, (left, right))
    return NumberForm(
        _simplified(writer, name, (left, right)), PYTHON_INT, bounds, most_of(name, (left, right))
    )


def index_of(operand: Operand) -> NumberForm:
    """An index or size of which nothing more is known."""
    return integer(operand.value) if isinstance(operand, Constant) else NumberForm(operand, PYTHON_INT)
