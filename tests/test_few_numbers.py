"""What kernels compute without a call of NumPy's or the C library's: squares, roots, and reductions of few numbers, to the bit."""

from __future__ import annotations

import itertools
import math
import platform
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace

pytest.importorskip("numba")
from astrace.backends.native.arithmetic import rounded_powers
from astrace.ops.numpy import few_items

needs_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries may be further off"
)


def squares_and_roots(x: Any, found: Any) -> None:
    """Powers of NumPy's numbers, which come from the C library in plain Python."""
    for i in range(len(x)):
        found[i, 0] = x[i] ** 2
        found[i, 1] = x[i] ** 0.5
        found[i, 2] = x[i] ** 2.0


def of_pythons_numbers(x: Any, found: Any) -> None:
    """Powers of Python's numbers."""
    for i in range(len(x)):
        base = float(x[i])
        found[i, 0] = base**2
        found[i, 1] = base**2.0
        found[i, 2] = (base * base) ** 0.5


def bases() -> np.ndarray:
    """Numbers at the edges of what is computed in place, powers of two, their neighbours, and random ones."""
    edges = [
        rounded_powers.LEAST,
        rounded_powers.MOST,
        math.sqrt(rounded_powers.LEAST),
        math.sqrt(rounded_powers.MOST),
    ]
    powers = 2.0 ** np.arange(-500, 500, 7)
    near = [np.nextafter(one, to) for one in (*edges, *powers) for to in (0.0, np.inf)]
    rng = np.random.default_rng(1)
    random = rng.uniform(1.0, 4.0, 20_000), np.exp2(rng.uniform(-511, 511, 20_000))
    found = np.concatenate([[0.0, 5e-324, 1e-310, 1.0], edges[:1], edges[2:], powers, near, *random])
    return found[found < 1e154]


@pytest.mark.parametrize("function", [squares_and_roots, of_pythons_numbers])
def test_powers_are_the_c_librarys(function: Callable[..., None]) -> None:
    native = astrace.compile(function, backend="native")
    x = bases()
    for given in (x, -x[:4]) if function is of_pythons_numbers else (x,):
        expected, found = np.empty((len(given), 3)), np.empty((len(given), 3))
        function(given, expected)
        native(given, found)
        assert found.tobytes() == expected.tobytes()
    (kernel,) = [kernel for stages in native.captures for kernel in stages.kernels]
    assert kernel.runs == (2 if function is of_pythons_numbers else 1)


@needs_glibc
@pytest.mark.parametrize(
    ("library", "version", "error"),
    [
        ("glibc", "2.28", 0.515),
        ("glibc", "2.36", 0.515),
        ("glibc", "2.27", 0.55),
        ("glibc", "", 0.55),
        ("", "", 0.55),
        ("musl", "3.1", 0.55),
    ],
)
def test_only_what_is_known_of_a_c_library_counts(library: str, version: str, error: float) -> None:
    assert rounded_powers.least_error(library, version) == error


def test_most_powers_need_no_call() -> None:
    """The C library is as near as is taken for granted, so that it is asked for one number in thirty; in ten, where powers are large."""
    assert rounded_powers.is_as_near()
    x = np.random.default_rng(2).uniform(1.0, 2.0, 5000)
    for given, least, most in ((x, 0.01, 0.05), (x * 1e60, 0.05, 0.15)):
        for power in (rounded_powers.rounded_square, rounded_powers.rounded_root):
            asked = sum(power(one) == rounded_powers.UNKNOWN for one in given.tolist())
            assert least < asked / len(x) < most


def reduces_few(x: Any, size: int, found: Any) -> None:
    """Reductions of the parts of a row."""
    for i in range(len(x)):
        part = x[i : i + size]
        found[i, 0] = np.max(part)
        found[i, 1] = part.min()
        found[i, 2] = np.any(part)
        found[i, 3] = np.all(part)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_extremes_and_truths_of_few(dtype: str) -> None:
    """Of zeros of both signs, in rows that are in one piece and in others."""
    native = astrace.compile(reduces_few, backend="native", recompile_limit=10)
    rows = np.random.default_rng(3).choice([0.0, -0.0, 1.0, -1.0], 80, p=[0.4, 0.4, 0.1, 0.1]).astype(dtype)
    sizes = range(1, few_items.FEW + 2)
    for x, size in itertools.product((rows, rows[::2]), sizes):
        outcomes = []
        for function in (reduces_few, native):
            given = x, size, np.empty((len(x), 4))
            outcomes.append(harness.observe(function, given))
        assert harness.differences(*outcomes) == []
    assert sum(kernel.runs for stages in native.captures for kernel in stages.kernels) >= len(sizes)


def highest_and_lowest(x: Any, y: Any) -> Any:
    both = x + y
    return np.max(both, axis=1), both.min(axis=1), np.maximum.reduce(np.abs(both), axis=-1)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("size", [7, 8, 20, 255, 300])
def test_extremes_of_more_floats(size: int, dtype: str) -> None:
    """Among them are zeros of both signs, NaN of both signs and infinities; rows of one number, too."""
    native = astrace.compile(highest_and_lowest, backend="native", recompile_limit=10)
    special = np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, -np.nan, 1e-40, 1e38], dtype)
    draws = np.random.default_rng(size)
    for odds in (
        [0.5, 0.5, *[0] * 8],
        [0.3, 0.3, 0.1, 0.1, 0, 0, 0.1, 0.1, 0, 0],
        [0.1] * 10,
        [0, 1, *[0] * 8],
    ):
        for _ in range(4):
            x = np.where(
                draws.random((30, size)) < 0.5, draws.choice(special, (30, size), p=odds), special[0]
            )
            outcomes = [
                harness.observe(one, (x, np.full_like(x, -0.0))) for one in (highest_and_lowest, native)
            ]
            assert harness.differences(*outcomes) == []
    assert any(kernel.runs for stages in native.captures for kernel in stages.kernels)


def totals(x: Any) -> Any:
    doubled = x + x
    return np.sum(doubled, axis=1), x.sum(axis=1), np.mean(doubled, axis=-1)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("size", [7, 8, 9, 16, 23, 64, 127, 128, 129, 300])
def test_sums_of_some_floats(size: int, dtype: str) -> None:
    """In rows that are in one piece and in others, of numbers of all sizes, zeros, infinities and NaN of both signs."""
    native = astrace.compile(totals, backend="native", recompile_limit=10)
    draws = np.random.default_rng(size)
    numbers = (draws.normal(size=(30, size)) * 10.0 ** draws.integers(-9, 9, (30, size))).astype(dtype)
    special = draws.choice(np.array([0.0, -0.0, np.inf, np.nan, -np.nan, 1e38], dtype), (30, size))
    mixed = np.where(draws.random((30, size)) < 0.1, special, numbers)
    wide = np.repeat(numbers, 2, axis=1)[:, ::2]
    for x in (
        numbers,
        wide,
        numbers * 0,
        -0.0 * np.abs(numbers),
        mixed,
        special,
        numbers[:, ::-1],
        numbers[:0],
    ):
        outcomes = [harness.observe(one, (x,)) for one in (totals, native)]
        assert harness.differences(*outcomes) == []
    assert any(kernel.runs for stages in native.captures for kernel in stages.kernels)


@pytest.mark.parametrize("char", ["d", "f"])
def test_some_floats_are_added_in_blocks(char: str) -> None:
    """Or each sum is a call."""
    assert few_items.some_are_added_in_blocks(char)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("ufunc", few_items.FOLDED)
def test_extremes_of_few_floats_are_taken_one_after_the_other(ufunc: str, char: str) -> None:
    """Or they are a call each."""
    assert few_items.few_are_folded(ufunc, char)
