"""Products of long vectors, of wide matrices, and of matrices with vectors of up to eight rows: to the bit those of NumPy's library."""

from __future__ import annotations

import ctypes
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import astrace

pytest.importorskip("numba")
from astrace.backends.native import kernel as native_kernel
from astrace.backends.native import symbols
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.products import long_orders, row_orders, wide_orders
from astrace.ops import lowered_products

MANY = 1 << 20
SIZES = (1, 2, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 100, 500, 4096, 4097)


def kernels_of(function: Any) -> list[Kernel]:
    """The kernels of a compiled function."""
    return [kernel for capture in function.captures for kernel in capture.kernels]


def dots(a: Any, b: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i, 0] = a[i] @ b[i]
        out[i, 1] = a[i] @ b[i][::-1]
        out[i, 2] = np.dot(a[i][::-1], b[i])
        out[i, 3] = a[i, ::2] @ b[i, ::2]
        out[i, 4] = np.dot(a[i, ::3], b[i, ::3])


def dots_of_steps(a: Any, b: Any, step: int, out: Any) -> None:
    for i in range(len(out)):
        out[i, 0] = a[::step] @ b[i : len(a) + i : step]
        out[i, 1] = np.dot(a[::step], b[i : len(a) + i : step])


def products(a: Any, b: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = a[i] @ b[i]


def rotated(a: Any, c: float, s: float) -> None:
    for i in range(len(a) - 1):
        rotation = np.array([[c, -s], [s, c]])
        a[i : i + 2, i:] = rotation @ a[i : i + 2, i:]
        a[:, i : i + 2] = a[:, i : i + 2] @ rotation.T


def special(rng: np.random.Generator, a: Any) -> Any:
    """Numbers of which many sums are zero, infinite, tiny or none."""
    return rng.choice(
        [0.0, -0.0, 1.0, -1.0, 1e-200, -1e-200, np.inf, np.nan],
        a.shape,
        p=[0.3, 0.3] + [0.09] * 4 + [0.02] * 2,
    )


def cancelling(rng: np.random.Generator, a: Any) -> Any:
    """Numbers whose second half almost repeats the first one with the other sign."""
    half = a.shape[-1] // 2
    a[..., half : 2 * half] = -a[..., :half] * (1 + 1e-13 * rng.normal(size=a[..., :half].shape))
    return a


FILLS: dict[str, Callable[..., Any]] = {
    "random": lambda rng, a: a,
    "cancelling": cancelling,
    "special": special,
    "infinite": lambda rng, a: np.where(rng.random(a.shape) < 0.05, np.inf, a),
    "tiny": lambda rng, a: np.full(a.shape, rng.choice([1e-200, -1e-200])),
}
"""What vectors are filled with; products of tiny numbers are zeros with a sign, which their sum has not."""


@contextmanager
def orders(are_known: bool) -> Iterator[None]:
    """Take what the trials have found, or that they have found nothing."""
    table = symbols.product_orders()
    found = bytes(table)
    table[:] = found if are_known else bytes(len(found))
    symbols.outer_function.cache_clear()
    try:
        yield
    finally:
        table[:] = found
        symbols.outer_function.cache_clear()


@pytest.fixture(autouse=True)
def _asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_kernel, "BEFORE_REST", MANY)


@pytest.mark.parametrize("fill", FILLS.values(), ids=FILLS)
def test_dots_of_all_sizes(fill: Callable[..., Any]) -> None:
    """Forwards, backwards and with steps."""
    native = astrace.compile(dots, backend="native")
    rng = np.random.default_rng(1)
    with np.errstate(all="ignore"):
        for size in SIZES:
            a, b = (fill(rng, rng.normal(size=(6, size))) for _ in range(2))
            found, expected = np.zeros((2, 6, 5))
            dots(a, b, expected)
            native(a, b, found)
            assert found.tobytes() == expected.tobytes(), size
    gives_up = fill in (FILLS["special"], FILLS["infinite"])  # sums that are none raise a flag
    assert sum(one.runs for one in kernels_of(native)) >= (1 if gives_up else len(SIZES))


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_steps_that_are_not_known(step: int) -> None:
    """`np.dot` was given a copy of such a part, which the library adds up in another order."""
    native = astrace.compile(dots_of_steps, backend="native")
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=200), rng.normal(size=300)
    found, expected = np.zeros((2, 100, 2))
    dots_of_steps(a, b, step, expected)
    native(a, b, step, found)
    assert found.tobytes() == expected.tobytes()
    assert sum(one.runs for one in kernels_of(native)) == 1


@pytest.mark.parametrize("are_known", [True, False])
def test_products_of_wide_matrices(are_known: bool) -> None:
    """Few rows and many columns, and the other way round, wherever they lie in memory."""
    native = astrace.compile(products, backend="native")
    rng = np.random.default_rng(3)
    sizes = [
        (2, 2, 9),
        (2, 3, 512),
        (5, 5, 5),
        (6, 6, 6),
        (6, 4, 33),
        (40, 2, 2),
        (513, 2, 5),
        (3, 5, 8),
        (8, 8, 8),
        (7, 2, 6),
        (1, 20, 3),
    ]
    with orders(are_known), np.errstate(all="ignore"):
        for (rows, inner, columns), fill in itertools.product(sizes, FILLS.values()):
            a, b = (
                fill(rng, rng.normal(size=(3, rows, inner))),
                fill(rng, rng.normal(size=(3, inner, columns))),
            )
            for is_left, is_right in itertools.product((False, True), repeat=2):
                left = a.transpose(0, 2, 1).copy().transpose(0, 2, 1) if is_left else a
                right = np.pad(b, ((0, 0), (0, 0), (1, 2)))[:, :, 1:-2]
                right = right.transpose(0, 2, 1).copy().transpose(0, 2, 1) if is_right else right
                found, expected = np.zeros((2, 3, rows, columns))
                products(left, right, expected)
                native(left, right, found)
                assert found.tobytes() == expected.tobytes(), (rows, inner, columns)


def test_rotations() -> None:
    """Two rows and two columns of a matrix are put in their own place."""
    native = astrace.compile(rotated, backend="native")
    found = np.random.default_rng(4).normal(size=(12, 40))
    expected = found.copy()
    rotated(expected, 0.6, 0.8)
    native(found, 0.6, 0.8)
    assert found.tobytes() == expected.tobytes()


def states(a: Any, x: Any, count: int) -> Any:
    found = []
    for _ in range(count):
        x = a @ x
        x = x / (1.0 + np.max(np.abs(x)))
        x = (x + 0.5) @ a
        x = x / (1.0 + np.max(np.abs(x)))
        found.append(x[0])
    return x, found


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("fill", ["random", "cancelling"])
def test_states_of_few_numbers(size: int, fill: str) -> None:
    """A matrix and its state, whose sizes are seen."""
    native = astrace.compile(states, backend="native")
    rng = np.random.default_rng(size)
    for _ in range(4):
        a, x = FILLS[fill](rng, rng.normal(size=(size, size))), rng.normal(size=size)
        expected, found = states(a, x, 50), native(a, x, 50)
        assert found[0].tobytes() == expected[0].tobytes()
        assert found[1] == expected[1]
    assert sum(one.runs for one in kernels_of(native)) >= 1


def test_orders_that_do_not_explain() -> None:
    """Of a library that adds up in another order than those that are asked about, nothing is found."""

    def fma(a: float, b: float, c: float) -> float:
        return a * b + c + 1.0

    found = long_orders.long_orders(fma)
    assert found[lowered_products.LONG_VECTORS] == lowered_products.UNKNOWN
    assert {order for _, order in wide_orders.wide_orders(fma)} == {lowered_products.UNKNOWN}


def test_orders_of_rows_are_few() -> None:
    """Rows that come in fours have one order, and so have those behind them."""
    library: Any = ctypes.CDLL(None)
    place = lowered_products.place_of
    kinds = lowered_products.ROWS, lowered_products.DENSE_COLUMNS
    for kind, rows, inner in itertools.product(kinds, (5, 7, 8), (4, 6)):
        found = [row_orders.later_order(library, place(kind, rows, row, inner)) for row in range(1, rows + 1)]
        assert len({*found[:4]}) == len({*found[rows // 4 * 4 :]} or {0}) == 1


CORES = {"Haswell": "FMA3", "SkylakeX": "AVX512_SKX", "Nehalem": "SSE42"}
"""Processors of which OpenBLAS knows, and what a processor has that can do as they do, as NumPy calls it."""


@pytest.mark.parametrize("core", CORES)
def test_other_processors(core: str) -> None:
    """What OpenBLAS does on other processors is found out, too; it is told by a variable which it is."""
    features: Any = getattr(np, "_core", None) or np.core
    if not features._multiarray_umath.__cpu_features__.get(CORES[core]):
        pytest.skip(f"this processor has no {CORES[core]}")
    picked = "cancelling or steps or tiny"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        __file__,
        "-k",
        picked,
    ]
    done = subprocess.run(
        command, env={**os.environ, "OPENBLAS_CORETYPE": core}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
