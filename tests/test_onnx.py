"""Graphs as ONNX models: what onnxruntime computes is what NumPy computes, and what ONNX has not is refused with the line."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

from astrace.bundle.exports.onnx_model import OPSET, onnx_model  # noqa: E402
from astrace.bundle.exports.onnx_table import ROWS  # noqa: E402
from astrace.ops import OPS  # noqa: E402

X = np.linspace(-1.0, 1.0, 6).reshape(2, 3)
WEIGHTS = np.arange(6.0).reshape(3, 2)
I = np.array([-7, -3, 0, 2, 5, 9])  # noqa: E741 - integers
NAN = np.array([[1.0, np.nan, 3.0], [-0.0, 2.0, np.inf]])
TOLERANCE = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3}
"""Relative and absolute; integers and booleans are equal."""


def session(content: bytes) -> Any:
    """A model that is ready to run."""
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def leaves(result: Any) -> list[Any]:
    """All numbers and arrays of a result, in order."""
    if isinstance(result, dict):
        return leaves(list(result.values()))
    return [leaf for one in result for leaf in leaves(one)] if isinstance(result, tuple | list) else [result]


def copied(call: Sequence[Any]) -> list[Any]:
    """Arguments that may be changed."""
    return [np.copy(one) if isinstance(one, np.ndarray) else one for one in call]


def same(found: np.ndarray[Any, Any], wanted: Any, place: str) -> None:
    """Make sure that an output has NumPy's dtype, shape and values."""
    wanted = np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), place
    if found.dtype.kind == "f":
        tolerance = TOLERANCE[str(found.dtype)]
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance, err_msg=place)
    else:
        np.testing.assert_array_equal(found, wanted, err_msg=place)


def verify(function: Callable[..., Any], *calls: Sequence[Any]) -> Any:
    """Export for the first call, and compare with NumPy for all of them; gives the model."""
    graph = astrace.trace(function, *copied(calls[0]))
    content, told, model = onnx_model(graph)
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    made = session(content)
    names = [one.name for one in made.get_inputs()]
    assert names == [name for name, *_ in told["interface"]["inputs"]]
    for number, call in enumerate(calls):
        given = {name: np.asarray(value) for name, value in zip(graph.input_names, call, strict=True)}
        found = made.run(None, {name: given[name] for name in names})
        with np.errstate(all="ignore"):
            wanted = leaves(function(*copied(call)))
        for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
            same(one, other, f"call {number}, output {place}")
    return model


def ops_of(graph: Any) -> list[str]:
    """The operators of a model, those of inner graphs included."""
    found: list[str] = []
    for node in graph.node:
        found.append(node.op_type)
        for attribute in node.attribute:
            found += ops_of(attribute.g) if attribute.HasField("g") else []
    return found


# -- elementwise ------------------------------------------------------------------------------------------


def operators(x, y):
    return (
        x + y,
        x - y,
        x * y,
        x / y,
        x // y,
        x % y,
        -x,
        abs(x),
        x**2,
        x < y,
        x <= y,
        x > y,
        x >= y,
        x == y,
        x != y,
    )


INTEGERS = np.array([-7, -1, 0, 3, 7, 8])
DIVISORS = np.array([2, -3, 4, -1, -7, 3])
FLOATS = np.array([-7.5, -0.0, 0.0, 3.25, np.inf, 8.0])
FLOAT_DIVISORS = np.array([2.0, -3.0, -4.0, 0.5, 2.0, -3.0])


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (INTEGERS, DIVISORS),
        (FLOATS, FLOAT_DIVISORS),
        (FLOATS.astype(np.float32), FLOAT_DIVISORS.astype(np.float32)),
        (INTEGERS.astype(np.int32), DIVISORS),
        (INTEGERS.astype(np.int16), DIVISORS.astype(np.int8)),
        (INTEGERS.astype(np.int8), 3),
        (np.abs(INTEGERS).astype(np.uint8), np.abs(DIVISORS).astype(np.uint16)),
        (INTEGERS, 2.5),
        (FLOATS.astype(np.float32), 2.5),
        (FLOATS.astype(np.float32), DIVISORS),
        (FLOATS[3:].astype(np.float16), 2),
        (7, -2),
        (-7.5, 2),
        (np.float32(2.5), 3),
        (np.int8(-9), np.int16(4)),
        (X, X[0] + 2.0),
        (X[:, None] + 3.0, X),
    ],
    ids=lambda value: f"{np.asarray(value).dtype}{list(np.shape(value))}",
)
def test_operators(x: Any, y: Any) -> None:
    """Promotion, floor division and remainder are NumPy's and Python's, for each pair of types, broadcast."""
    verify(operators, (x, y))


def division(x, y):
    return x // y, x % y


def test_division_by_zero() -> None:
    """By zero NumPy's integers give 0, and the smallest one is divided by -1, which processors trap on."""
    least = np.iinfo(np.int64).min
    verify(division, (np.array([5, -5, least, 0]), np.array([0, 0, -1, 0])))
    verify(division, (np.array([5.0, -5.0, 0.0, 5.0]), np.array([0.0, -0.0, 0.0, np.inf])))


def floats(x):
    y = np.abs(x) + 0.5
    return (
        np.exp(x), np.log(y), np.sqrt(y), np.sin(x), np.cos(x), np.tanh(x), np.floor(x), np.ceil(x), np.rint(x), np.trunc(x),
        np.sign(x), np.square(x), np.reciprocal(y), np.deg2rad(x), np.degrees(x), np.isnan(x), np.isinf(x), np.isfinite(x),
        y**x, x**3.0, y**0.5, np.power(y, x), np.round(x, 1), np.round(x), np.add(x, y), np.negative(x),
    )  # fmt: skip


def narrow(x):
    y = np.clip(x, -0.9, 0.9)
    return (
        np.tan(y), np.arcsin(y), np.arccos(y), np.arctan(x), np.sinh(y), np.cosh(y), np.arcsinh(x), np.arccosh(y + 2.0),
        np.arctanh(y),
    )  # fmt: skip


def of_integers(x):
    return (
        np.sin(x),
        np.sqrt(x * x),
        np.floor(x),
        np.sign(x),
        np.isnan(x),
        np.isfinite(x),
        x**3,
        x << 2,
        x >> 1,
        ~x,
        x & 6,
        x | 1,
        x ^ 5,
    )


def truths(p, q):
    return (
        p & q,
        p | q,
        p ^ q,
        ~p,
        np.logical_and(p, 1),
        np.logical_or(p, q),
        np.logical_xor(p, q),
        np.logical_not(p),
        p + q,
        p * q,
        p == q,
        p < q,
    )


def selected(x, y):
    return (
        np.where(x > y, x, y), np.where(x > 0, 1, 0.5), np.where(x > 0, x, np.float32(2)), np.maximum(x, y), np.minimum(x, y), np.fmax(x, y),
        np.fmin(x, y), np.clip(x, -0.5, 0.5), np.clip(x, None, 0), np.clip(x, y, None), np.where(x > 0, True, False),
    )  # fmt: skip


def numbers(n, f, b):
    return (
        n + 1, n / 2, n // 2, n % 3, -n, n**2, f * n, f // 2, f % 1.5, not n, bool(f), int(f), float(n), round(f), abs(n), max(n, 3), min(n, 4, -2),
        max(f, 1.5), divmod(n, 4), n < f, n == 3, b + 1, b and n > 1, n if b else -n, np.float32(f), np.int16(n), np.sqrt(f), n & 3, 2 * b,
    )  # fmt: skip


def of_math(f):
    return (
        math.sqrt(f), math.exp(f), math.log(f), math.sin(f), math.cos(f), math.tanh(f), math.floor(f), math.ceil(f), math.trunc(-f), math.fabs(-f),
        math.isnan(f), math.isfinite(f), math.radians(f), math.degrees(f), math.pow(f, 2.5), np.float_power(f, 2), round(f * 2),
    )  # fmt: skip


def converted(x):
    return (
        x.astype(int),
        x.astype("float32"),
        x.astype(bool),
        x.astype(np.int8),
        x.astype(np.float16) * 2,
        np.float32(2) * x,
        np.array(x, dtype=np.float32),
    )


# -- shapes, items, reductions ------------------------------------------------------------------------------


def reduced(x):
    return (
        x.sum(), x.sum(axis=0), x.sum(axis=-1, keepdims=True), np.sum(x, axis=(0, 1)), x.mean(), x.mean(axis=1), np.mean(x, 0, keepdims=True),
        x.prod(axis=0), x.max(), x.min(axis=0), np.max(x, axis=1, keepdims=True), x.argmax(), x.argmin(axis=1), np.argmax(x, axis=0),
        x.std(), x.var(axis=0), np.std(x, axis=1, ddof=1), (x > 0).any(), (x > 0).all(axis=1), np.any(x), np.cumsum(x), x.cumsum(axis=1),
        np.count_nonzero(x), sum([x[0], x[1]]), (x > 0).sum(), np.sum(x, dtype=np.float32),
    )  # fmt: skip


def products(x, y, v):
    return (
        x @ y,
        v @ y,
        x @ v,
        v @ v,
        np.dot(x, y),
        np.dot(v, v),
        np.matmul(x, y),
        np.outer(v, v),
        np.dot(x, 2.0),
        np.stack([x, x]) @ y,
    )


def shaped(x):
    n = len(x)
    return (
        x.shape, x.size, x.T, np.transpose(x, (1, 0)), x.reshape(-1), x.reshape(3, -1), x.reshape((n * 3,)), np.ravel(x), x.flatten(),
        np.swapaxes(x, 0, 1), np.moveaxis(x[None], 0, 2), np.expand_dims(x, 0), x[:, None].squeeze(1), np.broadcast_to(x, (2, n, 3)),
        np.concatenate([x, x * 2]), np.concatenate((x, x), axis=1), np.stack([x, -x], axis=1), np.vstack([x, x[0]]), np.hstack([x, x]),
        np.concatenate([x, np.ones((n, 1), np.float32)], axis=-1), np.flip(x, 1), x.copy(), np.asarray(x), x.ndim,
    )  # fmt: skip


def made(x, n):
    return (
        np.zeros(n), np.zeros((2, n), dtype=int), np.ones(3, np.float32), np.full((n, 2), n), np.full(2, 0.5), np.zeros_like(x), np.ones_like(x, dtype=np.int32),
        np.full_like(x, 7), np.arange(n), np.arange(1, n, 2), np.arange(n, -2, -1), np.arange(0.0, n, 0.3), np.eye(3), np.eye(n, 4, k=1), np.array([n, 2, n]),
        np.array([[x[0, 0], 1.0], [2.0, x[1, 1]]]), np.arange(3, dtype=np.float32), np.array([1.5, 2.5]), np.identity(n), np.linspace(0.0, n, 7), np.linspace(1, 2, 4, endpoint=False), np.tril(x), np.triu(x, 1),
    )  # fmt: skip


def items(x, i):
    return (
        x[0], x[-1], x[i], x[i, 1], x[i - 1, i], x[:, 0], x[1:], x[:-1, 1:], x[::-1], x[:, ::2], x[:, -1:0:-1], x[..., None], x[None, i], x[..., i],
        x[i:], x[:i], x[-i:], x[1:100], x[5:2], x[[1, 0]], x[:, [0, 2, 0]], x[np.array([[0], [1]])], x[0, [1, 2]], x[x > 0], x[x[:, 0] > -0.5],
        np.take(x, [1, 0], axis=1), (x, i)[1], x[i][i], x[(x > 0).any(axis=1)],
    )  # fmt: skip


def ordered(x):
    y = np.round(x, 1)
    return (
        np.sort(x), np.sort(x, axis=0), np.sort(x, axis=None), x.argsort(), np.argsort(y, axis=0, kind="stable"), np.argsort(y, axis=None, kind="stable"),
        np.median(x), np.median(x, axis=0), np.median(x, axis=1, keepdims=True), np.unique(y), np.nonzero(x > 0), np.where(x < 0), np.flatnonzero(x),
        np.argwhere(x > 0.5), np.take_along_axis(x, np.argsort(x, axis=1, kind="stable"), axis=1), np.searchsorted(np.sort(x[0]), x),
        np.searchsorted(np.sort(x[1]), x, side="right"), np.isin(x, [1.0, -1.0]), np.isin(x, x[0], invert=True),
    )  # fmt: skip


def ordered_numbers(x):
    return (
        np.sort(x), np.sort(x, kind="stable"), np.argsort(x, kind="stable"), np.median(x), np.unique(x), np.unique(x % 3), np.nonzero(x), np.flatnonzero(x),
        np.searchsorted(np.sort(x), x), np.isin(x, [2, 5]), np.ptp(x), np.take_along_axis(x, x % 3, 0),
    )  # fmt: skip


def moved(x, n):
    return (
        np.roll(x, 1), np.roll(x, -n, axis=1), np.roll(x, (1, n), axis=(0, 1)), np.tile(x, 2), np.tile(x, (2, 1, n)), np.tile(x[0], (2, 2)), np.repeat(x, 2), np.repeat(x, n, axis=0),
        x.repeat(2, axis=1), np.flipud(x), np.fliplr(x), np.atleast_2d(x[0]), np.atleast_1d(x), np.column_stack([x[0], x[1], x[0]]), np.column_stack([x, x]),
        np.dstack([x, x]), np.append(x, 7), np.append(x, x, axis=0), np.pad(x, 1), np.pad(x, ((0, 1), (2, 0)), constant_values=5), np.diagonal(x), np.diagonal(x, 1), np.trace(x),
        x.trace(-1), np.diag(x), np.diag(x[0]), np.diag(x[0], 2), np.diag(x[1], -1), np.tri(3, 4, 1), np.tri(n), np.diff(x), np.diff(x, n=2, axis=1), np.diff(x, axis=0),
        np.matrix_transpose(x), np.roll(x[0], 100), np.ndim(x),
    )  # fmt: skip


def functions(x):
    tiny, y = x * 1e-9, np.abs(x) + 0.25
    return (
        np.log1p(y), np.log1p(tiny) * 1e9, np.expm1(x), np.expm1(tiny) * 1e9, np.log2(y), np.log10(y), np.exp2(x), np.cbrt(x), np.hypot(x, y), np.logaddexp(x, y), np.logaddexp(x, x),
        np.fmod(x, 0.3), np.heaviside(x, 0.5), np.isposinf(x), np.isneginf(x), np.isclose(x, x * (1 + 1e-7)), np.isclose(x, y, equal_nan=True), np.allclose(x, x), np.allclose(x, y),
        np.nan_to_num(x, posinf=3.0), np.nan_to_num(x), np.nansum(x), np.nansum(x, axis=0), np.nanprod(x, axis=1), np.nanmean(x, axis=0, keepdims=True), np.nanmax(x, axis=1),
        np.nanmin(x), np.ptp(x), np.ptp(x, axis=0), np.average(x, axis=1), np.linalg.norm(x), np.linalg.norm(x, axis=1), np.linalg.norm(x[0]), np.inner(x, x), np.vdot(x, y), np.inner(x[0], x[1]),
    )  # fmt: skip


def more_math(f):
    return (
        math.log1p(f), math.expm1(f * 1e-10) * 1e10, math.log2(f), math.log10(f), math.exp2(f), math.cbrt(-f), math.hypot(f, 3), math.fmod(-f, 0.75),
    )  # fmt: skip


ENDS = np.array([[np.nan, np.inf, -1.0], [-np.inf, -0.0, np.nan]])
TIES = np.array([[0.5, -0.5, 0.5], [-0.5, 0.5, np.nan], [np.inf, np.nan, 0.0]])

CASES: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "floats": (floats, [(X,), (X * 7.3,), (np.array([[np.nan, np.inf], [-np.inf, -0.0]]),)]),
    "float32": (floats, [(X.astype(np.float32),)]),
    "float32, those that onnxruntime has no float64 of": (narrow, [(X.astype(np.float32),)]),
    "integers": (of_integers, [(I,)]),
    "int32": (of_integers, [(I.astype(np.int32),)]),
    "booleans": (truths, [(I > 0, I > 2), (I < 0, I > 9)]),
    "selection": (selected, [(X, X[::-1] * 0.5), (NAN, X), (X, NAN)]),
    "numbers": (numbers, [(5, 2.5, True), (0, 0.5, True), (-7, -3.5, True), (1, 1e6, True)]),
    "math": (of_math, [(2.5,), (0.25,), (7.0,)]),
    "conversions": (converted, [(X * 3.7,), (X[:1],)]),
    "reductions": (reduced, [(X,), (np.vstack([X, X * 3.0, -X]),)]),
    "reductions of NaN": (
        lambda x: (x.max(), x.min(axis=0), x.argmax(), x.argmin(axis=0), x.sum(axis=1)),
        [(NAN,), (X,)],
    ),
    "reductions of integers": (
        lambda x: (x.sum(), x.max(), x.min(), x.mean(), x.prod(), x.argmax(), x.std(), np.cumsum(x)),
        [(I,), (I - 3,)],
    ),
    "reductions of int8": (
        lambda x: (x.sum(), x.max(), x.mean(), x.argmin(), x.any()),
        [(I.astype(np.int8),)],
    ),
    "reductions of uint16": (
        lambda x: (x.sum(), x.prod(), np.cumsum(x), x.mean(), np.nansum(x), x @ x, np.trace(x.reshape(2, 3))),
        [(np.abs(I).astype(np.uint16),)],
    ),
    "means of nothing": (
        lambda x: (x.mean(), x.mean(axis=0), x.mean(axis=1), np.nanmean(x), x.sum(axis=0)),
        [(X,), (X[:0],), (X[:, :0],)],
    ),
    "reductions of booleans": (
        lambda x: (x.sum(), x.max(), x.mean(), x.any(), x.all(), x.argmax()),
        [(I > 0,), (I > 99,)],
    ),
    "reductions of float16": (lambda x: (x.sum(), x.max(), x.mean(axis=0)), [(X.astype(np.float16),)]),
    "reductions of nothing": (lambda x: (x.sum(), x.any(), x.all(), x.prod()), [(X[:1],), (X[:0],)]),
    "products": (products, [(X, WEIGHTS, X[0]), (X * 2.0, WEIGHTS - 1.0, X[1])]),
    "products of integers": (
        lambda x: (x @ x, np.dot(x, x), np.outer(x, x)),
        [(I,), (I.astype(np.int32),)][:1],
    ),
    "shapes": (shaped, [(X,), (np.vstack([X, X]),), (X[:1],)]),
    "new arrays": (made, [(X, 3), (X, 5), (X, 2)]),
    "order": (ordered, [(X,), (TIES,), (ENDS,), (np.vstack([X, X * 3.0, -X, X]),)]),
    "order of float32": (ordered, [(TIES.astype(np.float32),)]),
    "order of numbers": (ordered_numbers, [(I,), (I[::-1] // 2,)]),
    "order of int8": (ordered_numbers, [(I.astype(np.int8),)]),
    "order of uint16": (ordered_numbers, [(np.abs(I).astype(np.uint16),)]),
    "other places": (moved, [(X, 1), (X * 2.0, 2), (np.vstack([X, X]), 3)]),
    "other places of int16": (moved, [(I.reshape(2, 3).astype(np.int16), 2)]),
    "functions": (functions, [(X,), (X * 300.0,), (np.vstack([X, X]),), (ENDS,)]),
    "functions of float32": (functions, [(X.astype(np.float32),)]),
    "functions of float16": (
        lambda x: (
            np.log1p(x + 2),
            np.cbrt(x),
            np.hypot(x, x),
            np.nanmean(x),
            np.ptp(x),
            np.isclose(x, x),
            np.sort(x),
            x * 1e9,
        ),
        [(X[:, 1:].astype(np.float16),)],
    ),
    "more of math": (more_math, [(2.5,), (0.125,)]),
    "items": (items, [(X, 1), (X * 2.0, 0), (np.vstack([X, X]), 2)]),
}


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    """Dtypes and shapes are NumPy's, integers and booleans equal, floats within the stated tolerance; other sizes too."""
    function, calls = CASES[name]
    verify(function, *calls)


# -- control flow -----------------------------------------------------------------------------------------


def branches(x, n):
    if x.sum() > 0:
        y, k = x * 2.0, n
    elif n > 2:
        y, k = x - 1.0, 7
    else:
        y, k = x[::-1], -n
    return y, k, (x if k > 0 else -x), np.where(x > k, 1, 0)


def counted(x, n):
    total, product = 0.0, 1
    for i in range(n):
        total = total + x[i % 2, 0] * i
        product = product * 2 if i > 1 else product + i
    for j in range(n, -2, -3):
        product = product + j
    for k in range(1, n + 1):
        if k * k > n:
            break
        total = total + k
    return total, product


def over_rows(x, y):
    total = np.zeros(3)
    for row in x:
        if row[0] < -5.0:
            continue
        total = total + row * 0.5
    for i, (a, b) in enumerate(zip(x, y), 1):
        total = total + (a - b) * i
    for row in x[::-1]:
        total = total * 0.5 + row
    for row in reversed(y):
        total = total + row[0]
    return total


def newton(v, most):
    guess, steps = v, 0
    while abs(guess * guess - v) > 1e-9:
        if steps == most:
            break
        guess = 0.5 * (guess + v / guess)
        steps += 1
    while steps < most and guess < 100.0:
        steps += 1
    return guess, steps


def nested(x, n):
    y = x * 1.0
    for i in range(n):
        for j in range(i):
            y = y + j if y.sum() < 10.0 else y * 0.5
        k = i
        while k > 0:
            k = k - 2
            y = y - k
    return y


def growing(x, n):
    y = x[:0]
    for i in range(n):
        y = np.concatenate([y, x * i])
    return y, y.shape[0]


def filled(x, n):
    out = np.empty((len(x), 2))
    for i in range(len(x)):
        out[i, 0] = x[i, 0] * 2.0
        out[i, 1] = -1.0
        if x[i, 1] > 0:
            out[i] += n
    out[-1] *= 3.0
    out[1:, 0] = 7.0
    out[:, 1][out[:, 1] > 2.0] = 0.5
    part = out[1:]
    part[0, 0] = 11.0
    part += x[1:, :2]
    return out, part, x.sum()


def stepped(x, n):
    y, before = x * 1.0, x[0]
    for i in range(n):
        y = y * 0.5
        y[0, 0] = i
        y[:, -1] += 1.0
    y[1] = before
    sieve = np.ones(20, dtype=bool)
    for p in range(2, 5):
        if sieve[p]:
            sieve[p * p :: p] = False
    counts = np.zeros(4, dtype=int)
    for value in x[0]:
        counts[int(abs(value) * 3.0) % 4] += 1
    if n > 1:
        counts[0] = n
    return y, sieve, counts


def masks(x, n):
    inside = x > 0.0
    for i in range(n):
        inside[:, i] ^= True
        inside |= x > 0.9
    return inside, inside == True, x[inside].sum()  # noqa: E712 - a comparison of the array


def idle(x, n):
    for _ in range(n):
        x + 1.0
    return x.sum()


def swapped(x, n):
    a, b = x * 1.0, x + 1.0
    for i in range(n):
        a, b = b, a * 0.5
        a[0, 0] = i
    return a, b


LOOPS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "branches": (branches, [(X[0], 3), (X[1], 3), (X[0] - 1.0, 1), (X[1], -2)]),
    "counted": (counted, [(X, 3), (X, 0), (X, 1), (X, 10)]),
    "over rows": (over_rows, [(X, X * 2.0), (X - 9.0, X), (X[:0], X[:0]), (np.vstack([X, X]), X[:1])]),
    "newton": (newton, [(2.0, 50), (1.0, 0), (9.0, 2), (1e6, 60)]),
    "nested": (nested, [(X, 4), (X, 0), (X * 9.0, 1)]),
    "growing": (growing, [(X[0], 3), (X[0], 0), (np.arange(5.0), 1)]),
    "filled": (filled, [(X, 2), (-X, 3), (np.vstack([X, -X, X]), 1)]),
    "stepped": (stepped, [(X, 3), (X, 0), (X * 2.0, 1)]),
    "masks": (masks, [(X, 2), (X, 0), (-X, 1)]),
    "nothing is carried": (idle, [(X, 2)]),
    "swapped": (swapped, [(X, 3), (X, 0), (X, 1), (X, 4)]),
}


@pytest.mark.parametrize("name", LOOPS)
def test_control_flow(name: str) -> None:
    """Both branches, no, one and many iterations, `break`, `continue`, arrays that are written: as Python runs it."""
    function, calls = LOOPS[name]
    verify(function, *calls)


def rows_in_place(x, n):
    h = x * 1.0
    both = (h, x)
    for row in h:
        row *= 2.0
        row[0] = n
    h[0] += 1.0
    first, second = h
    first -= 5.0
    return both[0], second, h.sum()


def carried_source(x, n):
    c, before, total = np.zeros(3), x[0] * 1.0, 0.0
    for i in range(n):
        c[i] = 1.0
        total = total + before.sum()
        before = c
    return total


def test_writes_through_views() -> None:
    """A write to a view is a write to what it is a view of, whatever holds it."""
    verify(rows_in_place, (X, 2), (X, 0))


def viewed_while_carried(x, n):
    h = x * 1.0
    rest = h[1:]
    for i in range(n):
        h[1] = i
        h = h * 0.5
    return rest, h


def held_while_carried(x, n):
    h = x * 1.0
    both = [h, x]
    for i in range(n):
        h[1] = i
        h = h * 0.5
    return both, h


def without_dimensions(x, n):
    h = x[0] * 1.0
    part, row, number = h[1, ...], h[...], h[1]
    h[1] = n
    part += 1.0
    kept = part if n > 3 else number
    return part, row, number, kept * 2.0, h


def test_arrays_without_dimensions() -> None:
    """`x[1, ...]` is a view, `x[1]` a number."""
    verify(without_dimensions, (X, 2), (X, 5))


def chosen_then_written(x, n):
    a, b = x * 1.0, x * 2.0
    c = a if n > 1 else b
    a[0] = 9.0
    return c


def chosen_and_written(x, n):
    a = x * 1.0
    c = a if n > 1 else x
    c[0] = 9.0
    return a


def carried_then_written(x, n):
    a = x * 1.0
    y = a
    for _ in range(n):
        y = y * 2.0
    a[0] = 9.0
    return y


def carried_and_written(x, n):
    a = x * 1.0
    y = a
    for _ in range(n):
        y[0] = y[0] + 1.0
        y = y * 2.0 if n > 3 else y
    return a, y


def reshaped_then_written(x):
    a = x * 1.0
    flat = a.reshape(-1)
    a[0] = 9.0
    return flat


def reshaped_and_written(x):
    a = x * 1.0
    a.T[0] = 9.0
    return a


def written_argument(x):
    x[0] = 1.0
    return x


def written_argument_in_loop(x):
    for i in range(len(x)):
        x[i] += 1.0
    return x.sum()


def into_out(x):
    y = x * 1.0
    np.add(x, 1.0, out=y)
    return y


def appended(x, n):
    found = []
    for i in range(n):
        found.append(x[0, 0] * i)
    return len(found)


def raising(x):
    if x.sum() > 100.0:
        raise ValueError("too much")
    return x


def caught(x, n):
    try:
        y = x[n]
    except IndexError:
        y = x[0]
    return y


def silent(x):
    with np.errstate(divide="ignore"):
        return x / 0.5


def strict(x):
    with np.errstate(all="raise"):
        return x / 0.5


def printed(x):
    print(x)
    return x


def mixed(x):
    total = 0
    for row in x:
        total = total + row.sum()
    return total


def changed_dict(d, x):
    d["b"] = x
    return d["a"]


def float_range(x, f):
    for _ in range(f):
        x = x + 1.0
    return x


def never_fitting(x):
    return np.zeros((2, 3)) @ np.zeros((2, 3)) + x.sum()


def undefined(x, n):
    for i in range(n):
        last = x[i % 2]
    return last


REFUSED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str, str]] = {
    "written argument": (written_argument, (X,), "`set_item` writes to an argument", "x[0] = 1.0"),
    "written argument in a loop": (written_argument_in_loop, (X,), "writes to an argument", "x[i] += 1.0"),
    "written under another name": (
        carried_source,
        (X, 3),
        "`for_loop` carries an array that it also writes to",
        "for i in range(n)",
    ),
    "chosen, then written": (
        chosen_then_written,
        (X, 2),
        "`set_item` writes to an array whose memory",
        "a[0] = 9.0",
    ),
    "chosen and written": (
        chosen_and_written,
        (X, 2),
        "writes to an array that may be one of several",
        "c[0] = 9.0",
    ),
    "carried, then written": (
        carried_then_written,
        (X, 2),
        "writes to an array whose memory another",
        "a[0] = 9.0",
    ),
    "viewed while carried": (
        viewed_while_carried,
        (X, 2),
        "writes to an array that may be one of several",
        "h[1] = i",
    ),
    "held while carried": (
        held_while_carried,
        (X, 2),
        "writes to an array that may be one of several",
        "h[1] = i",
    ),
    "carried and written": (
        carried_and_written,
        (X, 2),
        "writes to an array that may be one of several",
        "y[0] = y[0] + 1.0",
    ),
    "reshaped, then written": (
        reshaped_then_written,
        (X,),
        "writes to an array whose memory another",
        "a[0] = 9.0",
    ),
    "reshaped and written": (
        reshaped_and_written,
        (X,),
        "writes to an array that may share memory",
        "a.T[0] = 9.0",
    ),
    "out": (into_out, (X,), "`np.add` writes to an array that it is given", "np.add(x, 1.0, out=y)"),
    "list of unknown length": (
        appended,
        (X, 3),
        "`append` has no counterpart in ONNX",
        "found.append",
    ),
    "raise": (raising, (X,), "`call` of `ValueError` has no counterpart", "raise ValueError"),
    "try": (caught, (X, 1), "`try_` has no counterpart", "try:"),
    "with": (strict, (X,), "`call` of `np.errstate` has no counterpart", "with np.errstate"),
    "print": (printed, (X,), "`call` of `print` has no counterpart", "print(x)"),
    "unknown ufunc": (lambda x: np.sinc(x), (X,), "`np.sinc` has no counterpart in ONNX", "np.sinc(x)"),
    "order of uint64": (lambda x: np.sort(x), (I.astype("u8"),), "`np.sort` of uint64 has no", "np.sort(x)"),
    "repeats by element": (lambda x: np.repeat(x, I % 2), (I,), "by a number for each element", "np.repeat"),
    "other padding": (lambda x: np.pad(x, 1, mode="edge"), (X,), "with one constant", "np.pad"),
    "weights": (lambda x: np.average(x, weights=x), (X,), "`np.average` with weights has no", "np.average"),
    "fmod of integers": (lambda x: np.fmod(x, 3), (I,), "`np.fmod` of integers has no", "np.fmod"),
    "another norm": (lambda x: np.linalg.norm(x, ord=1), (X,), "for sums of squares", "norm"),
    "places that may differ": (
        lambda x, y: np.take_along_axis(x, y, axis=1),
        (X, np.zeros((1, 2), int)),
        "spreads sizes that may differ",
        "take_along_axis",
    ),
    "a whole dict": (lambda d: d, ({"a": X},), "`d`, which is returned, is dict", ""),
    "unknown function": (lambda x: np.linalg.svd(x), (X,), "`np.linalg.svd` has no counterpart", "svd"),
    "keyword": (
        lambda x: np.add(x, 1.0, where=x > 0),
        (X,),
        "`np.add` has no counterpart in ONNX with `where=`",
        "where",
    ),
    "axis of the model": (
        lambda x, n: np.concatenate([x, x], axis=n),
        (X, 1),
        "needs a literal for `axis`",
        "axis=n",
    ),
    "two dtypes": (mixed, (X,), "int | float64, which is no tensor of one dtype", "for row in x"),
    "perhaps undefined": (undefined, (X, 2), "is no tensor of one dtype", "for i in range(n)"),
    "complex": (lambda x: x * 1j, (X,), "the result of `mul` is complex128", "1j"),
    "complex argument": (lambda x: x.real, (X * 1j,), "`x`, which `get_attr` uses, is complex128", "x.real"),
    "text": (lambda x, s: x if x.sum() > 0 else s, (X, "a"), "is float64.*str", "else s"),
    "dict": (changed_dict, ({"a": X}, X), "`d`, which `.*` uses, is dict, which is no tensor", 'd["b"] = x'),
    "whole power": (lambda x, n: x**n, (I, 2), "`pow` of integers is exported for literal exponents", "x**n"),
    "signs": (lambda x, y: x < y, (I, I.astype(np.uint64)), "`lt` compares int64 with uint64", "x < y"),
    "masked rows": (lambda x, m: x[m, 0], (X, X[:, 0] > 0), "has booleans in its key", "x[m, 0]"),
    "several arrays": (
        lambda x, i: x[i, i],
        (X, np.array([0, 1])),
        "has several arrays of numbers",
        "x[i, i]",
    ),
    "range of floats": (float_range, (X, 2.0), "`range` has no counterpart in ONNX", "in range(f)"),
    "text compared": (
        lambda x, n: x if n == "a" else -x,
        (X, 2),
        "`eq` takes 'a', which is no tensor",
        "n ==",
    ),
    "sizes that never fit": (
        never_fitting,
        (X,),
        "ONNX does not take the model|has no counterpart|gives",
        "",
    ),
    "None": (lambda x: (x, None), (X,), "the result holds None", ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str, tmp_path: Path) -> None:
    """What ONNX has no counterpart for is refused with the node, the file and the line; nothing is written."""
    function, call, message, line = REFUSED[name]
    graph = astrace.trace(function, *copied(call))
    with pytest.raises(astrace.BundleError, match=message) as caught_:
        graph.export("onnx", tmp_path / "made", *call)
    assert caught_.value.code == "AB401"
    if line:
        assert caught_.value.location is not None and caught_.value.location.file == __file__
        assert line in str(caught_.value)
    assert list(tmp_path.iterdir()) == []


# -- the model, its file ------------------------------------------------------------------------------------


def model(x, n, scale=2.0):
    hidden = np.tanh(x @ WEIGHTS) * scale
    for i in range(n):
        hidden = hidden * 0.5 + i if hidden.sum() > 1.0 else hidden - 1.0
    return {"hidden": hidden, "rows": (hidden.mean(axis=0), len(x))}


def test_the_interface() -> None:
    """Inputs are called as the parameters, outputs by their place in the result; sizes are fixed, named or unknown."""
    graph = astrace.trace(model, X, 3)
    content, told, made = onnx_model(graph)
    assert told["interface"]["inputs"] == [
        ["x", "float64", list(graph.block.inputs[0].spec.shape)],
        ["n", "int64", []],
        ["scale", "float64", []],
    ]
    assert [one.name for one in made.graph.output] == ["output_hidden", "output_rows_0", "output_rows_1"]
    assert [(one.domain, one.version) for one in made.opset_import] == [("", OPSET)]
    first = made.graph.input[0].type.tensor_type.shape.dim
    assert [one.dim_param or one.dim_value for one in first] == list(graph.block.inputs[0].spec.shape)
    assert content == onnx_model(astrace.trace(model, X, 3))[0]


def test_parts_of_containers() -> None:
    """What is read of a dict or a list is an input of its own, by its path."""
    graph = astrace.trace(lambda d, items: d["a"] + items[1], {"a": X}, [1.0, 2.0])
    content, told, _ = onnx_model(graph)
    names = [name for name, *_ in told["interface"]["inputs"]]
    assert names == ["d['a']", "items[1]"]
    (found,) = session(content).run(None, {"d['a']": X, "items[1]": np.array(2.0)})
    same(found, X + 2.0, "output")


def test_whole_dicts() -> None:
    """A dict that is copied, walked through and returned: each item is an input, and an output."""

    def function(d):
        total = 0.0
        for value in d.values():
            total = total + value.sum()
        return {**d, "c b": total, "c_b": len(d)}

    graph = astrace.trace(function, {"a": X, "b": I})
    content, told, _ = onnx_model(graph)
    made = session(content)
    assert [name for name, *_ in told["interface"]["inputs"]] == ["d['a']", "d['b']"]
    names = [one.name for one in made.get_outputs()]
    assert names == ["output_a", "output_b", "output_c_b", "output_c_b_1"]
    found = made.run(None, {"d['a']": X * 2.0, "d['b']": I[:2]})
    for one, wanted in zip(found, leaves(function({"a": X * 2.0, "b": I[:2]})), strict=True):
        same(one, wanted, "output")


def test_loops_have_their_condition() -> None:
    """Every `Loop` is given a condition and puts one out, though a `for` needs none."""
    made = verify(counted, (X, 3), (X, 0))
    loops = [node for node in made.graph.node if node.op_type == "Loop"]
    assert len(loops) == 3
    for node in loops:
        assert node.input[1]
        body = node.attribute[0].g
        assert len(body.output) == len(node.output) + 1 and len(body.input) == len(node.output) + 2
        assert body.output[0].type.tensor_type.elem_type == onnx.TensorProto.BOOL
    assert "If" in ops_of(made.graph)


def test_loaded_graphs_and_the_stamp(tmp_path: Path) -> None:
    """A loaded graph gives the same model; the stamp has the versions, and ties the file to the graph."""
    graph = astrace.trace(model, X, 3)
    graph.save(tmp_path / "saved")
    loaded = astrace.load(tmp_path / "saved")
    for number, one in enumerate((graph, loaded)):
        one.export("onnx", tmp_path / f"{number}.onnx", X, 3)
    first, second = ((tmp_path / f"{number}.onnx").read_bytes() for number in range(2))
    assert first == second
    loaded.check_export(tmp_path / "0.onnx")
    stamp = json.loads((tmp_path / "0.onnx.stamp.json").read_text())
    assert stamp["kind"] == "onnx" and stamp["versions"]["opset"] == str(OPSET)
    assert set(stamp["versions"]) == {"astrace", "onnx", "opset"}
    with pytest.raises(astrace.BundleError, match="AB401: .*exported from another graph"):
        astrace.trace(lambda x: x + 1.0, X).check_export(tmp_path / "0.onnx")
    with pytest.raises(astrace.SignatureMismatch, match="`x`: expected float64"):
        graph.export("onnx", tmp_path / "other", X.astype(np.float32), 3)
    found = session(first).run(None, {"x": X * 2.0, "n": np.array(1), "scale": np.array(0.5)})
    for one, wanted in zip(found, leaves(model(X * 2.0, 1, 0.5)), strict=True):
        same(one, wanted, "saved")


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package is named with the extra that has it."""
    for name in [one for one in sys.modules if one.startswith("astrace.bundle.exports.onnx_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # a kernel is told of another command
    with pytest.raises(astrace.MissingExtra, match=r"needs the package onnx: pip install 'astrace\[onnx\]'"):
        astrace.trace(lambda x: x, X).export("onnx", tmp_path / "made", X)


def test_the_table_names_ops() -> None:
    """Every row is an op of astrace's table."""
    assert set(ROWS) <= set(OPS.by_name)
