"""Loops: capture must not depend on the number of iterations; an iteration should cost what a plain one costs."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.made import made
from benchmarks.tables import Cell, Table
from benchmarks.timing import medians, timer

TRIPS: Final = (3, 3_000, 3_000_000)

# -- capture by trip count ---------------------------------------------------------------------------------

ARGUMENT: Final = """
def f(x, n):
    for i in range(n):
        x = x * 0.5 + i
    return x
"""
LITERAL: Final = """
def f(x):
    for i in range({trips}):
        x = x * 0.5 + i
    return x
"""
ROWS: Final = """
def f(rows):
    total = 0.0
    for row in rows:
        if row[0] > total:
            total = total + row[0]
    return total
"""
BOUNDS: Final = ("argument", "literal", "rows of an array")


def bounded(bound: str, trips: int) -> tuple[types.FunctionType, tuple[Any, ...]]:
    """A loop of so many iterations, and its arguments."""
    match bound:
        case "argument":
            return made(ARGUMENT), (1.0, trips)
        case "literal":
            return made(LITERAL.format(trips=trips)), (1.0,)
        case _:
            return made(ROWS), (np.zeros((trips, 1)),)


def block_of(function: types.FunctionType, arguments: tuple[Any, ...]) -> str:
    """The text of a function's block after the passes, captured anew."""
    graph = astrace.compile(function, fullgraph=True).stages(*arguments).graph
    assert graph is not None
    return str(graph.block)


def blocks(bound: str) -> set[str]:
    """The blocks for all trip counts: one, where they differ in nothing but a literal bound."""
    texts = ((trips, block_of(*bounded(bound, trips))) for trips in TRIPS)
    named = (text.replace(f"range(0, {trips}, 1)", "range(0, n, 1)") for trips, text in texts)
    return {" ".join(text.split()) for text in named}


def measure_trips(smoke: bool) -> Table:
    """The time of a trace with passes and backend, by trip count; the rewritten text is kept."""
    rows: list[list[Cell]] = []
    for bound in BOUNDS:
        subjects = [bounded(bound, trips) for trips in TRIPS]
        times = medians([timer(block_of, *subject) for subject in subjects], 3 if smoke else 51)
        rows.append([bound, *(time * 1e3 for time in times), times[-1] / times[0], str(len(blocks(bound)))])
    columns = [
        "Bound",
        *(f"{trips:,} iterations, ms" for trips in TRIPS),
        "last to first",
        "different blocks",
    ]
    return Table(columns, rows)


# -- iterations --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Loop:
    """A loop of ``n`` iterations that starts from ``x``."""

    text: str
    x: Any


LOOPS: Final = {
    "number": Loop(ARGUMENT, 2.0),
    "number, branch": Loop(
        """
        def f(x, n):
            for i in range(n):
                if x > 10:
                    x = x * 0.5
                else:
                    x = x + i
            return x
        """,
        2.0,
    ),
    "number, `while` with early exit": Loop(
        """
        def f(x, n):
            count = 0
            while count < n:
                x = x * 0.5 + count
                if x < 0:
                    break
                count += 1
            return x
        """,
        2.0,
    ),
    "NumPy scalar": Loop(ARGUMENT, np.float64(2.0)),
    "array of 8": Loop(ARGUMENT, np.arange(8.0)),
    "array of 8, written in place": Loop(
        """
        def f(x, n):
            x = x.copy()
            for i in range(n):
                x[i % 8] = x[0] * 0.5
            return x
        """,
        np.arange(8.0),
    ),
}


def measure_iterations(smoke: bool) -> Table:
    """The time of one iteration, plain and captured."""
    samples, trips = (2, 1_000) if smoke else (21, 20_000)
    rows: list[list[Cell]] = []
    for kind, loop in LOOPS.items():
        plain = made(loop.text)
        compiled = astrace.compile(plain, fullgraph=True)
        before, after = medians([timer(form, loop.x, trips) for form in (plain, compiled)], samples)
        rows.append([kind, before / trips * 1e9, after / trips * 1e9, after / before])
    return Table(
        ["What is carried", "plain, ns an iteration", "compiled, ns an iteration", "compiled to plain"], rows
    )
