"""Machine code that need not be exact: within the tolerance, and in all else as plain Python."""

from __future__ import annotations

import inspect
import linecache
from pathlib import Path
from typing import Any

import chain_programs
import complex_programs
import harness
import loop_programs
import numpy as np
import pytest

import astrace
from astrace.backends.base import Mode
from astrace.backends.native import judge, machine, warm_up
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.modes import agreement, vector_math
from astrace.backends.native.modes.tolerance import Tolerance, are_close
from astrace.backends.native.undoing import may_give_up_late
from astrace.passes.lowering.functions.accumulation import INLINE

MANY = 50
SIGNS_OF_NAN = {"signs_of_products"}
"""The programs that tell of the sign of NaN, which is left open."""
PROGRAMS = {
    name: program
    for name, program in {
        **loop_programs.PROGRAMS,
        **chain_programs.PROGRAMS,
        **complex_programs.PROGRAMS,
        **complex_programs.CHAINS,
    }.items()
    if name not in SIGNS_OF_NAN
}


def kernels_of(function: Any) -> list[Kernel]:
    """The kernels of all captures."""
    stages = [one for one in function.captures if one.executable is not None]
    return [kernel for one in stages for kernel in one.executable.kernels]


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in lists, tuples and dicts, with these."""
    if isinstance(value, list | tuple):
        return [type(value), len(value), *(leaf for one in value for leaf in leaves(one))]
    if isinstance(value, dict):
        return [type(value), *(leaf for pair in value.items() for leaf in leaves(pair))]
    return [value]


def check_close(function: Any, inexact: Any, make: Any) -> None:
    """Compare a call: what comes out and is written within the tolerance, exceptions as they are.

    Where NumPy warns of an overflow, infinity may come out of one order of operations and not of another.
    """
    expected, found = (harness.observe(one, make()) for one in (function, inexact))
    assert (found.error, found.line, found.printed) == (expected.error, expected.line, expected.printed)
    pairs = [leaves([outcome.result, outcome.arguments]) for outcome in (found, expected)]
    assert len(pairs[0]) == len(pairs[1])
    overflows = any("overflow" in text for _, text, *_ in expected.warned)
    computed = [np.dtype(np.float32)] if "float32" in inspect.getsource(function) else []
    tolerance = Tolerance.of([*leaves(make()), *pairs[1]], computed)
    for one, other in zip(*pairs, strict=True):
        assert type(one) is type(other)
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
        assert getattr(one, "shape", None) == getattr(other, "shape", None)
        assert overflows or one is other or are_close(one, other, tolerance), (one, other)


@pytest.mark.share(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    function, calls = PROGRAMS[name]
    inexact = astrace.compile(function, backend="native", exact=False, recompile_limit=MANY)
    for make in [*calls, *calls[:2]]:
        check_close(function, inexact, make)
    kernels = kernels_of(inexact)
    assert sum(kernel.runs for kernel in kernels)
    assert all(kernel.refused is None for kernel in kernels)


# -- functions of the C library ------------------------------------------------------------------------------

BINARY = ("arctan2", "hypot", "copysign", "fmax", "fmin")
SPECIAL = (
    np.nan,
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1e-310,
    1e300,
    -1e300,
    1e17,
    800.0,
    -800.0,
)


def applied(names: list[str], whole: bool) -> Any:
    """A function that applies ufuncs to arrays, or to their elements."""
    lines = ["def applied(a, b, out):"]
    lines += ["    for i in range(len(a)):"] if not whole else []
    for row, name in enumerate(names):
        place = "" if whole else "[i]"
        given = f"a{place}, b{place}" if name in BINARY else f"a{place}"
        line = f"out[{row}{'' if whole else ', i'}] = np.{name}({given}) * 1"
        lines.append(f"{'    ' if whole else '        '}{line}")
    lines.append("    return out")
    namespace = {"np": np}
    source = "\n".join(lines)
    file = f"<inexact {whole}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), namespace)
    return namespace["applied"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_functions_are_within_the_tolerance(dtype: str, whole: bool) -> None:
    names = sorted(INLINE)
    function = applied(names, whole)
    rng = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        a = np.array([*SPECIAL, *rng.normal(size=40), *rng.normal(size=9) * 1e8], dtype=dtype)
        b = np.array([*SPECIAL[::-1], *rng.normal(size=49)], dtype=dtype)
    out = [np.zeros((len(names), len(a)), dtype) for _ in range(2)]
    inexact = astrace.compile(function, backend="native", exact=False)
    function(a, b, out[0])
    inexact(a, b, out[1])
    assert kernels_of(inexact)[0].runs == 1
    for name, expected, found in zip(names, *out, strict=True):
        assert np.array_equal(np.isnan(expected), np.isnan(found)), name
        assert np.array_equal(np.isinf(expected), np.isinf(found)), name
        same = ~np.isfinite(expected)
        assert np.array_equal(expected[same], found[same], equal_nan=True), name
        near = np.abs(expected[~same] - found[~same]) <= 8 * np.finfo(dtype).eps * np.abs(expected[~same])
        assert all(near | (np.abs(expected[~same]) < np.finfo(dtype).tiny)), name


def test_every_function_that_is_called_inline_has_a_form() -> None:
    known = vector_math.NAMES.keys() | vector_math.BUILT_IN.keys() | vector_math.PLAIN.keys()
    assert known >= INLINE
    assert all(name == "power" or name in INLINE for name in known)


# -- what is given up for speed, and what is not -------------------------------------------------------------


def smoothed(a: Any, n: int) -> Any:
    for i in range(1, n):
        a[i] = np.exp(-a[i] * 0.25 - a[i - 1] / 3.0)
    return np.sum(a * a), a


def test_the_text_and_the_flags_are_others() -> None:
    arguments = np.linspace(0, 1, 40), 40
    texts: list[str] = []
    for exact in (True, False):
        function = astrace.compile(smoothed, backend="native", exact=exact)
        function(*arguments)
        texts.append(kernels_of(function)[0].source.text)  # of all the code; the loop has one of its own
        assert ("within a tolerance" in function.explain(*arguments)) is not exact
    exact_text, inexact_text = texts
    assert "warnings_due()" in exact_text and "warnings_due()" not in inexact_text
    assert "reduce_add(" in exact_text and "reduce_add(" not in inexact_text
    flags = [machine._flags(exact).fastmath for exact in (True, False)]
    assert not flags[0] and flags[1].flags == machine.FREEDOMS
    assert not machine.FREEDOMS & {"fast", "nnan", "ninf", "nsz"}


def test_other_options_have_other_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))

    def doubled(a: Any, n: int) -> Any:
        for i in range(n):
            a[i] = a[i + 1] * a[i]
        return a

    def compilations(exact: bool) -> int:
        function = astrace.compile(doubled, backend="native", exact=exact)
        function(np.ones(8, np.int64), 4)
        (kernel,) = kernels_of(function)
        assert kernel.runs and kernel.machine_code is not None
        return kernel.machine_code.compilations

    assert [compilations(exact) for exact in (True, False, True, False)] == [1, 1, 0, 0]


def squares(a: Any, n: int) -> Any:
    for i in range(n):
        a[i] = a[i] * a[i]
    return a


def doubles(a: Any, places: Any) -> Any:
    for place in places:
        a[place] = a[place] * 2.0
    return a


@pytest.mark.parametrize("how", ["raise", "warn", "ignore", "call"])
def test_settings_that_raise_are_followed(how: Any) -> None:
    heard: list[Any] = []

    def observed(function: Any) -> Any:
        with np.errstate(all=how, call=lambda *told: heard.append(told)):
            return harness.observe(function, (np.array([1.0, 1e200, 2.0]), 3))

    inexact = astrace.compile(squares, backend="native", exact=False)
    expected, found = observed(squares), observed(inexact)
    assert (found.error, found.line) == (expected.error, expected.line)
    assert harness.same(found.arguments, expected.arguments)
    assert len(heard) == (2 if how == "call" else 0)


@pytest.mark.parametrize(
    ("function", "arguments", "is_late"),
    [
        (doubles, (np.ones(4), np.array([0, 3, 1])), True),
        (squares, (np.ones(4), 4), False),
        (lambda a: np.add(a[1:], a[:-1] * 2.0, out=a[1:]), (np.ones(4),), False),
    ],
)
def test_what_can_not_be_given_up_is_not_copied(function: Any, arguments: Any, is_late: bool) -> None:
    """An index out of an array gives a kernel up when it has written; sizes, and indices that grow, are looked at before."""
    inexact = astrace.compile(function, backend="native", exact=False)
    inexact(*arguments)
    exact = astrace.compile(function, backend="native")
    exact(*arguments)
    assert [may_give_up_late(kernel._lowered) for kernel in kernels_of(inexact)] == [is_late]
    assert all(may_give_up_late(kernel._lowered) for kernel in kernels_of(exact))


# -- choosing ------------------------------------------------------------------------------------------------


def total_of(a: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total = total + np.sin(a[i]) * a[i]
    return total


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_BACKEND", "auto")
    monkeypatch.setenv("ASTRACE_CACHE_DIR", "0")
    monkeypatch.setattr(warm_up, "HOT", 0.0)


@pytest.mark.usefixtures("judged")
def test_results_within_the_tolerance_are_accepted() -> None:
    a = np.linspace(0, 9, 3000)
    function = astrace.compile(total_of, exact=False)
    for _ in range(judge.TRIALS + 3):
        assert function(a, 3000) == pytest.approx(total_of(a, 3000), rel=1e-10)
    first, exact = kernels_of(function)
    assert first.is_used and first.runs and first.refused is None and first.mode == Mode(exact=False)
    assert not exact.runs and exact.mode == Mode() and exact.is_judged


@pytest.mark.usefixtures("judged")
def test_where_results_are_too_far_off_the_exact_kernel_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "are_close", lambda *_: False)
    a = np.linspace(0, 9, 3000)
    function = astrace.compile(total_of, exact=False)
    for _ in range(judge.TRIALS + 6):
        assert function(a, 3000) == total_of(a, 3000)
    first, exact = kernels_of(function)
    assert first.refused is not None and not first.is_used
    assert exact.is_used and exact.runs


@pytest.mark.parametrize(
    ("found", "expected", "given", "accepted"),
    [
        (1.0 + 1e-11, 1.0, (), True),
        (1.0 + 1e-9, 1.0, (), False),
        (np.float32(1.00001), np.float32(1.0), (), True),
        (1.00001, 1.0, (np.ones(2, np.float32),), True),
        (3e-17, 1e-17, (np.ones(2),), True),
        (3e-17, 1e-17, (), False),
        (np.array([1e-12, 1.0]), np.array([0.0, 1.0]), (), True),
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), (), True),
        (np.array([np.nan, 1.0]), np.array([np.inf, 1.0]), (), False),
        (np.inf, 1e308, (), False),
        (np.array([1, 2]), np.array([1, 3]), (), False),
        (np.ones(2), np.ones((1, 2)), (), False),
        (1, 1.0, (), False),
        (np.ones(2, np.float32), np.ones(2), (), False),
        (np.zeros(0), np.zeros(0), (), True),
    ],
)
def test_the_tolerance(found: Any, expected: Any, given: Any, accepted: bool) -> None:
    assert are_close(found, expected, Tolerance.of([*given, expected])) is accepted


# -- options -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"exact": False, "backend": "numpy"}, "exact=False with backend='numpy', which is always exact"),
        ({"parallel": True, "backend": "numpy"}, "parallel=True with backend='numpy'"),
        ({"parallel": True, "backend": "jax"}, "parallel=True with backend='jax'"),
    ],
)
def test_options_that_do_not_go_together(options: Any, told: str) -> None:
    with pytest.raises(astrace.InvalidArgument, match=told):
        astrace.compile(squares, **options)
