"""Programs over lists, dicts and texts: what their first call costs, captured or given up."""

from __future__ import annotations

import warnings
from typing import Any

import astrace
from benchmarks.puzzles import PUZZLES, Puzzle
from benchmarks.stages import forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import cpu_time


def times(puzzle: Puzzle) -> tuple[float, float, float, str]:
    """Seconds of the plain call, the first compiled one and the one after it, and what became of the function."""
    plain = cpu_time(puzzle.function, puzzle.arguments())
    forget()
    compiled: Any = astrace.compile(puzzle.function)
    first = cpu_time(compiled, puzzle.arguments())
    second = cpu_time(compiled, puzzle.arguments())
    made = compiled.captures[0]
    if made.fallback is not None:
        return plain, first, second, f"plain Python: {made.fallback.code}"
    return plain, first, second, "partly" if made.recording.plain_calls else "whole"


def measure(smoke: bool) -> Table:
    """Milliseconds of the plain call, of the first compiled one and of the second."""
    rows: list[list[Cell]] = []
    for puzzle in PUZZLES[:: 6 if smoke else 1]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            plain, first, second, became = times(puzzle)
        rows.append([f"`{puzzle.name}`", plain * 1e3, first * 1e3, second * 1e3, became])
    return Table(["Program", "plain, ms", "first compiled, ms", "second, ms", "captured"], rows)
