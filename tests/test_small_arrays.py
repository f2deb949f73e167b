"""Small arrays whose sizes were seen are numbers in kernels; other sizes, and sums that calls alone know, have the general form."""

from __future__ import annotations

import functools
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.kernel import MOST_SPARED, Kernel
from astrace.backends.native.partition import Partition

pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are run as Python, not compiled: `test_idioms` compiles such programs."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))


def check(function: Any, native: Any, *args: Any) -> Kernel:
    """Compare a call with the plain function; return the kernel of the whole function."""
    expected, found = (
        harness.observe(one, tuple(np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args))
        for one in (function, native)
    )
    assert harness.differences(expected, found) == []
    return native.captures[-1].kernels[0]


def steps(A: Any, x: Any, u: Any) -> Any:
    x = x * 1.0
    for n in range(len(u)):
        x = A @ x + u[n]
    return x


def given(size: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(size)
    return rng.normal(size=(size, size)) / 4, rng.normal(size=size), rng.normal(size=7)


def test_a_kernel_carries_numbers_for_an_array() -> None:
    kernel = check(steps, astrace.compile(steps, backend="native"), *given(2))
    assert kernel.runs == 1
    inside = kernel.source.text.partition("for ")[2].partition("array_of_numpy")[0]
    assert "empty" not in inside
    assert "matmul" not in inside


def test_other_sizes_have_the_general_form() -> None:
    """Whatever sizes come, a kernel takes few forms, and each call runs it."""
    native = astrace.compile(steps, backend="native")
    sizes = (2, 3, 2, 4, 8, 1, 9, 30, 2, 3)
    kernel = [check(steps, native, *given(size)) for size in sizes][-1]
    assert kernel.runs == len(sizes)
    assert kernel.fitting.forms <= 3
    assert "matmul" in kernel.source.text


def test_a_signal_may_have_any_length() -> None:
    native = astrace.compile(steps, backend="native")
    A, x, _ = given(3)
    kernel = [check(steps, native, A, x, np.ones(count)) for count in (5, 2, 0, 100)][-1]
    assert (kernel.runs, kernel.fitting.forms) == (4, 1)


def test_a_sum_that_is_no_number_is_left_to_calls() -> None:
    """Which NaN comes out is nowhere said; calls give it, and the kernel goes on with numbers."""
    native = astrace.compile(steps, backend="native")
    A, x, u = given(3)
    missing = np.where(np.arange(len(u)) == 3, np.nan, u)
    kernel = [check(steps, native, A, x, one) for one in (u, missing, missing, u, missing, u)][-1]
    assert (kernel.runs, kernel.fitting.forms) == (6, 1)
    assert "matmul" not in kernel.source.text


def test_a_kernel_goes_on_with_calls_after_several_in_a_row() -> None:
    native = astrace.compile(steps, backend="native")
    A, x, u = given(3)
    missing = np.where(np.arange(len(u)) == 3, np.nan, u)
    kernel = [check(steps, native, A, x, one) for one in (u, *[missing] * MOST_SPARED, missing, u)][-1]
    assert (kernel.runs, kernel.fitting.forms) == (MOST_SPARED + 3, 2)
    assert "matmul" in kernel.source.text


def test_a_number_that_is_a_size() -> None:
    def averaged(x: Any, n: int) -> Any:
        w, found = np.ones(n) / n, np.zeros(len(x))
        for i in range(n, len(x)):
            found[i] = w @ x[i - n : i]
        return found

    native = astrace.compile(averaged, backend="native")
    x = np.random.default_rng(0).normal(size=30)
    kernel = [check(averaged, native, x, n) for n in (4, 4, 5, 4, 12, 40, 1)][-1]
    assert kernel.runs == 7
    assert kernel.fitting.forms <= 2


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
def test_products_of_few_have_numpys_bits(rows: int, turned: str) -> None:
    """For each number of rows, columns and products; of views, too, and with numbers that cancel each other."""

    def multiplied(a: Any, b: Any, out: Any) -> None:
        for turn in range(len(out)):
            left, right = (a + turn) * 1.0, (b - turn) * 1.0
            out[turn] = (left.T if "a" in turned else left) @ (right.T if "b" in turned else right)

    rng = np.random.default_rng(rows)
    for inner in range(1, 5):
        for columns in range(1, 5):
            a, b = rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns))
            a[:, -1], b[-1] = -a[:, 0], b[0] * (1 + 1e-13)
            a, b = (
                np.ascontiguousarray(a.T if "a" in turned else a),
                np.ascontiguousarray(b.T if "b" in turned else b),
            )
            native = astrace.compile(multiplied, backend="native")
            kernel = check(multiplied, native, a, b, np.zeros((3, rows, columns)))
            assert kernel.runs


@pytest.mark.parametrize("step", [1, -1, 2])
def test_products_with_vectors_have_numpys_bits(step: int) -> None:
    def multiplied(a: Any, x: Any, out: Any) -> Any:
        total = 0.0
        for turn in range(len(out)):
            part = x[turn : turn + len(a) * abs(step)][::step]
            out[turn] = a @ part + part @ a
            total += part @ part
        return total

    rng = np.random.default_rng(0)
    for size in range(1, 9):
        native = astrace.compile(multiplied, backend="native")
        a = rng.normal(size=(size, size))
        check(multiplied, native, a, rng.normal(size=40), np.zeros((5, size)))


def test_an_array_with_two_names_is_one() -> None:
    """What is stored under one name is seen under the other, and the array comes out once."""

    def twice(u: Any) -> Any:
        x = np.zeros(2)
        y = x
        for n in range(len(u)):
            y[0] += u[n]
            if u[n] > 0:
                y = np.array([x[0], u[n]])
        return x, y

    native = astrace.compile(twice, backend="native")
    for u in ([], [-1.0], [1.0, -2.0], [-1.0, 2.0, -3.0, 4.0, -5.0]):
        check(twice, native, np.array(u))


def test_what_a_branch_stores_comes_out_of_it() -> None:
    def counted(u: Any, bins: Any) -> Any:
        counts, last = np.zeros(3), np.zeros(3)
        for n in range(len(u)):
            if u[n] > 0.5:
                counts[0] += 1.0
                while counts[0] > 3.0:
                    counts[0] -= 2.0
                    counts[2] += 1.0
            elif u[n] < -0.5:
                counts = last + counts
            else:
                last[1] = counts[0]
                continue
            for k in range(len(bins)):
                counts[k] += bins[k]
        return counts, last

    native = astrace.compile(counted, backend="native")
    u = np.random.default_rng(2).normal(size=40)
    for bins in (np.ones(3), np.ones(2), np.zeros(0), np.ones(3)):
        check(counted, native, u, bins)


def test_numpy_warns_of_what_nobody_reads() -> None:
    """Elements that are overwritten, handed on, or looked at by nothing that counts."""

    def overwritten(u: Any, a: Any) -> Any:
        x = a * u[0]
        total = 0.0
        for n in range(len(u)):
            y = x * u[n]
            x = np.array([u[n], 1.0])
            total += y[1] + x[0]
        return total

    native = astrace.compile(overwritten, backend="native")
    for a in (np.ones(2), np.array([1e300, 1.0]), np.array([1.0, 1e300])):
        for u in (np.full(4, 2.0), np.full(4, 1e300), np.array([2.0, 1e300, 2.0])):
            check(overwritten, native, u, a)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("columns", [None, 0, 1, 2, 3])
def test_few_equations_are_solved_as_numpy_does(count: int, columns: int | None) -> None:
    """Inverses and solutions: with pivots in all places, zeros with and without a sign, numbers of several sizes."""

    def solved(a: Any, b: Any, out: Any) -> None:
        for turn in range(len(a)):
            out[turn] = np.linalg.inv(a[turn]) if columns is None else np.linalg.solve(a[turn], b[turn])

    rng = np.random.default_rng(count)
    shape = (count, count) if columns is None else (count, columns) if columns else (count,)
    native = astrace.compile(solved, backend="native")
    for turn in range(12):
        a, b = rng.normal(size=(40, count, count)), rng.normal(size=(40, *shape))
        if turn % 3 == 1:
            a = rng.choice([-1.0, -0.0, 0.0, 1.0, 2.0], a.shape) + np.eye(count) * rng.choice([3.0, -5.0])
        if turn % 3 == 2:
            a, b = a * 10.0 ** rng.integers(-60, 60, a.shape), b * 10.0 ** rng.integers(-60, 60, b.shape)
        kernel = check(solved, native, a, b, np.zeros((40, *shape)))
    assert kernel.runs >= 8


def test_a_singular_matrix_is_left_to_numpy() -> None:
    def total(a: Any) -> Any:
        found = np.zeros((2, 2))
        for turn in range(len(a)):
            found = found + np.linalg.inv(a[turn])
        return found

    a = np.random.default_rng(0).normal(size=(5, 2, 2))
    native = astrace.compile(total, backend="native")
    for given in (a, a * [[0.0], [1.0]], a, a * np.nan, a * np.inf, a, a * 1e-300, a * 1e300, a):
        kernel = check(total, native, given)
    assert "apply_inv" not in kernel.source.text
    assert kernel.runs >= 3


def test_products_with_one_row_or_column_turned() -> None:
    """``b.T`` of one column is a row; of arrays with such axes small arrays become numbers as of others."""

    def riccati(a: Any, b: Any, q: Any, r: Any, turns: int) -> Any:
        p = q
        for _ in range(turns):
            k = np.linalg.inv(r + b.T @ p @ b) @ (b.T @ p @ a)
            p = q + a.T @ p @ a - a.T @ p @ b @ k
        return p

    a, b = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[0.0], [0.1]])
    native = astrace.compile(riccati, backend="native")
    for turns in (5, 0, 30):
        kernel = check(riccati, native, a, b, np.eye(2), np.array([[0.1]]), turns)
    assert kernel.runs == 3
    assert "matmul" not in kernel.source.text
    assert "apply_inv" not in kernel.source.text
    check(riccati, native, a, b[:, ::-1], np.eye(2)[::-1], np.array([[0.1]]), 4)


def test_arrays_that_lists_hold_are_seen_to_change() -> None:
    """A list of arrays that change is left to NumPy: both lists hold the same arrays."""

    def changed(xs: Any) -> Any:
        held = [x * 2 for x in xs]
        again = held[::-1]
        again[0][1] = 7.0
        held[0] = held[-1]
        return np.array(held), np.array(again)

    def stored(xs: Any) -> Any:
        held, last = [], np.zeros(3)
        for x in xs:
            held.append(x * 2)
        held[1] = last
        last[0] = 9.0
        return np.array(held)

    for function in (changed, stored):
        native = astrace.compile(function, backend="native")
        for count in (4, 2, 4):
            xs = np.random.default_rng(count).normal(size=(count, 3))
            expected, found = (harness.observe(one, (xs.copy(),)) for one in (function, native))
            assert harness.differences(expected, found) == []
