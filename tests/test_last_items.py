"""Items that the turns before have stored are carried by loops: what is read, and what is written, stays that of plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kernel_checks
import numpy as np
import pytest

import astrace


def of_one_turn(x: Any, a: Any, n: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i]
    return y


def of_two_turns(x: Any, a: Any, n: Any) -> Any:
    y = np.ones(len(x))
    for i in range(2, n):
        y[i] = x[i] - a * y[i - 1] + 0.25 * y[i - 2]
    return y


def of_every_other_turn(x: Any, a: Any, n: Any) -> Any:
    """The item of the turn before is not read: nothing tells whether it could be."""
    y = np.ones(len(x))
    for i in range(2, n):
        y[i] = x[i] + a * y[i - 2]
    return y


def ahead(x: Any, a: Any, n: Any) -> Any:
    for i in range(n):
        x[i + 1] = x[i] + a * x[i] * (1.0 - x[i])
    return x


def backwards(x: Any, a: Any, n: Any) -> Any:
    y = x.copy()
    for i in range(n - 2, -1, -1):
        y[i] = y[i] - a * y[i + 1]
    return y


def by_steps(x: Any, a: Any, n: Any) -> Any:
    y = x.copy()
    for i in range(3, n, 3):
        y[i] = a * y[i - 3] + y[i]
    return y


def with_divisions(x: Any, a: Any, n: Any) -> Any:
    """The loop may be given up at any turn, by numbers of Python's."""
    y = x.copy()
    total = 0.0
    for i in range(1, n):
        y[i] = y[i] - float(y[i - 1]) / (float(x[i]) + a)
        total += y[i] ** 2
    return y, total


def of_planes(x: Any, a: Any, n: Any) -> Any:
    d = np.full((len(x) + 1, n + 1), np.inf)
    d[0, 0] = 0.0
    for i in range(1, len(x) + 1):
        for j in range(1, n + 1):
            cost = (x[i - 1] - a * j) ** 2
            d[i, j] = cost + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d


def with_another_store(x: Any, a: Any, n: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i]
        y[0] += 1.0
    return y


def of_two_names(x: Any, a: Any, n: Any) -> Any:
    y = x[::-1]
    for i in range(1, n):
        y[i] = a * y[i - 1] + x[i]
    return x


def in_a_branch(x: Any, a: Any, n: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(1, n):
        if x[i] > 0.0:
            y[i] = a * y[i - 1] + x[i]
    return y


def of_integers(x: Any, a: Any, n: Any) -> Any:
    counts = np.zeros(len(x), dtype=np.int32)
    singles = np.zeros(len(x), dtype=np.float32)
    for i in range(1, n):
        counts[i] = counts[i - 1] + (x[i] > a)
        singles[i] = singles[i - 1] * np.float32(0.3) + np.float32(x[i])
    return counts, singles


PROGRAMS = {
    function.__name__: function
    for function in (
        *(of_one_turn, of_two_turns, of_every_other_turn, ahead, backwards, by_steps, with_divisions),
        *(of_planes, with_another_store, of_two_names, in_a_branch, of_integers),
    )
}


def calls() -> Iterator[tuple[Any, ...]]:
    """Yield arguments: numbers of all kinds, and numbers of turns; the last ones are too many."""
    special = [0.5, -0.0, np.nan, 1e200, -np.inf, 5e-324, 0.25, 3.0, -2.0]
    for n in (0, 1, 2, 3, 8, 9, 10):
        for items in (np.linspace(-1.0, 2.0, 9), np.array(special), np.zeros(9)):
            for a in (0.5, -0.0, 1e160):
                yield items.copy(), a, n
    yield np.zeros(0), 0.5, 0
    yield np.linspace(0.0, 1.0, 20)[::2], 0.75, 7


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python_runs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_checks.check_as_python(PROGRAMS[name], calls, monkeypatch)


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_machine_code(name: str) -> None:
    kernel_checks.check_as_machine_code(PROGRAMS[name], calls)


def test_windows_that_overlap() -> None:
    """Items of an array that are at one place in memory."""
    items = np.linspace(0.0, 1.0, 9)
    native = astrace.compile(ahead, backend="native")
    for step in (0, 8):
        given = [np.lib.stride_tricks.as_strided(items.copy(), (7,), (step,)) for _ in range(2)]
        assert ahead(given[0], 0.5, 6).tobytes() == native(given[1], 0.5, 6).tobytes()


@pytest.mark.parametrize(
    ("name", "reads"),
    [("of_one_turn", 0), ("of_two_turns", 0), ("ahead", 0), ("backwards", 1), ("by_steps", 1)]
    + [("of_every_other_turn", 1), ("with_another_store", 2), ("in_a_branch", 1)],
)
def test_what_is_read_in_loops(name: str, reads: int) -> None:
    compiled = astrace.compile(PROGRAMS[name], backend="native", fullgraph=True)
    kernel: Any = compiled.stages(np.ones(9), 0.5, 5).kernels[0]
    loop = kernel.source.text.split("for i in range(")[1].split("\n    if ")[0].split("\n    return")[0]
    array = "x" if name == "ahead" else "made" if "made[" in loop else "temporary"
    stores = loop.count(f"{array}[unsigned") if f"{array}[unsigned" in loop else loop.count(f"{array}[")
    assert stores - loop.count("] = ") == reads, kernel.source.text
