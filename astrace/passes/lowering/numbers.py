"""Operators on numbers: conversions to the dtype that Python or NumPy computes in, and what may raise or warn.

Python's integers are held in 64 bits: what may leave that range gives the program up.  NumPy's scalars warn where
integers wrap around; elements of arrays do so in silence.  What floats may warn of shows in the processor's status
flags, which a backend looks at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import NO_ATTRS, Constant, Operand
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import COMPLEX as PYTHON_COMPLEX
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ScalarSpec, Spec
from astrace.ops import OPS
from astrace.ops.numpy.ufunc_loops import dtypes_of
from astrace.ops.python import operators
from astrace.ops.python.operators import BITWISE, COMPARISON, computed_kind
from astrace.passes.analysis.int_ranges import EXACT, FULL, LARGEST, fits
from astrace.passes.lowering.block import OVERFLOW, LoweredWriter
from astrace.passes.lowering.complex_numbers import WIDENS, Arithmetic, complexes
from astrace.passes.lowering.forms import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_DTYPES,
    UNSIGNED,
    NumberForm,
    bounds_of_dtype,
    is_machine_dtype,
    part_dtype,
    typed,
)
from astrace.passes.lowering.integers import integers

UFUNCS: Final[Mapping[str, np.ufunc]] = {
    name: ufunc for name, ufunc in operators.UFUNCS.items() if name not in ("pow", "matmul", "pos")
}
"""The operators that have a lowered form, and the ufunc behind each."""
KINDS: Final = {dtype: kind for kind, dtype in PYTHON_DTYPES.items()}
"""The kinds of Python's numbers, by the dtypes that hold them."""


def number(writer: LoweredWriter, value: Any) -> NumberForm | None:
    """A constant number; ``None`` where it is none that has a machine number."""
    kind: type[Any] = type(value)
    if kind is bool:
        return NumberForm(Constant(value), PYTHON_BOOL)
    if kind is int and fits((value, value)):
        return NumberForm(Constant(value), PYTHON_INT, (value, value))
    if kind is float:  # the object itself, as a list that comes out may hold it
        return NumberForm(Constant(value if math.isfinite(value) else typed(value, FLOAT)), PYTHON_FLOAT)
    if kind is complex:
        return NumberForm(Constant(typed(value, COMPLEX)), PYTHON_COMPLEX)
    if isinstance(value, np.generic) and is_machine_dtype(value.dtype):
        machine = typed(value, value.dtype)
        bounds = within((int(value), int(value)), FULL) if value.dtype.kind in "iu" else FULL
        return NumberForm(Constant(machine), GenericSpec(value.dtype), bounds)
    return None


def unsigned(value: Any) -> Any:
    """A constant that becomes one of `UNSIGNED`: such a number, if it is an integer of Python's that is too large for a sign."""
    return np.uint64(value) if type(value) is int and FULL[1] < value < 2 * LARGEST else value


def beside_unsigned(args: Sequence[Any]) -> Sequence[Any]:
    """Operands as NumPy takes them: Python's integers as what is beside them, if that has no sign."""
    has_none = any(getattr(one, "dtype", None) == UNSIGNED for one in args)
    return [unsigned(one) for one in args] if has_none else args


def truth(writer: LoweredWriter, form: NumberForm) -> Operand:
    """Python's truth of a number."""
    if form.known is not None:
        return Constant(bool(form.known))
    if form.dtype == BOOL:
        return form.operand
    zero = Constant(form.dtype.type(0)) if form.dtype not in (INT, FLOAT) else Constant(0)
    return writer.emit("ne", (form.operand, writer.cast(zero, INT, form.dtype)), BOOL)


def plain_operator(writer: LoweredWriter, name: str, forms: Sequence[NumberForm], spec: Spec) -> NumberForm:
    """An operator on numbers of one type each."""
    if name not in UFUNCS:
        raise writer.refusal(f"`{name}` of numbers")
    return (_python if is_pythons(forms) else _numpy)(writer, name, forms)


def is_pythons(forms: Sequence[NumberForm]) -> bool:
    """Return whether it is Python that computes: a complex number of Python's takes a ``float64`` as a ``float``."""
    if all(isinstance(form.spec, ScalarSpec) for form in forms):
        return True
    return forms[0].spec == PYTHON_COMPLEX and all(form.dtype == FLOAT for form in forms[1:])


def computed_by(forms: Sequence[NumberForm], dtype: np.dtype[Any]) -> Arithmetic:
    """What computes with complex numbers: a scalar that can hold the other operand does it by itself."""
    if is_pythons(forms):
        return Arithmetic.PYTHON
    alone = any(form.dtype == dtype and isinstance(form.spec, GenericSpec) for form in forms)
    return Arithmetic.SCALAR if alone else Arithmetic.ELEMENT


def python_dtype(name: str, forms: Sequence[NumberForm]) -> np.dtype[Any]:
    """The dtype that Python computes in."""
    return PYTHON_DTYPES[computed_kind(name, [KINDS[form.dtype] for form in forms])]


def _python(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> NumberForm:
    """An operator on Python's numbers."""
    dtype = python_dtype(name, forms)
    if dtype == COMPLEX:
        return _python_complex(writer, name, forms)
    if name in COMPARISON:
        return NumberForm(compared(writer, name, forms, dtype), PYTHON_BOOL)
    if dtype == BOOL:
        return NumberForm(writer.emit(name, tuple(form.operand for form in forms), BOOL), PYTHON_BOOL)
    if dtype == INT:
        return integers(writer, name, [as_integer(writer, form) for form in forms])
    if name in BITWISE or name in ("lshift", "rshift", "invert"):
        raise writer.refusal(f"`{name}` of floats")
    if name == "truediv" and all(form.dtype != FLOAT for form in forms):
        forms = [as_integer(writer, form) for form in forms]
        check_exact(writer, forms)  # of larger ones the quotient is rounded once, here twice
    atoms = [as_float(writer, form) for form in forms]
    return NumberForm(floats(writer, name, atoms, FLOAT, checks_zero=True), PYTHON_FLOAT)


def _python_complex(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> NumberForm:
    """An operator on Python's numbers, of which one is complex."""
    if not WIDENS and any(form.dtype != COMPLEX for form in forms):
        raise writer.refusal(f"`{name}` of a complex number and another one")
    check_exact(writer, forms)
    operands = [writer.cast(form.operand, form.dtype, COMPLEX) for form in forms]
    found = complexes(writer, name, operands, COMPLEX, Arithmetic.PYTHON)
    kinds = {"eq": PYTHON_BOOL, "ne": PYTHON_BOOL, "abs": PYTHON_FLOAT}
    return NumberForm(found, kinds.get(name, PYTHON_COMPLEX))


def as_integer(writer: LoweredWriter, form: NumberForm) -> NumberForm:
    """A Python number as an integer; a truth value counts as one."""
    if form.dtype != BOOL:
        return form
    return NumberForm(writer.cast(form.operand, BOOL, INT), PYTHON_INT, (0, 1))


def as_float(writer: LoweredWriter, form: NumberForm) -> Operand:
    """A Python number as a float."""
    return writer.cast(form.operand, form.dtype, FLOAT)


def check_exact(writer: LoweredWriter, forms: Sequence[NumberForm]) -> None:
    """Give up where a float does not hold an integer.

    Args:
        writer: writes nodes.
        forms: numbers, integers among them.
    """
    for form in forms:
        if form.dtype == INT and max(map(abs, form.bounds)) > EXACT:
            low = writer.emit("lt", (form.operand, Constant(-EXACT)), BOOL)
            high = writer.emit("gt", (form.operand, Constant(EXACT)), BOOL)
            writer.deopt(writer.either(low, high))


def compared(writer: LoweredWriter, name: str, forms: Sequence[NumberForm], dtype: np.dtype[Any]) -> Operand:
    """A comparison; Python compares integers with floats exactly."""
    if dtype == FLOAT and any(form.dtype == INT for form in forms):
        check_exact(writer, forms)
    operands = tuple(writer.cast(form.operand, form.dtype, dtype) for form in forms)
    known = [one.value for one in operands if isinstance(one, Constant)]
    if len(known) == len(operands):
        return Constant(bool(OPS[name].function(*known)))
    return writer.emit(name, operands, BOOL)


# -- floats ------------------------------------------------------------------------------------------------


def floats(
    writer: LoweredWriter, name: str, operands: Sequence[Operand], dtype: np.dtype[Any], *, checks_zero: bool
) -> Operand:
    """An operator on floats of one dtype.

    Args:
        writer: writes nodes.
        name: of the operator.
        operands: of the dtype.
        dtype: that they have.
        checks_zero: division by zero raises.
    """
    writer.uses_floats |= not checks_zero
    remainder = name in ("floordiv", "mod")
    if remainder or (checks_zero and name == "truediv"):
        zero = writer.cast(Constant(0.0), FLOAT, dtype)
        divisor = operands[1]
        if isinstance(divisor, Constant):
            writer.deopt(Constant(not divisor.value))
        else:
            writer.deopt(writer.emit("eq", (divisor, zero), BOOL))
    found = writer.emit(name, tuple(operands), dtype)
    if remainder:  # which flags NumPy raises on its way is not told
        writer.deopt(writer.inverted(writer.emit("is_finite", (found,), BOOL)))
    return found


# -- NumPy's scalars ---------------------------------------------------------------------------------------


def resolved(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> tuple[np.dtype[Any], ...]:
    """The dtypes in which NumPy computes an operator, operands first.

    Raises:
        Unlowered: it computes in none that machine numbers have, or takes another loop than the dtypes tell.
    """
    given = [form.spec if isinstance(form.spec, ScalarSpec) else form.dtype for form in forms]
    found = dtypes_of(UFUNCS[name], given)
    if not found or any(not is_machine_dtype(dtype) for dtype in found):
        raise writer.refusal(f"`{name}` of {', '.join(str(form.spec) for form in forms)}")
    mixed = name in COMPARISON and found[0].kind in "fc" and all(form.dtype.kind in "iu" for form in forms)
    if mixed or (found[0] == BOOL and name not in (*BITWISE, *COMPARISON, "invert")):
        raise writer.refusal(f"`{name}` of {', '.join(str(form.spec) for form in forms)}")
    return found


def fitted(writer: LoweredWriter, form: NumberForm, dtype: np.dtype[Any], *, stored: bool = False) -> Operand:
    """An operand converted to another dtype.

    A Python integer that does not fit raises; where it is stored, so does one of NumPy's.

    Args:
        writer: writes nodes.
        form: the number.
        dtype: that is computed in, or of the array where it is stored.
        stored: it is put into an array.
    """
    python = isinstance(form.spec, ScalarSpec)
    if form.dtype.kind in "iu" and dtype.kind in "iu" and form.dtype != dtype and (stored or python):
        _check_fits(writer, form, np.iinfo(dtype))
    operand = form.operand
    if form.dtype == INT and form.tag is not None and dtype.kind in "fc":
        check_exact(writer, [form])  # one type is rounded twice, the other one once
    if python and form.dtype == INT and part_dtype(dtype) == np.dtype(np.float32):
        operand = writer.cast(operand, INT, FLOAT)  # NumPy rounds twice
        return writer.cast(operand, FLOAT, dtype)
    return writer.cast(operand, form.dtype, dtype)


def to_integer(
    writer: LoweredWriter, operand: Operand, given: np.dtype[Any], dtype: np.dtype[Any]
) -> Operand:
    """A float without what stands behind its point; given up where an integer type does not have that.

    Args:
        writer: writes nodes.
        operand: the float.
        given: its dtype.
        dtype: of integers.

    Raises:
        Unlowered: it is a constant that does not fit.
    """
    limits = np.iinfo(dtype)
    if isinstance(operand, Constant):
        if not limits.min <= operand.value <= limits.max:
            raise writer.refusal("a constant float that is no integer of the type")
        return Constant(typed(int(operand.value), dtype))
    held = writer.cast(operand, given, FLOAT)
    exact = dtype.itemsize < 8
    above = writer.emit("gt" if exact else "ge", (held, Constant(float(limits.min - exact))), BOOL)
    below = writer.emit("lt", (held, Constant(float(limits.max + 1))), BOOL)
    writer.deopt(writer.inverted(writer.both(above, below)))
    return writer.cast(operand, given, dtype)


def _check_fits(writer: LoweredWriter, form: NumberForm, limits: Any) -> None:
    """Give up where an integer is not within the limits of a dtype."""
    low, high = within(form.bounds, np.iinfo(form.dtype))
    held = writer.cast(form.operand, form.dtype, INT)
    if low < limits.min:
        writer.deopt(writer.emit("lt", (held, Constant(int(limits.min))), BOOL))
    if high > limits.max:
        writer.deopt(writer.emit("gt", (held, Constant(int(limits.max))), BOOL))


def _numpy(writer: LoweredWriter, name: str, forms: Sequence[NumberForm]) -> NumberForm:
    """An operator on NumPy's scalars, and Python's numbers beside them."""
    dtypes = resolved(writer, name, forms)
    dtype, result = dtypes[0], dtypes[-1]
    spec = GenericSpec(result)
    operands = [fitted(writer, form, dtype) for form in forms]
    if dtype.kind == "c":
        return NumberForm(complexes(writer, name, operands, dtype, computed_by(forms, dtype)), spec)
    if name in COMPARISON:
        return NumberForm(writer.emit(name, tuple(operands), BOOL), spec)
    if dtype.kind == "f":
        return NumberForm(floats(writer, name, operands, result, checks_zero=False), spec)
    if result.kind == "f":
        casts = [writer.cast(one, dtype, result) for one in operands]
        return NumberForm(floats(writer, name, casts, result, checks_zero=False), spec)
    if dtype == BOOL:
        if name == "invert":
            return NumberForm(writer.inverted(operands[0]), spec)
        return NumberForm(writer.emit(name, tuple(operands), BOOL), spec)
    if dtype == UNSIGNED:
        return NumberForm(_unsigned(writer, name, operands), spec, bounds_of_dtype(dtype))
    return _numpy_integers(writer, name, forms, operands, dtype)


def _numpy_integers(
    writer: LoweredWriter,
    name: str,
    forms: Sequence[NumberForm],
    operands: Sequence[Operand],
    dtype: np.dtype[Any],
) -> NumberForm:
    """An operator on NumPy's integers: what would wrap around warns.

    Of those with a sign the program is given up for that whatever NumPy ignores: they are most often indices and counts, and tests that
    may be let pass take longer.
    """
    limits, attrs = np.iinfo(dtype), OVERFLOW if dtype.kind == "u" else NO_ATTRS
    held = [
        NumberForm(writer.cast(operand, dtype, INT), PYTHON_INT, within(form.bounds, limits))
        for form, operand in zip(forms, operands, strict=True)
    ]
    if name in ("lshift", "invert"):  # bits that are shifted out are lost in silence
        if name == "lshift":
            check_shift(writer, operands[1], dtype)
        found = writer.emit(name, tuple(operands), dtype)
        return NumberForm(found, GenericSpec(dtype), (int(limits.min), int(limits.max)))
    if name in ("neg", "abs") and dtype.kind == "u":
        raise writer.refusal(f"`{name}` of {dtype}")
    found = integers(writer, name, held, attrs)
    if found.bounds[0] < limits.min or found.bounds[1] > limits.max:
        low = writer.emit("lt", (found.operand, Constant(int(limits.min))), BOOL)
        high = writer.emit("gt", (found.operand, Constant(int(limits.max))), BOOL)
        writer.deopt(writer.either(low, high), attrs)
        found = replace(found, bounds=FULL) if attrs else found
    operand = writer.cast(found.operand, INT, dtype)
    return NumberForm(operand, GenericSpec(dtype), within(found.bounds, limits), found.most)


def _unsigned(writer: LoweredWriter, name: str, operands: Sequence[Operand]) -> Operand:
    """An operator on NumPy's integers of 64 bits without a sign: what would wrap around warns, as does a division by zero."""
    match name:
        case "lshift" | "rshift":
            check_shift(writer, operands[1], UNSIGNED)
        case "sub":
            writer.deopt(writer.emit("lt", tuple(operands), BOOL), OVERFLOW)
        case "mul":
            fits = writer.emit("unsigned_product_fits", tuple(operands), BOOL)
            writer.deopt(writer.inverted(fits), OVERFLOW)
        case "floordiv" | "mod":
            writer.deopt(writer.emit("eq", (operands[1], Constant(np.uint64(0))), BOOL))
        case "abs" | "neg":
            raise writer.refusal(f"`{name}` of {UNSIGNED}")
        case _:
            pass
    found = writer.emit(name, tuple(operands), UNSIGNED)
    if name == "add":
        writer.deopt(writer.emit("lt", (found, operands[0]), BOOL), OVERFLOW)
    return found


def check_shift(writer: LoweredWriter, by: Operand, dtype: np.dtype[Any]) -> None:
    """Give up where an integer of NumPy's is shifted by a negative number of bits, or by more than it has.

    Args:
        writer: writes nodes.
        by: the number of bits.
        dtype: of both.
    """
    bits = Constant(8 * dtype.itemsize)
    writer.deopt(writer.emit("outside", (writer.cast(by, dtype, INT), bits), BOOL))


def within(bounds: tuple[int, int], limits: Any) -> tuple[int, int]:
    """Bounds that a dtype's limits narrow."""
    least, most = limits if isinstance(limits, tuple) else (int(limits.min), int(limits.max))
    low, high = max(bounds[0], least), min(bounds[1], most)
    return (low, high) if low <= high else (least, most)
