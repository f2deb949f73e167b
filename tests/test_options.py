"""Wrong options: every one of the public functions is refused at once, with what is accepted and the user's line."""

from __future__ import annotations

import functools
import linecache
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import astrace

X = np.ones(2)


def halved(x: Any, times: int = 1, *rest: Any, scale: float = 2.0, **more: Any) -> Any:
    return x / scale


class Model:
    """A class whose instances can be called."""

    def __init__(self, weight: float = 2.0) -> None:
        self.weight = weight

    def __call__(self, x: Any, n: int = 1) -> Any:
        return x * self.weight * n

    def other(self, x: Any) -> Any:
        return x + self.weight


class Silent:
    """A class whose instances can't be called."""

    def method(self, x: Any) -> Any:
        return x


MODULE = types.ModuleType("some_module")
NO_FLAGS: list[Any] = ["yes", 1, None, X]
OTHERS: list[Any] = [3.5, b"x", object(), {"x": 1}]

TRACE_GRAPH: dict[str, list[Any]] = {
    "to": ["tensorflow", 3, X, ["numpy"], True, ""],
    "include_generators": NO_FLAGS,
    "array_caching": NO_FLAGS,
    "return_backend_traced_fn": NO_FLAGS,
    "effects": ["some", None, 3, X],
    "static_argnums": [9, -6, "x", 1.5, True, [0, "x"], {0: 1}, X],
    "static_argnames": ["z", 3, [3], ["times", "z"], 1.5, {"x": 1}],
    "stateful": [3, "text", [3], [X, 4], X, object()],
    "arg_stateful_idxs": [0, "x", [0], [[]], [[0.5]], [["z"], 1], [[True]], {0: 1}],
    "kwarg_stateful_idxs": ["x", ["x"], 3, [[None]]],
    "args": [X, 3, "abc", {"x": X}, iter([X])],
    "kwargs": [[1], 3, "x", {1: X}, X],
}
COMPILE: dict[str, list[Any]] = {
    "backend": ["gpu", None, 3, ["numpy"], X],
    "fullgraph": NO_FLAGS,
    "exact": NO_FLAGS,
    "parallel": NO_FLAGS,
    "static_argnames": ["z", 3, [3], {"x": 1}, ["times", 1]],
    "recompile_limit": [0, -1, 1.5, "3", None, True],
    "freeze": [3, [3], "1 + 1", ["CFG", ""], {"CFG": 1}],
}
POLICY: dict[str, list[Any]] = {
    "after": [0, -1, 1.5, "2", True],
    "patience": [0, 2.5, "x"],
    "trial": [-1, None, 1.5, "x"],
    "margin": [-0.5, None, "x", float("nan"), True],
    "attempts": [0, 1.5, []],
    "budget": [-1.0, "x", float("nan")],
}


def cases() -> list[Any]:
    """Every option with every value that is not accepted for it."""
    calls: dict[str, tuple[Callable[..., Any], dict[str, list[Any]]]] = {
        "trace_graph": (functools.partial(astrace.trace_graph, _plain), TRACE_GRAPH),
        "compile": (functools.partial(astrace.compile, _plain), COMPILE),
        "Policy": (astrace.Policy, POLICY),
    }
    options = [
        (name, function, option, value)
        for name, (function, table) in calls.items()
        for option, values in table.items()
        for value in values
    ]
    policies: list[Any] = ["some", 3, None, ["default"], astrace.Policy]
    options += [
        ("import_hook", functools.partial(astrace.import_hook, "p"), "policy", one) for one in policies
    ]
    options += [("compile_this_package", astrace.compile_this_package, "policy", one) for one in policies]
    return [pytest.param(*one, id=f"{one[0]}-{one[2]}-{number}") for number, one in enumerate(options)]


def _plain(x: Any, times: int = 1) -> Any:
    return x


def refusal(call: Callable[[], Any]) -> astrace.InvalidArgument:
    """The error of a call; its line is this file's."""
    with pytest.raises(astrace.InvalidArgument) as found:
        call()
    error = found.value
    assert error.location is not None and error.location.file == __file__
    assert str(error).startswith(f"{error.message}\n  at {error.location}\n")
    line = linecache.getline(__file__, error.location.line).strip()
    assert f"{error.location.line} | {line}" in str(error)
    return error


@pytest.mark.parametrize(("name", "function", "option", "value"), cases())
def test_wrong_values(name: str, function: Any, option: str, value: Any) -> None:
    """The message says which option of which function, and what is accepted."""
    error = refusal(lambda: function(**{option: value}))
    assert option in error.message and error.message.startswith((f"{name}: ", f"{option}: "))
    assert any(word in error.message for word in ("accepted", "it must be", "such as", "leads to no object"))


TARGETS = [3, None, "text", [1], object(), int, ValueError, np]


@pytest.mark.parametrize(
    "target", TARGETS, ids=lambda target: type(target).__name__ + getattr(target, "__name__", "")
)
def test_wrong_targets(target: Any) -> None:
    assert refusal(lambda: astrace.trace_graph(target)).message.startswith("trace_graph: ")
    assert refusal(lambda: astrace.trace_graph(to="numpy")(target)).message.startswith("trace_graph: ")
    if target is not None:  # which asks for a decorator
        assert refusal(lambda: astrace.compile(target)).message.startswith("compile: ")
    assert refusal(lambda: astrace.compile(fullgraph=True)(target)).message.startswith("compile: ")


@pytest.mark.parametrize(
    "target",
    [3, None, "text", [1], len, np.sin, int],
    ids=lambda target: type(target).__name__ + getattr(target, "__name__", ""),
)
def test_what_can_not_be_skipped(target: Any) -> None:
    assert "skip: " in refusal(lambda: astrace.skip(target)).message


@pytest.mark.parametrize(
    "names", [(), (3,), (None,), ("",), ("a b",), ("a..b",), (["a", "b"],), (MODULE,), ("os",)]
)
def test_wrong_packages(names: Any) -> None:
    assert refusal(lambda: astrace.import_hook(*names)).message.startswith("import_hook: ")


def test_no_package_to_compile() -> None:
    for scope in ({}, {"__name__": "__main__"}):
        with pytest.raises(astrace.InvalidArgument, match="compile_this_package: .* not by a script"):
            exec("import astrace; astrace.compile_this_package()", scope)


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((X, 1), {"times": 2}), ((X,), {"x": X}), ((X, 1, 2), {})]
)
def test_calls_that_can_not_be_made(args: Any, kwargs: Any) -> None:
    assert (
        "do not fit `_plain`"
        in refusal(lambda: astrace.trace_graph(_plain, args=args, kwargs=kwargs)).message
    )


# -- options that speak of one function ------------------------------------------------------------------------

OF_ONE: list[tuple[str, Any]] = [
    ("static_argnums", 0),
    ("static_argnames", "x"),
    ("arg_stateful_idxs", [[0]]),
    ("kwarg_stateful_idxs", [["x"]]),
    ("args", (X,)),
    ("kwargs", {"x": X}),
]


@pytest.mark.parametrize(("option", "value"), OF_ONE)
@pytest.mark.parametrize("target", [MODULE, Model, Silent()], ids=["module", "class", "object"])
def test_options_of_one_function(target: Any, option: str, value: Any) -> None:
    """They are refused for what has many functions, as soon as they are given."""
    message = refusal(lambda: astrace.trace_graph(target, **{option: value})).message
    assert option in message and " given with a" in message and "accepted are functions" in message


@pytest.mark.parametrize(("option", "value"), [("static_argnames", "x"), ("freeze", "CFG")])
@pytest.mark.parametrize("target", [MODULE, Model, Silent()], ids=["module", "class", "object"])
def test_options_of_one_function_to_compile(target: Any, option: str, value: Any) -> None:
    assert f"{option} given with a" in refusal(lambda: astrace.compile(target, **{option: value})).message


def test_options_of_the_call_of_an_object() -> None:
    """They speak of its ``__call__``, without ``self``."""
    model, box = Model(), types.SimpleNamespace(weight=5.0)

    class Reads:
        def __call__(self, box: Any, x: Any) -> Any:
            return x * box.weight

        def other(self, x: Any) -> Any:
            return x

    by_number = astrace.trace_graph(model, static_argnums=1, args=(X, 3))
    by_name = astrace.trace_graph(model, static_argnames="n")
    compiled = astrace.compile(model, static_argnames="n", freeze="self.weight")
    for one in (by_number, by_name, compiled):
        assert (one(X, 3) == X * 6).all() and (one.other(X) == X + 2).all()
        assert type(one).__call__.__astrace_options__.static_argnames == ("n",)
        assert type(one).other.__astrace_options__.static_argnames == ()
    model.weight = 1.0
    assert (compiled(X, 3) == X * 6).all() and (by_name(X, 3) == X * 3).all()
    reads = astrace.trace_graph(Reads(), arg_stateful_idxs=[[0]], args=(box, X))
    assert type(reads).__call__.graph.state.reads == ("box.weight",) and (reads.other(X) == X).all()
    assert "accepted are 'x', 'n'" in refusal(lambda: astrace.trace_graph(model, static_argnames="z")).message
    assert "static_argnames='z'" in refusal(lambda: astrace.compile(model, static_argnames="z")).message


def test_calls_of_an_object_that_can_not_be_made() -> None:
    assert "do not fit `Model.__call__`" in refusal(lambda: astrace.trace_graph(Model(), args=())).message
