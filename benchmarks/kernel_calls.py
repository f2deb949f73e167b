"""The cost of a hot call whose work is next to nothing: plain, through Numba's dispatcher, and through a kernel.

    python -m benchmarks.kernel_calls    print the table

Numba gives what NumPy gives for each of these, and tells of nothing; a kernel is called by the generated program, which a compiled
function calls when it has found it.  Each time is the smallest one of many, since other work on the machine can only add to calls of a
fraction of a microsecond; what is compared is called in turn.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final
from unittest import mock

import numpy as np

import astrace
from benchmarks.made import made
from benchmarks.peers import through_numba
from benchmarks.tables import Cell, Table
from benchmarks.timing import minima, timer

ITEMS: Final = 4
LOOP: Final = "def f({given}):\n    for i in range(len(x0)):\n        x0[i] = {text}\n"
SOURCES: Final[Mapping[str, tuple[str, int]]] = {
    "loop over 1 array": (LOOP.format(given="x0", text="x0[i] * 0.5"), 1),
    "loop over 2 arrays": (LOOP.format(given="x0, x1", text="x0[i] * 0.5 + x1[i]"), 2),
    "loop over 5 arrays": (
        LOOP.format(given="x0, x1, x2, x3, x4", text="x1[i] * x2[i] + x3[i] * x4[i]"),
        5,
    ),
    "sum of products, a number": (
        "def f(x0, x1):\n    s = 0.0\n    for i in range(len(x0)):\n        s += x0[i] * x1[i]\n    return s\n",
        2,
    ),
    "array code, an array": ("def f(x0, x1):\n    return x0 * x0 + x1 * 2.0 - x0 * x1\n", 2),
    "one operation": ("def f(x0, x1):\n    return x0 + x1\n", 2),
}
"""The text of each function, and the number of its arrays."""


def forms_of(text: str, count: int) -> tuple[tuple[Callable[..., Any], ...], tuple[Any, ...]]:
    """Return a function as it is, through Numba, as the generated program alone, and compiled; and arguments for them."""
    plain = made(text)
    given = tuple(np.full(ITEMS, 0.5) for _ in range(count))
    compiled = astrace.compile(plain, fullgraph=True, backend="native")
    compiled(*given)
    executable = compiled.stages(*given).executable
    assert executable is not None and sorted(executable.used) == list(range(count))
    function, used = executable.function, executable.used
    if used != tuple(range(count)):
        order = [f"x{index}" for index in used]
        scope = {"function": function}
        exec(
            f"def program({', '.join(f'x{i}' for i in range(count))}): return function({', '.join(order)})",
            scope,
        )
        function = scope["program"]
    return (plain, through_numba(plain), function, compiled), given


def measure(smoke: bool) -> Table:
    """A call of each form, and what the kernel and the compiled function add to Numba's."""
    samples, number = (3, 100) if smoke else (400, 300)
    rows: list[list[Cell]] = []
    with mock.patch.dict(os.environ, {"ASTRACE_CACHE_DIR": "0", "ASTRACE_CHILD": "0"}):
        for name, (text, count) in SOURCES.items():
            forms, given = forms_of(text, count)
            times = [time * 1e6 for time in minima([timer(one, *given) for one in forms], samples, number)]
            plain, numba, program, compiled = times
            rows.append([name, *times, program - numba, compiled - numba, plain / compiled])
    columns = ["Function", "plain, µs", "`numba.njit`, µs", "program with kernel, µs", "compiled, µs"]
    return Table([*columns, "program over njit, µs", "compiled over njit, µs", "plain to compiled"], rows)


if __name__ == "__main__":
    print(measure(smoke=False))
