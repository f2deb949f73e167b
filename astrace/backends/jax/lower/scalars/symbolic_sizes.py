"""Sizes of arrays, and limits of numbers that follow from them.

A size is a number, a name, or a name with a difference (``n-1``); equal names are equal sizes.
"""

from __future__ import annotations

import re
from typing import Final

from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Array, Number
from astrace.backends.jax.program_ir import Atom, Lit
from astrace.ir.block import Constant
from astrace.ir.specs import INT, Dim

LARGEST: Final = 2**40
"""A bound of the size of any array."""
SUM: Final = re.compile(r"(.*?)([+-]\d+)?")


def taken_apart(dim: Dim) -> tuple[str, int] | None:
    """Return the name and the difference of a size.

    Example:
        >>> taken_apart("n-1"), taken_apart("n"), taken_apart(3)
        (('n', -1), ('n', 0), ('', 3))
    """
    if dim is None:
        return None
    if isinstance(dim, int):
        return "", dim
    match = SUM.fullmatch(dim)
    assert match is not None
    return match[1], int(match[2] or 0)


def put_together(name: str, difference: int) -> Dim:
    """Return a size from its name and difference.

    Example:
        >>> put_together("n", -1), put_together("n", 0), put_together("", 3)
        ('n-1', 'n', 3)
    """
    if not name:
        return difference
    return f"{name}{difference:+}" if difference else name


def size(state: Lowering, array: Array, axis: int) -> Number:
    """Return the size of an array along an axis, which is known when JAX traces unless there is an extent."""
    extent = array.extents[axis] if array.extents else None
    if extent is not None:
        return Number(extent.length, INT, (0, LARGEST), most=taken_apart(extent.capacity))
    dim = array.spec.shape[axis]
    if isinstance(dim, int):
        return Number(Lit(dim), INT, (dim, dim), frozenset(), ("", dim), True)
    atom = named(state, dim)
    if atom is None:
        atom = state.expr("dim", (array.atom, Lit(axis % len(array.spec.shape))), None)
    return Number(atom, INT, (0, LARGEST), frozenset(), taken_apart(dim), dim is not None)


def named(state: Lowering, dim: Dim) -> Atom | None:
    """Return the variable of a size that has a name."""
    return state.dims.get(dim) if isinstance(dim, str) else None


def dim_of(number: Number) -> Dim:
    """Return the size that a number gives to an array; ``None`` if it has no name."""
    if isinstance(number.atom, Constant):
        return int(number.atom.value)
    return put_together(*number.most) if number.most is not None and number.exact else None


def is_inside(number: Number, dim: Dim) -> bool:
    """Return whether an index is certainly at least zero and below a size."""
    limit = taken_apart(dim)
    if number.bounds[0] < 0 or limit is None:
        return False
    if not limit[0] and number.bounds[1] < limit[1]:
        return True
    return number.most is not None and number.most[0] == limit[0] and number.most[1] < limit[1]


def below(stop: Number) -> tuple[str, int] | None:
    """Return the limit of the numbers below another one."""
    return None if stop.most is None else (stop.most[0], stop.most[1] - 1)


def moved(most: tuple[str, int] | None, difference: int) -> tuple[str, int] | None:
    """Return a limit, moved by a difference."""
    return None if most is None else (most[0], most[1] + difference)


def shape_of(state: Lowering, array: Array) -> list[Atom]:
    """Return all sizes of an array.

    Raises:
        Refused: one depends on data.
    """
    if array.extents:
        raise state.refusal("AT303", "the size of a slice depends on data")
    return [size(state, array, axis).atom for axis in range(len(array.spec.shape))]
