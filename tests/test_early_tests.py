"""Tests that give a kernel up stand in front of loops: what is raised, and what is written by then, stays that of plain Python.

Kernels are run by Python here, and some as machine code, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import kernel_checks
import numpy as np
import pytest

import astrace


def only_if_it_turns(a: Any, b: Any, turns: Any) -> Any:
    total = np.zeros(len(a))
    for i in range(turns):
        total += a * b
        total[0] += i
    return total


def behind_a_store(a: Any, b: Any, turns: Any) -> Any:
    for i in range(turns):
        a[i] = 2.0 * a[i]
        a[:2] += b
    return a


def behind_a_break(a: Any, b: Any, turns: Any) -> Any:
    total = 0.0
    for i in range(turns):
        if a[i] > 1.0:
            break
        total += (a - b).sum()
    return total


def in_a_branch(a: Any, b: Any, turns: Any) -> Any:
    for i in range(turns):
        if i % 2:
            a = a + b
        a = a * 0.5
    return a


def of_an_inner_loop(a: Any, b: Any, turns: Any) -> Any:
    total = np.zeros_like(a)
    for i in range(turns):
        for _ in range(i):
            total = total + a @ b
        total = total - b[0]
    return total


def at_an_index(a: Any, b: Any, turns: Any) -> Any:
    total = 0.0
    for _ in range(turns):
        total += a[len(b)] * b[2]
    return total


def of_what_turns_change(a: Any, b: Any, turns: Any) -> Any:
    k = 0
    for _ in range(turns):
        a[k] += b[k]
        k += 2
    return a, k


def backwards(a: Any, b: Any, turns: Any) -> Any:
    for i in range(turns, 0, -2):
        a[i - 1 :] *= b[i - 1 :]
    return a


def of_few_turns(a: Any, b: Any, turns: Any) -> Any:
    """Bounds of an inner loop that are read from an array, and an index that is: a test stays there in any case."""
    bounds = np.minimum(np.arange(turns + 1) // 2, len(a))
    total = np.zeros(turns)
    for i in range(turns):
        for k in range(bounds[i], bounds[i + 1]):
            total[i] += a[k] * b[int(b[k]) + 1]
    return total


def of_bounds_that_are_known(a: Any, b: Any, turns: Any) -> Any:
    total = 0.0
    for i in range(turns):
        for k in range(i, turns):
            total += a[k] * b[int(b[k]) + 1]
    return total


PROGRAMS = {
    function.__name__: function
    for function in (
        *(only_if_it_turns, behind_a_store, behind_a_break, in_a_branch, of_an_inner_loop, at_an_index),
        *(of_what_turns_change, backwards, of_few_turns, of_bounds_that_are_known),
    )
}


def calls() -> Iterator[tuple[Any, ...]]:
    """Yield arguments: sizes that meet and such that do not, and numbers of turns."""
    for turns in (0, 1, 2, 5):
        for size, other in ((5, 5), (5, 4), (5, 2), (5, 1), (1, 5), (0, 0)):
            yield 0.25 * np.arange(float(size)), np.arange(other) * 0.5 - 1.0, turns


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python_runs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_checks.check_as_python(PROGRAMS[name], calls, monkeypatch)


@pytest.mark.parametrize("name", ["behind_a_store", "of_an_inner_loop"])
def test_as_machine_code(name: str) -> None:
    kernel_checks.check_as_machine_code(PROGRAMS[name], calls)


@pytest.mark.parametrize(
    ("name", "inside"),
    [("only_if_it_turns", 0), ("behind_a_store", 0), ("of_what_turns_change", 1), ("in_a_branch", 1)],
)
def test_places_in_a_loop_where_it_gives_up(name: str, inside: int) -> None:
    """Of an index that turns change, there is one test for both arrays; what a branch needs is not asked for in front of it."""
    compiled = astrace.compile(PROGRAMS[name], backend="native", fullgraph=True)
    kernel: Any = compiled.stages(np.arange(5.0), np.arange(5.0), 3).kernels[0]
    loop = kernel.source.text.split("in range(turns):")[-1].split("\n    if ")[0]
    assert loop.count("    return ") == inside, kernel.source.text


@pytest.mark.parametrize(("function", "inside"), [(of_few_turns, 3), (of_bounds_that_are_known, 1)])
def test_inner_loops_of_few_turns_test_in_their_turns(function: Callable[..., Any], inside: int) -> None:
    """Tests at both ends are as much work as two turns; of an index that is read, the test is made at each turn in any case."""
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    kernels: list[Any] = compiled.stages(np.arange(9.0), np.zeros(9), 4).kernels
    text = next(one.source.text for one in kernels if "for k in range(" in one.source.text)
    loop = text.split("for k in range(")[1].split("total")[0]
    assert loop.count("outside(") == inside, text
