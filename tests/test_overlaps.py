"""Ufuncs that store into memory which they read at other places: NumPy's loops then give other bits than for arrays that are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace


def numbers(*shape: int) -> Any:
    return np.random.default_rng(0).uniform(0.1, 1.0, shape)


def complex_numbers(*shape: int) -> Any:
    return numbers(*shape) + 1j * np.random.default_rng(1).uniform(-1.0, 1.0, shape)


def times_the_next(a: Any) -> Any:
    a[:-1] *= a[1:]
    return a + 1.0


def times_the_last(a: Any) -> Any:
    a[1:] *= a[:-1]
    return a + 1.0


def times_another_column(a: Any) -> Any:
    a[:, 0] *= a[:, 1]
    return a + 1.0


def squares_of_the_next(a: Any) -> Any:
    np.square(a[1:], out=a[:-1])
    return a + 1.0


def exponentials_of_the_next(a: Any) -> Any:
    np.exp(a[1:], out=a[:-1])
    return a + 1.0


def in_an_array_of_its_own(a: Any) -> Any:
    b = a * 1.0
    for _ in range(3):
        np.log1p(b[1:], out=b[:-1])
    return b


def in_turns(a: Any) -> Any:
    b, c = a * 1.0, a * 0.5
    for _ in range(3):
        b[:-1] *= c[1:]
        b, c = c, b
    return b, c


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (times_the_next, complex_numbers(30)),
        (times_the_next, complex_numbers(30).astype(np.complex64)),
        (times_the_last, complex_numbers(30)),
        (times_another_column, complex_numbers(30, 3)),
        (squares_of_the_next, complex_numbers(30)),
        (exponentials_of_the_next, numbers(300)),
        (in_an_array_of_its_own, numbers(30)),
        (in_turns, complex_numbers(30)),
    ],
)
def test_items_of_the_same_array(function: Callable[..., Any], given: Any) -> None:
    compiled = astrace.compile(function, backend="native")
    for _ in range(2):
        expected, found = (harness.observe(one, (given.copy(),)) for one in (function, compiled))
        assert harness.differences(expected, found) == []


def product_into(a: Any, b: Any) -> Any:
    b *= a
    return b + 1.0


def exponentials_into(a: Any, b: Any) -> Any:
    np.exp(a, out=b)
    return b + 1.0


@pytest.mark.parametrize(
    ("function", "make"), [(product_into, complex_numbers), (exponentials_into, numbers)]
)
def test_arguments_that_overlap(function: Callable[..., Any], make: Callable[..., Any]) -> None:
    compiled = astrace.compile(function, backend="native", fullgraph=True)
    whole, apart = make(300), make(300)
    for _ in range(2):
        for cut in (lambda: (apart.copy(), apart.copy()), lambda: (lambda w: (w[1:], w[:-1]))(whole.copy())):
            expected, found = (harness.observe(one, cut()) for one in (function, compiled))
            assert harness.differences(expected, found) == []
    assert any(kernel.runs for capture in compiled.captures for kernel in capture.kernels)
