"""`astrace.compile` in all its forms: what is compiled, what it keeps, what it refuses."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import sys
import types
import typing
import weakref
from typing import Any

import harness
import numpy as np
import pytest

import astrace

X = np.array([1.0, -2.0, 3.0])


@astrace.compile
def halved(x: np.ndarray, /, limit: float = 2.0, *rest: int, deep: bool = False, **more: int) -> np.ndarray:
    """Half of it, again and again."""
    while x.max() > limit:
        x = x / 2
    return x + sum(rest) if deep else x - sum(more.values())


@astrace.compile(fullgraph=True)
def whole(x: Any) -> Any:
    return x.sum() if x.ndim else x


class Scale:
    """Every kind of method."""

    factor = 3

    def __init__(self, k: float) -> None:
        self.k = k

    @astrace.compile
    def method(self, x: Any, add: float = 0.0) -> Any:
        """A multiple."""
        return x * self.k + add if x[0] > 0 else x

    @astrace.compile
    @classmethod
    def outer_class(cls, x: Any) -> Any:
        return x * cls.factor

    @classmethod
    @astrace.compile
    def inner_class(cls, x: Any) -> Any:
        return x * cls.factor

    @astrace.compile
    @staticmethod
    def outer_static(x: Any) -> Any:
        return x + 1

    @staticmethod
    @astrace.compile
    def inner_static(x: Any) -> Any:
        return x + 1

    @property
    @astrace.compile
    def double(self) -> float:
        return self.k * 2

    def __call__(self, x: Any) -> Any:
        return x - self.k


def same(left: Any, right: Any) -> bool:
    return harness.same(left, right)


# -- forms ---------------------------------------------------------------------------------------------------

SCALE = Scale(2.0)
FORMS = {
    "bare decorator": (halved, lambda: halved.__wrapped__(X)),
    "decorator with options": (whole, lambda: whole.__wrapped__(X)),
    "method": (SCALE.method, lambda: X * 2.0 + 0.0),
    "class method, compiled outside": (Scale.outer_class, lambda: X * 3),
    "class method, compiled inside": (Scale.inner_class, lambda: X * 3),
    "class method of an instance": (SCALE.outer_class, lambda: X * 3),
    "static method, compiled outside": (Scale.outer_static, lambda: X + 1),
    "static method, compiled inside": (SCALE.inner_static, lambda: X + 1),
    "callable object": (astrace.compile(SCALE), lambda: X - 2.0),
    "bound method": (astrace.compile(Scale(5.0).__call__), lambda: X - 5.0),
    "partial": (astrace.compile(functools.partial(halved.__wrapped__, limit=1.0)), lambda: X / 4),
    "partial of a compiled function": (astrace.compile(functools.partial(halved, limit=1.0)), lambda: X / 4),
    "lambda": (astrace.compile(lambda x: x[::-1] * 2), lambda: X[::-1] * 2),
    "compiled again": (astrace.compile(halved), lambda: halved.__wrapped__(X)),
}


@pytest.mark.parametrize("name", FORMS)
def test_form_is_captured(name: str) -> None:
    """Whatever is compiled gives what it gave, from a graph."""
    function, plain = FORMS[name]
    assert same(function(X.copy()), plain())
    is_bound_by_python = name == "class method, compiled inside" and sys.version_info >= (3, 13)
    arguments = (Scale, X.copy()) if is_bound_by_python else (X.copy(),)
    assert function.stages(*arguments).fallback is None
    assert same(function(X.copy()), plain())


def test_keywords_of_a_partial_are_those_of_the_moment() -> None:
    """A partial's keywords lie in a dict that a program may change."""
    plain = functools.partial(halved.__wrapped__, limit=1.0)
    function = astrace.compile(plain)
    for limit in (1.0, 100.0, 0.0):
        plain.keywords["limit"] = limit
        assert same(function(X.copy()), plain(X.copy()))
        assert same(function(X.copy(), limit=2.0), plain(X.copy(), limit=2.0))


def test_property() -> None:
    """A property's function can be compiled."""
    assert Scale(4.0).double == 8.0


@pytest.mark.parametrize("function", [np.sum, len, dict, np.add], ids=lambda one: one.__name__)
def test_not_python(function: Any) -> None:
    """A callable that is not written in Python runs as it is, with the reason; a class is refused."""
    if isinstance(function, type):
        with pytest.raises(astrace.InvalidArgument, match="is no class whose methods can be compiled"):
            astrace.compile(function)
        return
    compiled = astrace.compile(function)
    args = (X, X) if function is np.add else (X,)
    assert same(compiled(*args), function(*args))
    assert compiled.stages(*args).fallback.code == "AT101"
    assert compiled.stats.fallbacks == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "gpu"}, "backend='gpu'; accepted are 'auto', 'numpy'"),
        ({"recompile_limit": 0}, "recompile_limit=0; it must be a whole number, at least 1"),
        ({"static_argnames": "nothing"}, "static_argnames='nothing'; accepted are 'x'"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """A wrong option is refused where it is given."""
    with pytest.raises(astrace.InvalidArgument, match=message):
        astrace.compile(lambda x: x, **options)
    with pytest.raises(astrace.InvalidArgument, match="'str' object is not callable|is not callable"):
        astrace.compile("text")  # type: ignore[call-overload]


# -- calling convention ---------------------------------------------------------------------------------------

CALLS = [
    ((X,), {}),
    ((X, 1.0), {}),
    ((X,), {"limit": 0.5}),
    ((X, 1.0, 7, 8), {"deep": True}),
    ((X,), {"a": 1, "b": 2}),
    ((X, 1.0, 7), {"b": 2, "deep": True}),
]


@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_calling_convention(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Defaults, keywords, variable arguments."""
    assert same(halved(*args, **kwargs), halved.__wrapped__(*args, **kwargs))


WRONG = [((), {}), ((X, 1.0), {"limit": 2.0}), ((), {"x": X}), ((X,), {"limit": None}), (("text",), {})]


@pytest.mark.parametrize(("args", "kwargs"), WRONG)
def test_wrong_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Wrong arguments raise what the plain function raises."""
    with pytest.raises((TypeError, AttributeError)) as plain:
        halved.__wrapped__(*args, **kwargs)
    with pytest.raises(plain.type) as compiled:
        halved(*args, **kwargs)
    assert str(compiled.value) == str(plain.value)


def test_default_changed() -> None:
    """Defaults are read at the call, as Python does; a mutable one is shared between calls."""

    @astrace.compile
    def f(x: Any, seen: list[float] = [], k: float = 2.0) -> Any:  # noqa: B006
        seen.append(x * k)
        return list(seen)

    assert f(1.0) == [2.0] and f(3.0) == [2.0, 6.0]
    f.__wrapped__.__defaults__ = ([], 5.0)
    assert f(1.0) == [5.0]


# -- what is kept ----------------------------------------------------------------------------------------------


def test_keeps_identity() -> None:
    """Signature, documentation, hints, name, module, and a place for attributes and weak references."""
    plain = halved.__wrapped__
    assert inspect.signature(halved) == inspect.signature(plain)
    assert (halved.__doc__, halved.__name__, halved.__module__) == (plain.__doc__, "halved", plain.__module__)
    assert typing.get_type_hints(halved) == typing.get_type_hints(plain)
    assert inspect.unwrap(halved) is plain and callable(halved)
    halved.note = 1  # type: ignore[attr-defined]
    assert weakref.ref(halved)() is halved and halved.note == 1  # type: ignore[attr-defined]
    assert "compiled" in repr(halved) and "halved" in repr(halved)


def test_bound_methods() -> None:
    """A bound compiled method behaves as a bound method."""
    other = Scale(2.0)
    assert SCALE.method == SCALE.method and SCALE.method != other.method
    assert hash(SCALE.method) == hash(SCALE.method)
    assert SCALE.method.__name__ == "method" and SCALE.method.__self__ is SCALE
    assert same(Scale.method(other, X), X * 2.0 + 0.0)
    assert same(other.method(X, add=1.0), X * 2.0 + 1.0)
    assert "method" in repr(SCALE.method)
    plain = types.MethodType(Scale.method.__wrapped__, SCALE)
    assert SCALE.method.__doc__ == plain.__doc__ == "A multiple."
    assert inspect.signature(SCALE.method) == inspect.signature(plain)
    assert list(inspect.signature(Scale.outer_class).parameters) == ["x"]
    assert weakref.ref(kept := SCALE.method)() is kept and kept.__wrapped__ is plain.__func__
    again = astrace.compile(kept)
    assert same(again(X), X * 2.0 + 0.0) and again.stages(X).fallback is None
    assert copy.copy(SCALE.method) == SCALE.method
    keeper = types.SimpleNamespace(scale=SCALE, method=SCALE.method)
    copied = copy.deepcopy(keeper)
    assert copied.scale is not SCALE and copied.method == copied.scale.method


def test_bound_method_kept() -> None:
    """A bound method that is kept runs what is specialised later."""
    scale = Scale(2.0)
    kept = scale.method
    for x in (X, X.astype(np.float32), X):
        assert same(kept(x), Scale.method.__wrapped__(scale, x))
        kept.__func__._entry = None
        assert same(kept(x), Scale.method.__wrapped__(scale, x))
        del kept.__func__._entry


def test_pickle_and_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decorated function goes by its name; another by its function and options; a method by its owner."""
    monkeypatch.setitem(__import__("sys").modules, __name__, __import__("sys").modules[__name__])
    assert pickle.loads(pickle.dumps(halved)) is halved
    assert copy.deepcopy(halved) is halved
    again = pickle.loads(pickle.dumps(astrace.compile(np.linalg.norm, fullgraph=False)))
    assert again.__wrapped__ is np.linalg.norm
    assert same(pickle.loads(pickle.dumps(SCALE.method))(X), X * 2.0 + 0.0)


# -- options ---------------------------------------------------------------------------------------------------


def test_fullgraph() -> None:
    """Instead of running as plain Python, a function raises, with file, line, source text and hint."""

    @astrace.compile(fullgraph=True)
    def f(x: Any) -> Any:
        return locals()["x"]

    with pytest.raises(astrace.NotCaptured) as caught:
        f(1.0)
    text = str(caught.value)
    line = f.__wrapped__.__code__.co_firstlineno + 2
    assert f"{__file__}:{line}" in text and 'return locals()["x"]' in text and "hint" in text
    assert caught.value.reason.code in text
    with pytest.raises(astrace.NotCaptured):
        f(1.0)
    assert f.stages(1.0).fallback == caught.value.reason and caught.value.reason.code in f.explain(1.0)
    assert f.stats.fallbacks == 0


def test_a_compiled_static_method_is_itself_however_it_is_reached() -> None:
    """Also where a graph returns it, as `__reduce__` does for `pickle`, which finds functions by name."""

    class Kind:
        @staticmethod
        @astrace.compile
        def made(value: Any) -> Any:
            return value

        @astrace.compile
        def ways(self) -> Any:
            return self.made, Kind.made, type(self).made, self.made(3)

    kind = Kind()
    assert all(found is Kind.made for found in kind.ways()[:3]) and kind.ways()[3] == 3


def test_fullgraph_of_a_function_that_calls_itself() -> None:
    """Its calls run through its own captures: none of it is plain Python."""

    @astrace.compile(fullgraph=True)
    def digits(n: Any) -> Any:
        return 1 if n < 10 else 1 + digits(n // 10)

    assert [digits(n) for n in (7, 42, 12345)] == [1, 2, 5]
    (reason,) = digits.captures[0].recording.graph_calls
    assert reason.code == "AT203" and reason.message.startswith(
        "`digits` is called through a graph of its own"
    )
    assert digits.stats.fallbacks == 0 and digits.stats.calls == 8


def test_fullgraph_after_a_change() -> None:
    """A call that was refused is asked again: what was in its way may be gone."""
    hands_out = True

    @astrace.compile(fullgraph=True)
    def f(x: Any) -> Any:
        return object() if hands_out else x * 2

    with pytest.raises(astrace.NotCaptured, match="AT204"):
        f(1.0)
    hands_out = False
    assert f(1.0) == 2.0


def test_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ASTRACE_DISABLE=1` gives the same wrapper around the original."""
    monkeypatch.setenv("ASTRACE_DISABLE", "1")
    f = astrace.compile(halved.__wrapped__)
    assert same(f(X), halved.__wrapped__(X))
    assert type(f) is type(halved) and f.stats == astrace.Stats(
        calls=1, traces=0, guard_failures=0, fallbacks=0
    )


def test_static_argnames() -> None:
    """A static number is fixed for its specialisation, so it may decide what is captured."""

    @astrace.compile(static_argnames="n")
    def f(x: Any, n: int) -> Any:
        for _ in range(n):
            x = x * 2
        return x

    assert [f(1.0, 2), f(1.0, 3), f(5.0, 2)] == [4.0, 8.0, 20.0]
    assert f.stats == astrace.Stats(calls=3, traces=2, guard_failures=1, fallbacks=0)


def test_static_argnames_left_to_their_defaults() -> None:
    """A default is fixed as a given value is, and read again where it changes."""

    @astrace.compile(static_argnames=("n", "k"))
    def f(x: Any, n: int = 2, *, k: int = 1) -> Any:
        return x if n == 0 else f.__wrapped__(x * 2 + k, n - 1, k=k)

    for _ in range(2):
        assert [f(1.0), f(1.0, 3), f(1.0, k=0), f(1.0, n=2)] == [7.0, 15.0, 4.0, 7.0]
    assert f.stats == astrace.Stats(calls=8, traces=4, guard_failures=3, fallbacks=0)
    assert not f.stages(1.0).recording.plain_calls
    f.__wrapped__.__defaults__ = (1,)
    assert f(1.0) == 3.0 and f.stats.traces == 5


def test_compiled_calls_compiled() -> None:
    """A compiled function inside another becomes part of its graph; the inner one is not traced by itself."""

    @astrace.compile
    def inner(x: Any) -> Any:
        return x + 1 if x > 0 else x

    @astrace.compile
    def outer(x: Any) -> Any:
        return inner(x) * 2

    assert outer(3.0) == 8.0 and outer(-3.0) == -6.0
    assert "cond" in str(outer.stages(3.0).graph) and inner.stats.traces == 0


def test_stages_print_themselves() -> None:
    """Each stage is a text to be read, and nothing of the function is run for it."""
    ran: list[Any] = []

    @astrace.compile
    def f(x: Any) -> Any:
        ran.append(1)
        print("no")
        if x > 0:
            x = x * 2
        return x

    stages = f.stages(1.0)
    assert ran == [] and stages.fallback is None and stages.rewritten.skipped == ()
    assert "ag." in stages.rewritten.source and str(stages.rewritten) == stages.rewritten.source
    assert "cond" in str(stages.recording) and "cond" in str(stages.graph)
    assert stages.executable.source == str(stages.executable) and "def f(" in stages.executable.source
    assert {node.op for node in astrace.ir.walk.nodes(stages.graph.block)} >= {"cond", "mul"}
    assert f.stats == astrace.Stats(calls=0, traces=1, guard_failures=0, fallbacks=0)
    assert str(f.stages(1.0)) == str(stages)


@pytest.mark.parametrize("what", ["stages", "explain", "trace"])
def test_what_needs_an_example_says_so(what: str) -> None:
    """Without the arguments of a call, or with wrong ones, the message names the signature."""
    function = astrace.compile(lambda x, n: x * n)
    ask = functools.partial(astrace.trace, function) if what == "trace" else getattr(function, what)
    for args in ((), (X,), (X, 1, 2)):
        with pytest.raises(
            TypeError, match=rf"{what}: the arguments do not fit `.*\(x, n\)`.*an example call"
        ):
            ask(*args)
