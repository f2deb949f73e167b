"""Capture of functions that grow: the time should grow as their length does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from benchmarks.made import branches, chain, diamond, made, nested, tries
from benchmarks.stages import PYTHON, STAGES, capture
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column

Shape: TypeAlias = tuple[Callable[[int], str], tuple[int, ...]]

SHAPES: Final[dict[str, Shape]] = {
    "chain": (chain, (1_000, 5_000, 20_000)),
    "diamonds": (diamond, (15, 30, 60)),
    "branches": (branches, (15, 30, 60)),
    "nested loops": (nested, (3, 6, 12)),
    "nested tries": (tries, (3, 6, 12)),
}
SMALL: Final[dict[str, Shape]] = {
    "chain": (chain, (100, 400)),
    "diamonds": (diamond, (15, 60)),
    "branches": (branches, (15, 60)),
    "nested loops": (nested, (3, 6)),
    "nested tries": (tries, (3, 6)),
}


def stage_times(text: str) -> list[float]:
    """Seconds of the four stages, and of Python's own compiler on the same text."""
    found = capture(made(text), np.float64(1.0))
    return [*found.stages, found.python * found.lines]


def measure(smoke: bool) -> Table:
    """Milliseconds of each stage by size, and the power of the size by which each grows."""
    stage_times(chain(10))
    rows: list[list[Cell]] = []
    for kind, (write, sizes) in (SMALL if smoke else SHAPES).items():
        samples = 1 if smoke else 3
        found = {size: by_column(stage_times(write(size)) for _ in range(samples)) for size in sizes}
        rows += [[f"{kind}, {size:,}", *(time * 1e3 for time in times)] for size, times in found.items()]
        rows.append([f"{kind}, power", *powers(found)])
    return Table(["Size", *(f"{stage}, ms" for stage in (*STAGES, PYTHON))], rows)


def powers(times: dict[int, list[float]]) -> list[float]:
    """By which power of the size each time grows, from the smallest to the largest: 1 is linear, 2 quadratic.

    Example:
        >>> powers({10: [1.0, 1.0], 100: [10.0, 100.0]})
        [1.0, 2.0]
    """
    small, large = min(times), max(times)
    pairs = zip(times[small], times[large], strict=True)
    return [math.log(after / before) / math.log(large / small) for before, after in pairs]
