"""Ops of lowered blocks that give whole floats, by the names that NumPy's ufuncs and LLVM's operations have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np


def _rounding(ufunc: np.ufunc) -> Callable[[Any], Any]:
    """Return a function that does what a ufunc does, which machine code has another function for."""

    def rounded(x: Any) -> Any:
        return ufunc(x)

    return rounded


WHOLE: Final[Mapping[str, Callable[..., Any]]] = {
    ufunc.__name__: _rounding(ufunc) for ufunc in (np.floor, np.ceil, np.trunc, np.rint)
}
"""The ops, and what they do."""
