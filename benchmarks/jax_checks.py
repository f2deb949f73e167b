"""The cost of checks for NumPy's warnings: kernels through ``backend="jax"``, with the checks of floats and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from unittest import mock

import astrace
from benchmarks.jax_times import medians_of
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.stages import forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column, cpu_time

NAMES: Final = frozenset(
    {"gauss_seidel_2d", "lu", "cholesky", "runge_kutta", "fft_by_stages", "tridiagonal"}
    | {"alternating_directions", "kepler", "k_means", "n_body", "digits"}
)


def measure(smoke: bool) -> Table:
    """The median times of a call, in turn, and of a first call in seconds of the processor."""
    rows: list[list[Cell]] = []
    for kernel in [one for one in KERNELS if one.name in NAMES][:: 6 if smoke else 1]:
        size = kernel.small if smoke else kernel.large
        first = by_column(
            [first_call(kernel, size, checks=checks) for checks in (False, True)]
            for _ in range(1 if smoke else 3)
        )
        forms = [compiled(kernel, checks=False), compiled(kernel, checks=True)]
        plain, without, checked = medians_of(
            (kernel.function, *forms), kernel.make, size, 2 if smoke else 101
        )
        times = plain * 1e3, without * 1e3, checked * 1e3, checked / without
        rows.append([f"`{kernel.name}`", *times, first[0] * 1e3, first[1] * 1e3])
    head = ["Kernel", "NumPy, ms", "without checks, ms", "with checks, ms", "ratio"]
    return Table([*head, "first call without, ms", "first call with, ms"], rows)


def compiled(kernel: Kernel, *, checks: bool) -> Callable[..., Any]:
    """A kernel whose program has been written, with checks or without."""
    from astrace.backends.jax import backend

    def unchecked(block: Any, **settings: Any) -> Any:
        return lower(block, **(settings | {"watched": False}))

    lower = backend.lower
    with mock.patch.object(backend, "lower", lower if checks else unchecked):
        function = astrace.compile(kernel.function, backend="jax")
        function(*kernel.make(kernel.small))
        return function


def first_call(kernel: Kernel, size: int, *, checks: bool) -> float:
    """Seconds of a call for which JAX traces and compiles: the program itself has been written."""
    import jax

    forget()
    function = compiled(kernel, checks=checks)
    jax.clear_caches()
    return cpu_time(function, kernel.make(size))
