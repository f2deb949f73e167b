"""Indices that loops carry: what is known of them leaves no test out that one of their values needs."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from typing import Any

import harness
import kernel_checks
import numpy as np
import pytest

import astrace
from astrace.passes.analysis import int_ranges


def runs(x: Any, n: Any, m: Any) -> Any:
    lengths = np.zeros(len(x), dtype=np.int64)
    i = k = 0
    while i < len(x):
        j = i + 1
        while j < n and x[j] == x[i]:
            j += 1
        lengths[k] = j - i
        k += 1
        i = j
    return lengths, i, k


def downwards(x: Any, n: Any, m: Any) -> Any:
    """An index that goes below zero counts from the end."""
    total = 0.0
    i = n
    while i > m:
        j = i
        while j > i - 3:
            j -= 1
            total += x[j] * i
        i = j
    return total


def round_and_round(x: Any, n: Any, m: Any) -> Any:
    y = x.copy()
    place = 0
    for i in range(n):
        y[place] += x[i % 3] * i
        place += 2
        if place > m:
            place = 0
    return y, place


def by_remainders(x: Any, n: Any, m: Any) -> Any:
    """The remainder has the sign of what is divided by."""
    y = x.copy()
    place = 1
    for i in range(n):
        y[place] += i
        place = (place + 2) % m
    return y, place


def in_a_ring(x: Any, n: Any, m: Any) -> Any:
    ring = np.zeros(4)
    y = np.zeros(n)
    place = 0
    for i in range(n):
        ring[place] = x[i % 5]
        at = place
        for k in range(4):
            y[i] += ring[at] * k
            at -= 1
            if at < 0:
                at = m
        place = (place + 1) % 4
    return y


def reset_to_what_is_below(x: Any, n: Any, m: Any) -> Any:
    y = x.copy()
    place = 3
    for i in range(n):
        y[place] -= i
        if x[i % 4] > 0.0:
            place = -2
        else:
            place += 1
    return y, place


def of_great_numbers(x: Any, n: Any, m: Any) -> Any:
    """Sums that leave 64 bits."""
    step = 2**62 if m > 3 else 1
    total = 2**55
    for i in range(n):
        total += step
        for _ in range(i):
            total += 1
    return total


PROGRAMS = {
    function.__name__: function
    for function in (
        *(runs, downwards, round_and_round, by_remainders, in_a_ring, reset_to_what_is_below),
        of_great_numbers,
    )
}


def calls() -> Iterator[tuple[Any, ...]]:
    """Yield arguments: with some of them indices leave the array."""
    for items in ([1.0, 1.0, 0.0, 0.0, 0.0, 2.0], [-1.0, 0.0, -0.5, -2.0, 1.0, 1.0, 1.0], [0.5] * 6):
        for n in (0, 1, 2, 5, 6, 7, 9):
            for m in (-5, -2, 1, 3, 5, 8):
                yield np.array(items), n, m


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python_runs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_checks.check_as_python(PROGRAMS[name], calls, monkeypatch)


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_machine_code(name: str) -> None:
    kernel_checks.check_as_machine_code(PROGRAMS[name], calls)


@pytest.mark.parametrize(("name", "counted"), [("runs", 0), ("round_and_round", 0), ("downwards", 1)])
def test_which_indices_may_count_from_the_end(name: str, counted: int) -> None:
    compiled = astrace.compile(PROGRAMS[name], backend="native", fullgraph=True)
    kernel: Any = compiled.stages(np.ones(6), 5, 3).kernels[0]
    assert kernel.source.text.count("counted(") == counted, kernel.source.text


def nested(depth: int) -> Callable[..., Any]:
    """A loop with branches in branches, each of which changes three indices or none."""
    lines = ["def f(x, n, m):", "    a = b = c = 0", "    while a < n:"]
    for level in range(depth):
        lines.append("    " * (level + 2) + f"if x[(a + {level}) % 3] > 0.5:")
    lines += ["    " * (depth + 2) + one for one in ("a += 1", "b = c + 1", "c = b - a")]
    lines += ["        a += 1", "    return a, b, c", ""]
    text, file = "\n".join(lines), f"<branches {depth} deep>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    return names["f"]


def test_work_grows_with_the_depth_of_branches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    found = int_ranges.Drift._of

    def counted(self: Any, *args: Any) -> Any:
        asked.append(1)
        return found(self, *args)

    monkeypatch.setattr(int_ranges.Drift, "_of", counted)
    counts: list[int] = []
    for depth in (4, 8):
        asked.clear()
        function = nested(depth)
        compiled = astrace.compile(function, backend="native", fullgraph=True)
        args = np.array([1.0, 0.25, 2.0]), 5, 0
        assert harness.differences(harness.observe(function, args), harness.observe(compiled, args)) == []
        counts.append(len(asked))
    assert 0 < counts[0] < counts[1] < 8 * counts[0]
