"""The kernels, plain and compiled, on arguments of their large size."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import astrace
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.stages import clocked, forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column

SECONDS = 0.5
"""How long the plain calls of one kernel are timed, in all."""


def compiled_of(kernel: Kernel, given: tuple[Any, ...]) -> tuple[float, Callable[..., Any]]:
    """The kernel as a compiled function, and the seconds of its first call, with nothing known beforehand."""
    forget()
    compiled = astrace.compile(kernel.function, fullgraph=True)
    return clocked(compiled, *copy.deepcopy(given))[0], compiled


def call_times(forms: tuple[Callable[..., Any], ...], given: tuple[Any, ...]) -> list[float]:
    """Seconds of a call of each form, on arguments of its own: kernels change them."""
    copies = [copy.deepcopy(given) for _ in forms]
    return [clocked(form, *one)[0] for form, one in zip(forms, copies, strict=True)]


def measure(smoke: bool) -> Table:
    """The plain call, the first compiled one, and the median of later ones beside that of plain ones."""
    rows: list[list[Cell]] = []
    for kernel in KERNELS[:: 8 if smoke else 1]:
        given = kernel.make(kernel.small if smoke else kernel.large)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            first, compiled = compiled_of(kernel, given)
            once = call_times((kernel.function,), given)[0]
            samples = 2 if smoke else min(max(int(SECONDS / once), 31), 301)
            forms = (kernel.function, compiled)
            plain, later = by_column(call_times(forms, given) for _ in range(samples))
        rows.append([f"`{kernel.name}`", plain * 1e3, first * 1e3, later * 1e3, later / plain])
    return Table(["Kernel", "plain, ms", "first compiled, ms", "later, ms", "compiled to plain"], rows)
