"""Small arrays whose sizes were seen are numbers in kernels; other sizes, and sums that calls alone know, have the general form."""

from __future__ import annotations

import functools
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.kernel import Kernel
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
    """Which NaN comes out is nowhere said; the kernel goes on with calls."""
    native = astrace.compile(steps, backend="native")
    A, x, u = given(3)
    missing = np.where(np.arange(len(u)) == 3, np.nan, u)
    kernel = [check(steps, native, A, x, one) for one in (u, missing, missing, u, missing)][-1]
    assert kernel.runs == 5
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
