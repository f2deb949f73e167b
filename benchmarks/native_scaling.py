"""How the gain of machine code depends on the size: ten kernels from a hundred items to ten millions.

    python -m benchmarks.native_scaling    print the table

An item is what a kernel goes through once, or once in each step: a sample, a point of a grid, a number of a matrix.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import astrace
from benchmarks.charts import chart
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.native_times import CALLS, hot_at_once
from benchmarks.numpy_source import SECONDS, kernel_subject
from benchmarks.programs import quiet
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians, cpu_time

ITEMS: Final = tuple(10**power for power in range(2, 8))


def _side(items: int) -> int:
    return math.isqrt(items)


def _rows_of(width: int) -> Callable[[int], int]:
    return lambda items: max(items // width, 2)


SIZES: Final[Mapping[str, Callable[[int], int]]] = {
    "density": _rows_of(10),
    "condense": int,
    "edges": _side,
    "shallow_water": _side,
    "standardised": _rows_of(32),
    "running_integral": int,
    "asian_option": _rows_of(50),
    "smooth": int,
    "tridiagonal": int,
    "csr_product": _rows_of(3),
}
"""The size of each kernel's arguments for a number of items."""


def speedup(kernel: Kernel, items: int, smoke: bool) -> float:
    """Return how many times as fast as plain calls those are that are chosen, once they are hot; their bits are the same."""
    size = SIZES[kernel.name](items)
    chosen = astrace.compile(kernel.function, fullgraph=True)
    for _ in range(CALLS):
        chosen(*kernel.make(size))
    subject = kernel_subject(kernel, size)
    replace(subject, compiled=chosen).verify()
    once = cpu_time(kernel.function, kernel.make(size))
    samples = 2 if smoke else min(max(int(SECONDS / once), 3), 301)
    plain, later = cpu_medians((kernel.function, chosen), subject.make, samples)
    return plain / later


def measure(smoke: bool) -> Table:
    """Plain to chosen, for each number of items."""
    counts = ITEMS[:2] if smoke else ITEMS
    known = {kernel.name: kernel for kernel in KERNELS}
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        rows: list[list[Cell]] = [
            [f"`{name}`", *(speedup(known[name], items, smoke) for items in counts)]
            for name in list(SIZES)[:: 5 if smoke else 1]
        ]
    return Table(["Kernel", *(f"{items:,}" for items in counts)], rows)


def drawn(table: Table) -> str:
    """Return the chart of a table that was measured."""
    counts = [float(column.replace(",", "")) for column in table.columns[1:]]
    lines = {
        str(row[0]).strip("`"): list(zip(counts, map(float, row[1:]), strict=True)) for row in table.rows
    }
    return chart("Machine code beside NumPy", ("items", "times as fast as plain calls"), lines)


if __name__ == "__main__":
    print(measure(smoke=False))
