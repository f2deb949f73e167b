"""Medians, and smallest ones, of repeated times.  What is compared is timed in turn, so that a slow moment slows all of it."""

from __future__ import annotations

import statistics
import time
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


def minima(timers: Sequence[timeit.Timer], samples: int, number: int) -> list[float]:
    """The smallest time of a call of each, in seconds: for calls of nanoseconds, to which other work can only add.

    Args:
        timers: what is compared.
        samples: how often each is timed.
        number: how many calls make up one sample.
    """
    rows = [[one.timeit(number) / number for one in timers] for _ in range(samples)]
    return [min(column) for column in zip(*rows, strict=True)]


def cpu_time(function: Callable[..., Any], arguments: Sequence[Any]) -> float:
    """Seconds of the processor that one call takes; those that other processes take do not count."""
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def cpu_medians(
    forms: Sequence[Callable[..., Any]], make: Callable[[], Sequence[Any]], samples: int
) -> list[float]:
    """The median of `cpu_time` for each form, on fresh arguments.

    For calls of milliseconds that are timed in turn: a scheduler that takes the processor away every few
    milliseconds would do it in the same one of them each time.  Every other time they take their turns backwards:
    the next one finds the memory in another state than the first.
    """
    for form in forms:
        form(*make())
    return by_column(_turns(forms, make, backwards=bool(sample % 2)) for sample in range(samples))


def _turns(
    forms: Sequence[Callable[..., Any]], make: Callable[[], Sequence[Any]], *, backwards: bool
) -> list[float]:
    """The `cpu_time` of each form once, the last one measured first if that is asked for."""
    order = forms[::-1] if backwards else forms
    found = [cpu_time(form, make()) for form in order]
    return found[::-1] if backwards else found


def by_column(rows: Iterable[Sequence[float]]) -> list[float]:
    """The median of each column.

    Example:
        >>> by_column([[1.0, 10.0], [3.0, 30.0], [2.0, 90.0]])
        [2.0, 30.0]
    """
    return [statistics.median(column) for column in zip(*rows, strict=True)]
