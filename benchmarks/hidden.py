"""Kernels behind code that is not captured, so that nothing is known of their arguments until they run.

    python -m benchmarks.report hidden    print the times of some
    python -m benchmarks.hidden           print how many run as machine code

Each kernel is called by a function that has its arguments from a call of which a capture knows nothing, and is compiled for the
types that its loops are entered with.  Results are verified to the bit.  To count kernels, Python runs the text of the machine code,
which takes no time to compile.
"""

from __future__ import annotations

import functools
import inspect
import operator
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.native_times import hot_at_once
from benchmarks.numpy_source import kernel_subject
from benchmarks.programs import quiet
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians

NAMES: Final = (
    *(
        "gauss_seidel_2d",
        "tridiagonal",
        "csr_product",
        "lu",
        "kalman",
        "edit_distance",
        "n_body",
        "mandelbrot",
    ),
    *("warping", "heap_sort", "smooth", "viterbi"),
)
"""The kernels that are timed."""
SAMPLES: Final = 101
CALLS: Final = 3
"""How often each is verified, twice: as it was before it was compiled, and while machine code is judged."""


def hidden(function: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Return a function that calls another one with arguments of which nothing is known until it runs.

    Args:
        function: what is called.
        folder: for the file that the new function is written to.
    """
    parameters = inspect.signature(function).parameters.values()
    given = ", ".join(
        one.name if one.default is one.empty else f"{one.name}={one.default!r}" for one in parameters
    )
    names = ", ".join(one.name for one in parameters)
    text = f"""
        def outer({given}):
            {names}, = hide_all([{names}])
            return inner({names})
        """
    file = folder / f"hidden_{function.__name__}.py"
    file.write_text(textwrap.dedent(text))
    space: dict[str, Any] = {"inner": function, "hide_all": operator.itemgetter(slice(None))}
    exec(compile(file.read_text(), str(file), "exec"), space)
    return space["outer"]


def is_machine_code(kernel: Kernel, folder: Path) -> bool:
    """Return whether a part of a kernel with hidden arguments has machine code, after some calls.

    Raises:
        AssertionError: it gives other bits than plain Python.
    """
    compiled = astrace.compile(hidden(kernel.function, folder), recompile_limit=CALLS)
    subject = replace(kernel_subject(kernel, kernel.small), compiled=compiled)
    for _ in range(CALLS):
        subject.verify()
    return any(stages.kernels for stages in compiled.captures)


def row(kernel: Kernel, size: int, folder: Path, smoke: bool) -> list[Cell]:
    """Time a kernel: plain, compiled with arguments of known types, and with hidden ones; results are verified first."""
    forms = [kernel.function, hidden(kernel.function, folder)]
    compiled = [astrace.compile(form) for form in forms]
    for one in compiled:
        for _ in range(CALLS):
            replace(kernel_subject(kernel, size), compiled=one).verify()
    samples = 2 if smoke else SAMPLES
    plain, known, unknown = cpu_medians(
        (kernel.function, *compiled), functools.partial(kernel.make, size), samples
    )
    times = [one * 1e6 for one in (plain, known, unknown)]
    return [f"`{kernel.name}`", f"{size:,}", *times, plain / known, plain / unknown]


def measure(smoke: bool) -> Table:
    """Some kernels at their small size, with the geometric means."""
    names = {one.name: one for one in KERNELS}
    with tempfile.TemporaryDirectory() as folder, quiet(), hot_at_once():
        rows = [
            row(names[name], names[name].small, Path(folder), smoke) for name in NAMES[:: 6 if smoke else 1]
        ]
    means = [float(np.exp(np.mean(np.log([float(one[place]) for one in rows])))) for place in (5, 6)]
    columns = ["Kernel", "size", "plain, µs", "known, µs", "hidden, µs", "plain to known", "plain to hidden"]
    return Table(columns, [*rows, ["geometric mean", "", "", "", "", *means]])


def main() -> None:
    """Print how many do, and which do not."""
    text_alone = functools.partial(Partition, compiled=False)
    with (
        tempfile.TemporaryDirectory() as folder,
        quiet(),
        hot_at_once(),
        mock.patch.object(backend, "Partition", text_alone),
    ):
        found = {one.name: is_machine_code(one, Path(folder)) for one in KERNELS}
    without = [name for name, has in found.items() if not has]
    print(f"{len(found) - len(without)} of {len(found)} run as machine code with hidden arguments")
    print(f"not: {', '.join(without)}")


if __name__ == "__main__":
    main()
