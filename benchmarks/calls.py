"""The cost of a hot call: plain, through the dispatcher, and the generated function alone."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import astrace
from benchmarks.made import made
from benchmarks.tables import Cell, Table
from benchmarks.timing import medians, timer

COUNTS = (1, 2, 4)


@dataclass(frozen=True)
class Call:
    """A function of a few tiny arrays, in three forms that take the same arguments."""

    arguments: tuple[np.ndarray, ...]
    plain: types.FunctionType
    compiled: Callable[..., Any]
    generated: Callable[..., Any]


def call_of(count: int) -> Call:
    """A sum of ``count`` arrays, or of one with a number; captured, and called once."""
    names = [f"x{index}" for index in range(count)]
    total = " + ".join(names) if count > 1 else "x0 + 1.0"
    plain = made(f"def f({', '.join(names)}):\n    return {total}\n")
    arguments = tuple(np.arange(3.0) + index for index in range(count))
    compiled = astrace.compile(plain, fullgraph=True)
    compiled(*arguments)
    executable = compiled.stages(*arguments).executable
    assert executable is not None and executable.used == tuple(range(count))
    return Call(arguments, plain, compiled, executable.function)


def measure(smoke: bool) -> Table:
    """The compiled call minus the generated function alone, for some numbers of arguments."""
    samples, number = (3, 1_000) if smoke else (31, 20_000)
    rows: list[list[Cell]] = []
    for count in COUNTS:
        call = call_of(count)
        forms = [timer(form, *call.arguments) for form in (call.plain, call.generated, call.compiled)]
        plain, generated, compiled = (time * 1e6 for time in medians(forms, samples, number))
        rows.append([str(count), plain, generated, compiled, compiled - generated, compiled / plain])
    columns = ["Arrays", "plain, µs", "generated alone, µs", "compiled, µs", "added, µs", "compiled to plain"]
    return Table(columns, rows)
