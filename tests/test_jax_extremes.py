"""Programs through XLA where floats end: what NumPy warns of, raises, counts as a number, or is not NumPy's own any more.

pytest tests/test_jax_extremes.py            # small functions, and some of NumPy's
pytest tests/test_jax_extremes.py --whole    # every function that has a rule, in more types
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final
from unittest import mock

import conformance
import harness
import numpy as np
import pytest
import samples
from closeness import differences
from conformance import Case
from extremes import put_in
from extremes import rows as rows_of
from left_to_numpy import Exact

import astrace
from tests.test_jax_ops import OPS

INF, NAN = float("inf"), float("nan")
TINY = np.finfo(float).tiny


def array(*items: Any, dtype: Any = float) -> np.ndarray[Any, Any]:
    return np.array(items, dtype)


def root(x):
    return np.sqrt(x) + 1


def swallowed(x):
    return 1 / (1 / x)


def chosen(x):
    return np.where(x > 0, np.log(x), 0.0)


def summed(x):
    return (x * x).sum() / x.mean()


def product(x, y):
    return x @ y, np.dot(x, y)


def written(x):
    x[1:] = x[:-1] * 1e200
    return x


def in_place(x, y):
    x /= y
    return x.max()


def on_one_path(x):
    if x.sum() > 0:
        x = x / x[0]
    return x


def in_turns(x, n):
    for _ in range(n):
        x = x * x
    return x


def until(x):
    y = x
    while y < 1e300:
        y = y * y
    return y / (x - x)


def helper(x):
    return scaled(x)[0] + x


def scaled(x):
    return x / x.sum(), x


def truths(x):
    return x.astype(bool), np.count_nonzero(x), np.sign(x), x > 0, x == 0, np.argsort(x, kind="stable")


def parts(x):
    return np.modf(x), np.arctan2(x, 1.0), np.maximum(x, 0.0), np.copysign(1.0, x)


def halves(x):
    return x / 2, x - x * (1 + 2**-50)


def divided(x, y):
    return x // y, x % y, np.floor_divide(x, 3), np.fmod(x, y)


def by_zero(x):
    return x // 0


def largest(x):
    return np.linalg.norm(x, np.inf), np.linalg.norm(x, -np.inf)


def converted(x):
    return x.astype(np.float32)


def filled(x):
    return np.pad(x, 1, constant_values=5), np.clip(x, 0, 200)


def divisors(x, y):
    return np.gcd(x, y), np.lcm(x, y)


def angles(x):
    return np.angle(x), np.log(x), np.abs(x), np.sqrt(x)


def middle(x):
    return np.quantile(x, 0.5), np.percentile(x, 30), np.median(x)


def raised(x, y):
    return x**y


def nothing(x):
    return x.mean(), x.std()


def powers(x):
    return np.exp(x), np.exp2(x), np.expm1(x)


def kept(x, y):
    ratio = x / y
    pairs = np.abs(np.stack([ratio, x * y], axis=1).reshape(-1))
    return pairs + 1, (-ratio) ** 2, np.array([y[0] / x[0], 1.0]) * 2


def hidden(x, y):
    ratio = x / y
    return ratio.sum() > 0, np.concatenate([ratio, x]).max(), 1 / (1 + ratio**2)


def local(x, n):
    found = 0
    for _ in range(n):
        parts, low = np.zeros(len(x)), x.copy()
        for j in range(len(x)):
            parts[j] = 1.0 / x[j]
        low /= x
        if parts[0] > 2.0 or low[-1] > 1.0:
            found += 1
    return found


def rows(x, n):
    path = np.zeros((n + 1, len(x)))
    path[0] = x
    for i in range(n):
        large = path[i] * 1e160
        path[i + 1] = path[i] + 1.0 / (large * path[i])
    return path


def nested(x, n):
    found = 0
    for _ in range(n):
        total = x[0]
        for j in range(len(x)):
            total = total * x[j]
        if total > 1.0:
            found += 1
    return found


PROGRAMS: Final[dict[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = {
    root: ((array(1.0, 4.0),), (array(-1.0, 4.0),), (array(NAN, INF),), (array(5e-324, 1.0),)),
    swallowed: ((array(1.0, 2.0),), (array(0.0, 2.0),), (array(INF, 2.0),), (array(-0.0),)),
    chosen: ((array(1.0, 2.0),), (array(0.0, 2.0),), (array(-1.0, INF),)),
    summed: ((array(1.0, 2.0),), (array(1e200, 2.0),), (array(1.0, -1.0),), (array(NAN, 1.0),)),
    product: (
        (array(1.0, 2.0), array(3.0, 4.0)),
        (array(1e200, 2.0), array(1e200, 1.0)),
        (array(INF, 1.0), array(0.0, 1.0)),
    ),
    written: ((array(1.0, 2.0, 3.0),), (array(1e200, 2.0, 3.0),)),
    in_place: (
        (array(1.0, 2.0), array(2.0, 4.0)),
        (array(1.0, 2.0), array(0.0, 4.0)),
        (array(0.0, 2.0), array(0.0, 4.0)),
    ),
    on_one_path: ((array(1.0, 2.0),), (array(0.0, 2.0),), (array(0.0, -2.0),)),
    in_turns: ((array(1.0, 2.0), 3), (array(1e100, 2.0), 3), (array(1e100, 2.0), 0), (array(INF), 2)),
    until: ((np.float64(2.0),), (np.float64(3.0),)),
    helper: ((array(1.0, 2.0),), (array(1.0, -1.0),)),
    truths: (
        (array(1e-310, 5e-324, 0.5),),
        (array(0.0, -0.0, TINY),),
        (array(1e-40, 1.0, dtype=np.float32),),
        (array(NAN, 1.0),),
    ),
    parts: ((array(1e-310, -5e-324, 0.5),), (array(INF, -0.0, 1.5),), (array(-INF, NAN, -1.5),)),
    halves: ((array(TINY, 1.0),), (array(3.0, 1.0),), (array(TINY, 1.0, dtype=np.float32),)),
    divided: (
        (array(5, 7, dtype=int), array(2, 3, dtype=int)),
        (array(5, 7, dtype=int), array(0, 3, dtype=int)),
        (array(5.0, -7.0), array(0.0, 3.0)),
        (array(5.5, -7.0), array(-2.0, 3.0)),
    ),
    by_zero: ((array(5, 7, dtype=int),), (array(5.0, 0.0),)),
    largest: ((array(1.0, -2.0),), (array(INF, -2.0),), (array(NAN, -2.0),)),
    converted: ((array(1.0, -2.0),), (array(1e300, -2.0),), (array(1e-40, 1.0),)),
    filled: ((array(1, 2, dtype=np.uint8),), (array(-128, 127, dtype=np.int16),)),
    divisors: (
        (array(12, 6, dtype=np.int8), array(8, 4, dtype=np.int8)),
        (array(-128, 6, dtype=np.int8), array(8, -128, dtype=np.int8)),
        (array(-(2**63), 6, dtype=int), array(8, 4, dtype=int)),
    ),
    angles: (
        (array(1 + 1j, 2j, dtype=complex),),
        (array(complex(-INF, NAN), complex(INF, INF), dtype=complex),),
    ),
    middle: ((array(1.0, 2.0, 4.0),), (array(INF, -INF, 1.0),), (array(NAN, 1.0, 2.0),)),
    raised: ((array(2.0, 3.0), 3), (array(0.0, 2.0), -1), (array(-1.0, 2.0), 0.5), (array(1e300), 2)),
    nothing: ((array(1.0, 2.0),), (array(),)),
    kept: (
        (array(1.0, 2.0), array(2.0, 4.0)),
        (array(1.0, 2.0), array(0.0, 4.0)),
        (array(0.0, 2.0), array(0.0, 4.0)),
        (array(NAN, 2.0), array(1.0, 4.0)),
        (array(NAN, 2.0), array(1.0, 0.0)),
        (array(1e200, 2.0), array(1e200, 1.0)),
    ),
    hidden: (
        (array(1.0, 2.0), array(2.0, 4.0)),
        (array(1.0, 2.0), array(0.0, 4.0)),
        (array(NAN, 2.0), array(2.0, 4.0)),
        (array(NAN, 2.0), array(2.0, 0.0)),
        (array(INF, 2.0), array(2.0, 4.0)),
        (array(INF, 2.0), array(INF, 4.0)),
    ),
    local: (
        (array(1.0, 2.0), 2),
        (array(0.25, 0.0), 2),
        (array(0.25, 0.0), 0),
        (array(NAN, 1.0), 2),
        (array(INF, 0.0), 1),
    ),
    rows: ((array(1.0, 2.0), 2), (array(1e150, 2.0), 2), (array(0.0, 2.0), 1), (array(NAN, 2.0), 2)),
    nested: ((array(1.0, 2.0), 2), (array(1e150, 1e150), 2), (array(INF, 2.0), 2), (array(INF, 0.0), 2)),
    powers: ((array(1.0, 2.0),), (array(1000.0, 2.0),), (array(-1000.0, -740.0),), (array(INF, -INF),)),
}
"""Functions with the arguments of their calls."""
SETTINGS: Final = (
    {},
    {"all": "ignore"},
    {"all": "raise"},
    {"divide": "raise"},
    {"under": "warn"},
    {"over": "print"},
)


def observed(function: Any, given: tuple[Any, ...]) -> tuple[harness.Outcome, list[str], Any]:
    """Return all that can be observed of a call, the texts of its warnings, and the cause of its exception."""
    context: list[Any] = []

    def called(*args: Any) -> Any:
        try:
            return function(*args)
        except Exception as error:
            context.append(error.__context__)
            raise

    found = harness.observe(functools.wraps(function)(called), harness.fresh_arguments(given))
    return found, [text for _, text, *_ in found.warned], context


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_small_functions_are_numpys(function: Any, settings: dict[str, Any], capfd: Any) -> None:
    """Values, warnings, exceptions without a context of astrace's, under what the caller has set."""
    compiled = astrace.compile(function, backend="jax")
    for given in PROGRAMS[function]:
        with np.errstate(**settings):
            expected, warned, context = observed(function, given)
            printed = capfd.readouterr()
            found, warned_too, context_too = observed(compiled, given)
        assert differences(expected, found) == []
        assert (warned, context) == (warned_too, context_too)
        assert capfd.readouterr() == printed


def test_programs_of_finite_numbers_are_written_anew_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """NaN that comes in is no reason to leave a call to NumPy; NaN that is made is one, before and after."""
    exact = Exact(monkeypatch)
    compiled = astrace.compile(hidden, backend="jax")
    plain, odd, infinite = array(1.0, 2.0), array(NAN, 2.0), array(INF, 2.0)
    with np.errstate(all="ignore"):
        for given, left in (
            ((plain, plain), False),
            ((plain, plain * 0), True),
            ((odd, plain), False),
            ((infinite, plain), False),
            ((infinite, infinite), True),
            ((plain, plain), False),
        ):
            before = exact.runs
            assert harness.same(compiled(*given), hidden(*given))
            assert (exact.runs > before) == left
    assert compiled.stages(odd, plain).refused is None


def test_what_the_caller_calls_for_errors_is_called() -> None:
    """``errstate(call=…)``."""
    compiled, said = astrace.compile(swallowed, backend="jax"), []
    with np.errstate(all="call", call=lambda kind, flag: said.append(kind)):
        compiled(array(1.0))
        assert said == []
        compiled(array(0.0))
    assert said == ["divide by zero"]


NAMES: Final = OPS[::5]
KINDS: Final = ("float64", "complex128", "int8", "float32", "uint8", "int64", "bool")


@pytest.mark.parametrize("name", OPS)
def test_numpys_functions_at_the_ends_of_types(name: str, request: pytest.FixtureRequest) -> None:
    """Every function that has a rule: values, and warnings."""
    whole = request.config.getoption("--whole")
    if not whole and name not in NAMES:
        pytest.skip("with --whole")
    texts = [text for text in samples.samples()[name] if not text.startswith("op(")]
    for text in texts if whole else texts[:1]:
        for dtype in KINDS if whole else KINDS[:3]:
            assert [
                (row.tolist(), apart) for row in rows_of(dtype) if (apart := at_the_end(text, row))
            ] == [], text


def at_the_end(text: str, row: np.ndarray[Any, Any]) -> list[str]:
    """Return the differences for operands that hold a row's numbers."""
    function, names = compiled_of(text)[0], samples.names_in(text)
    case = Case(row.dtype.name, 1, "contiguous", row.dtype.name)
    expected = harness.observe(function, put_in(conformance.operands(names, case), row))
    found = harness.observe(compiled_of(text)[1], put_in(conformance.operands(names, case), row))
    return differences(expected, found)


@functools.lru_cache(4)
def compiled_of(text: str) -> tuple[Any, Any]:
    """The function of a sample, plain and compiled."""
    function = samples.function_of(text)
    return function, astrace.compile(function, backend="jax")


# -- the world around ----------------------------------------------------------------------------------------------


def sines(x):
    return np.sin(x) + np.linalg.norm(x)


@pytest.mark.parametrize(("owner", "name"), [(np, "sin"), (np.linalg, "norm")])
def test_a_function_that_was_replaced_is_called(owner: Any, name: str) -> None:
    compiled = astrace.compile(sines, backend="jax")
    x = array(1.0, 2.0)
    before = compiled(x)
    with mock.patch.object(owner, name, lambda x: x * 3):
        assert harness.same(compiled(x), sines(x)) and not harness.same(sines(x), before)
    assert harness.same(compiled(x), before)
    with mock.patch.object(owner, name, lambda x: x * 3):
        fresh = astrace.compile(lambda x: sines(x), backend="jax")
        assert harness.same(fresh(x), sines(x))


def test_loading_jax_draws_no_random_numbers() -> None:
    program = (
        "import random, numpy as np, astrace; np.random.seed(1); random.seed(1)\n"
        "before = np.random.get_state()[1:3], random.getstate()\n"
        "astrace.compile(lambda x: x + 1, backend='jax')(np.ones(2))\n"
        "after = np.random.get_state()[1:3], random.getstate()\n"
        "assert (before[0][0] == after[0][0]).all() and before[0][1] == after[0][1] and before[1] == after[1]"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr


# -- giving up -----------------------------------------------------------------------------------------------------


def test_a_program_that_runs_no_call_is_given_up() -> None:
    compiled = astrace.compile(swallowed, backend="jax")
    x = array(0.0, 1.0)
    stages = compiled.stages(x)
    with np.errstate(all="ignore"):
        for _ in range(19):
            compiled(x)
        assert stages.refused is None
        compiled(array(1.0))
        for _ in range(20):
            compiled(x)
    assert stages.refused is not None and stages.refused.code == "AT306"
    assert stages.refused.location is not None and "AT306" in compiled.explain(x)
    assert harness.same(compiled(array(1.0, 2.0)), swallowed(array(1.0, 2.0)))


def test_a_program_that_jax_refuses_is_given_up() -> None:
    def added(x, y):
        return x + y

    compiled = astrace.compile(added, backend="jax")
    given = array(1.0, 2.0), array(1.0, 2.0, 3.0)
    for _ in range(3):
        with pytest.raises(ValueError, match="broadcast") as raised:
            compiled(*given)
        assert raised.value.__context__ is None
    assert "incompatible" in str(compiled.stages(*given).refused)


@pytest.mark.parametrize("function", [lambda x: np.unique(x), lambda x: [print(v) for v in x]])
def test_a_refusal_has_a_line(function: Any) -> None:
    refused = astrace.compile(function, backend="jax").stages(array(1.0)).refused
    assert refused is not None and refused.location is not None and refused.location.file == __file__
