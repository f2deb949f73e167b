"""Arguments of other kinds than those that functions of NumPy's are written out for: machine code gives what NumPy gives, or is left out."""

from __future__ import annotations

import contextlib
import functools
import linecache
import logging
import math
import warnings
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition

CALLS: dict[str, tuple[Any, ...]] = {
    "np.linalg.norm(m, axis=1, keepdims=q)": (1, 0, np.array(1), np.int8(1), None, 2.0, True),
    "np.linalg.norm(m, np.inf, 1, q)": (1, np.array([1, 0])),
    "np.average(m, axis=1, keepdims=q)": (1, True, None),
    "np.add.reduce(m, keepdims=q)": (1, True, np.array(1)),
    "np.select([x > 0.5, x < 0.0], [x, q], 0.25)": (np.int8(2), np.float64(2.0), 1e300, 2, True, 1j),
    "np.select([f > 0.5, f < 0.0], [f, q], 0.25)": (np.int8(2), np.int64(2), 2.0, 1e300),
    "np.arange(5, dtype=q)": (np.inf, np.float64(1.0), np.array(1.0), float),
    "np.tile(x, q)": (
        np.True_,
        np.array(2),
        np.array([2]),
        np.array([2, 3]),
        (2, np.array(3)),
        2.0,
        np.zeros(0),
    ),
    "np.repeat(m, q, axis=-1)": (np.float32(1.5), 1.5, np.array([2]), True),
    "np.linspace(0.0, 1.0, q)": (np.arange(3), np.array(3), 3.0),
    "np.gradient(m, q, axis=1)": (int, "a", None, 2j, np.array(2.0)),
    "np.nanvar(m, axis=q)": ((), (0,), np.array(1), np.True_),
    "np.sum(m, axis=q)": ((), (0,), (-1, 0), 2**64, np.arange(2)),
    "np.average(m, axis=q, weights=m)": ((), 1, np.zeros(2)),
    "np.std(m, q, axis=0)": (1, (1, 0)),
    "np.searchsorted(np.sort(x), 0.5, q, side='right')": ("left", np.float32(1.5)),
    "np.any(m > 0, q, axis=0)": (0, 1e300),
    "math.sqrt(x[0], q)": (1, np.arange(2)),
    "np.arange(3, 0, -2, q)": (2, float, "f4"),
    "np.argmax(m, axis=q)": ((0,), 0, [1]),
    "np.arange(q, -2.0, -0.3)": (np.float32(1.5), np.float64(1.5), np.int8(1), 2),
    "w ** q": (
        *(
            np.array(2),
            np.array(0.5),
            np.array([2.0]),
            np.array([2]),
            np.array([[2.0]]),
            np.full((3, 1), 2.0),
        ),
        *(np.broadcast_to(2.0, 60), np.broadcast_to(0.5, 60), np.full(60, -1.0), np.linspace(0.0, 2.0, 60)),
    ),
    "np.power(w, q)": (np.array(2.0), np.array([0.5]), np.broadcast_to(-1.0, 60), np.linspace(0.0, 2.0, 60)),
    "w.reshape(-1, 1) ** q": (np.array([2.0]), np.array([0.5]), np.full(60, 2.0)),
    "w[:1] ** q": (np.array([2.0]), np.array(2.0)),
    "np.fft.irfft(np.fft.fft(x, q) * (x * 2))": (np.array(2), np.array(5), 5),
    "np.identity(q)": ((0,), (2,), 2),
    "np.hstack([q, q])": (np.array(1.5), np.array([1.5])),
    "x[q:] * 2": ((1,), [1], np.array(1), np.array([1]), np.zeros(0), (), True, 1.0),
    "x[::q] * 2": ((2,), np.array([2, 1]), -1),
    "m[0, :q:-1] * 2": ((1,), np.zeros(1)),
    "m[q] * 2": ((0, (1,)), ((0, 1), (1, 0)), ((1,),), ((),), [[1]], True),
    "np.interp(0.5, x[:3], x[q:])": ((1,), np.array(1), 1),
}
"""What is called, and what is given to it."""
FORMS = (
    "    z = x * 1.5\n    r = {}\n    return r, z + 1\n",
    "    r = None\n    for turn in range(1):\n        r = {}\n    return r, x + turn\n",
)
"""What functions do: array code around a call, and a loop with it."""
CASES = [
    (form, one, number)
    for form in range(len(FORMS))
    for one, given in CALLS.items()
    for number in range(len(given))
]


def function_of(form: int, expression: str) -> Any:
    source = "def f(x, f, m, w, q):\n" + FORMS[form].format(expression)
    file = f"<odd {form} {expression}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space: dict[str, Any] = {"np": np, "math": math}
    exec(compile(source, file, "exec"), space)
    return space["f"]


def arguments(given: Any) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    x = np.array([0.3, -0.2, 0.7, -0.0, 2.5])
    return x, x.astype(np.float32), np.arange(6.0).reshape(2, 3), rng.uniform(0.0, 10.0, 60), given


@pytest.mark.parametrize(("form", "expression", "number"), CASES)
def test_gives_what_numpy_gives(
    form: int, expression: str, number: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "astrace")
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, given = function_of(form, expression), CALLS[expression][number]
    native = astrace.compile(function, backend="native")
    for _ in range(2):
        expected, found = (harness.observe(one, arguments(given)) for one in (function, native))
        assert harness.differences(expected, found) + harness.misplaced(expected, found) == []
    assert caplog.text == ""


def with_users_dtype(x: Any) -> Any:
    made = x * 2 + 1
    for i in range(len(x)):
        x[i] += i
    return made, -x, x[1:] * x[:-1]


def test_what_a_dtype_has_of_the_users_is_handed_on_by_numpy() -> None:
    dtype = np.dtype("i8", metadata={"unit": "m"})
    native = astrace.compile(with_users_dtype, backend="native")
    for _ in range(2):
        expected, found = (one(np.arange(4, dtype=dtype)) for one in (with_users_dtype, native))
        assert harness.same(expected, found)
        assert [one.dtype.metadata for one in found] == [one.dtype.metadata for one in expected]


def masked(x: Any, mask: Any) -> Any:
    return np.mod(x, 2.0, where=mask)[:1] + np.sqrt(abs(x), where=mask)


@pytest.mark.parametrize("mask", [np.array([True, True]), True, ()])
def test_asking_for_types_warns_of_nothing(mask: Any) -> None:
    """NumPy warns of `where` without `out` by `warnings`, whatever its settings for floats."""
    told: list[list[Any]] = []
    for function in (masked, astrace.compile(masked, backend="numpy")):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            with contextlib.suppress(ValueError):
                function(np.array([3.0, 4.0]), mask)
        told.append([(str(one.message), one.filename, one.lineno) for one in seen])
    assert told[0] == told[1]


def powers(x: Any, y: Any) -> Any:
    return x**y + 1.0


def test_exponents_that_differ_have_machine_code() -> None:
    native = astrace.compile(powers, backend="native")
    x, y = np.linspace(0.5, 3.0, 20), np.linspace(0.0, 2.0, 20)
    for _ in range(2):
        assert harness.same(native(x, y), powers(x, y))
    assert sum(kernel.runs for stages in native.captures for kernel in stages.kernels)


def bound_in_a_loop(q: Any) -> Any:
    z = np.zeros(4)
    for turn in range(3):
        r = max(q, q)
        z[turn] = turn
    return r, z


@pytest.mark.parametrize("given", [3000, 2.5, np.float32(2.0)])
def test_a_number_that_a_loop_binds_is_the_object_that_came_in(
    given: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    native = astrace.compile(bound_in_a_loop, backend="native")
    assert native(given)[0] is given
    assert sum(kernel.runs for stages in native.captures for kernel in stages.kernels)
