"""Conversions of what is stored in an array, and of a value to its truth, one truth value of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from astrace.ir.block import Constant, Value
from astrace.ir.specs import DeviceSpec, ScalarSpec
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import (
    Array,
    ChosenForm,
    Device,
    Form,
    Given,
    Items,
    MadeForm,
    Number,
    Rows,
    Stack,
    Static,
)
from astrace.passes.functional.layout.flatten import cast, select
from astrace.passes.functional.program import Atom, Lit, atom_dtype, atom_rank, is_host
from astrace.passes.functional.state import Lowering


def fits(state: Lowering, form: Number, dtype: np.dtype[Any]) -> bool:
    """Return whether a Python integer may fit a dtype, and check that it does; NumPy raises if not."""
    if dtype.kind not in "iu" or form.dtype.kind not in "iu" or dtype == np.dtype(np.int64):
        return True
    limits = np.iinfo(dtype)
    own = np.iinfo(form.dtype)
    low, high = max(form.bounds[0], int(own.min)), min(form.bounds[1], int(own.max))
    if low >= limits.min and high <= limits.max:
        return True
    if isinstance(form.atom, Constant):
        state.fail()
        return False
    least, most = max(int(limits.min), int(own.min)), min(int(limits.max), int(own.max))
    state.check(state.arithmetic("within", (form.atom, Lit(least), Lit(most)), BOOL))
    return True


def filled(state: Lowering, whole: Atom, content: Atom) -> Atom:
    """Return an array like ``whole`` with other contents."""
    assert isinstance(whole, Value)
    if is_host(content) or (atom_rank(content) == 0):
        return state.expr("xp.full_like", (whole, content), atom_dtype(whole), atom_rank(whole))
    return state.expr("spread_like", (whole, content), atom_dtype(whole), atom_rank(whole))


def assigned(state: Lowering, value: Form, dtype: np.dtype[Any]) -> Atom:
    """Convert a value as an assignment converts it."""
    if isinstance(value, Number):
        given, atom = value.dtype, value.atom
        if isinstance(value.spec, ScalarSpec) and given.kind == "i" and dtype.kind in "iu" and dtype != INT:
            fits(state, value, dtype)
    elif isinstance(value, Array):
        given, atom = value.dtype, state.read(value)
    else:
        raise state.refusal("AT301", "what is stored is neither a number nor an array of numbers")
    return converted(state, atom, given, dtype)


def converted(state: Lowering, atom: Atom, given: np.dtype[Any], dtype: np.dtype[Any]) -> Atom:
    """Convert as ``astype`` does; floats that no integer holds are left to NumPy."""
    if given.kind == "c" and dtype.kind != "c":
        if state.ok != Lit(False):
            raise state.refusal("AT304", "complex numbers lose their imaginary parts")
        rank = atom_rank(atom)  # not read: the exact backend runs the call
        given, atom = dtype, state.expr("real_part", (atom, Lit(dtype)), dtype, rank)
    if given.kind == "f" and dtype.kind in "iu":
        state.check(state.expr("support.fits_integer", (atom, Lit(dtype)), BOOL))
    return cast(state, atom, given, dtype)


def truth(state: Lowering, form: Form) -> Atom:
    """Write the truth of a value; where asking for it raises, a check fails."""
    match form:
        case Static():
            return Lit(bool(form.value))
        case Items():
            return Lit(bool(form.items))
        case MadeForm() if form.cls is dict:
            return Lit(bool(form.items))
        case Stack():
            return number_truth(state, state.versions[form.length], False)
        case Number():
            return number_truth(state, form.atom, form.dtype == BOOL)
        case Array():
            return _array_truth(state, form)
        case Device():
            return _device_truth(state, form)
        case MadeForm() | Rows() | Given() | ChosenForm():
            raise state.refusal("AT301", "the truth of an object")
        case _:
            return select(state, form.tag, [truth(state, option) for option in form.options], BOOL)


def number_truth(state: Lowering, atom: Atom, is_bool: bool) -> Atom:
    """Write the condition that a number is not zero."""
    if isinstance(atom, Constant):
        return Lit(bool(atom.value))
    if is_bool:
        return atom
    return state.arithmetic("ne", (atom, Lit(0)), BOOL)


def _device_truth(state: Lowering, form: Device) -> Atom:
    """Write the truth of a device array; one that does not have one item raises at compile time."""
    atom, spec = form.atom, form.spec
    if isinstance(spec, DeviceSpec) and spec.dtype == BOOL and not spec.ndim:
        return atom
    if isinstance(spec, DeviceSpec) and not spec.ndim:
        return state.expr("ne", (atom, Lit(0)), BOOL)
    return state.expr("support.truth", (atom,), BOOL)


def _array_truth(state: Lowering, array: Array) -> Atom:
    """Write the truth of an array with one item; a check fails for any other number of items."""
    atom = state.read(array)
    if array.spec.shape:
        state.check(state.expr("has_size", (atom, Lit(1)), None))
        return state.expr("xp.any", (atom,), BOOL)
    assert isinstance(atom, Value)
    return number_truth(state, atom, atom_dtype(atom) == BOOL)
