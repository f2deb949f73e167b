"""Medians, and smallest ones, of repeated times.  What is compared is timed in turn, so that a slow moment slows all of it."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final


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


SHORT: Final = 200e-6
"""Seconds that a sample takes at least: asking for the processor's time takes about one microsecond."""
MOST_TOGETHER: Final = 100
"""Calls that are timed together at most."""
FEW: Final = 31
"""Samples of several calls each that are enough for a median."""


def cpu_medians(
    forms: Sequence[Callable[..., Any]], make: Callable[[], Sequence[Any]], samples: int
) -> list[float]:
    """The median of `cpu_time` for each form, on fresh arguments; short calls are timed several together, each on its own ones.

    For calls that are timed in turn: a scheduler that takes the processor away every few milliseconds would do it in
    the same one of them each time.  Every other time they take their turns backwards: the next one finds the memory in
    another state than the first.
    """
    once = min(min(cpu_time(form, make()) for _ in range(3)) for form in forms)
    number = min(max(round(SHORT / once), 1), MOST_TOGETHER)
    turns = samples if number == 1 else min(samples, FEW)
    return by_column(_turns(forms, make, number, backwards=bool(turn % 2)) for turn in range(turns))


def _turns(
    forms: Sequence[Callable[..., Any]], make: Callable[[], Sequence[Any]], number: int, *, backwards: bool
) -> list[float]:
    """The time of a call of each form, the last one measured first if that is asked for."""
    order = forms[::-1] if backwards else forms
    found = [_together(form, [make() for _ in range(number)]) for form in order]
    return found[::-1] if backwards else found


def _together(function: Callable[..., Any], arguments: Sequence[Sequence[Any]]) -> float:
    """Seconds of the processor that a call takes, on average."""
    if len(arguments) == 1:
        return cpu_time(function, arguments[0])
    start = time.process_time()
    for one in arguments:
        function(*one)
    return (time.process_time() - start) / len(arguments)


def by_column(rows: Iterable[Sequence[float]]) -> list[float]:
    """The median of each column.

    Example:
        >>> by_column([[1.0, 10.0], [3.0, 30.0], [2.0, 90.0]])
        [2.0, 30.0]
    """
    return [statistics.median(column) for column in zip(*rows, strict=True)]
