"""Conversion of a value that is stored in an array, as NumPy converts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from astrace.backends.jax.lower.layout.flatten import cast
from astrace.backends.jax.lower.scalars.arithmetic import fits
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Number
from astrace.backends.jax.program_ir import Atom, Lit, atom_dtype, atom_rank, is_host
from astrace.ir.block import Value
from astrace.ir.specs import ScalarSpec


def filled(state: Lowering, whole: Atom, content: Atom) -> Atom:
    """Return an array like ``whole`` with other contents."""
    assert isinstance(whole, Value)
    if is_host(content) or (atom_rank(content) == 0):
        return state.expr("jnp.full_like", (whole, content), atom_dtype(whole), atom_rank(whole))
    return state.expr("spread_like", (whole, content), atom_dtype(whole), atom_rank(whole))


def assigned(state: Lowering, value: Form, dtype: np.dtype[Any]) -> Atom:
    """Convert a value as an assignment converts it."""
    if isinstance(value, Number):
        given, atom = value.dtype, value.atom
        if isinstance(value.spec, ScalarSpec) and given.kind == "i" and dtype.kind in "iu" and dtype != INT:
            fits(state, value, dtype)
    elif isinstance(value, Array):
        given, atom = value.spec.dtype, state.read(value)
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
