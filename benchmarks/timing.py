"""Medians of repeated times.  What is compared is timed in turn, so that a slow moment slows all of it."""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable, Iterable, Sequence
from typing import Any


def timer(function: Callable[..., Any], *arguments: Any) -> timeit.Timer:
    """A timer of one call, with no function in between; the garbage collector stays on."""
    names = [f"a{index}" for index in range(len(arguments))]
    scope = dict(zip(names, arguments, strict=True), function=function)
    return timeit.Timer(f"function({', '.join(names)})", "import gc; gc.enable()", globals=scope)


def medians(timers: Sequence[timeit.Timer], samples: int, number: int = 1) -> list[float]:
    """The median time of a call of each, in seconds.

    Args:
        timers: what is compared.
        samples: how often each is timed.
        number: how many calls make up one sample.
    """
    for one in timers:
        one.timeit(1)
    return by_column([one.timeit(number) / number for one in timers] for _ in range(samples))


def by_column(rows: Iterable[Sequence[float]]) -> list[float]:
    """The median of each column.

    Example:
        >>> by_column([[1.0, 10.0], [3.0, 30.0], [2.0, 90.0]])
        [2.0, 30.0]
    """
    return [statistics.median(column) for column in zip(*rows, strict=True)]
