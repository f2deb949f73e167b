"""Powers of numbers and arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, ScalarSpec, Spec, UnionSpec, options_of
from astrace.passes.lowering.arrays import allocated, computed, elementwise, materialised
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.complex_numbers import PYTHON_IS_KNOWN, Arithmetic, complexes, python_power
from astrace.passes.lowering.forms import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    dtype_of,
    integer,
    typed,
)
from astrace.passes.lowering.functions.numpy_calls import applied, call_for_number, inlined
from astrace.passes.lowering.integers import integer_power, minus
from astrace.passes.lowering.layouts import is_one, lay_out_as, require_forward
from astrace.passes.lowering.numbers import fitted, floats
from astrace.passes.lowering.rules import Kwargs, elements, loop_of, numeric, store
from astrace.passes.lowering.unions import for_each, is_narrower, operator, present, result_type, results


def power(writer: LoweredWriter, forms: Sequence[NumberForm], spec: Spec) -> NumberForm:
    """``x ** y`` of floats: the C library's."""
    base, exponent = forms
    dtypes = {form.dtype for form in forms}
    python = all(isinstance(form.spec, ScalarSpec) for form in forms)
    if base.dtype.kind == "c":
        return _complex_power(writer, base, exponent)
    if exponent.known == 2 and dtypes == {INT} and python:
        return operator(writer, "mul", (base, base), spec)
    if dtypes == {INT} and python:
        return integer_power(writer, base, exponent)
    if _is_single(forms):
        operands = [fitted(writer, form, SINGLE) for form in forms]
        return _finite(writer, "single_power", operands, GenericSpec(SINGLE))
    if FLOAT not in dtypes or not dtypes <= {FLOAT, INT}:
        raise writer.refusal("a power of other numbers than floats")
    operands = [writer.cast(form.operand, form.dtype, FLOAT) for form in forms]
    return _finite(writer, "power", operands, PYTHON_FLOAT if python else GenericSpec(FLOAT))


def _finite(
    writer: LoweredWriter, op: str, operands: Sequence[Operand], spec: ScalarSpec | GenericSpec
) -> NumberForm:
    """A power; given up where it is not finite: Python may raise then, and NumPy may warn.

    Of a square that leaves the range of floats the processor's flags tell, when all is computed; where that may be never, it is looked at.
    """
    dtype = dtype_of(spec)
    assert dtype is not None
    found = writer.emit(op, tuple(operands), dtype)
    exponent = operands[1]
    is_square = op == "power" and isinstance(exponent, Constant) and exponent.value == 2
    if is_square and writer.exact and not writer.in_while:
        writer.uses_floats = writer.flags_decide = True
        return NumberForm(found, spec)
    writer.deopt(writer.inverted(writer.emit("is_finite", (found,), BOOL)))
    return NumberForm(found, spec)


SINGLE: Final = np.dtype(np.float32)


def _is_single(forms: Sequence[NumberForm]) -> bool:
    """Return whether NumPy computes in single precision: with one number of that, and others that are, or are Python's."""
    beside = (GenericSpec(SINGLE), PYTHON_FLOAT, PYTHON_INT)
    return all(form.spec in beside for form in forms) and any(form.dtype == SINGLE for form in forms)


def _complex_power(writer: LoweredWriter, base: NumberForm, exponent: NumberForm) -> NumberForm:
    """A power of a complex number; the square of zero is zero for NumPy, whatever signs its parts have."""
    square = exponent.known == 2 and isinstance(exponent.spec, ScalarSpec)
    if not square and base.spec == GenericSpec(COMPLEX) and exponent.dtype.kind in "if" and writer.exact:
        operands = tuple(writer.cast(form.operand, form.dtype, COMPLEX) for form in (base, exponent))
        writer.uses_floats = True
        return NumberForm(call_for_number(writer, "power", operands, COMPLEX), base.spec)
    if not square or isinstance(base.operand, Constant) or not PYTHON_IS_KNOWN:
        raise writer.refusal("a power other than the square of a complex number")
    if isinstance(base.spec, ScalarSpec):
        return NumberForm(python_power(writer, base.operand, 2, base.dtype), base.spec)
    writer.uses_floats = True
    zero = writer.cast(Constant(0.0), FLOAT, base.dtype)
    found = complexes(writer, "mul", (base.operand, base.operand), base.dtype, Arithmetic.SCALAR)
    is_zero = writer.emit("eq", (base.operand, zero), BOOL)
    return NumberForm(writer.choose(is_zero, zero, found, base.dtype), base.spec)


def _power_of_either(writer: LoweredWriter, base: NumberForm, exponent: NumberForm) -> NumberForm:
    """The square of a complex number of which only the running program knows whether it is Python's."""
    assert base.tag is not None
    options = [replace(base, spec=option, tags=()) for option in options_of(base.spec)]
    first, second = (_complex_power(writer, option, exponent).operand for option in options)
    return replace(base, operand=writer.choose(base.tag, first, second, base.dtype))


def _power_of_several(writer: LoweredWriter, forms: Sequence[NumberForm], spec: Spec) -> NumberForm:
    """A power of a float of which only the running program knows whether it is Python's: the result is Python's, too, then."""
    if any(map(is_narrower, forms)):
        kinds = results("pow", forms)
        spec = result_type(writer, "pow", kinds.values(), spec)
        return for_each(writer, lambda options: power(writer, options, spec), forms, kinds, spec)
    (tagged, *more) = [form for form in forms if form.tag is not None]
    if more or tagged.dtype != FLOAT:
        raise writer.refusal("a power of numbers of several types")
    options = [replace(tagged, spec=option, tags=()) for option in options_of(tagged.spec)]
    first, *others = (
        power(writer, [option if form is tagged else form for form in forms], spec) for option in options
    )
    specs = (first.spec, *(other.spec for other in others))
    if any(other.operand is not first.operand for other in others) or len(set(specs)) != len(specs):
        raise writer.refusal("a power of numbers of several types")
    return NumberForm(first.operand, UnionSpec(specs), tags=tagged.tags)


def _pow(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    forms = [numeric(writer, one) for one in args]
    numbers = [form for form in forms if isinstance(form, NumberForm)]
    if len(numbers) == len(forms):
        numbers = [present(writer, form) for form in numbers]
        if numbers[0].tag is not None and numbers[0].dtype.kind == "c":
            return _power_of_either(writer, *numbers)
        if any(form.tag is not None for form in numbers):
            return _power_of_several(writer, numbers, node.output.spec)
        return power(writer, numbers, node.output.spec)
    return _array_power(writer, forms)


def _array_power(writer: LoweredWriter, forms: Sequence[NumberForm | ArrayForm]) -> ArrayForm:
    """``array ** 2``, which NumPy computes as a product."""
    base, exponent = forms
    square = (
        isinstance(exponent, NumberForm) and exponent.known == 2 and isinstance(exponent.spec, ScalarSpec)
    )
    if not square and not writer.exact:
        return _any_power(writer, forms)
    if not square or not isinstance(base, ArrayForm):
        return _by_loop(writer, base, exponent)
    if base.dtype.kind not in "fci" or base.dtype.itemsize < 4:
        raise writer.refusal("the square of an array of other numbers")
    if base.dtype.kind == "c":
        require_forward(writer, forms, "a complex square")

    def compute(atoms: Sequence[Operand]) -> Operand:
        return elements(writer, "mul", (atoms[0], atoms[0]), base.dtype, base.dtype)

    return elementwise(writer, [base], base.dtype, compute)


def _by_loop(
    writer: LoweredWriter, base: NumberForm | ArrayForm, exponent: NumberForm | ArrayForm
) -> ArrayForm:
    """A power of floats or complex numbers, by NumPy's loop; for some exponents that are Python's NumPy computes something else."""
    forms = (base, exponent)
    dtypes = loop_of(writer, np.power, forms)
    is_complex = dtypes[0] == COMPLEX and base.dtype == COMPLEX and writer.exact
    if any(dtype.kind != "f" for dtype in dtypes) and not is_complex:
        raise writer.refusal("a power of an array of integers, or of other complex numbers than complex128")
    if isinstance(exponent, ArrayForm):
        if not is_complex:  # for those, the loop computes all powers in one way
            forms = base, _without_repeats(writer, base, exponent)
    else:
        if not isinstance(base, ArrayForm) or exponent.tag is not None:
            raise writer.refusal("a power of numbers of several types")
        if exponent.dtype.kind == "c":
            raise writer.refusal("a power with a complex exponent")
        if isinstance(exponent.spec, ScalarSpec):
            if exponent.known is None and base.dtype.kind == "f":
                return _by_exponent(writer, base, exponent, dtypes)
            for special in SPECIAL_EXPONENTS:
                _check_differs(writer, exponent, special)
    writer.uses_floats = True
    return applied(writer, "power", forms, dtypes)


SPECIAL_EXPONENTS: Final = (-1.0, 0.0, 0.5, 1.0, 2.0)
"""Python's numbers for which NumPy takes a reciprocal, a root, a square."""


def _by_exponent(
    writer: LoweredWriter, base: ArrayForm, exponent: NumberForm, dtypes: Sequence[np.dtype[Any]]
) -> ArrayForm:
    """A power of floats with one of Python's numbers, which the running program looks at."""
    dtype, base = dtypes[-1], computed(writer, base)
    made = allocated(writer, dtype, base.shape, "power")
    lay_out_as(writer, made, base)
    asked = writer.cast(exponent.operand, exponent.dtype, FLOAT)

    def store_power(others: Sequence[float]) -> None:
        if not others:
            applied(writer, "power", (base, exponent), dtypes, made)
            return
        special, *rest = others
        with writer.region() as then:
            store(writer, made, elementwise(writer, [base], dtype, _special(writer, special, dtype)))
        with writer.region() as orelse:
            store_power(rest)
        test = writer.emit("eq", (asked, Constant(special)), BOOL)
        regions = block_of((), then, ()), block_of((), orelse, ())
        writer.nodes.append(Node("cond", (test,), (), {}, regions, writer.location))

    writer.uses_floats = True
    store_power(SPECIAL_EXPONENTS[::-1])
    return made


def _special(
    writer: LoweredWriter, exponent: float, dtype: np.dtype[Any]
) -> Callable[[Sequence[Operand]], Operand]:
    """Return what computes a power of an element for a special exponent."""
    one = Constant(typed(1, dtype))

    def power_of(atoms: Sequence[Operand]) -> Operand:
        (atom,) = atoms
        match exponent:
            case 0.0:
                return one
            case 0.5:
                return writer.emit("square_root", (atom,), dtype)
            case 2.0:
                return elements(writer, "mul", (atom, atom), dtype, dtype)
            case -1.0:
                return elements(writer, "truediv", (one, atom), dtype, dtype)
            case _:
                return atom

    return power_of


def _without_repeats(writer: LoweredWriter, base: NumberForm | ArrayForm, exponent: ArrayForm) -> ArrayForm:
    """Return exponents, in memory, that are not one special number at each place.

    Where NumPy's loop goes from place to place without a step, as it does for an array of one item, an axis that is repeated,
    and no axis at all, it takes a reciprocal, a root, a square.
    """
    rank = len(base.shape) if isinstance(base, ArrayForm) else 1
    if len(exponent.shape) != 1 or rank > 1 or is_one(exponent.shape[0]):
        raise writer.refusal("a power with exponents that are repeated along an axis")
    exponent = exponent if exponent.view is not None else materialised(writer, exponent)
    (size,) = exponent.shape
    writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    first, last = (exponent.element([one.operand]) for one in (integer(0), minus(writer, size, integer(1))))
    same = writer.emit("eq", (first, last), BOOL)
    repeated = writer.choose(same, first, Constant(typed(3, exponent.dtype)), exponent.dtype)
    for special in SPECIAL_EXPONENTS:
        _check_differs(writer, NumberForm(repeated, GenericSpec(exponent.dtype)), special)
    return exponent


def _check_differs(writer: LoweredWriter, exponent: NumberForm, special: float) -> None:
    """Give up where an exponent is a special one."""
    if exponent.known is not None:
        if exponent.known == special:
            raise writer.refusal(f"an array to the power of {special}")
        return
    operand = writer.cast(exponent.operand, exponent.dtype, FLOAT)
    writer.deopt(writer.emit("eq", (operand, Constant(special)), BOOL))


MOST_FACTORS: Final = 8
"""Powers of more factors are computed by the C library."""


def _any_power(writer: LoweredWriter, forms: Sequence[NumberForm | ArrayForm]) -> ArrayForm:
    """``base ** exponent`` of floats, element by element; of a small whole exponent by multiplications."""
    base, exponent = forms
    dtypes = loop_of(writer, np.power, forms)
    if any(dtype.kind != "f" for dtype in dtypes):
        raise writer.refusal("a power of integers")
    known = exponent.known if isinstance(exponent, NumberForm) else None
    if known is not None and int(known) == known and 2 < known <= MOST_FACTORS:
        dtype, count = dtypes[-1], int(known)

        def product(atoms: Sequence[Operand]) -> Operand:
            found = factor = writer.cast(atoms[0], base.dtype, dtype)
            for _ in range(count - 1):
                found = floats(writer, "mul", (found, factor), dtype, checks_zero=False)
            return found

        return elementwise(writer, [base], dtype, product)
    return inlined(writer, "power", forms, dtypes)


RULES: Final = {"pow": _pow}
