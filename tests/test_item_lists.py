"""Lists of an array's items in kernels, sorted or as Python's numbers, and means of integers of 64 bits: the results of plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import kernel_checks
import numpy as np
import pytest
from loop_programs import floats

SPECIAL = [1.0, np.nan, -0.0, 0.0, np.inf, -np.inf, 2.0, 2.0, -1e300, 5e-324]


def middle_of_window(x: Any, w: int) -> Any:
    """Only items of the sorted list are read, of which there may be none."""
    y = np.empty(max(len(x) - w + 1, 0))
    for i in range(len(y)):
        window = sorted(x[i : i + w])
        y[i] = window[w // 2] - window[-1] + window[0]
    return y


def types_of_middle(x: Any, w: int) -> Any:
    """The items are those of the array, scalars of NumPy's."""
    found = []
    for i in range(len(x) - w + 1):
        found.append(sorted(x[i : i + w])[w // 2])
    return found


def sorted_lists(x: Any, w: int) -> Any:
    """Of Python's numbers; the lists are walked, measured, changed and have two names."""
    values = x.tolist()
    total, largest = 0.0, []
    for i in range(len(values) - w + 1):
        window = sorted(values[i : i + w])
        same = window
        same[0] = 0.5
        for place, value in enumerate(window):
            total += value * place
        largest.append(window[-1])
        total += len(same)
    return total, largest


def sorted_as_it_is(x: Any) -> Any:
    found = sorted(x * 2)
    total = 0.0
    for value in found:
        total = total * 0.5 + value
    return found, total


def one_of_two(x: Any, y: Any) -> Any:
    """A sorted list takes the place of another one in a branch."""
    total = 0.0
    for i in range(len(x)):
        window = sorted(y)
        if x[i] > 0.0:
            window = sorted(x)
        total += window[i % 3]
    return total


def smoothed(x: Any, a: float) -> Any:
    out, state = [], 0.0
    for value in x.tolist():
        state = a * value + (1 - a) * state
        out.append(state)
    return out


def runs_of(x: Any) -> Any:
    """Truths and integers as Python has them."""
    values = x.tolist()
    lengths, length = [], 0
    for i in range(1, len(values)):
        length += 1
        if values[i] != values[i - 1]:
            lengths.append(length)
            length = 0
    return lengths, values


def means_of_windows(x: Any, w: int) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x) - w + 1):
        out[i] = x[i : i + w].mean() * 0.5 + np.mean(x[i : i + w] * 2)
    return out


def mean_along(x: Any) -> Any:
    left = x - x.mean(axis=0)
    return np.sqrt(left * left), x.mean(axis=1) * 2.0, np.mean(x) + 1.0


def of_kinds(*sizes: int) -> Iterator[Any]:
    for size in sizes:
        yield floats(size)
        yield floats(size).astype(np.float32)
        yield (floats(size) * 10).astype(np.int64)
        yield (floats(size) * 10).astype(np.int16)
        yield floats(size) > 0.0


def windows() -> Iterator[tuple[Any, ...]]:
    for x in of_kinds(0, 1, 2, 9):
        yield from ((x, w) for w in (1, 3) if x.dtype != bool)
    yield np.array(SPECIAL), 3
    yield np.array([0.0, -0.0, 0.0, 1.0]), 2
    yield floats(40)[::-2], 5
    yield floats(5), 0


def whole() -> Iterator[tuple[Any, ...]]:
    yield from ((x,) for x in of_kinds(0, 1, 2, 9, 140))
    yield (np.array(SPECIAL),)
    yield (np.array([2**63, 5, 2**64 - 1], dtype=np.uint64),)
    yield (floats(12).reshape(3, 4),)
    yield (floats(600),)


def weighted() -> Iterator[tuple[Any, ...]]:
    yield from ((x, 0.25) for x in of_kinds(0, 1, 2, 9))
    yield np.array(SPECIAL), 0.5
    yield floats(6).reshape(2, 3), 0.5


def pairs() -> Iterator[tuple[Any, ...]]:
    yield from ((floats(size), floats(size)[::-1] * 2.0) for size in (0, 1, 2, 3, 9))
    yield floats(4), floats(2)


def integers() -> Iterator[tuple[Any, ...]]:
    """Some are too large for a sum that floats hold exactly, and at the edge of that."""
    for size in (0, 1, 2, 9, 40):
        yield (floats(size) * 100).astype(np.int64), 3
    for value in (
        2**53,
        2**53 + 1,
        2**51,
        2**52 // 3,
        2**52 // 3 + 1,
        2**63 - 1,
        -(2**63),
        -(2**51),
        -(2**52) - 1,
    ):
        yield np.array([3, value, 1, value, -value + 1 if value > -(2**63) else 7, value, 5]), 3
    yield (floats(6) * 100).astype(np.uint64), 2
    yield (floats(6) * 100).astype(np.int64), 0


def tables() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(3)
    for shape in ((3, 4), (1, 1), (1, 5), (5, 1), (0, 3), (3, 0), (70, 9)):
        yield (rng.integers(-(2**40), 2**40, shape),)
    yield (rng.integers(-(2**62), 2**62, (9, 7)),)
    yield (np.array([[2**53, 1], [1, 1]]),)


PROGRAMS: dict[str, tuple[Callable[..., Any], kernel_checks.Calls]] = {
    function.__name__: (function, calls)
    for function, calls in [
        (middle_of_window, windows),
        (types_of_middle, windows),
        (sorted_lists, windows),
        (sorted_as_it_is, whole),
        (one_of_two, pairs),
        (smoothed, weighted),
        (runs_of, whole),
        (means_of_windows, integers),
        (mean_along, tables),
    ]
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_checks.check_as_python(*PROGRAMS[name], monkeypatch)


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_machine_code(name: str) -> None:
    kernel_checks.check_as_machine_code(*PROGRAMS[name])
