"""Rules of methods without a function of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.indexing.padded_lengths import copied
from astrace.backends.jax.lower.layout.flatten import cast
from astrace.backends.jax.lower.rule import Kwargs, Rule, array_of, as_array
from astrace.backends.jax.lower.scalars.arithmetic import dtype_of, made
from astrace.backends.jax.lower.scalars.conversions import assigned, converted, filled
from astrace.backends.jax.lower.scalars.operators import operands
from astrace.backends.jax.lower.state import INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Number, Static
from astrace.backends.jax.program_ir import Atom, Lit, is_host
from astrace.ir.block import Constant, Node
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec


def item_atom(state: Lowering, form: Number | Array) -> Atom:
    """Return the only item of an array, or the number itself."""
    if isinstance(form, Number):
        return form.atom
    atom = state.read(form)
    if form.spec.shape:
        state.check(state.expr("has_size", (atom, Lit(1)), None))
        return state.expr("support.first", (atom,), form.spec.dtype)
    return atom


def _item(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 1 or not isinstance(node.output.spec, ScalarSpec):
        raise state.refusal("AT304", "item with an index")
    form = args[0]
    if not isinstance(form, Number | Array):
        raise state.refusal("AT301", "item of a value that is not an array")
    given = dtype_of(form)
    atom = item_atom(state, form)
    wanted = Number(atom, node.output.spec).dtype
    if given.kind == "u" and given.itemsize == 8:
        raise state.refusal("AT304", "an unsigned 64-bit integer as a Python integer")
    bounds = form.bounds if isinstance(form, Number) else Number(atom, node.output.spec).bounds
    return Number(cast(state, atom, given, wanted), node.output.spec, bounds)


def _astype(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) > 2 or set(kwargs) - {"dtype", "copy"}:
        raise state.refusal("AT304", "astype with these arguments")
    spec = node.output.spec
    if not isinstance(spec, ArraySpec | GenericSpec) or spec.dtype.kind not in "biufc":
        raise state.refusal("AT301", f"an array of type {spec}")
    form = args[0]
    if not isinstance(form, Number | Array):
        raise state.refusal("AT301", "astype of a value that is not an array")
    given = dtype_of(form)
    if isinstance(form, Array) and kwargs.get("copy") is False and given == spec.dtype:
        return form
    atom = as_array(state, form) if isinstance(form, Number) else state.read(form)
    wide = ArraySpec(form.spec.shape, spec.dtype) if isinstance(form, Array) else spec
    if given.kind in "iu" and spec.dtype == np.dtype(bool):
        atom = state.expr("ne", (atom, Lit(0)), spec.dtype, len(getattr(wide, "shape", ())))
        return made(state, atom, wide)
    return made(state, converted(state, atom, given, spec.dtype), wide)


def _copy(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if isinstance(args[0], Number):
        return args[0]
    return copied(state, array_of(state, args[0]))


def _copied(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``np.copy``, which makes an array of a number."""
    if len(args) != 1 or kwargs:
        raise state.refusal("AT304", "copy with these arguments")
    return copied(state, array_of(state, args[0]))


def _flatten(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) > 1 or kwargs:
        raise state.refusal("AT304", "flatten in another order")
    array = array_of(state, args[0])
    atom = state.expr(".reshape", (state.read(array), Lit(-1)), array.spec.dtype, 1)
    return made(state, atom, node.output.spec)


def _fill(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    array, value = args
    if not isinstance(array, Array):
        raise state.refusal("AT301", "fill of a value that is not an array")
    content = assigned(state, operands(state, [value])[0], array.spec.dtype)
    state.write(array, lambda whole: filled(state, whole, content))
    return Static(None)


def _sort(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``x.sort()``."""
    array = args[0]
    axis = args[1] if len(args) > 1 else kwargs.get("axis", -1)
    axis = axis.atom.value if isinstance(axis, Number) and isinstance(axis.atom, Constant) else axis
    if len(args) > 2 or set(kwargs) - {"axis"} or not isinstance(array, Array) or type(axis) is not int:
        raise state.refusal("AT304", "sort with these arguments")
    if array.spec.dtype.kind == "c":
        raise state.refusal("AT304", "sort of complex numbers")
    rank = len(array.spec.shape)
    state.write(
        array, lambda whole: state.expr("jnp.sort", (whole,), array.spec.dtype, rank, {"axis": Lit(axis)})
    )
    return Static(None)


def _conj(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    form = args[0]
    if not isinstance(form, Number | Array):
        raise state.refusal("AT301", "the conjugate of a value that is not an array")
    if dtype_of(form).kind != "c":
        return form
    atom = form.atom if isinstance(form, Number) else state.read(form)
    rank = 0 if isinstance(form, Number) else len(form.spec.shape)
    return made(state, state.expr("jnp.conj", (atom,), dtype_of(form), rank), node.output.spec)


def _bit_length(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    number = args[0]
    if not isinstance(number, Number) or number.spec != PYTHON_INT:
        raise state.refusal("AT301", "the bits of a value that is not a Python integer")
    if is_host(number.atom):
        known = state.expr(".bit_length", (number.atom,), None)
        return Number(known, PYTHON_INT, (0, 64), number.inputs)
    atom = state.expr("bit_length", (number.atom,), INT)
    return Number(atom, PYTHON_INT, (0, 64))


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
