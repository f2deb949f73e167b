"""Specialisations: what tells calls apart, what does not, and how many are kept."""

from __future__ import annotations

import collections
import dataclasses
import enum
import math
import warnings
from typing import Any

import harness
import numpy as np
import pytest

import astrace


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any


Point = collections.namedtuple("Point", "x y")


def describe(value: Any, *more: Any) -> Any:
    """Describe the arguments as Python sees them, with some arithmetic."""
    kinds = [type(one).__name__ for one in (value, *more)]
    if isinstance(value, (list, tuple, dict, str, bytes, Colour, Pair, type(None), type)):
        return kinds, value, bool(value)
    return kinds, value * 2, value == 1, 1 / value if value else value


VALUES = [
    True,
    False,
    1,
    0,
    2,
    1.0,
    0.0,
    -0.0,
    math.nan,
    math.inf,
    1 + 0j,
    np.True_,
    np.int8(1),
    np.int64(1),
    np.float32(1.0),
    np.float64(1.0),
    np.float64(-0.0),
    np.array(1.0),
    np.array(1),
    None,
    "1",
    "",
    b"1",
    Colour.RED,
    Colour.BLUE,
    int,
    float,
    (),
    (1,),
    (1.0,),
    (True,),
    [],
    [1],
    [1.0],
    [1, 2],
    {},
    {"a": 1},
    {"b": 1},
    {"a": 1.0},
    Point(1, 2),
    Point(1.0, 2),
    Pair(1, 2.0),
    Pair(True, [1]),
]


def test_every_kind_through_one_function() -> None:
    """Equal-looking arguments of different types each give their own answer, whatever came before."""
    function = astrace.compile(describe, recompile_limit=100)
    for first in VALUES:
        assert harness.same(function(first), describe(first)), first
    for again in reversed(VALUES):
        assert harness.same(function(again), describe(again)), again
    assert function.stats.fallbacks == 0


@pytest.mark.parametrize("second", VALUES, ids=repr)
def test_two_arguments(second: Any) -> None:
    """The second argument is told apart as the first is."""
    function = astrace.compile(lambda a, b: (type(b).__name__, a, b), recompile_limit=100)
    for value in (second, 1, 1.0, True, second):
        assert harness.same(function(1, value), ((type(value)).__name__, 1, value))


ARRAYS = [
    np.zeros(3),
    np.ones(4),
    np.ones(0),
    np.ones(1),
    np.array(2.0),
    np.ones((2, 3)),
    np.ones((3, 2)).T,
    np.ones(6)[::2],
    np.arange(4)[::-1],
    np.ones(3, np.float32),
    np.ones(3, bool),
    np.ones(3, complex),
    np.ones(3, np.int8),
    np.ones(3, ">f8"),
    np.array(["a", "b"]),
    np.array([1, None], object),
    np.ones((2, 2, 2)),
    np.asfortranarray(np.ones((2, 3))),
    np.ma.masked_array([1.0, 2.0], [True, False]),
    np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
]


def shape_walk(x: Any) -> Any:
    """Reads shape, rank and dtype, and loops over rows."""
    found = [x.shape, x.ndim, str(x.dtype), len(x) if x.ndim else -1, type(x).__name__]
    if x.dtype.kind in "fiub" and x.ndim == 1:
        total = 0
        for v in x:
            total = total + v
        found.append(total)
    return found


def test_arrays_of_every_kind() -> None:
    """Ranks, shapes, dtypes, layouts and subclasses."""
    function = astrace.compile(shape_walk, recompile_limit=100)
    for x in [*ARRAYS, *reversed(ARRAYS)]:
        assert harness.same(function(x), shape_walk(x)), x


def test_shape_is_no_key_where_it_does_not_matter() -> None:
    """Other lengths of the same rank and dtype run the same graph."""
    function = astrace.compile(lambda x: x[::-1] * x.sum() if x.sum() > 0 else x)
    for size in range(6):
        function(np.ones(size))
    assert function.stats == astrace.Stats(calls=6, traces=1, guard_failures=0, fallbacks=0)


def test_shape_is_a_key_where_it_decides() -> None:
    """A shape that decides what is captured is guarded."""

    @astrace.compile
    def f(x: Any) -> Any:
        return x * 2 if x.shape == (3,) else x.sum()

    for size in (3, 2, 3, 4):
        x = np.ones(size)
        assert harness.same(f(x), f.__wrapped__(x))
    assert f.stats.traces <= 3


def test_same_object_twice() -> None:
    """Arguments that are one object, or that share memory, are what they are in NumPy."""

    @astrace.compile
    def f(x: Any, y: Any) -> Any:
        x[0] = 10.0
        y += 1
        return x is y, x, y

    def both(function: Any, make: Any) -> Any:
        return function(*make())

    def one() -> Any:
        x = np.zeros(3)
        return x, x

    def overlapping() -> Any:
        x = np.zeros(4)
        return x[:3], x[1:]

    def apart() -> Any:
        return np.zeros(3), np.zeros(3)

    for make in (apart, one, overlapping, one, apart):
        assert harness.same(both(f, make), both(f.__wrapped__, make))


def test_same_list_twice() -> None:
    """One list passed for two parameters is one list."""

    @astrace.compile
    def f(a: list[float], b: list[float]) -> Any:
        a.append(1.0)
        return len(b), a is b

    same, other = [0.0], [0.0]
    assert f(same, other) == (1, False)
    assert f(same, same) == (3, True)
    assert f(other, [0.0]) == (1, False)


def test_recompile_limit() -> None:
    """Beyond the limit the plain function runs, which is said once."""

    @astrace.compile(recompile_limit=3)
    def f(x: Any, how: str) -> Any:
        return x * 2 if how == "double" else (x, how)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [f(1.0, f"how {index}") for index in range(6)]
    assert results == [(1.0, f"how {index}") for index in range(6)]
    limits = [one for one in caught if one.category is astrace.RecompileLimit]
    assert len(limits) == 1 and limits[0].filename == __file__
    assert "how" in str(limits[0].message) and "recompile_limit" in str(limits[0].message)
    assert f.stats == astrace.Stats(calls=6, traces=3, guard_failures=3, fallbacks=3)
    assert str(f.stages(1.0, "how 0").fallback) == str(limits[0].message)
    assert "AT207" in f.explain(1.0, "how 0") and f.stats.calls == 6


def test_looking_inside_beyond_the_limit() -> None:
    """Inspection shows what a call would do and changes nothing: no count, no warning, no retirement."""

    @astrace.compile(recompile_limit=2)
    def f(x: Any, how: str) -> Any:
        return x * len(how)

    assert f.stages(1.0, "a").fallback is None
    assert f(1.0, "a") == 1.0
    assert f.stages(1.0, "bb").fallback is None
    for _ in range(2):
        reason = f.stages(1.0, "ccc").fallback
        assert reason is not None and reason.code == "AT207" and "'ccc'" in reason.message
        assert "AT207" in f.explain(1.0, "ccc") and "runs as plain Python" in f.explain(1.0, "ccc")
    assert f.stats == astrace.Stats(calls=1, traces=2, guard_failures=0, fallbacks=0)
    assert f(1.0, "bb") == 2.0 and f(2.0, "a") == 2.0
    assert f.stats == astrace.Stats(calls=3, traces=2, guard_failures=0, fallbacks=0)
    with pytest.warns(astrace.RecompileLimit):
        assert f(1.0, "ccc") == 3.0
    assert f(1.0, "ccc") == 3.0
    assert f.stats == astrace.Stats(calls=5, traces=2, guard_failures=1, fallbacks=2)


def test_recompile_limit_of_a_method() -> None:
    """The warning of a method points at the line of the call as well."""

    class Named:
        @astrace.compile(recompile_limit=1)
        def f(self, how: str) -> str:
            return how + how

    named = Named()
    assert named.f("a") == "aa"
    with pytest.warns(astrace.RecompileLimit) as caught:
        assert named.f("b") == "bb"
    assert caught[0].filename == __file__


def test_recompile_limit_with_fullgraph() -> None:
    """With `fullgraph` the limit raises."""

    @astrace.compile(recompile_limit=1, fullgraph=True)
    def f(how: str) -> Any:
        return how

    f("a")
    with pytest.raises(astrace.NotCaptured, match="AT207"):
        f("b")


def test_ints_are_not_keys() -> None:
    """A Python int that nothing needs is traced: another value runs the same graph."""

    @astrace.compile
    def f(x: Any, n: int) -> Any:
        for i in range(n):
            x = x + i
        return x

    for n in (3, 0, 1, 100, -5):
        assert f(1.0, n) == f.__wrapped__(1.0, n)
    assert f.stats.traces == 1
