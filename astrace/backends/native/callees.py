"""Functions that kernels call, as Numba compiles them: exact to the bit, and for other compiled code alone.

Numba makes two more functions of each, for Python's calls and for C's, which take as long to compile as the function itself.
No kernel needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numba

OPTIONS: Final[Mapping[str, Any]] = {"error_model": "numpy", "fastmath": False, "boundscheck": False}
"""Numba's options for code whose results are NumPy's."""
_ALONE: Final[Mapping[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def callee(function: Callable[..., Any], options: Mapping[str, Any] = OPTIONS) -> Any:
    """Return a function for compiled code; the process ends where Python calls it.

    Args:
        function: of numbers and arrays; it is compiled when the first kernel calls it.
        options: Numba's.
    """
    jit: Any = numba.njit
    return jit(**options, **_ALONE)(function)
