"""Loops of writes through XLA: an iteration that writes in place costs the same for arrays of any length."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.made import made
from benchmarks.tables import Cell, Table
from benchmarks.writes import WRITES

NESTS: Final = {
    "a point and its neighbours": """
        def f(x, n):
            for i in range(1, n):
                x[i] = 0.5 * (x[i - 1] + x[i])
    """,
    "a swap of neighbours, on one branch": """
        def f(x, n):
            for i in range(1, n):
                if x[i] < x[i - 1] + 1.0:
                    x[i], x[i - 1] = x[i - 1], x[i]
    """,
    "on both branches": """
        def f(x, n):
            for i in range(1, n):
                if x[i - 1] > 0.0:
                    x[i] = 1.0
                else:
                    x[i] = x[i - 1] + 1.0
    """,
    "in a loop in a loop": """
        def f(x, n):
            for i in range(n // 10):
                for j in range(10):
                    x[i + j] += x[i] * 0.5
    """,
    "in a `while`": """
        def f(x, n):
            i = 0
            while i < n:
                x[i] = i
                i += 1
    """,
    "an element and a sum of all that changed": """
        def f(x, n):
            total = 0.0
            for i in range(n):
                x[i] += 1.0
                total += x[i]
            return total
    """,
}
SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
ITERATIONS: Final = 1_000


def measure(smoke: bool) -> Table:
    """The time of an iteration by the length of the array, and of a copy of the array."""
    sizes = SIZES[:2] if smoke else SIZES
    rows: list[list[Cell]] = []
    for kind, text in list((WRITES | NESTS).items())[:: 8 if smoke else 1]:
        compiled = astrace.compile(made(text), backend="jax", fullgraph=True)
        rows.append([kind, *(_turn(compiled, size, 3 if smoke else 31) * 1e9 for size in sizes)])
    rows.append(["**a copy of the array**", *(_copy(size) * 1e9 for size in sizes)])
    return Table(["What is written", *(f"{size:,} items, ns an iteration" for size in sizes)], rows)


def _turn(compiled: Callable[[Any, int], Any], size: int, samples: int) -> float:
    """Seconds of an iteration, from the fastest call of all iterations and that of one; a tenth of a ns at least."""
    compiled(np.zeros(size), 1)
    short, long = (
        min(_timed(compiled, size, iterations) for _ in range(samples)) for iterations in (1, ITERATIONS)
    )
    return max((long - short) / (ITERATIONS - 1), 1e-10)


def _timed(compiled: Callable[[Any, int], Any], size: int, iterations: int) -> float:
    x = np.zeros(size)
    start = time.perf_counter()
    compiled(x, iterations)
    return time.perf_counter() - start


def _copy(size: int) -> float:
    x = np.zeros(size)
    return min(timeit.repeat(x.copy, number=10, repeat=31)) / 10
