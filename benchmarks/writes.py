"""Loops of writes to an array: one that is written in place costs the same however long the array is."""

from __future__ import annotations

from typing import Final

import numpy as np

import astrace
from benchmarks.growth import powers
from benchmarks.made import made
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_medians

WRITES: Final = {
    "`x[i] = v`, an argument": """
        def f(x, n):
            for i in range(n):
                x[i] = i
    """,
    "`x[i] = v`, an array made here": """
        def f(x, n):
            y = np.zeros_like(x)
            for i in range(n):
                y[i] = x[i]
            return y
    """,
    "`x[i] += v`, the last value used": """
        def f(x, n):
            for i in range(1, n):
                x[i] += x[i - 1]
            return x
    """,
    "`x[i : i + 2] = …`": """
        def f(x, n):
            for i in range(n - 1):
                x[i : i + 2] = i
    """,
    "`x[i : i + 2] += …`": """
        def f(x, n):
            for i in range(n - 1):
                x[i : i + 2] += 1.0
    """,
    "through a view": """
        def f(x, n):
            view = x[::-1]
            for i in range(n):
                view[i] = i
            return view
    """,
    "`np.add(…, out=…)` into a part": """
        def f(x, n):
            for i in range(n - 2):
                np.add(x[i : i + 1], 1.0, out=x[i + 1 : i + 2])
    """,
    "on one branch": """
        def f(x, n):
            for i in range(n):
                if i % 2:
                    x[i] = i
            return x
    """,
    "in a helper": """
        def put(x, i):
            x[i] = i

        def f(x, n):
            for i in range(n):
                put(x, i)
    """,
    "of two arrays that change places": """
        def f(x, n):
            y = np.zeros_like(x)
            for i in range(n):
                x[i] = i
                x, y = y, x
            return x, y
    """,
}
SIZES: Final = (1_000, 10_000, 100_000)


def measure(smoke: bool) -> Table:
    """The time of a write by the number of writes, which is the length of the array, and the power it grows by."""
    samples = 2 if smoke else 15
    rows: list[list[Cell]] = []
    for kind, text in WRITES.items():
        plain = made(text)
        compiled = astrace.compile(plain, fullgraph=True)
        before: dict[int, list[float]] = {}
        after: dict[int, list[float]] = {}
        for size in SIZES[:2] if smoke else SIZES:
            first, second = cpu_medians((plain, compiled), lambda size=size: (np.zeros(size), size), samples)
            before[size], after[size] = [first], [second]
        each = [after[size][0] / size * 1e9 for size in after]
        last = max(after)
        rows.append([kind, *each, *powers(before), *powers(after), after[last][0] / before[last][0]])
    sizes = [f"{size:,} writes, ns each" for size in (SIZES[:2] if smoke else SIZES)]
    return Table(["What is written", *sizes, "power, plain", "power, compiled", "compiled to plain"], rows)
