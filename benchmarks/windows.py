"""Loops over windows and over few numbers, as image and signal code is written: plain, and as machine code.

    python -m benchmarks.report windows

The kernels of `benchmarks.kernels` have few of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.kernels.kernel import Kernel
from benchmarks.native_times import HEAD, hot_at_once, result
from benchmarks.programs import quiet
from benchmarks.tables import Table


def window_sums(x):
    """The sum of the nine items around each."""
    found = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            found[i, j] = np.sum(x[i - 1 : i + 2, j - 1 : j + 2])
    return found


def window_means(x):
    """The mean of the nine items around each."""
    found = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            found[i, j] = x[i - 1 : i + 2, j - 1 : j + 2].mean()
    return found


def window_deviations(x):
    """The standard deviation of the nine items around each."""
    found = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            found[i, j] = np.std(x[i - 1 : i + 2, j - 1 : j + 2])
    return found


def pooled_maxima(x):
    """The largest of four items, for each square of two by two."""
    found = np.zeros((x.shape[0] // 2, x.shape[1] // 2))
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            found[i, j] = np.max(x[2 * i : 2 * i + 2, 2 * j : 2 * j + 2])
    return found


def peaks(x):
    """How many items are the largest of three."""
    count = 0
    for i in range(1, len(x) - 1):
        if x[i] == np.max(x[i - 1 : i + 2]):
            count += 1
    return count


def weighted_sums(x):
    """The sum of all windows of five, each from a comprehension."""
    total = 0.0
    for i in range(2, len(x) - 2):
        total += sum([x[i + k] * 0.2 for k in range(-2, 3)])
    return total


def sum_of_squares(x):
    """The squares of all items, added up."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
    return total


def grid(size: int) -> tuple[Any, ...]:
    """As many rows as columns."""
    return (np.random.default_rng(1).normal(size=(size, size)),)


def series(size: int) -> tuple[Any, ...]:
    """One axis."""
    return (np.random.default_rng(2).normal(size=size),)


OF_GRIDS: Final[tuple[Callable[..., Any], ...]] = (
    window_sums,
    window_means,
    window_deviations,
    pooled_maxima,
)
OF_SERIES: Final[tuple[Callable[..., Any], ...]] = (peaks, weighted_sums, sum_of_squares)
KERNELS: Final = (
    *(Kernel(function, grid, 8, 80) for function in OF_GRIDS),
    *(Kernel(function, series, 20, 2000) for function in OF_SERIES),
)


def measure(smoke: bool) -> Table:
    """Return what a call takes plain, as NumPy source and as chosen, and through peers, at two sizes."""
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        astrace.compile(window_sums)(*grid(4))
        sizes = [
            (one, size) for one in KERNELS for size in ((one.small,) if smoke else (one.small, one.large))
        ]
        rows = [result(one, size, smoke).row for one, size in sizes[:: 3 if smoke else 1]]
    return Table(HEAD, rows)
