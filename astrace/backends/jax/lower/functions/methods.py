"""Rules of methods without a function of the same meaning."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.rule import Rule, array_of, as_array, constant_of, needed, value_dtype
from astrace.ir.block import Node
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, ScalarSpec
from astrace.passes.functional.conversions import assigned, converted, filled
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, Form, Number, Static
from astrace.passes.functional.indexing.padded_lengths import copied
from astrace.passes.functional.layout.flatten import cast
from astrace.passes.functional.operands import atom_of, made, numeric
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering


def item_atom(state: Lowering, form: Number | Array) -> Atom:
    """Return the only item of an array, or the number itself."""
    atom = atom_of(state, form)
    if not form.rank:
        return atom
    state.check(state.expr("has_size", (atom, Lit(1)), None))
    return state.expr("support.first", (atom,), form.dtype)


def _item(state: Lowering, node: Node, array: Any) -> Form:
    form, spec = numeric(state, array), node.output.spec
    if not isinstance(spec, ScalarSpec):
        raise state.refusal("AT304", "item with an index")
    atom = item_atom(state, form)
    found = Number(atom, spec)
    if form.dtype == np.uint64:
        raise state.refusal("AT304", "an unsigned 64-bit integer as a Python integer")
    bounds = form.bounds if isinstance(form, Number) else found.bounds
    return Number(cast(state, atom, form.dtype, found.dtype), spec, bounds)


def _astype(state: Lowering, node: Node, array: Any, dtype: Any = None, *, copy: Any = True) -> Form:
    spec, form = node.output.spec, numeric(state, array)
    wanted = value_dtype(state, spec)
    if isinstance(form, Array) and copy is False and form.dtype == wanted:
        return form
    atom = as_array(state, form) if isinstance(form, Number) else state.read(form)
    wide = ArraySpec(form.spec.shape, wanted) if isinstance(form, Array) else spec
    if form.dtype.kind in "iu" and wanted == BOOL:
        return made(state, state.expr("ne", (atom, Lit(0)), BOOL, form.rank), wide)
    return made(state, converted(state, atom, form.dtype, wanted), wide)


def _copy(state: Lowering, node: Node, array: Any, order: Any = None) -> Form:
    return array if isinstance(array, Number) else copied(state, array_of(state, array))


def _copied(state: Lowering, node: Node, array: Any) -> Form:
    """Write ``np.copy``, which makes an array of a number."""
    return copied(state, array_of(state, array))


def _flatten(state: Lowering, node: Node, array: Any) -> Form:
    whole = array_of(state, array)
    atom = state.expr(".reshape", (state.read(whole), Lit(-1)), whole.dtype, 1)
    return made(state, atom, node.output.spec)


def _fill(state: Lowering, node: Node, array: Any, value: Any) -> Form:
    target = needed(state, Array, array, "fill")
    content = assigned(state, state.given(value), target.dtype)
    state.write(target, lambda whole: filled(state, whole, content))
    return Static(None)


def _sort(state: Lowering, node: Node, array: Any, axis: Any = -1) -> Form:
    """Write ``x.sort()``."""
    target, along = needed(state, Array, array, "sort"), constant_of(state, axis)
    if type(along) is not int or target.dtype.kind == "c":
        raise state.refusal("AT304", "sort with these arguments")
    dtype, named = target.dtype, {"axis": Lit(along)}
    state.write(target, lambda whole: state.expr("xp.sort", (whole,), dtype, target.rank, named))
    return Static(None)


def _conj(state: Lowering, node: Node, array: Any) -> Form:
    form = numeric(state, array)
    if form.dtype.kind != "c":
        return form
    atom = state.expr("xp.conj", (atom_of(state, form),), form.dtype, form.rank)
    return made(state, atom, node.output.spec)


def _bit_length(state: Lowering, node: Node, value: Any) -> Form:
    number = needed(state, Number, value, "the bits")
    if number.spec != PYTHON_INT:
        raise state.refusal("AT301", "the bits of a value that is not a Python integer")
    if is_host(number.atom):
        known = state.expr(".bit_length", (number.atom,), None)
        return Number(known, PYTHON_INT, (0, 64), number.inputs)
    return Number(state.expr("bit_length", (number.atom,), INT), PYTHON_INT, (0, 64))


RULES: Final = {
    "ndarray.bit_length": Rule(_bit_length),
    "ndarray.item": Rule(_item),
    "ndarray.astype": Rule(_astype),
    "np.astype": Rule(_astype),
    "ndarray.copy": Rule(_copy),
    "np.copy": Rule(_copied),
    "ndarray.flatten": Rule(_flatten),
    "ndarray.fill": Rule(_fill),
    "ndarray.sort": Rule(_sort),
    "ndarray.conj": Rule(_conj),
    "ndarray.conjugate": Rule(_conj),
}
