"""Comparisons of integers: NumPy compares integers of any size and sign exactly, XLA only after a conversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.state import INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, Number
from astrace.ir.block import Constant
from astrace.ir.specs import ScalarSpec

UFUNCS: Final = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)


def check(state: Lowering, operands: Sequence[Number | Array], dtypes: Sequence[np.dtype[Any]]) -> None:
    """Refuse operands that have no common dtype in XLA.

    Raises:
        Refused: signed and unsigned integers of 64 bits.
    """
    kinds = {(one.dtype if isinstance(one, Number) else one.spec.dtype).kind for one in operands}
    if kinds == {"i", "u"} and dtypes[0] != dtypes[1]:
        raise state.refusal("AT304", "signed and unsigned integers are compared")


def answer(function: np.ufunc, operands: Sequence[Number | Array], dtype: np.dtype[Any]) -> bool | None:
    """Return the result of a comparison with a Python integer that the dtype does not hold: the same for all items.

    Args:
        function: one of ``UFUNCS``.
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
