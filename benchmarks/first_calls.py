"""What the first call of a function costs, beside what other compilers take for the same.

    python -m benchmarks.first_calls    print the table

Nothing is known beforehand: astrace has not seen the function, and there is no cache on disk; Numba and JAX have been imported, and
have compiled something else.  Numba compiles the same source, JAX the form that is written by hand for it.  In processor time, on
arguments of the small size.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable
from typing import Any, Final
from unittest import mock

import numpy as np

import astrace
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.peers import through_jax, through_numba
from benchmarks.programs import first_time, program_names, quiet, ready
from benchmarks.stages import UNCACHED, forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column, cpu_time

NAMES: Final = (
    *("heat_1d", "wave_1d", "jacobi_2d", "gauss_seidel_2d", "yee_2d", "heat_3d"),
    *("tridiagonal", "conjugate_gradients", "power_iteration", "substitutions"),
    *(
        "lu",
        "edit_distance",
        "density",
        "great_circles",
        "shallow_water",
        "one_by_one",
        "quickselect",
        "warping",
    ),
)
"""Those that JAX has by hand, and others of most kinds."""
SAMPLES: Final = 3
NONE: Final = float("nan")


def lines_of(kernel: Kernel) -> int:
    """Return the number of lines of a kernel and of the functions that it calls, blank ones aside."""
    found, pending = set[Any](), [kernel.function]
    while pending:
        function = pending.pop()
        found.add(function)
        names = [function.__globals__.get(name) for name in function.__code__.co_names]
        pending += [one for one in names if inspect.isfunction(one) and one not in found]
    texts = "\n".join(map(inspect.getsource, found))
    return sum(bool(line.strip()) for line in texts.splitlines())


def by_astrace(kernel: Kernel, backend: str) -> float:
    """Seconds of the first call of a captured function."""
    forget()
    compiled = astrace.compile(kernel.function, fullgraph=True, backend=backend)
    return cpu_time(compiled, kernel.make(kernel.small))


def by_numba(kernel: Kernel) -> float:
    """Seconds of the first call through `numba.njit`; not a number where it does not compile."""
    function = through_numba(kernel.function)
    try:
        return cpu_time(function, kernel.make(kernel.small))
    except Exception:  # Numba's errors have no class in common with those of the code it compiles
        return NONE


def by_jax(kernel: Kernel) -> float:
    """Seconds of the first call of the form for JAX; not a number where there is none."""
    function = through_jax(kernel.name)
    if function is None:
        return NONE
    import jax

    jax.clear_caches()
    return cpu_time(function, kernel.make(kernel.small))


FORMS: Final[tuple[Callable[[Kernel], float], ...]] = (
    lambda kernel: cpu_time(kernel.function, kernel.make(kernel.small)),
    lambda kernel: by_astrace(kernel, "auto"),
    lambda kernel: by_astrace(kernel, "native"),
    by_numba,
    by_jax,
)


def measure(smoke: bool) -> Table:
    """First calls, in turn, and their medians."""
    known = {kernel.name: kernel for kernel in KERNELS}
    rows: list[list[Cell]] = []
    nowhere = {**UNCACHED, "ASTRACE_CHILD": "0"}
    with quiet(), warnings.catch_warnings(), mock.patch.dict(os.environ, nowhere):
        warnings.simplefilter("ignore")
        for form in FORMS:
            form(known["heat_1d"])
        for name in NAMES[:: 9 if smoke else 1]:
            kernel = known[name]
            found = [[form(kernel) * 1e3 for form in FORMS] for _ in range(1 if smoke else SAMPLES)]
            plain, chosen, native, numba, jax = by_column(found)
            cells: list[Cell] = [plain, chosen, native]
            cells += ["" if np.isnan(one) else one for one in (numba, jax, numba / chosen, jax / chosen)]
            rows.append([f"`{name}`", str(lines_of(kernel)), *cells])
    columns = [
        "Function",
        "lines",
        "plain, ms",
        "`auto`, ms",
        "`native`, ms",
        "`numba.njit`, ms",
        "`jax.jit`, ms",
    ]
    return Table([*columns, "njit to auto", "jit to auto"], rows)


# -- the bound ---------------------------------------------------------------------------------------------

TIMES: Final = 1.2
BOUND: Final = 30.0
"""What the first call may take: so many times what the plain call takes, and so many milliseconds more."""


def over_plain(plain: Callable[[], float], first: Callable[[], float], samples: int) -> float:
    """Milliseconds that the first call takes beyond so many times the plain one; the least of each, since captures are of one kind."""
    times = [(plain(), first()) for _ in range(samples)]
    least_plain, least_first = (min(column) for column in zip(*times, strict=True))
    return (least_first - TIMES * least_plain) * 1e3


def of_kernel(kernel: Kernel, samples: int) -> float:
    """See `over_plain`."""
    return over_plain(lambda: FORMS[0](kernel), lambda: by_astrace(kernel, "auto"), samples)


def of_program(name: str, samples: int) -> float:
    """See `over_plain`; the program may leave calls to plain Python, and raise."""

    def time_of(compiled: bool) -> float:
        module = ready(name)
        return first_time(module, astrace.compile(module.f) if compiled else module.f)

    return over_plain(lambda: time_of(False), lambda: time_of(True), samples)


def measure_bound(smoke: bool) -> Table:
    """How many first calls of kernels and programs keep to the bound, with their spread."""
    samples, step = (1, 60) if smoke else (SAMPLES, 1)
    nowhere = {**UNCACHED, "ASTRACE_CHILD": "0"}
    rows: list[list[Cell]] = []
    with quiet(), warnings.catch_warnings(), mock.patch.dict(os.environ, nowhere):
        warnings.simplefilter("ignore")
        of_kernel(KERNELS[0], 1)
        found = {
            "kernels": [of_kernel(kernel, samples) for kernel in KERNELS[::step]],
            "programs": [of_program(name, samples) for name in program_names()[::step]],
        }
    for label, times in found.items():
        over = sum(time > BOUND for time in times)
        spread = [*np.quantile(times, [0.5, 0.9]), max(times)]
        rows.append([label, str(len(times)), str(over), *map(float, spread)])
    columns = ["Functions", "number", "above the bound", "median, ms", "90th percentile, ms", "most, ms"]
    return Table(columns, rows)


if __name__ == "__main__":
    print(measure(smoke=False))
