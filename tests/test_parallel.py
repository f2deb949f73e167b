"""Loops in several threads: the same to the bit, and only where no iteration depends on another."""

from __future__ import annotations

import functools
import json
import time
from dataclasses import replace
from typing import Any

import chain_programs
import harness
import loop_programs
import numpy as np
import pytest

import astrace
from astrace.backends.base import Mode
from astrace.backends.native import backend, host
from astrace.backends.native.background.worker import piece_of
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.machine_code import KernelPiece
from astrace.backends.native.partition import Partition
from astrace.backends.native.signature import ArrayArgument, NumberArgument
from astrace.backends.native.source import write

MANY = 50
PROGRAMS = {**loop_programs.PROGRAMS, **chain_programs.PROGRAMS}


@pytest.fixture(autouse=True)
def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any loop that may be divided is, among three threads."""
    monkeypatch.setattr(host, "LEAST_WORK", 1)
    monkeypatch.setattr(host, "thread_count", lambda: 3)


def kernels_of(function: Any) -> list[Kernel]:
    """The kernels of all captures."""
    stages = [one for one in function.captures if one.executable is not None]
    return [kernel for one in stages for kernel in one.executable.kernels]


def parts_of(function: Any, *arguments: Any) -> int:
    """The number of loops of a function that several threads run."""
    stages = astrace.compile(function, backend="native", parallel=True).stages(*arguments)
    assert stages.executable is not None
    return sum(len(kernel.source.parts) for kernel in stages.executable.kernels)


def check(function: Any, calls: Any, **options: Any) -> Any:
    """Compare calls of a function with the one that is run by several threads, in order; gives that."""
    parallel = astrace.compile(function, backend="native", parallel=True, recompile_limit=MANY, **options)
    for make in calls:
        expected, found = (harness.observe(one, make()) for one in (function, parallel))
        assert harness.differences(expected, found) == []
        assert set(found.warned) == set(expected.warned)
    assert all(kernel.refused is None for kernel in kernels_of(parallel))
    return parallel


@pytest.mark.share(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    """Programs with no loop that is divided have the machine code that they always have."""
    function, calls = PROGRAMS[name]
    if any(parts_of(function, *make()) for make in calls):
        assert sum(kernel.runs for kernel in kernels_of(check(function, [*calls, *calls[:2]])))


@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_in_another_order(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs the text, the last part of each loop first."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, calls = PROGRAMS[name]
    check(function, calls)


# -- what depends on what ------------------------------------------------------------------------------------


def rows(a: Any, b: Any, n: int) -> None:
    for i in range(n):
        total = 0.0
        for j in range(a.shape[1]):
            total = total + a[i, j]
            b[i, j] = total


def reads_what_is_written_before(a: Any, b: Any, n: int) -> None:
    for i in range(1, n):
        a[i, 0] = a[i - 1, 0] + b[i, 0]


def reads_what_is_written_later(a: Any, b: Any, n: int) -> None:
    for i in range(n - 1):
        a[i, 0] = a[i + 1, 0] + b[i, 0]


def writes_one_item(a: Any, b: Any, n: int) -> None:
    for i in range(n):
        a[0, 0] = b[i, 0]


def writes_where_data_say(a: Any, b: Any, n: int) -> None:
    for i in range(n):
        a[int(b[i, 0]), 0] = i


def carries_a_number(a: Any, b: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total = total + a[i, 0]
        b[i, 0] = total
    return total


def writes_rows_and_columns(a: Any, b: Any, n: int) -> None:
    for i in range(n):
        a[i, 0] = 1.0
        a[0, i] = 2.0


def leaves(a: Any, b: Any, n: int) -> None:
    for i in range(n):
        if b[i, 0] > 2.0:
            break
        a[i, 0] = 1.0


def every_second(a: Any, b: Any, n: int) -> None:
    for i in range(n // 2):
        a[2 * i + 1, 0] = a[2 * i + 1, 1] + b[i, 0]


def every_second_and_the_next(a: Any, b: Any, n: int) -> None:
    for i in range(n // 2 - 1):
        a[2 * i + 1, 0] = a[2 * i + 2, 0] + b[i, 0]


def sorted_by_time(a: Any, b: Any, n: int) -> None:
    for _ in range(3):
        a[1:-1] = a[1:-1] + (b[2:] - b[:-2]) * 0.5
        b[1:-1] = b[1:-1] + (a[2:] - a[:-2]) * 0.5


def smoothed_in_place(a: Any, b: Any, n: int) -> None:
    for _ in range(2):
        a[1:] = a[1:] * 0.5 + a[:-1] * 0.5


def writes_nothing(a: Any, b: Any, n: int) -> None:
    scale = 1.0
    for i in range(n):
        for k in range(n):
            a[0, 0] += b[i, k]
    for _ in range(n):
        scale = scale * 0.5


INDEPENDENT = (rows, every_second, sorted_by_time, smoothed_in_place)
DEPENDENT = (
    reads_what_is_written_before,
    reads_what_is_written_later,
    writes_one_item,
    writes_where_data_say,
    carries_a_number,
    writes_rows_and_columns,
    leaves,
    writes_nothing,
    every_second_and_the_next,
)


def made(size: int) -> tuple[Any, ...]:
    a, b = (np.linspace(start, 3.0, size * size).reshape(size, size) for start in (0.0, 1.0))
    return a, b, size


@pytest.mark.parametrize("function", INDEPENDENT)
def test_independent_iterations(function: Any) -> None:
    assert parts_of(function, *made(5))
    check(function, [lambda size=size: made(size) for size in (5, 0, 1, 2, 40)])


@pytest.mark.parametrize("function", DEPENDENT)
def test_dependent_iterations_are_not_divided(function: Any) -> None:
    assert parts_of(function, *made(5)) == 0
    check(function, [lambda: made(5)])


def one_array(size: int) -> tuple[Any, ...]:
    a = np.linspace(0.0, 3.0, size * size).reshape(size, size)
    return a, a, size


def overlapping(size: int) -> tuple[Any, ...]:
    a = np.linspace(0.0, 3.0, (size + 1) * size).reshape(size + 1, size)
    return a[:-1], a[1:], size


def reversed_rows(size: int) -> tuple[Any, ...]:
    a = np.linspace(0.0, 3.0, size * size).reshape(size, size)
    return a, a[::-1], size


@pytest.mark.parametrize("make", [one_array, overlapping, reversed_rows])
def test_arrays_that_share_memory(make: Any) -> None:
    """Whether arrays are apart is looked at when a loop runs; where they are not, one thread runs it."""
    check(rows, [lambda size=size: make(size) for size in (4, 30, 1)])


# -- what ends a loop ----------------------------------------------------------------------------------------


def inverses(a: Any, n: int, step: int) -> None:
    for i in range(n):
        for j in range(0, n, step):
            a[i, j] = 1.0 / a[i, j]


CALLS = [
    lambda: (np.ones((9, 9)), 9, 1),
    lambda: (np.eye(9), 9, 1),
    lambda: (np.ones((9, 9)), 12, 1),
    lambda: (np.full((9, 9), 1e-320), 9, 2),
]


@pytest.mark.parametrize("exact", [True, False])
def test_exceptions_and_warnings(exact: bool) -> None:
    """An iteration in the middle fails or warns: what plain Python writes is written, and nothing else."""
    parallel = astrace.compile(inverses, backend="native", parallel=True, exact=exact)
    for make in CALLS:
        expected, found = (harness.observe(one, make()) for one in (inverses, parallel))
        assert found.error == expected.error and found.line == expected.line
        assert harness.same(found.arguments, expected.arguments)
        assert not exact or set(found.warned) == set(expected.warned)


def worked(a: Any, n: int) -> None:
    for i in range(n):
        x = a[i]
        for _ in range(4000):
            x = x * 0.999 + 0.5
        a[i] = x


def test_other_threads_do_the_work() -> None:
    """Where three threads work, the one that has called them waits."""
    parallel = astrace.compile(worked, backend="native", parallel=True)
    parallel(np.ones(4), 4)
    whole, own = time.process_time(), time.thread_time()
    parallel(np.ones(3000), 3000)
    whole, own = time.process_time() - whole, time.thread_time() - own
    assert own < whole / 3
    assert "by several threads" in parallel.explain(np.ones(4), 4)


def test_little_work_is_done_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    assert host.parts_of(0, 100, 10, 1 << 17, 8) == 1
    assert host.parts_of(0, 100, 10_000, 1 << 17, 8) == 7
    assert host.parts_of(0, 3, 1_000_000, 1 << 17, 8) == 3
    assert host.parts_of(0, 0, 10, 1 << 17, 8) == 1
    assert host.parts_of(5, 1, 1_000_000, 1 << 17, 8) == 1


@pytest.mark.parametrize(("asked", "count"), [("3", 3), ("1", 1), ("100000", host.MOST_THREADS)])
def test_the_number_of_threads(asked: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("NUMBA_NUM_THREADS", asked)
    assert host.thread_count() == count


def test_threads_have_their_own_machine_code(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))

    def compilations(parallel: bool) -> int:
        function = astrace.compile(rows, backend="native", parallel=parallel)
        function(*made(6))
        (kernel,) = kernels_of(function)
        assert kernel.runs and kernel.machine_code is not None
        return kernel.machine_code.compilations

    assert [compilations(parallel) for parallel in (True, False, True, False)] == [1, 1, 0, 0]


@pytest.mark.parametrize("exact", [True, False])
def test_another_process_is_told_of_all_that_a_kernel_is(exact: bool) -> None:
    function = astrace.compile(rows, backend="native", parallel=True, exact=exact)
    function(*made(6))
    (kernel,) = kernels_of(function)
    source = write(kernel._lowered, "kernel", for_numba=True, parallel=True)
    given = (ArrayArgument("<f8", 2, "C"), ArrayArgument("<f8", 2, "C"), NumberArgument("<i8"))
    piece = KernelPiece(source, "file", (1,), given, mode=kernel.mode)
    again = piece_of(json.loads(json.dumps(piece.message())))
    assert again.key() == piece.key() and again.mode == kernel.mode
    assert [one.text for one in again.source.parts] == [one.text for one in source.parts] != []
    assert replace(piece, mode=Mode(exact=not exact, parallel=True)).key() != piece.key()
