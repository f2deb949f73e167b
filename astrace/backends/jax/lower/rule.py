"""Rules of the lowering: their signature, and what many of them share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from astrace.backends.jax.lower.layout import lists
from astrace.backends.jax.lower.layout.flatten import cast
from astrace.backends.jax.lower.scalars.arithmetic import atom_of, dtype_of, made
from astrace.backends.jax.lower.scalars.conversions import converted
from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Items, Number, Stack, Static
from astrace.backends.jax.program_ir import Atom, Lit, atom_dtype
from astrace.ir.block import Constant, Node
from astrace.ir.specs import ArraySpec, GenericSpec, Spec

Kwargs: TypeAlias = Mapping[str, Any]
Make: TypeAlias = Callable[[Lowering, Node, Sequence[Any], Kwargs], Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """A function that writes the steps of one op.

    Args:
        make: returns the form of the result, given the arguments as the call lays them out.
        unions: it accepts operands of several types as they are.
    """

    make: Make
    unions: bool = False


def signature(
    state: Lowering, function: Callable[..., Any], args: Sequence[Any], kwargs: Kwargs
) -> dict[str, Any]:
    """Return arguments by the names that NumPy gives them.

    Raises:
        Refused: they do not fit.
    """
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except TypeError:
        raise state.refusal("AT304", f"`{function.__name__}` does not take these arguments") from None


def named(state: Lowering, names: Sequence[str], args: Sequence[Any], kwargs: Kwargs) -> dict[str, Any]:
    """Return arguments by name.

    Raises:
        Refused: there are more arguments than names.
    """
    if len(args) > len(names):
        raise state.refusal("AT304", f"more than {len(names)} arguments by position")
    return dict(zip(names, args, strict=False)) | dict(kwargs)


def array_of(state: Lowering, form: Any) -> Array:
    """Return an argument as an array.

    Raises:
        Refused: it is not an array.
    """
    if isinstance(form, Static):
        form = form.value
    if isinstance(form, Array):
        return form
    if isinstance(form, Number):
        return state.array(as_array(state, form), ArraySpec((), form.dtype))
    if isinstance(form, Stack):
        return lists.as_array(state, form)
    if isinstance(form, np.ndarray):
        found = state.constant(form)
        assert isinstance(found, Array)
        return found
    if isinstance(form, list | tuple | Items):
        return stacked(state, form.items if isinstance(form, Items) else form)
    if isinstance(form, bool | int | float | complex):
        found = state.constant(form)
        assert isinstance(found, Number)
        return array_of(state, found)
    raise state.refusal("AT301", "an argument is not an array")


def as_array(state: Lowering, form: Number) -> Atom:
    """Return a number as an atom that has a dtype of its own."""
    if isinstance(form.atom, Constant) or atom_dtype(form.atom) is None:
        return state.expr("jnp.asarray", (form.atom, Lit(form.dtype)), form.dtype)
    return form.atom


def stacked(state: Lowering, items: Sequence[Any]) -> Array:
    """Return a list of numbers or arrays as one array."""
    numbers = [_item(state, one) for one in items]
    forms = [array_of(state, one) for one in numbers]
    if not forms:
        raise state.refusal("AT304", "an empty list as an array")
    dtype = np.result_type(*(_weak(one) for one in numbers))
    atoms = [cast(state, state.read(form), form.spec.dtype, dtype) for form in forms]
    rank = len(forms[0].spec.shape) + 1
    atom = state.expr("jnp.stack", (atoms,), dtype, rank)
    return state.array(atom, ArraySpec((len(forms), *forms[0].spec.shape), dtype))


def _item(state: Lowering, item: Any) -> Any:
    """Return an item of a list that becomes an array; a list becomes a row."""
    if isinstance(item, Items | list | tuple):
        return array_of(state, item)
    return item if isinstance(item, Number | Array) else state.constant(item)


def _weak(form: Any) -> Any:
    return form.dtype if isinstance(form, Number) else form.spec.dtype


def computed(state: Lowering, form: Any, dtype: np.dtype[Any] | None) -> Atom:
    """Return an argument in the dtype of the computation."""
    if not isinstance(form, Number | Array):
        form = array_of(state, form)
    if dtype is None:
        return atom_of(state, form) if isinstance(form, Array) else as_array(state, form)
    given = dtype_of(form)
    if isinstance(form, Number):
        return cast(state, as_array(state, form), given, dtype)
    return cast(state, atom_of(state, form), given, dtype)


def result(state: Lowering, atom: Atom, given: np.dtype[Any], spec: Spec) -> Form:
    """Return a result that was computed in one dtype as NumPy returns it."""
    wanted = spec.dtype if isinstance(spec, ArraySpec | GenericSpec) else given
    return made(state, converted(state, atom, given, wanted), spec)


def rank_of(spec: Spec) -> int:
    """Return the number of dimensions of a result."""
    return len(spec.shape) if isinstance(spec, ArraySpec) else 0


def value_dtype(state: Lowering, spec: Spec) -> np.dtype[Any]:
    """Return the dtype of a result.

    Raises:
        Refused: it has none.
    """
    if isinstance(spec, ArraySpec | GenericSpec) and spec.dtype.kind in "biufc":
        return spec.dtype
    raise state.refusal("AT301", f"a result of type {spec}")
