"""The loops of ufuncs: the dtypes in which NumPy computes, for operands of given types.

Takes a ufunc and the types of its operands.  Knows neither values nor backends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ScalarSpec

WEAK: Final[Mapping[str, Any]] = {"bool": np.dtype(bool), "int": int, "float": float, "complex": complex}
"""Python's numbers as NumPy's promotion sees them: their kinds count, not their sizes."""


def dtypes_of(ufunc: np.ufunc, operands: Sequence[ScalarSpec | np.dtype[Any]]) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes in which NumPy computes a ufunc, operands first; nothing if it refuses the operands.

    Args:
        ufunc: the ufunc.
        operands: their dtypes, or specs of Python's numbers.

    Example:
        >>> dtypes_of(np.add, (np.dtype("float32"), ScalarSpec("float")))
        (dtype('float32'), dtype('float32'), dtype('float32'))
    """
    given = [WEAK[one.kind] if isinstance(one, ScalarSpec) else one for one in operands]
    if all(isinstance(one, type) for one in given):
        given = [np.dtype(one) for one in given]
    try:
        return ufunc.resolve_dtypes((*given, *(None,) * ufunc.nout))
    except TypeError:
        return ()
