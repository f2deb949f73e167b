"""Arrays that turns of a loop make: kernels ask for their memory once, and results stay those of plain Python.

Kernels are run by Python here, where an array that is overwritten too early shows, and some as machine code, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition


def moved(q: Any, turns: Any) -> Any:
    for _ in range(turns):
        padded = np.pad(q, 1, mode="edge")
        q = q - 0.25 * (padded[2:] - padded[:-2])
    return q


def with_the_one_before(q: Any, turns: Any) -> Any:
    old = q * 0.5
    for _ in range(turns):
        old, q = q, 2.0 * q - old
    return old, q


def with_the_two_before(q: Any, turns: Any) -> Any:
    older, old = q * 0.25, q * 0.5
    for _ in range(turns):
        older, old, q = old, q, q - old + older
    return older, old, q


def swapped(a: Any, turns: Any) -> Any:
    b = a + 1.0
    for _ in range(turns):
        a, b = b, a * 0.5 + b
    return a, b


def with_the_best(q: Any, turns: Any) -> Any:
    best, least = q, np.inf
    for i in range(turns):
        q = q * 0.9 - 0.1 * i
        size = np.abs(q).sum()
        if size < least:
            best, least = q, size
    return best, q


def where_it_pays(q: Any, turns: Any) -> Any:
    for i in range(turns):
        if q[0] < i:
            q = q + 2.0
    return q


def seen_in_part(q: Any, turns: Any) -> Any:
    tail = q[1:]
    for _ in range(turns):
        q = q * 1.5
        q[0] += tail[0]
        tail = q[1:]
    return q, tail


def collected(q: Any, turns: Any) -> Any:
    frames = [q]
    for _ in range(turns):
        q = q + 0.5
        frames.append(q)
    return np.array(frames)


def left_early(q: Any, turns: Any) -> Any:
    for _ in range(turns):
        fresh = q * 2.0
        if fresh[0] > 40.0:
            break
        q = fresh
    return q


def in_two_loops(q: Any, turns: Any) -> Any:
    total = np.zeros(len(q))
    for i in range(turns):
        p = q.copy()
        for k in range(i):
            p = p * 0.5 + k
        total = total + p
        q = p
    return total, q


def growing(q: Any, turns: Any) -> Any:
    total = np.zeros(turns)
    for i in range(turns):
        part = q[: i + 1] * 2.0
        part[1:] += part[:-1]
        total[i] = part.sum()
    return total


def joined(q: Any, turns: Any) -> Any:
    for _ in range(turns):
        q = np.concatenate([q[1:], q[:1] * 2.0])
    return q


def not_at_all(q: Any, turns: Any) -> Any:
    for _ in range(turns - 10):
        q = q + np.zeros(3 - turns).sum()
    return q


def too_small(q: Any, turns: Any) -> Any:
    for _ in range(turns):
        q = q + np.zeros(2 - turns).sum()
    return q


def matrices(q: Any, turns: Any) -> Any:
    p = np.outer(q, q) * 0.01
    for _ in range(turns):
        gain = p @ q / (1.0 + q @ p @ q)
        p = p - np.outer(gain, q) @ p
        q = q + gain
    return p, q


def written(q: Any, turns: Any) -> Any:
    p = q
    for i in range(turns):
        p = p * 1.25
        p[i % len(p)] = 0.0
        q[0] += p[1]
    return p


def in_tiles(q: Any, turns: Any) -> Any:
    """Rows of a tile are as many as their length leaves room for; both are the same at each turn."""
    p = np.outer(q, q)
    for _ in range(turns):
        p = np.log(p + 1.0) * np.exp(-p)
        q = q + p.max(axis=0)
    return p, q


PROGRAMS = {
    function.__name__: function
    for function in (
        *(moved, with_the_one_before, with_the_two_before, swapped, with_the_best, where_it_pays),
        *(seen_in_part, collected, left_early, in_two_loops, growing, joined, not_at_all, too_small),
        *(matrices, written, in_tiles),
    )
}
TURNS = (0, 1, 2, 3, 6)


def observed_alike(function: Callable[..., Any], compiled: Any) -> None:
    for turns in TURNS:
        expected, found = (
            harness.observe(one, (np.arange(6.0) + 0.5, turns)) for one in (function, compiled)
        )
        assert harness.differences(expected, found) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python_runs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_python(*args: Any, **named: Any) -> Partition:
        return Partition(*args, **{**named, "compiled": False})

    monkeypatch.setattr(backend, "Partition", by_python)
    observed_alike(PROGRAMS[name], astrace.compile(PROGRAMS[name], backend="native"))


@pytest.mark.parametrize(
    "name", ["moved", "with_the_one_before", "with_the_two_before", "in_two_loops", "matrices"]
)
def test_as_machine_code(name: str) -> None:
    compiled = astrace.compile(PROGRAMS[name], backend="native")
    observed_alike(PROGRAMS[name], compiled)
    kernels: list[Any] = [kernel for capture in compiled.captures for kernel in capture.kernels]
    assert any(kernel.runs for kernel in kernels)


def loop_of(function: Callable[..., Any]) -> str:
    """The text of a kernel behind the head of its last loop over turns."""
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    kernel: Any = compiled.stages(np.arange(6.0), 3).kernels[0]
    return kernel.source.text.split(" in range(turns):")[-1]


@pytest.mark.parametrize("function", [moved, with_the_one_before, with_the_two_before, matrices, in_tiles])
def test_memory_is_asked_for_in_front_of_the_loop(function: Callable[..., Any]) -> None:
    assert "np.empty(" not in loop_of(function) and "array_of_numpy(" not in loop_of(function)


def test_rows_of_tiles_are_counted_in_front_of_the_loop() -> None:
    assert "extent(0, 512" not in loop_of(in_tiles) and "_log(" in loop_of(in_tiles)


@pytest.mark.parametrize("function", [with_the_best, growing])
def test_memory_that_may_live_on_is_asked_for_at_each_turn(function: Callable[..., Any]) -> None:
    assert "np.empty(" in loop_of(function) or "array_of_numpy(" in loop_of(function)
