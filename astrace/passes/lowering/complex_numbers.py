"""Complex numbers: arithmetic as Python has it, as NumPy has it for scalars, and as its loops have it for elements.

Sums, differences and comparisons are the same in all three.  NumPy's loops may round a product of elements once where
scalars round twice, and divide in another way than Python does.  Where Python's own arithmetic is not the one that is
written here, which depends on its version, nothing is lowered.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, part_dtype, typed

SAME: Final = frozenset({"add", "sub", "neg", "eq", "ne"})
"""The operators that are the same wherever they are computed."""


class Arithmetic(Enum):
    """What computes with complex numbers."""

    PYTHON = "python"
    SCALAR = "scalar"
    ELEMENT = "element"


def complexes(
    writer: LoweredWriter, name: str, operands: Sequence[Operand], dtype: np.dtype[Any], by: Arithmetic
) -> Operand:
    """An operator on complex numbers of one dtype.

    Args:
        writer: writes nodes.
        name: of the operator.
        operands: of the dtype.
        dtype: that they have.
        by: what computes it.

    Raises:
        Unlowered: it is another operator than those of arithmetic and equality.
    """
    writer.uses_floats |= by is not Arithmetic.PYTHON
    given = tuple(operands)
    if by is Arithmetic.PYTHON and not PYTHON_IS_KNOWN:
        raise writer.refusal("complex numbers of this version of Python")
    if name in SAME:
        return writer.emit(name, given, BOOL if name in ("eq", "ne") else dtype)
    match name, by:
        case "mul", Arithmetic.ELEMENT:
            return writer.emit("complex_product", given, dtype)
        case "mul", Arithmetic.SCALAR:
            return writer.emit("mul", given, dtype)
        case "mul", Arithmetic.PYTHON:
            return not_lost(writer, writer.emit("mul", given, dtype), dtype)
        case "truediv", Arithmetic.PYTHON:
            writer.deopt(is_equal(writer, given[1], writer.cast(Constant(0.0), FLOAT, dtype)))
            return not_lost(writer, writer.emit("python_quotient", given, dtype), dtype)
        case "truediv", _:  # NumPy warns of an order that NaNs do not have
            writer.deopt(writer.inverted(is_equal(writer, given[1], given[1])))
            return writer.emit("complex_quotient", given, dtype)
        case "abs", _:
            return size_of(writer, given[0], dtype, by)
        case _:
            raise writer.refusal(f"`{name}` of complex numbers")


def is_equal(writer: LoweredWriter, left: Operand, right: Operand) -> Operand:
    """The test that two complex numbers are equal."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(bool(left.value == right.value))
    return writer.emit("eq", (left, right), BOOL)


def not_lost(writer: LoweredWriter, found: Operand, dtype: np.dtype[Any]) -> Operand:
    """A result of Python's; given up where neither part is a number: later versions look for infinities then."""
    lost = [writer.emit("ne", (part, part), BOOL) for part in parts_of(writer, found, dtype)]
    writer.deopt(writer.both(*lost))
    return found


def parts_of(writer: LoweredWriter, operand: Operand, dtype: np.dtype[Any]) -> tuple[Operand, Operand]:
    """The real and the imaginary part."""
    return part(writer, "real_part", operand, dtype), part(writer, "imaginary_part", operand, dtype)


def part(writer: LoweredWriter, op: str, operand: Operand, dtype: np.dtype[Any]) -> Operand:
    """A part of a complex number.

    Args:
        writer: writes nodes.
        op: ``real_part`` or ``imaginary_part``.
        operand: the number.
        dtype: of the number.
    """
    if isinstance(operand, Constant):
        value: Any = typed(operand.value, dtype)
        found = value.real if op == "real_part" else value.imag
        return Constant(typed(found, part_dtype(dtype)))
    return writer.emit(op, (operand,), part_dtype(dtype))


def conjugate(writer: LoweredWriter, operand: Operand, dtype: np.dtype[Any]) -> Operand:
    """The number with the other sign of its imaginary part."""
    real, imaginary = parts_of(writer, operand, dtype)
    turned = writer.emit("neg", (imaginary,), part_dtype(dtype))
    return writer.emit("complex_number", (real, turned), dtype)


def size_of(writer: LoweredWriter, operand: Operand, dtype: np.dtype[Any], by: Arithmetic) -> Operand:
    """The absolute value of a number; that of elements is a loop of its own.

    Raises:
        Unlowered: it is that of an element.
    """
    if by is Arithmetic.ELEMENT:
        raise writer.refusal("the absolute value of complex elements among other operations")
    found = Value(GenericSpec(part_dtype(dtype)))
    inputs = parts_of(writer, operand, dtype)
    if by is Arithmetic.PYTHON:  # the C library's function, as Python; it raises where that is too large
        attrs = {"function": "hypot"}
        writer.nodes.append(Node("call_math", inputs, (found,), attrs, location=writer.location))
        writer.deopt(writer.inverted(writer.emit("is_finite", (found,), BOOL)))
    else:
        writer.nodes.append(
            Node("call_ufunc", inputs, (found,), {"ufunc": "hypot"}, location=writer.location)
        )
    return found


def python_power(writer: LoweredWriter, operand: Operand, exponent: int, dtype: np.dtype[Any]) -> Operand:
    """A small power of a Python number, by squaring; given up where Python may raise."""
    found: Operand = Constant(1 + 0j)
    square = operand
    while exponent:
        if exponent & 1:
            found = writer.emit("mul", (found, square), dtype)
        exponent >>= 1
        square = writer.emit("mul", (square, square), dtype) if exponent else square
    for one in parts_of(writer, found, dtype):
        writer.deopt(writer.inverted(writer.emit("is_finite", (one,), BOOL)))
    return found


# -- Python's own arithmetic -------------------------------------------------------------------------------------


def _product(a: complex, b: complex) -> complex:
    return complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def quotient(a: complex, b: complex) -> complex:
    """The quotient as Python computes it; the divisor is not zero.

    Example:
        >>> quotient(1 + 2j, 3 - 4j) == (1 + 2j) / (3 - 4j)
        True
    """
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        divisor = b.real + b.imag * ratio
        return complex((a.real + a.imag * ratio) / divisor, (a.imag - a.real * ratio) / divisor)
    if b.real != b.real or b.imag != b.imag:
        return complex(math.nan, math.nan)
    ratio = b.real / b.imag
    divisor = b.real * ratio + b.imag
    return complex((a.real * ratio + a.imag) / divisor, (a.imag * ratio - a.real) / divisor)


def _is_known() -> bool:
    """Return whether Python's products, quotients and powers are the ones that are written here."""
    sizes = (0.0, -0.0, 1.0, -1.3, 2.6e-3, 7.1e4, 3.3e155, 1e-200)
    numbers = [complex(*pair) for pair in itertools.product(sizes, sizes)]
    return all(
        _same(a * b, _product(a, b)) and (not b or _same(a / b, quotient(a, b)))
        for a, b in itertools.product(numbers, numbers)
        if _is_finite(_product(a, b))
    ) and all(_same(a**2, _product(1 + 0j, _product(a, a))) for a in numbers if _is_finite(_product(a, a)))


def _is_finite(number: complex) -> bool:
    return math.isfinite(number.real) and math.isfinite(number.imag)


def _same(left: complex, right: complex) -> bool:
    """Return whether two numbers have the same bits, or neither of them is known to Python's tests."""
    return repr(left) == repr(right)


PYTHON_IS_KNOWN: Final = _is_known()
WIDENS: Final = repr(complex(-0.0, -0.0) + 0.0) == "0j"
"""Whether Python makes a complex number of a float beside one; later versions compute with the float itself."""
