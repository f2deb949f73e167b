"""Operators on Python's integers in 64 bits, and on indices and sizes, with the ranges that are known of them.

What may leave 64 bits, or raises in Python, gives the program up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from astrace.ir.block import Constant, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ops.python.operators import ARITHMETIC
from astrace.passes.analysis.int_ranges import FULL, fits, interval
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, LARGEST_SIZE, NumberForm, integer

FITS: Final[Mapping[str, str]] = {"add": "sum_fits", "sub": "difference_fits", "mul": "product_fits"}
"""The ops that tell whether a result has 64 bits."""

SMALL: Final = 2**60
"""Sums and differences of up to four integers of this size have 64 bits."""


def integers(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> NumberForm:
    """An operator on integers of 64 bits that may not wrap around."""
    operands = tuple(form.operand for form in forms)
    bounds = bounds_of(name, forms)
    match name:
        case "neg" | "abs":
            if forms[0].bounds[0] == FULL[0]:
                writer.deopt(writer.emit("eq", (operands[0], Constant(FULL[0])), BOOL))
        case "add" | "sub" | "mul":
            found = interval(ARITHMETIC[name], forms[0].bounds, forms[1].bounds)
            if found is None or not fits(found):
                writer.deopt(writer.inverted(writer.emit(FITS[name], operands, BOOL)))
        case "floordiv" | "mod":
            check_divisor(writer, *forms)
        case "lshift" | "rshift":
            _check_shift(writer, name, *forms)
        case _:
            pass
    return NumberForm(_simplified(writer, name, forms), PYTHON_INT, bounds, _most(name, forms))


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


def bounds_of(name: str, forms: Sequence[NumberForm]) -> tuple[int, int]:
    """Between which integers a result lies."""
    found = _unary_bounds(name, forms[0]) if len(forms) == 1 else _binary_bounds(name, *forms)
    return found if found is not None and fits(found) else FULL


def _unary_bounds(name: str, form: NumberForm) -> tuple[int, int] | None:
    low, high = form.bounds
    match name:
        case "neg":
            return -high, -low
        case "abs":
            return max(low, -high, 0), max(abs(low), abs(high))
        case "invert":
            return ~high, ~low
        case _:
            return None


def _binary_bounds(name: str, a: NumberForm, b: NumberForm) -> tuple[int, int] | None:
    left, right = a.bounds, b.bounds
    match name:
        case "floordiv" if right[0] > 0:
            return min(left[0], left[0] // right[0]), max(left[1], 0)
        case "mod" if right[0] > 0:
            return 0, right[1] - 1
        case "and_" if right[0] >= 0 or left[0] >= 0:
            return 0, min(one[1] for one in (left, right) if one[0] >= 0)
        case "rshift" if right[0] >= 0:
            return min(left[0], 0), max(left[1], 0)
        case "add" | "sub" | "mul":
            return interval(ARITHMETIC[name], left, right)
        case _:
            return None


def _most(name: str, forms: Sequence[NumberForm]) -> tuple[Operand, int] | None:
    """The size that a sum or difference does not exceed."""
    if len(forms) != 2 or name not in ("add", "sub", "floordiv", "mod"):
        return None
    left, right = forms
    if name == "add" and left.most is None:
        left, right = right, left
    if name == "mod":
        return (right.most[0], right.most[1] - 1) if right.most is not None and right.bounds[0] > 0 else None
    if left.most is None:
        return None
    size, difference = left.most
    if name == "floordiv":
        return left.most if left.bounds[0] >= 0 and right.bounds[0] > 0 else None
    more = right.bounds[1] if name == "add" else -right.bounds[0]
    return (size, difference + more) if abs(more) < LARGEST_SIZE else None


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
        _simplified(writer, name, (left, right)), PYTHON_INT, bounds, _most(name, (left, right))
    )


def index_of(operand: Operand) -> NumberForm:
    """An index or size of which nothing more is known."""
    return integer(operand.value) if isinstance(operand, Constant) else NumberForm(operand, PYTHON_INT)
