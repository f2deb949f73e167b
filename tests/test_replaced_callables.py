"""Callables that are replaced by others of their kind, wherever they are kept: the next call sees the new one."""

from __future__ import annotations

import collections
import functools
import math
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import harness
import numpy as np
import pytest

import astrace


class Adder:
    """Callable in each way that a class has."""

    def __init__(self, step: int) -> None:
        self.step = step

    def __call__(self, x: Any) -> Any:
        return x + self.step

    def __getitem__(self, x: Any) -> Any:
        return x - self.step

    def add(self, x: Any) -> Any:
        return x + 10 * self.step

    @classmethod
    def tell(cls, x: Any) -> Any:
        return x, cls.__name__

    @staticmethod
    def shift(x: Any) -> Any:
        return x + 5


class Other(Adder):
    """Differs in one method."""

    @staticmethod
    def shift(x: Any) -> Any:
        return x + 6


class Methods:
    """Compiled methods beside a plain one."""

    def __init__(self, step: int) -> None:
        self.step = step

    @astrace.compile
    def add(self, x: Any) -> Any:
        return x + self.step

    @astrace.compile
    def times(self, x: Any) -> Any:
        return x * self.step

    def minus(self, x: Any) -> Any:
        return x - self.step


@astrace.compile
class Compiled(Adder):
    """All methods are compiled."""


class Derived(Compiled):
    """Differs by its name."""


def plus(step: int) -> Callable[[Any], Any]:
    """A closure."""

    def inner(x: Any) -> Any:
        return x + step

    return inner


def times(step: int) -> Callable[[Any], Any]:
    """A closure over the same variable, of other code."""

    def inner(x: Any) -> Any:
        return x * step + 100

    return inner


def walks(step: int) -> Callable[[Any], Any]:
    """A generator function."""

    def inner(x: Any) -> Iterator[Any]:
        yield x + step
        yield step

    return inner


def first(x: Any, step: int = 3) -> Any:
    return x + step


def second(x: Any, step: int = 4) -> Any:
    return x + step


def decorated(function: Callable[..., Any], factor: int = 1) -> Callable[..., Any]:
    """A wrapper."""

    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        return function(*args) * factor

    return inner


def compiled(*functions: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """Each function compiled."""
    return tuple(map(astrace.compile, functions))


METHODS: Final = Methods(3)
PAIRS: Final[dict[str, tuple[Callable[..., Any], ...]]] = {
    "functions": (first, second),
    "closures": (plus(1), plus(2)),
    "closures of other code": (plus(1), times(1)),
    "compiled functions": compiled(first, second),
    "compiled closures": compiled(plus(1), plus(2)),
    "compiled closures of other code": compiled(plus(1), times(1)),
    "compiled C functions": compiled(abs, operator.neg),
    "compiled wrappers": compiled(decorated(first), decorated(second)),
    "compiled partials": compiled(functools.partial(first, step=7), functools.partial(first, step=8)),
    "compiled bound methods": compiled(Adder(1).add, Adder(2).add),
    "compiled instances": compiled(Adder(1), Adder(2)),
    "a compiled and a plain function": (astrace.compile(first), second),
    "one compiled method of two objects": (METHODS.add, Methods(4).add),
    "two compiled methods of one object": (METHODS.add, METHODS.times),
    "a compiled and a plain method": (METHODS.add, METHODS.minus),
    "methods of a compiled class": (Compiled(1).add, Compiled(2).add),
    "instances of a compiled class": (Compiled(1), Compiled(2)),
    "compiled classes": (Compiled, Derived),
    "class methods of compiled classes": (Compiled.tell, Derived.tell),
    "bound methods": (Adder(1).add, Adder(2).add),
    "instances": (Adder(1), Adder(2)),
    "instances of two classes": (Adder(1), Other(1)),
    "classes": (Adder, Other),
    "class methods": (Adder.tell, Other.tell),
    "static methods": (Adder.shift, Other.shift),
    "special methods": (Adder(1).__getitem__, Adder(2).__getitem__),
    "partials": (functools.partial(first, step=1), functools.partial(first, step=2)),
    "partials of two functions": (functools.partial(first), functools.partial(second)),
    "partials of compiled functions": tuple(map(functools.partial, compiled(first, second))),
    "partials of builtins": (functools.partial(operator.add, 1), functools.partial(operator.mul, 1)),
    "vectorized functions": (np.vectorize(first), np.vectorize(second)),
    "ufuncs": (np.sin, np.cos),
    "ufuncs of Python functions": (np.frompyfunc(plus(1), 1, 1), np.frompyfunc(plus(2), 1, 1)),
    "methods of ufuncs": (np.add.reduce, np.multiply.reduce),
    "builtins": (abs, operator.neg),
    "method callers": (operator.methodcaller("__add__", 1), operator.methodcaller("__add__", 2)),
    "attribute getters": (operator.attrgetter("real"), operator.attrgetter("imag")),
    "caches": (functools.lru_cache(first), functools.lru_cache(second)),
    "wrappers": (decorated(first), decorated(second)),
    "wrappers of one function": (decorated(first), decorated(first, 1_000)),
    "wrappers of compiled functions": tuple(map(decorated, compiled(first, second))),
    "methods of numbers": ((5).__add__, (6).__add__),
    "methods of lists": ([1, 2, 3, 4].__getitem__, [5, 6, 7, 8].__getitem__),
    "methods of dicts": ({2: 3, 3: 4}.get, {2: 7}.get),
    "methods of arrays": (np.arange(5.0).take, np.arange(5.0, 10.0).take),
    "methods of texts": ("{}a".format, "{}b".format),
    "methods made of functions": (types.MethodType(first, 1), types.MethodType(second, 1)),
    "methods made of compiled functions": tuple(types.MethodType(one, 1) for one in compiled(first, second)),
    "methods made of builtins": (types.MethodType(operator.add, 1), types.MethodType(operator.add, 2)),
    "generator functions": (walks(1), walks(2)),
    "generic functions": (functools.singledispatch(first), functools.singledispatch(second)),
    "named tuples": (collections.namedtuple("First", "x"), collections.namedtuple("Second", "x")),
    "scalar types": (np.float32, np.float64),
    "polynomials": (np.poly1d([1, 2]), np.poly1d([2, 3])),
}

CALLED: Any = None
HELD: Final = types.SimpleNamespace(one=None, tuple=())
NAMED: Final[dict[str, Any]] = {}
LISTED: Final[list[Any]] = [None]
MODULE: Any = types.ModuleType("module")


def keep(function: Any) -> None:
    """Put a callable everywhere."""
    global CALLED
    CALLED = HELD.one = NAMED["one"] = LISTED[0] = MODULE.one = function
    HELD.tuple = (function,)
    Methods.one = staticmethod(function)  # type: ignore[attr-defined]


def in_a_branch(x: Any) -> Any:
    if x > 2:
        return CALLED(x)
    return CALLED(x + 1)


def several_times(x: Any) -> Any:
    return CALLED(x), [CALLED(y) for y in (x, x)], list(map(CALLED, [x, x]))


def through_a_lambda(x: Any) -> Any:
    found = lambda: CALLED  # noqa: E731
    return found()(*[x])


CALLERS: Final = (
    in_a_branch,
    several_times,
    through_a_lambda,
    lambda x: CALLED(x),
    lambda x: HELD.one(x),
    lambda x: HELD.tuple[0](x),
    lambda x: NAMED["one"](x),
    lambda x: LISTED[0](x),
    lambda x: MODULE.one(x),
    lambda x: Methods.one(x),  # type: ignore[attr-defined]
)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a call returns or raises; results are compared as text, classes included."""
    try:
        found = function(*args)
    except Exception as error:
        return type(error), str(error)
    if isinstance(found, Adder):
        return type(found), found.step
    return list(found) if isinstance(found, types.GeneratorType) else found


@pytest.mark.parametrize("pair", PAIRS)
def test_the_callable_that_is_there_now_is_called(pair: str) -> None:
    before, after = PAIRS[pair]
    for caller in CALLERS:
        function = astrace.compile(caller)
        for now in (before, after, before, after):
            keep(now)
            for x in (2, 3):
                assert _is_same(outcome(function, x), outcome(caller, x)), (caller, x)
        assert _code(function) not in ("AT299", "AT207")


@pytest.mark.parametrize("pair", PAIRS)
def test_a_callable_is_an_argument(pair: str) -> None:
    def caller(x: Any, function: Callable[[Any], Any] = abs) -> Any:
        return function(x)

    function = astrace.compile(caller)
    for now in (*PAIRS[pair], abs, *PAIRS[pair]):
        for x in (2, 3):
            assert _is_same(outcome(function, x, now), outcome(caller, x, now))
        assert outcome(function, -2) == 2


def _is_same(left: Any, right: Any) -> bool:
    """Return whether two outcomes are the same; polynomials, and objects that are not data, by their texts."""
    return type(left) is type(right) and (harness.same(left, right) or repr(left) == repr(right))


def _code(function: Any) -> str | None:
    fallback = function.stages(2).fallback
    return fallback and fallback.code


COS, SINE, FLOOR, NORM = np.cos, {"sine": np.sin}, (math.floor,), np.linalg.norm


def taken_out(x: Any, absolute: Any = np.absolute) -> Any:
    """Functions of NumPy and `math` that do not come by their own names, beside those that do."""
    own = np.cos(x), math.floor(x), np.abs(x)
    return own, COS(x), SINE["sine"](x), FLOOR[0](x), NORM(np.ones(2) * x), absolute(x), ADD.reduce([x, 1.0])


ADD = np.add


@pytest.mark.parametrize(
    "names", ["np.cos", "math.floor", "np.abs", "np.sin np.linalg.norm", "np.add np.absolute np.cos"]
)
@pytest.mark.parametrize("known", [True, False], ids=["captured before", "captured after"])
def test_functions_taken_out_of_modules_stay(
    names: str, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function from `from numpy import cos` is called, whatever is at `np.cos` by now."""
    function = astrace.compile(taken_out)
    if known:
        assert harness.same(function(1.5), taken_out(1.5))
    for name in names.split():
        module, _, last = name.replace("np", "numpy").rpartition(".")
        monkeypatch.setattr(f"{module}.{last}", lambda *args: ("patched", len(args)))
    for x in (1.5, np.float64(-2.5)):
        assert harness.same(function(x), taken_out(x))
    monkeypatch.undo()
    assert harness.same(function(1.5), taken_out(1.5))
