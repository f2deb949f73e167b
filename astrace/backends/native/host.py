"""The names in the text of kernels, where Python runs it; the meaning of what is compiled."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ops.lowered import FUNCTIONS, call_math, slide_products
from astrace.ops.lowered_algebra import apply_gufunc, apply_transform, linalg_loop
from astrace.ops.lowered_draws import draw, fill_draws
from astrace.ops.lowered_lists import new_list

Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class LoopCall:
    """A function in the text that runs one of NumPy's own loops, a function of the C library, or a draw.

    Args:
        op: the op that calls it; ``nothing`` for what a kernel returns that gives up.
        ufunc: the ufunc, or generalised ufunc, or function of ``math``, or method of a random generator.
        types: which of its loops, as in ``dd->d``; of ``nothing`` the types of the outputs.
    """

    op: str
    ufunc: str
    types: str


def _clear_flags() -> None:
    """NumPy looks at the processor's flags by itself."""


def _flags_raised() -> bool:
    return False


def _overflow_is_told() -> bool:
    return True


def _same(value: Any) -> Any:
    return value


MOST_THREADS: Final = 256
LEAST_WORK: Final = 1 << 17
"""Operations for which a thread is worth being made; one takes about half a nanosecond."""


def thread_count() -> int:
    """Return the number of threads: ``NUMBA_NUM_THREADS``, or the processors that this process may use."""
    asked = os.environ.get("NUMBA_NUM_THREADS", "")
    if asked.isdecimal() and int(asked):
        return min(int(asked), MOST_THREADS)
    usable = getattr(os, "sched_getaffinity", None)
    return min(len(usable(0)) if usable is not None else os.cpu_count() or 1, MOST_THREADS)


def parts_of(start: int, stop: int, work: int, least: int, most: int) -> int:
    """Return the number of parts of a loop.

    Args:
        start: the first iteration.
        stop: the one behind the last.
        work: operations of each.
        least: operations of a part, at least.
        most: the number of threads.
    """
    return max(1, min((stop - start) * max(work, 1) // least, stop - start, most))


def _run_in_parts(part: Function, count: int, start: int, stop: int, captured: tuple[Any, ...]) -> bool:
    """Run the parts of a loop, the last one first: they do not depend on each other."""
    for number in range(count - 1, -1, -1):
        first, last = (start + (stop - start) * one // count for one in (number, number + 1))
        if not part(first, last, *captured):
            return False
    return True


def _are_apart(one: Any, other: Any) -> bool:
    return not np.may_share_memory(one, other)


def _turned(number: Any, _minus_zero: Any) -> Any:
    return -number


HOST: Final[Mapping[str, Function]] = {
    "clear_flags": _clear_flags,
    "flags_raised": _flags_raised,
    "warnings_due": _flags_raised,
    "overflow_is_told": _overflow_is_told,
    "settled": _same,
    "needed": _same,
    "opaque": _same,
    "turned": _turned,
    "poll": _clear_flags,
    "poll_and_yield": _clear_flags,
    "unsigned": _same,
    "array_of_numpy": np.empty,
    "reshape_of": np.reshape,
    "new_list": new_list,
    "run_in_parts": _run_in_parts,
    "parts_of": parts_of,
    "are_apart": _are_apart,
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


def _slide_products(call: LoopCall) -> Function:
    return slide_products


def _apply_gufunc(call: LoopCall) -> Function:
    return functools.partial(apply_gufunc, ufunc=call.ufunc)


def _apply_transform(call: LoopCall) -> Function:
    return functools.partial(apply_transform, ufunc=call.ufunc)


def _reduce_gufunc(call: LoopCall) -> Function:
    return linalg_loop(call.ufunc)


def _draw(call: LoopCall) -> Function:
    return functools.partial(draw, method=call.ufunc)


def _fill_draws(call: LoopCall) -> Function:
    return functools.partial(fill_draws, method=call.ufunc)


def _nothing(call: LoopCall) -> Function:
    return lambda: (False, *(None for one in call.types if not one.isdigit()))


LOOPS: Final[Mapping[str, Callable[[LoopCall], Function]]] = {
    "call_ufunc": _call_ufunc,
    "call_math": _call_math,
    "apply_ufunc": _apply_ufunc,
    "reduce_ufunc": _reduce_ufunc,
    "multiply_matrices": _multiply_matrices,
    "dot": _dot,
    "slide_products": _slide_products,
    "apply_gufunc": _apply_gufunc,
    "apply_transform": _apply_transform,
    "reduce_gufunc": _reduce_gufunc,
    "draw": _draw,
    "fill_draws": _fill_draws,
    "nothing": _nothing,
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
