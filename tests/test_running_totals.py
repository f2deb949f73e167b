"""Running sums and products, and differences with numbers at the ends, in kernels: the bits that NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import harness
import numpy as np
import pytest

import astrace


def totals(x: Any) -> Any:
    return np.cumsum(x) * 2, np.cumprod(x) + 1, np.cumsum(x[::-1]), x.cumsum()


def of_expressions(x: Any) -> Any:
    return np.cumsum(x * x - 1), np.cumsum(np.abs(x)[1:] + x[:-1])


def of_rows_and_columns(x: Any) -> Any:
    y = np.outer(x, x[:3])
    return np.cumsum(y, axis=0) * 2, np.cumsum(y, axis=1) * 2, np.cumsum(y), np.cumprod(y + 1, axis=-1)


def differences(x: Any) -> Any:
    return (
        np.diff(x, prepend=0) * 2,
        np.diff(x, append=3) * 2,
        np.diff(x, prepend=1, append=-1) * 2,
        np.diff(x, 2, prepend=x[0]) * 2,
    )


def of_floats_at_the_ends(x: Any) -> Any:
    return (
        np.diff(x * 1, prepend=0.5),
        np.diff(np.cumsum(x), append=np.float64(2.5)),
        np.diff(x, prepend=x[:2]),
    )


def decimated(x: Any) -> Any:
    y = x * 1
    for _ in range(3):
        y = np.cumsum(y)
    y = y[1::2]
    for _ in range(3):
        y = np.diff(y, prepend=0)
    return y


PROGRAMS: Final = (totals, of_expressions, of_rows_and_columns, differences, of_floats_at_the_ends, decimated)
ITEMS: Final = (
    [0.5, -0.0, 0.0, np.nan, 1.0, -np.nan],
    [-0.0, -0.0, 1e308, 1e308, -np.inf],
    [np.inf, -np.inf, 2.0, 5e-324],
    [-0.0],
    [5.0, 2.0, -7.0, 1e-300, 3.0],
)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8])
def test_as_numpy_computes_them(function: Callable[..., Any], dtype: type[np.generic]) -> None:
    native = astrace.compile(function, backend="native", recompile_limit=20)
    for items in [*ITEMS, []] if function in (totals, decimated) else ITEMS:
        with np.errstate(all="ignore"):
            given = (
                np.nan_to_num(items, nan=3.0, posinf=90.0, neginf=-2.0) if dtype is not np.float64 else items
            )
            x = (
                np.asarray(given).clip(-1e4, 1e4).astype(dtype)
                if dtype is not np.float64
                else np.array(items)
            )
        outcomes = [harness.observe(one, (x.copy(),)) for one in (function, native)]
        assert harness.differences(*outcomes) == []


def test_kernels_are_made_of_them() -> None:
    for function in (totals, of_rows_and_columns, decimated):
        native = astrace.compile(function, backend="native")
        native(np.arange(6.0))
        kernels: list[Any] = [kernel for capture in native.captures for kernel in capture.kernels]
        assert any(kernel.runs for kernel in kernels)


def means(x: Any) -> Any:
    y = x.reshape(-1, 3)
    return (
        np.mean(x),
        x.mean(),
        y.mean(axis=0),
        y.mean(axis=1, keepdims=True),
        np.mean(y),
        np.mean(x[::2]) * 2,
    )


def means_of_rows(x: Any) -> Any:
    out = np.zeros(len(x) // 3)
    for i in range(len(out)):
        out[i] = x[3 * i : 3 * i + 3].mean() + np.mean(x)
    return out


@pytest.mark.parametrize("function", [means, means_of_rows])
@pytest.mark.parametrize(
    "dtype", ["float64", "float32", "int64", "int32", "uint32", "int16", "uint8", "int8", "bool"]
)
def test_means(function: Callable[..., Any], dtype: str) -> None:
    native = astrace.compile(function, backend="native", recompile_limit=20)
    rng = np.random.default_rng(3)
    sizes = (0, 3, 6, 9, 30, 300, 9000, 24_000) if function is means else (0, 3, 30)
    for size in sizes:
        items = rng.normal(size=size) * 1e3 if "f" in dtype else rng.integers(-(2**31), 2**31, size)
        for given in (
            items.astype(dtype),
            np.full(size, 1.1e38 if dtype == "float32" else 100).astype(dtype),
        ):
            outcomes = [harness.observe(one, (given.copy(),)) for one in (function, native)]
            assert harness.differences(*outcomes) == []
    kernels: list[Any] = [kernel for capture in native.captures for kernel in capture.kernels]
    assert any(kernel.runs for kernel in kernels) or dtype == "int64"
