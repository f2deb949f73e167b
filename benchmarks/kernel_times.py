"""The kernels, plain and compiled, on arguments of their large size."""

from __future__ import annotations

import warnings

import astrace
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.stages import forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians, cpu_time

SECONDS = 0.5
"""The total time of the timed plain calls of one kernel."""


def times(kernel: Kernel, smoke: bool) -> list[float]:
    """Seconds of the plain call, of the first compiled one, with nothing known beforehand, and of later ones."""
    size = kernel.small if smoke else kernel.large
    once = cpu_time(kernel.function, kernel.make(size))
    forget()
    compiled = astrace.compile(kernel.function, fullgraph=True)
    first = cpu_time(compiled, kernel.make(size))
    samples = 2 if smoke else min(max(int(SECONDS / once), 31), 301)
    plain, later = cpu_medians((kernel.function, compiled), lambda: kernel.make(size), samples)
    return [plain, first, later]


def measure(smoke: bool) -> Table:
    """The plain call, the first compiled one, and the median of later ones beside that of plain ones."""
    rows: list[list[Cell]] = []
    for kernel in KERNELS[:: 8 if smoke else 1]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            plain, first, later = times(kernel, smoke)
        rows.append([f"`{kernel.name}`", plain * 1e3, first * 1e3, later * 1e3, later / plain])
    return Table(["Kernel", "plain, ms", "first compiled, ms", "later, ms", "compiled to plain"], rows)
