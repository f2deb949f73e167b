"""The kernels with the backend that is chosen, once their hot loops are compiled, beside plain calls and NumPy source.

    python -m benchmarks.native_times            print the table
    python -m benchmarks.native_times lu fold    print the rows of some names

Loops count as hot at once here.  The time of the call that waits for Numba stands in a column of its own.
"""

from __future__ import annotations

import os
import statistics
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final
from unittest import mock

import astrace
from astrace.backends.native import judge, warm_up
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.numpy_source import SECONDS, kernel_subject
from benchmarks.programs import quiet
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians, cpu_time

CALLS: Final = judge.TRIALS + 2
"""Calls after which every kernel has been judged."""


@dataclass(frozen=True)
class Result:
    """One kernel at one size.

    Args:
        row: the cells of the table.
        compiling: the seconds of the longest call, which compiles; 0 where nothing is.
        speedup: how many times as fast as plain calls the later ones are.
    """

    row: list[Cell]
    compiling: float
    speedup: float


@contextmanager
def hot_at_once() -> Iterator[None]:
    """Let the backend be chosen, whatever the environment says, and no loop wait to be compiled; each is."""
    variables = {"ASTRACE_BACKEND": "auto", "ASTRACE_CACHE_DIR": "0"}
    with mock.patch.dict(os.environ, variables), mock.patch.object(warm_up, "HOT", 0.0):
        yield


def result(kernel: Kernel, size: int, smoke: bool) -> Result:
    """Time a kernel, after a call that may compile and those that judge; results are the same to the bit.

    Args:
        kernel: the program.
        size: of its arguments.
        smoke: each form is called twice only.
    """
    chosen = astrace.compile(kernel.function, fullgraph=True)
    waited = max(cpu_time(chosen, kernel.make(size)) for _ in range(CALLS))
    source = kernel_subject(kernel, size)
    replace(source, compiled=chosen).verify()
    forms: list[Callable[..., Any]] = [kernel.function, source.compiled, chosen]
    once = cpu_time(kernel.function, kernel.make(size))
    samples = 2 if smoke else min(max(int(SECONDS / once), 11), 301)
    plain, by_numpy, later = cpu_medians(forms, source.make, samples)
    machine = chosen.stats.kernels
    cells: list[Cell] = [plain * 1e6, by_numpy * 1e6, later * 1e6, plain / later]
    compiling = waited if any(one.kernels for one in chosen.captures) else 0.0
    told = f"{machine} kernel{'s' * (machine != 1)}" if machine else "NumPy"
    return Result([f"`{kernel.name}`", f"{size:,}", *cells, compiling or "", told], compiling, plain / later)


def measure(smoke: bool, names: Collection[str] = ()) -> Table:
    """Plain calls, those of NumPy source and those of the chosen backend, the slowest one first."""
    kernels = [one for one in KERNELS[:: 8 if smoke else 1] if not names or one.name in names]
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        astrace.compile(kernels[0].function)(*kernels[0].make(kernels[0].small))
        small = [result(one, one.small, smoke) for one in kernels]
        large = [] if smoke else [result(one, one.large, smoke) for one in kernels]
    found = sorted([*small, *large], key=lambda one: one.speedup)
    rows = [one.row for one in found]
    for name, ones in (("small", small), ("large", large)):
        if ones:
            mean = statistics.geometric_mean(one.speedup for one in ones)
            rows.append([f"geometric mean, {name}", "", "", "", "", mean, "", ""])
    waits = [one.compiling for one in found if one.compiling]
    if waits:
        rows.append(["median wait for Numba", "", "", "", "", "", statistics.median(waits), ""])
        rows.append(["longest", "", "", "", "", "", max(waits), ""])
    head = [
        "Kernel",
        "size",
        "plain, µs",
        "NumPy source, µs",
        "chosen, µs",
        "plain to chosen",
        "wait, s",
        "loops",
    ]
    return Table(head, rows)


if __name__ == "__main__":
    print(measure(smoke=False, names=sys.argv[1:]))
