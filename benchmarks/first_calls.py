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
from benchmarks.programs import quiet
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


if __name__ == "__main__":
    print(measure(smoke=False))
