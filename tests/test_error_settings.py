"""Kernels under NumPy's settings for errors: what is ignored does not make them give up, and everything else does."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace

pytest.importorskip("numba")

SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"all": "ignore"},
    {"divide": "ignore", "invalid": "ignore"},
    {"divide": "ignore"},
    {"over": "ignore"},
    {"all": "raise"},
    {"all": "ignore", "over": "raise"},
    {"all": "warn"},
    {"all": "ignore", "under": "warn"},
)


def divides(a, b):
    found = np.empty_like(a)
    for i in range(len(a)):
        found[i] = a[i] / b[i] + 1.0
    return found


def divides_in_place(a, b):
    a /= b
    a *= 2.0
    return a.sum()


def squares(a, b):
    found = np.zeros(len(a))
    for i in range(len(a)):
        found[i] = a[i] * a[i] - b[i] * 1e308
    return found


def adds_words(a, b):
    total = np.uint32(1)
    for i in range(len(a)):
        total = total * np.uint32(2654435761) + np.uint32(i)
    return total, a[0]


def adds_words_without_a_sign(a, b):
    total, rest = np.uint64(2**63), np.int64(2**62)
    for i in range(1, 4):
        total += np.uint64(2**62)
        rest = rest + np.int64(2**61 * i)
        total -= total * np.uint64(3)
    return total, rest


def squares_as_python(a, b):
    total = 0.0
    for i in range(len(a)):
        total += float(a[i]) ** 2
    return total


def inverts(a, b):
    total = 0.0
    for i in range(2):
        m = np.array([[a[0], b[0]], [a[0] * i, b[0] * i]])
        total += np.linalg.inv(m)[0, 0]
    return total


def divides_python_numbers(a, b):
    total = 0.0
    for i in range(len(a)):
        total += float(a[i]) / float(b[i])
    return total


def adds_up(a, b):
    """Of a sum that is one of Python's at first, and of a number that stays one for large ones."""
    total, count, sign = 0.0, 1, np.int64(1)
    for i in range(len(a)):
        total += a[i] / b[i]
        if a[i] < 0:
            count = sign
        count = count * 2**30
    return total, count


def divides_what_may_be_python_s(a, b):
    total, last = 0.0, 1.0
    for i in range(len(a)):
        total = total + 1.0 / last
        last = a[i] if a[i] > 1.0 else 0.0
    return total


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(divides, divides_in_place, squares, adds_words, adds_words_without_a_sign),
    *(adds_up, squares_as_python, inverts, divides_python_numbers, divides_what_may_be_python_s),
)
CALLS: tuple[Callable[[], tuple[Any, ...]], ...] = (
    lambda: (np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 0.5])),
    lambda: (np.array([1.0, 0.0, -3.0]), np.array([0.0, 0.0, 0.5])),
    lambda: (np.array([1e200, 2.0, np.nan]), np.array([10.0, 4.0, np.inf])),
    lambda: (np.array([1e-200, 1e-310]), np.array([1e200, 1e-3])),
)


def within(function: Callable[..., Any], settings: dict[str, str]) -> Callable[..., Any]:
    """The same under settings that the caller has chosen."""

    def run(*args: Any) -> Any:
        with np.errstate(**settings):  # type: ignore[arg-type]
            return function(*args)

    return run


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_settings_of_the_caller_decide(function: Callable[..., Any]) -> None:
    native = astrace.compile(function, backend="native")
    for settings in SETTINGS:
        for make in CALLS:
            expected = harness.observe(within(function, settings), make())
            for _ in range(2):
                found = harness.observe(within(native, settings), make())
                assert harness.differences(expected, found) == [], settings
                assert found.warned == expected.warned, settings


@pytest.mark.parametrize("function", PROGRAMS[:4], ids=lambda one: one.__name__)
def test_what_is_ignored_runs_as_machine_code(function: Callable[..., Any]) -> None:
    native = astrace.compile(function, backend="native")
    run = within(native, {"all": "ignore"})
    for make in CALLS:
        run(*make())
    kernel = native.captures[0].kernels[0]
    runs = kernel.runs
    for make in CALLS:
        run(*make())
    assert kernel.runs == runs + len(CALLS)


def ignores_inside(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        found = a / b
        for i in range(len(found)):
            if not np.isfinite(found[i]):
                found[i] = 0.0
    return found, a * a


def test_settings_inside_count_inside() -> None:
    native = astrace.compile(ignores_inside, backend="native")
    for make in CALLS * 2:
        expected, found = harness.observe(ignores_inside, make()), harness.observe(native, make())
        assert harness.differences(expected, found) == [] and found.warned == expected.warned


def test_settings_of_the_process_count_and_another_size_of_buffers_leaves_kernels_alone() -> None:
    native = astrace.compile(divides, backend="native")
    before, size = np.seterr(all="ignore"), np.getbufsize()
    try:
        for _ in range(3):
            for make in CALLS:
                np.setbufsize(size)
                assert harness.differences(*(harness.observe(f, make()) for f in (divides, native))) == []
                np.setbufsize(2 * size)
                assert harness.differences(*(harness.observe(f, make()) for f in (divides, native))) == []
    finally:
        np.setbufsize(size)
        np.seterr(**before)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        native(*CALLS[1]())
    assert len(seen) == 2
