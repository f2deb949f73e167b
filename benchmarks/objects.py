"""Loops that keep their state in objects: filters, learners and simulations that are written as classes.

    python -m benchmarks.report objects

Plain, as NumPy source and as machine code.  Before anything is timed, three calls each way have to leave the same results and
the same objects.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any, Final

import astrace
from benchmarks.native_times import hot_at_once
from benchmarks.object_programs import PROGRAMS, ema
from benchmarks.programs import quiet
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column, cpu_time

SAMPLES: Final = 51
CALLS: Final = 4
"""Calls after which a loop has been compiled and judged."""
HEAD: Final = ("Program", "plain, µs", "NumPy source, µs", "chosen, µs", "plain to chosen", "loops")


def left_by(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> bytes:
    """What a call gives, with its arguments as it leaves them, and what is one object in both."""
    arguments = make()
    return pickle.dumps((function(*arguments), arguments))


def row(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]], samples: int) -> list[Cell]:
    """Time a program, once it is compiled and leaves what the plain one leaves.

    Args:
        function: the program.
        make: fresh arguments, since the objects change.
        samples: how often each form is timed.

    Raises:
        AssertionError: it leaves something else.
    """
    source = astrace.compile(function, backend="numpy")
    chosen = astrace.compile(function)
    expected = left_by(function, make)
    for form in (source, chosen):
        if any(left_by(form, make) != expected for _ in range(CALLS)):
            raise AssertionError(f"{function.__name__}: other results or objects than plain Python's")
    forms = (function, source, chosen)
    plain, by_numpy, later = by_column([cpu_time(form, make()) for form in forms] for _ in range(samples))
    ran = sum(kernel.runs > 0 for capture in chosen.captures for kernel in capture.kernels)
    told = f"{ran} kernel{'s' * (ran != 1)}" if ran else "NumPy"
    return [f"`{function.__name__}`", plain * 1e6, by_numpy * 1e6, later * 1e6, plain / later, told]


def measure(smoke: bool) -> Table:
    """Return what a call takes plain, as NumPy source and as chosen."""
    programs = [(ema, PROGRAMS[ema])] if smoke else list(PROGRAMS.items())
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        rows = [row(function, make, 3 if smoke else SAMPLES) for function, make in programs]
    return Table(HEAD, rows)
