"""Functions of what is the same at each turn of a loop are computed once, and nothing that plain Python would not compute."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import kernel_checks
import numpy as np
import pytest

import astrace


def at_each_turn(x: Any, c: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        x[i] = x[i] * c**3 + math.exp(c)
        total += math.log(1.0 + c * c) * x[i]
    return total


def of_numpy(x: Any, c: Any, n: Any) -> Any:
    state = x[0]
    for i in range(n):
        state = state * np.exp(-1.0 / np.float64(c)) + x[i]
        x[i] = state
    return state


def in_branches(x: Any, c: Any, n: Any) -> Any:
    """Which branch is taken depends on numbers; the other one may not be computed."""
    level = 0.0
    for i in range(n):
        if x[i] > level:
            gain = math.exp(-1.0 / c)
        elif x[i] < -level:
            gain = math.log(c) if i > 1 else np.exp(c * 100.0)
        else:
            gain = 0.5
        level = gain * level + (1.0 - gain) * abs(x[i])
        x[i] = level
    return level


def guarded(x: Any, c: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        gain = math.exp(-1.0 / c) * math.log(c) if c > 0.0 else 0.25
        total = total * gain + x[i]
    return total


def of_inner_loops(x: Any, c: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        for j in range(i - 1):
            total += x[j] * math.log(c) ** 2
        for j in range(i):
            total += x[j] * math.sqrt(i) ** 1.5 * math.sin(c)
    return total


def behind_a_break(x: Any, c: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        if x[i] > 1.5:
            break
        total += x[i] / c**0.7
    return total


def behind_a_store(x: Any, c: Any, n: Any) -> Any:
    for i in range(n):
        x[i] = i
        x[-1] += math.log10(c)
    return x


def of_what_is_carried(x: Any, c: Any, n: Any) -> Any:
    """One number changes once, one is handed on as it is."""
    k = c
    for i in range(n):
        x[i] += math.log(abs(k) + 1.0) + math.cos(c)
        if i == 2:
            k = k + 1.0
    return x


def of_singles(x: Any, c: Any, n: Any) -> Any:
    single = np.float32(c)
    total = np.float32(0.0)
    for i in range(n):
        total = total + np.float32(x[i]) * single**3
        if x[i] > 0.0:
            total = total / np.exp(single)
    return total


PROGRAMS = {
    function.__name__: function
    for function in (
        *(at_each_turn, of_numpy, in_branches, guarded, of_inner_loops, behind_a_break, behind_a_store),
        *(of_what_is_carried, of_singles),
    )
}
NUMBERS = tuple(map(float, "0.5 3 0 -0 -1.25 1e200 7.5 800 5e-324 -1e-310 inf -inf nan".split()))
"""No objects that the programs know as constants."""


def calls() -> Iterator[tuple[Any, ...]]:
    """Yield arguments: numbers of all kinds, and numbers of turns."""
    for n in (0, 1, 2, 7):
        for c in NUMBERS:
            yield np.array([0.5, -1.0, 0.0, 1.0, -0.25, 2.0, math.nan]), c, n
    for c in NUMBERS:
        yield np.array([-1e-3, -2.0, -1.0, -4.0, -1.0, -3.0, 1.0]), c, 6


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python_runs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_checks.check_as_python(PROGRAMS[name], calls, monkeypatch)


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_machine_code(name: str) -> None:
    kernel_checks.check_as_machine_code(PROGRAMS[name], calls)


def loop_of(name: str) -> str:
    """The text of the kernel of a program, from its first loop over ``i`` on."""
    compiled = astrace.compile(PROGRAMS[name], backend="native", fullgraph=True)
    kernel: Any = compiled.stages(np.ones(5), 0.5, 3).kernels[0]
    return kernel.source.text.split("for i in range(")[1]


@pytest.mark.parametrize("name", ["at_each_turn", "of_numpy", "of_singles"])
def test_no_call_of_the_same_is_left_in_the_loop(name: str) -> None:
    loop = loop_of(name).split("if x[")[0] if name == "of_singles" else loop_of(name)
    assert not any(f" {called}(" in loop for called in ("power", "math_log", "math_exp", "single_power"))


def test_what_a_branch_computes_is_carried() -> None:
    for name, count in (("in_branches", 3), ("behind_a_break", 1)):
        loop = loop_of(name)
        assert loop.count("if not known") + loop.count("if known") == count, loop


def test_what_turns_change_stays() -> None:
    loop = loop_of("of_what_is_carried")
    assert "math_log(" in loop and "math_cos(" not in loop
