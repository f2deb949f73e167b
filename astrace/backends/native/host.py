"""The names in the text of kernels, where Python runs it; the meaning of what is compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ops.lowered import FUNCTIONS, call_math

Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class LoopCall:
    """A function in the text that runs one of NumPy's own loops, or a function of the C library.

    Args:
        op: the op that calls it.
        ufunc: the ufunc, or generalised ufunc, or function of ``math``.
        types: which of its loops, as in ``dd->d``.
    """

    op: str
    ufunc: str
    types: str


def _clear_flags() -> None:
    """NumPy looks at the processor's flags by itself."""


def _flags_raised() -> bool:
    return False


def _same(value: Any) -> Any:
    return value


HOST: Final[Mapping[str, Function]] = {
    "clear_flags": _clear_flags,
    "flags_raised": _flags_raised,
    "settled": _same,
    "opaque": _same,
    "poll": _clear_flags,
    "poll_and_yield": _clear_flags,
    "unsigned": _same,
    "array_of_numpy": np.empty,
}
"""The functions that the text calls beside ops and loops, by name."""


def _call_ufunc(call: LoopCall) -> Function:
    return getattr(np, call.ufunc)


def _call_math(call: LoopCall) -> Function:
    return functools.partial(call_math, function=call.ufunc)


def _apply_ufunc(call: LoopCall) -> Function:
    def apply(out: Any, *arrays: Any) -> None:
        getattr(np, call.ufunc)(*arrays, out=out)

    return apply


def _reduce_ufunc(call: LoopCall) -> Function:
    return getattr(np, call.ufunc).reduce


def _multiply_matrices(call: LoopCall) -> Function:
    def multiply(out: Any, left: Any, right: Any) -> None:
        np.matmul(left, right, out=out)

    return multiply


def _dot(call: LoopCall) -> Function:
    return np.matmul


LOOPS: Final[Mapping[str, Callable[[LoopCall], Function]]] = {
    "call_ufunc": _call_ufunc,
    "call_math": _call_math,
    "apply_ufunc": _apply_ufunc,
    "reduce_ufunc": _reduce_ufunc,
    "multiply_matrices": _multiply_matrices,
    "dot": _dot,
}
"""By op, what runs a loop of NumPy's."""


def bound(
    namespace: Mapping[str, Any],
    functions: Mapping[str, Function],
    loops: Mapping[str, Callable[[LoopCall], Function]],
) -> dict[str, Any]:
    """The namespace of a text, with functions that run it.

    Args:
        namespace: what the text refers to: ops by their meaning, loops by `LoopCall`.
        functions: by the names of ops, and those of `HOST`.
        loops: by op, what makes the function for a loop.
    """
    names = {id(function): name for name, function in FUNCTIONS.items()}

    def found(value: Any) -> Any:
        if isinstance(value, LoopCall):
            return loops[value.op](value)
        return functions[names[id(value)]] if id(value) in names else value

    own = {name: functions[name] for name in HOST}
    return {**{name: found(value) for name, value in namespace.items()}, **own}
