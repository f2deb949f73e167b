"""Operators and ufuncs: operands are converted as NumPy converts them, then JAX's operation of the same name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant
from astrace.ir.specs import GenericSpec, Spec
from astrace.ops.python.operators import ARITHMETIC, COMPARISON, UFUNCS, UNARY
from astrace.passes.analysis.int_ranges import bounds_of
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.forms import FULL, PLAIN, Array, Form, Number
from astrace.passes.functional.indexing.padded_lengths import aligned, is_padded, with_extents
from astrace.passes.functional.operands import (
    COMPARISONS,
    atom_of,
    fitted,
    known_answer,
    made,
    numeric,
    resolved,
    wide,
)
from astrace.passes.functional.program import Atom, Lit, is_host, rank_of, scalar_type
from astrace.passes.functional.state import Lowering

SYMBOLS: Final = {**ARITHMETIC, **COMPARISON, **UNARY}
OPERATORS: Final[Mapping[np.ufunc, str]] = {ufunc: name for name, ufunc in UFUNCS.items() if name in SYMBOLS}
"""The operator of each ufunc that has one."""
WHOLE: Final[frozenset[np.ufunc]] = frozenset({np.floor, np.ceil, np.trunc})
"""Ufuncs that do not change integers."""


def ufunc(state: Lowering, function: np.ufunc, forms: Sequence[Form], spec: Spec) -> Form:
    """Write a ufunc, or an operator on NumPy's values."""
    operands = [numeric(state, form) for form in forms]
    if any(map(is_padded, operands)):
        plain, extents = aligned(state, operands)
        return with_extents(ufunc(state, function, plain, spec), extents)
    known = _of_known_numbers(state, function, operands, spec)
    if known is not None:
        return known
    dtypes = resolved(state, function, operands)
    if function in COMPARISONS:
        check_comparable(state, operands, dtypes)
        answer = known_answer(function, operands, dtypes[0])
        if answer is not None:
            return _everywhere(state, answer, operands, spec)
        dtypes = wide(operands, dtypes)
    _check_power(state, function, operands, dtypes)
    _check_divisors(state, function, operands, dtypes)
    if function is np.arccosh and dtypes[0].kind == "c":
        raise state.refusal("AT304", "np.arccosh of complex numbers, which has other signs of zero")
    if function is np.reciprocal and dtypes[0].kind in "iu":
        raise state.refusal("AT304", "np.reciprocal of integers")
    atoms = [fitted(state, form, dtype) for form, dtype in zip(operands, dtypes, strict=False)]
    atoms = _strong(state, atoms, dtypes)
    if function in WHOLE and dtypes[0].kind in "biu":
        return made(state, atoms[0], spec)
    atom = state.expr(op_of(function, dtypes), atoms, dtypes[-1], rank_of(spec))
    return bounded_number(made(state, atom, spec), function, operands)


SIZES: Final = frozenset({np.add, np.subtract, np.multiply, np.floor_divide, np.remainder})
"""Ufuncs of integers from which sizes may follow."""


def _of_known_numbers(
    state: Lowering, function: np.ufunc, operands: Sequence[Number | Array], spec: Spec
) -> Form | None:
    """Write what Python, or NumPy, computes of numbers that are known when JAX traces; ``None`` for others."""
    numbers = [one for one in operands if isinstance(one, Number) and is_host(one.atom)]
    if len(numbers) < len(operands) or all(isinstance(one.atom, Constant) for one in numbers):
        return None
    atoms = [one.atom for one in numbers]
    if isinstance(spec, GenericSpec) and function in SIZES and spec.dtype.kind in "iu":
        inputs = frozenset[int]().union(*(one.inputs or () for one in numbers))
        return Number(state.expr(OPERATORS[function], atoms, None), spec, FULL, inputs)
    if isinstance(spec, GenericSpec) and len(atoms) == 1 and spec.dtype == np.dtype(np.float64):
        return Number(state.expr(f"np.{function.__name__}", atoms, None), spec)
    return None


def _strong(state: Lowering, atoms: list[Atom], dtypes: Sequence[np.dtype[Any]]) -> list[Atom]:
    """Return operands of which one has the dtype of the computation, unless that is a Python number's."""
    if all(map(is_host, atoms)) and (
        dtypes[0] not in PLAIN or not all(isinstance(one, Constant) for one in atoms)
    ):
        atoms[0] = state.expr(scalar_type(dtypes[0]), atoms[:1], dtypes[0])
    return atoms


def _everywhere(state: Lowering, answer: bool, operands: Sequence[Number | Array], spec: Spec) -> Form:
    """Return the same truth value for each item."""
    if isinstance(spec, GenericSpec):
        return Number(Lit(answer), spec)
    array = next(one for one in operands if isinstance(one, Array))
    args = (state.read(array), Lit(answer))
    return made(state, state.expr("full_shaped", args, BOOL, array.rank), spec)


def _check_power(
    state: Lowering, function: np.ufunc, operands: Sequence[Number | Array], dtypes: Sequence[np.dtype[Any]]
) -> None:
    """Check that integers have no negative exponent, which raises, and complex operands no zero, where JAX differs."""
    if function in WITHOUT_ZERO and dtypes[-1].kind == "c" and not _is_whole(operands[-1]):
        operand = operands[WITHOUT_ZERO[function]]
        state.check(state.expr("all_ne", (atom_of(state, operand), Lit(0)), BOOL))
        return
    if function is not np.power or dtypes[-1].kind not in "iu":
        return
    exponent = operands[1]
    if isinstance(exponent, Number) and exponent.bounds[0] >= 0:
        return
    op = "all_ge" if isinstance(exponent, Array) else "ge"
    state.check(state.expr(op, (atom_of(state, exponent), Lit(0)), BOOL))


def _check_divisors(
    state: Lowering, function: np.ufunc, operands: Sequence[Number | Array], dtypes: Sequence[np.dtype[Any]]
) -> None:
    """Check that no operand is the least integer of its type, whose absolute value the type does not hold."""
    if function not in (np.gcd, np.lcm) or dtypes[0].kind != "i":
        return
    least = int(np.iinfo(dtypes[0]).min)
    for operand in operands:
        op = "all_ne" if isinstance(operand, Array) else "ne"
        atom = atom_of(state, operand)
        if not is_host(atom):
            state.check(state.expr(op, (atom, Lit(least)), BOOL))


def _is_whole(exponent: Number | Array) -> bool:
    """Return whether an exponent is a positive integer that is known: zero to its power is zero."""
    known = (
        isinstance(exponent, Number) and isinstance(exponent.atom, Constant) and exponent.dtype.kind in "iu"
    )
    return known and exponent.atom.value > 0  # type: ignore[union-attr]


WITHOUT_ZERO: Final[Mapping[np.ufunc, int]] = {np.power: 0, np.float_power: 0, np.divide: 1, np.reciprocal: 0}
"""The operand that must not be zero if it is complex."""
SUPPORTED: Final[Mapping[tuple[np.ufunc, str], str]] = {
    **{(np.floor_divide, kind): "support.floor_divide" for kind in "if"},
    **{(np.remainder, kind): "support.remainder" for kind in "if"},
    (np.fmod, "i"): "support.fmod",
    (np.gcd, "i"): "support.gcd",
    (np.lcm, "i"): "support.lcm",
    **{(np.absolute, kind): "xp.abs" for kind in "ifc"},
}
"""Ops of ufuncs that JAX computes differently, or under a shorter name; ``i`` is any integer."""


def op_of(function: np.ufunc, dtypes: Sequence[np.dtype[Any]]) -> str:
    """Return the op that computes a ufunc."""
    kind = {"u": "i", "b": "i"}.get(dtypes[0].kind, dtypes[0].kind)
    special = SUPPORTED.get((function, kind))
    if special is not None:
        return special
    if function not in OPERATORS or (dtypes[0] == BOOL and function in (np.add, np.multiply)):
        return f"xp.{function.__name__}"
    return OPERATORS[function]


def bounded_number(form: Form, function: np.ufunc, operands: Sequence[Number | Array]) -> Form:
    """Return an integer of NumPy's with the bounds that follow from its operands', if it can't wrap around."""
    if not isinstance(form, Number) or form.dtype.kind not in "iu" or function not in OPERATORS:
        return form
    numbers = [one for one in operands if isinstance(one, Number)]
    if len(numbers) != 2 or len(operands) != 2:
        return form
    a, b = numbers
    inputs = (
        a.inputs | b.inputs if a.inputs is not None and b.inputs is not None and function in SIZES else None
    )
    found = bounds_of(OPERATORS[function], numbers)
    limits = np.iinfo(form.dtype)
    if found[0] < limits.min or found[1] > limits.max:
        return replace(form, inputs=inputs)
    return replace(form, bounds=found, inputs=inputs)


def check_comparable(
    state: Lowering, operands: Sequence[Number | Array], dtypes: Sequence[np.dtype[Any]]
) -> None:
    """Refuse operands that have no common dtype in XLA.

    Raises:
        Refused: signed and unsigned integers of 64 bits.
    """
    kinds = {one.dtype.kind for one in operands}
    if kinds == {"i", "u"} and dtypes[0] != dtypes[1]:
        raise state.refusal("AT304", "signed and unsigned integers are compared")
