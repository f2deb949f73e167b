"""The kernels through other compilers: `numba.njit` on the same source, Numba and JAX by hand.

A peer counts where its result is the plain function's but for the last bits; else NumPy's time stands in its place.
"""

from __future__ import annotations

import copy
import os
import types
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.kernels import Kernel
from benchmarks.programs import quiet

import harness  # isort: skip; found through benchmarks.programs

Function = Callable[..., Any]
NEAR: Final = 1e-6
"""By how much numbers may differ, beside the largest one."""
ONE_THREAD: Final = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


# -- the same source -------------------------------------------------------------------------------------


def through_numba(function: Function) -> Function:
    """Return a function through `numba.njit`, with the functions that it calls."""
    return _compiled(function, {})


def _compiled(function: Any, made: dict[Any, Any]) -> Any:
    """Return a copy of a function whose helpers are compiled; each of them once."""
    import numba

    if function not in made:
        names = dict(function.__globals__)
        copied = types.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        made[function] = numba.njit(copied)
        for name in function.__code__.co_names:
            if isinstance(helper := names.get(name), types.FunctionType):
                names[name] = _compiled(helper, made)
    return made[function]


# -- by hand ---------------------------------------------------------------------------------------------


def through_jax(name: str) -> Function | None:
    """Return the kernel as it is written by hand for JAX, with NumPy's arrays in and out; ``None`` if it is not."""
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    from benchmarks.jax_kernels import BY_HAND

    function = BY_HAND.get(name)
    return None if function is None else partial(_called, function)


def _called(function: Function, *given: Any) -> Any:
    import jax

    return jax.tree.map(np.array, function(*given))


def by_hand(name: str) -> Function | None:
    """Return the kernel as it is written by hand for Numba; ``None`` if it is not."""
    from benchmarks import numba_fields, numba_kernels

    return {**numba_kernels.BY_HAND, **numba_fields.BY_HAND}.get(name)


def peers_of(kernel: Kernel) -> Mapping[str, Function]:
    """Return all peers of a kernel that there are, by the names of their columns."""
    found = {
        "njit": through_numba(kernel.function),
        "by hand": by_hand(kernel.name),
        "JAX": through_jax(kernel.name),
    }
    return {name: function for name, function in found.items() if function is not None}


# -- agreement -------------------------------------------------------------------------------------------


def agrees(name: str, plain: Function, peer: Function, given: Sequence[Any]) -> bool:
    """Return whether a peer compiles, and gives and leaves what the plain function does, but for the last bits.

    JAX's functions return the new contents of arguments instead of changing these: it is `tests/test_jax.py` that compares what
    XLA gives.
    """
    with quiet():
        expected, found = (harness.observe(one, copy.deepcopy(tuple(given))) for one in (plain, peer))
    if found.error != expected.error:
        return False
    return name == "JAX" or (
        _near(expected.result, found.result) and _near(expected.arguments, found.arguments)
    )


def gives_same_bits(plain: Function, peer: Function, given: Sequence[Any]) -> bool:
    """Return whether a peer gives and leaves what the plain function does, to the bit."""
    with quiet():
        expected, found = (harness.observe(one, copy.deepcopy(tuple(given))) for one in (plain, peer))
    pairs = (
        (expected.error, found.error),
        (expected.result, found.result),
        (expected.arguments, found.arguments),
    )
    return all(harness.same(one, other) for one, other in pairs)


def _near(expected: Any, found: Any) -> bool:
    """Return whether numbers, and what holds them, are the same but for the last bits."""
    if isinstance(expected, list | tuple):
        alike = isinstance(found, list | tuple) and len(found) == len(expected)
        return alike and all(map(_near, expected, found))
    if isinstance(expected, bool | int | float | complex | np.ndarray | np.generic):
        one, other = np.asarray(expected), np.asarray(found)
        if one.shape != other.shape or other.dtype == object:
            return False
        largest = np.max(np.abs(one[np.isfinite(one)]), initial=0) if one.dtype.kind in "fc" else 0
        return bool(np.allclose(one, other, rtol=NEAR, atol=NEAR * largest, equal_nan=True))
    return type(found) is type(expected)
