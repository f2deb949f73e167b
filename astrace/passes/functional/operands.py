"""Operands in the dtype that NumPy computes in.

NumPy compares integers of any size and sign exactly, a compiled program only after a conversion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ops.numpy.ufunc_loops import dtypes_of
from astrace.passes.functional.conversions import fits
from astrace.passes.functional.dtypes import INT
from astrace.passes.functional.forms import FULL, Array, Form, Number
from astrace.passes.functional.layout.flatten import cast, layout
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering


def atom_of(state: Lowering, form: Number | Array) -> Atom:
    """Return the atom that holds an operand."""
    return form.atom if isinstance(form, Number) else state.read(form)


def numeric(state: Lowering, form: Form) -> Number | Array:
    """Return an operand, which has to be a number or an array of numbers.

    Raises:
        Refused: it is something else.
    """
    if isinstance(form, Number) or (isinstance(form, Array) and form.dtype.kind in "biufc"):
        return form
    raise state.refusal("AT301", "an operand is neither a number nor an array of numbers")


def fitted(state: Lowering, form: Number | Array, dtype: np.dtype[Any]) -> Atom:
    """Convert an operand to the dtype of the computation; a Python number stays one if that has the same effect."""
    atom, given = atom_of(state, form), form.dtype
    if isinstance(form, Number) and isinstance(form.spec, ScalarSpec):
        if not fits(state, form, dtype):
            return Lit(dtype.type(0).item())  # any value: the program fails
        small = dtype.kind != "u" or form.bounds[1] <= FULL[1]  # larger ones need a dtype of their own
        rises = "biufc".index(given.kind) <= "biufc".index(dtype.kind) and dtype.kind != "b"
        if is_host(atom) and rises and small:
            return Lit(dtype.type(atom.value).item()) if isinstance(atom, Constant) else atom
    return cast(state, atom, given, dtype)


def resolved(state: Lowering, ufunc: np.ufunc, forms: Sequence[Number | Array]) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes in which NumPy computes a ufunc, operands first."""
    given = [form.spec if isinstance(form.spec, ScalarSpec) else form.dtype for form in forms]
    found = dtypes_of(ufunc, given)
    if not found or any(dtype.kind not in "biufc" for dtype in found):
        raise state.refusal("AT304", f"np.{ufunc.__name__} of {', '.join(str(form.spec) for form in forms)}")
    return found


def made(state: Lowering, atom: Atom, spec: Spec) -> Form:
    """Return the form of a result."""
    if isinstance(spec, ScalarSpec | GenericSpec):
        return Number(atom, spec)
    if isinstance(spec, ArraySpec):
        return state.array(atom, spec)
    found = next(layout(spec))
    raise state.refusal("AT301", f"a value of type {spec} of dtype {found[0]}")


# -- comparisons -----------------------------------------------------------------------------------------------


COMPARISONS: Final = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)


def known_answer(function: np.ufunc, operands: Sequence[Number | Array], dtype: np.dtype[Any]) -> bool | None:
    """Return the result of a comparison with a Python integer that the dtype does not hold: the same for all items.

    Args:
        function: one of ``COMPARISONS``.
        operands: the operands.
        dtype: the dtype of the comparison.

    Returns:
        The truth value; ``None`` if it depends on the items.
    """
    given = [_written(one) for one in operands]
    if dtype.kind not in "iu" or all(_holds(dtype, one, one) for one in given):
        return None
    return bool(function(*(np.array(one, object) for one in given)))


def _written(operand: Number | Array) -> int:
    """Return a Python integer that is written in the source; 0 for other operands, which their dtype holds."""
    known = isinstance(operand, Number) and isinstance(operand.spec, ScalarSpec) and operand.dtype.kind == "i"
    return int(operand.atom.value) if known and isinstance(operand.atom, Constant) else 0


def wide(operands: Sequence[Number | Array], dtypes: Sequence[np.dtype[Any]]) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes to compare in: 64 bits if smaller ones may not hold a Python integer."""
    python = [one for one in operands if isinstance(one, Number) and isinstance(one.spec, ScalarSpec)]
    small = dtypes[0].kind in "iu" and dtypes[0].itemsize < 8
    if not small or all(_holds(dtypes[0], *one.bounds) for one in python):
        return tuple(dtypes)
    return (INT, INT, *dtypes[2:])


def _holds(dtype: np.dtype[Any], low: int, high: int) -> bool:
    limits = np.iinfo(dtype)
    return limits.min <= low and high <= limits.max
