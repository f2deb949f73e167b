"""Threads, re-entrancy, and errors while capturing: one trace for a key, and no state left behind."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.tracing.context import CURRENT

THREADS = 8


def together(work: Any) -> list[Any]:
    """The results of calling ``work(i)`` in as many threads at once."""
    results: list[Any] = [None] * THREADS
    start = threading.Barrier(THREADS)

    def run(index: int) -> None:
        start.wait()
        try:
            results[index] = work(index)
        except Exception as error:
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def looped(x: Any, n: int) -> Any:
    """A loop with a branch."""
    for i in range(n):
        x = x + i if x.sum() > 0 else x - i
    return x


def test_one_trace_for_a_key() -> None:
    """Eight threads make the first call: one of them traces, all get the answer."""
    for _ in range(10):
        f = astrace.compile(looped)
        results = together(lambda index: f(np.ones(3), 5))  # noqa: B023
        assert all((result == looped(np.ones(3), 5)).all() for result in results)
        assert f.stats == astrace.Stats(calls=THREADS, traces=1, guard_failures=0, fallbacks=0)


def test_a_trace_for_each_key() -> None:
    """Eight threads with arguments of four dtypes."""
    f = astrace.compile(looped)
    dtypes = [np.float64, np.float32, np.complex128, np.float16]
    results = together(lambda index: f(np.ones(3, dtypes[index % 4]), 5))
    assert [result.dtype for result in results] == [dtypes[index % 4] for index in range(THREADS)]
    assert f.stats.traces == 4 and f.stats.calls == THREADS


def test_counts_of_many_threads() -> None:
    """No call is lost, also where the counts are read in between."""
    f = astrace.compile(looped)
    f(np.ones(3), 5)

    def work(_index: int) -> list[int]:
        seen: list[int] = []
        for _ in range(200):
            f(np.ones(3), 0)
            seen.append(f.stats.calls)
        return seen

    for seen in together(work):
        assert seen == sorted(seen) and seen[-1] <= f.stats.calls
    assert f.stats == astrace.Stats(calls=1 + 200 * THREADS, traces=1, guard_failures=0, fallbacks=0)


def test_functions_that_call_each_other() -> None:
    """Two compiled functions that call each other, first called from many threads at once."""

    @astrace.compile
    def even(n: int) -> bool:
        return True if n == 0 else odd(n - 1)

    @astrace.compile
    def odd(n: int) -> bool:
        return False if n == 0 else even(n - 1)

    results = together(lambda index: (even if index % 2 else odd)(index))
    assert results == [(index % 2 == 0) == bool(index % 2) for index in range(THREADS)]


def test_compile_inside_compile() -> None:
    """Compiling and calling inside a captured function."""

    @astrace.compile
    def f(x: Any) -> Any:
        inner = astrace.compile(lambda v: v * 2 if v > 0 else v)
        return inner(x) + 1

    assert f(3.0) == 7.0 and f(-3.0) == -2.0


def test_call_of_another_while_tracing() -> None:
    """A plain callee that is run while tracing may itself call compiled functions."""
    other = astrace.compile(lambda v: v + 1)

    class Table(dict):
        def __missing__(self, key: Any) -> Any:
            return other(key)

    table = Table()

    @astrace.compile
    def f(x: Any) -> Any:
        return x * table[1]

    assert f(3.0) == 6.0 and f(4.0) == 8.0


def test_user_error_leaves_no_state() -> None:
    """An exception of the user's passes through untouched, and the next call starts afresh."""
    log: list[str] = []

    class Moody:
        def __init__(self, angry: bool) -> None:
            self.angry = angry

        def __mul__(self, other: Any) -> Any:
            log.append("mul")
            if self.angry:
                raise KeyError("angry")
            return other

    @astrace.compile
    def f(m: Any, x: Any) -> Any:
        return m * x if x > 0 else x

    for angry in (True, False, True):
        if angry:
            with pytest.raises(KeyError, match="angry"):
                f(Moody(angry), 2.0)
        else:
            assert f(Moody(angry), 2.0) == 2.0
        assert CURRENT.get() is None
    assert log == ["mul"] * 3


def test_error_in_an_import_while_tracing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption from outside while capturing is not swallowed, and leaves nothing behind."""

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    @astrace.compile
    def f(x: Any) -> Any:
        return x + 1

    with monkeypatch.context() as patch:
        patch.setattr("astrace.tracing.record.record_all", interrupted)
        with pytest.raises(KeyboardInterrupt):
            f(1.0)
    assert CURRENT.get() is None
    assert f(1.0) == 2.0 and f.stats.traces == 2
