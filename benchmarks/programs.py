"""The cost of capture over the programs of ``tests/programs``: stage by stage, and as a first call."""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import sys
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import astrace
from benchmarks.stages import PYTHON, STAGES, UNCACHED, capture, forget
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import harness


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Programs print and warn."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def program_names() -> list[str]:
    """All programs."""
    return harness.program_names()


def captured_programs(smoke: bool) -> list[str]:
    """The programs that are captured whole; a few of them for a smoke test."""
    names = harness.program_names()
    return [name for name in names[:: 24 if smoke else 1] if _is_captured(name)]


def _is_captured(name: str) -> bool:
    module = ready(name)
    recording = astrace.compile(module.f).stages(*module.CALLS[0]).recording
    return recording is not None and not recording.plain_calls


def ready(name: str) -> types.ModuleType:
    """A fresh copy of a program, ready for its first call: none of its functions has been rewritten before."""
    forget()
    module = harness.load_program(name)
    harness.prepare(module, 0)
    return module


# -- stages ------------------------------------------------------------------------------------------------


def stage_times(name: str) -> list[float]:
    """Seconds per source line of each stage, of all, and of Python's own compiler, for a program's first call."""
    module = ready(name)
    found = capture(module.f, *module.CALLS[0])
    times = (*found.stages, sum(found.stages))
    return [*(time / found.lines for time in times), found.python]


def measure_stages(smoke: bool) -> Table:
    """Each stage's time per source line, with its spread over the programs."""
    samples = 1 if smoke else 7
    with quiet():
        names = captured_programs(smoke)
        found = [by_column(stage_times(name) for _ in range(samples)) for name in names]
    rows: list[list[Cell]] = []
    for index, label in enumerate((*STAGES, "all four", PYTHON)):
        column = sorted(times[index] * 1e6 for times in found)
        ratio = statistics.median(times[index] / times[-1] for times in found)
        rows.append([label, statistics.median(column), column[int(0.9 * (len(column) - 1))], ratio])
    return Table(["Stage", "median, µs a line", "90th percentile, µs a line", "to Python's"], rows)


# -- first calls -------------------------------------------------------------------------------------------


def call_times(name: str) -> list[float]:
    """Seconds of the plain call, of the first compiled call and of the next, each on fresh arguments."""
    plain, subject = ready(name), ready(name)
    forget()
    compiled = astrace.compile(subject.f)
    calls = [(plain, plain.f), (subject, compiled), (subject, compiled)]
    return [_call_time(module, function) for module, function in calls]


def first_time(module: types.ModuleType, function: Any) -> float:
    """Processor seconds of a call; the program's own exceptions are part of what it does."""
    arguments = harness.fresh_arguments(module.CALLS[0])

    start = time.process_time()
    with contextlib.suppress(Exception):
        function(*arguments)
    return time.process_time() - start


def _call_time(module: types.ModuleType, function: Any) -> float:
    """Seconds of one call; the program's own exceptions are part of what it does."""
    arguments = harness.fresh_arguments(module.CALLS[0])

    start = time.perf_counter()
    with contextlib.suppress(Exception):
        function(*arguments)
    return time.perf_counter() - start


def measure_first_calls(smoke: bool) -> Table:
    """The first call and the second beside the plain call, with their spread over the programs."""
    samples = 1 if smoke else 7
    with quiet(), mock.patch.dict(os.environ, UNCACHED):
        names = captured_programs(smoke)
        found = [by_column(call_times(name) for _ in range(samples)) for name in names]
    rows: list[list[Cell]] = []
    for index, label in enumerate(("plain", "first compiled", "second compiled")):
        column = sorted(times[index] * 1e6 for times in found)
        ratio = statistics.median(times[index] / times[0] for times in found)
        rows.append([label, column[0], statistics.median(column), column[-1], ratio])
    return Table(["Call", "least, µs", "median, µs", "most, µs", "to plain"], rows)
