"""Compiled functions and graphs, node by node: same values, same exceptions, the user's lines."""

from __future__ import annotations

import functools
import gc
import importlib
import inspect
import linecache
import sys
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.errors import InvalidArgument, SignatureMismatch
from astrace.observe import Limits, observe, trace_func, tracing

RATE = 2.0


def loop(x, n):
    total = x * 0
    for index in range(n):
        if index % 2:
            total = total + x * index
        else:
            total = total - RATE
    return total


def root(a, tolerance=1e-10):
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


def handled(x, n):
    try:
        y = 10 // n
    except ZeroDivisionError:
        y = -1
    return x + y


def writes(x):
    x[1:] += 1
    return x.sum(), x


def unfinished(x):
    z = x + 1
    return np.linalg.inv(z)


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(index for index, line in enumerate(lines) if text in line)


PROGRAMS = [
    (loop, lambda: (np.arange(3.0), 5)),
    (loop, lambda: (np.arange(3.0), 0)),
    (root, lambda: (np.float64(2),)),
    (root, lambda: (np.float64(9), 1e-3)),
    (handled, lambda: (1.5, 0)),
    (handled, lambda: (1.5, 2)),
    (writes, lambda: (np.arange(4.0),)),
]


def bits(value):
    return (
        [bits(one) for one in value]
        if isinstance(value, tuple)
        else (type(value), np.asarray(value).tobytes())
    )


def compiled(function, args, folder):
    return astrace.compile(function)


def frozen(function, args, folder):
    return astrace.trace(function, *args)


def saved(function, args, folder):
    astrace.trace(function, *args).save(folder / "graph.zip")
    return astrace.load(folder / "graph.zip")


@pytest.mark.parametrize(("function", "make"), PROGRAMS)
@pytest.mark.parametrize("form", [compiled, frozen, saved])
def test_values_are_the_function_s_own(function, make, form, tmp_path):
    observed = observe(form(function, make(), tmp_path))
    given, plain = make(), make()
    expected = function(*plain)
    with tracing() as result:
        assert bits(observed(*given)) == bits(expected)
    assert bits(given) == bits(plain)
    assert all(
        call.stage == function.__name__ and call.outcome in ("returned", "raised") for call in result.calls
    )
    assert result.calls or function is root
    file = Path(__file__).name if form is saved else __file__  # a bundle is the same from every folder
    for call in result.calls:
        assert call.location.file == file and call.location.function == function.__name__
    alone = observed(*make())
    assert bits(alone.returned) == bits(expected) and len(alone.calls) == len(result.calls)


def test_each_node_is_a_call_with_its_line():
    result = observe(astrace.compile(root))(np.float64(2.0))
    stage = result.root
    assert stage[0].function == "while_loop" and stage[0].x == result.returned
    assert all(call.parent is stage[0] for call in stage.calls[1:])
    division = stage.truediv[0]
    assert division.location.line == line_of(root, "0.5 * ") and division.parameters == {"a": 2.0, "x": 2.0}
    assert [call.x for call in stage.mul if "operand0" in call.parameters and call.operand0 == 0.5][
        -1
    ] == result.returned


@pytest.mark.parametrize(
    ("nodes", "functions"),
    [
        ("truediv", {"truediv"}),
        (["truediv", "abs"], {"truediv", "abs"}),
        (line_of(root, "0.5 * "), {"truediv", "add", "mul"}),
        (["x"], {"while_loop", "mul"}),
        (lambda node: bool(node.regions), {"while_loop"}),
        ([], set()),
    ],
)
def test_nodes_are_chosen(nodes, functions):
    result = observe(astrace.compile(root), nodes=nodes, stage="chosen")(np.float64(2.0))
    assert {call.function for call in result.calls} == functions
    assert {call.stage for call in result.calls} <= {"chosen"}


def test_it_is_a_part_of_a_larger_trace():
    @trace_func(stage_name="s")
    def outer(x):
        return observe(astrace.compile(root), nodes=["truediv"])(x)

    with tracing() as result:
        assert outer(np.float64(2.0)) == root(np.float64(2.0))
    assert all(call.parent is result.s[0] for call in result.root) and len(result.root) > 2


def test_an_exception_ends_the_calls_that_it_leaves():
    compiled = astrace.compile(unfinished)
    x = np.zeros((2, 2))
    with pytest.raises(np.linalg.LinAlgError) as caught:
        observe(compiled)(x)
    result = astrace.observe.get_trace(caught.value)
    assert [call.outcome for call in result.calls][-1] == "raised"
    assert result.calls[-1].exception.type_name == "numpy.linalg.LinAlgError"
    assert result.calls[-1].location.line == line_of(unfinished, "inv(z)")


def test_an_exception_that_the_program_handles():
    with tracing() as result:
        assert observe(astrace.trace(handled, 1.5, 1))(1.5, 0) == 0.5
    outcomes = {call.function: call.outcome for call in result.handled}
    assert outcomes["floordiv"] == "raised" and outcomes["try_"] == outcomes["add"] == "returned"
    assert result.handled.floordiv[0].exception.type_name == "ZeroDivisionError"


def test_a_call_that_a_frozen_graph_was_not_made_for():
    graph = astrace.trace(loop, np.arange(3.0), 5)
    with pytest.raises(SignatureMismatch):
        observe(graph)(["x"], 5)
    with pytest.raises(TypeError):
        observe(graph)(np.arange(3.0))


def test_methods_partials_and_graphs():
    class Scale:
        def __init__(self, by):
            self.by = by

        @astrace.compile
        def __call__(self, x):
            return x * self.by

        @astrace.compile
        def method(self, x, y=1.0):
            return x * self.by + y

    one = Scale(3.0)
    assert observe(one.method)(2.0).returned == 7.0 and observe(one.method)(2.0, y=0.0).returned == 6.0
    assert observe(Scale.method)(one, 2.0).returned == 7.0
    one.by = 4.0
    assert observe(one.method)(2.0).returned == 9.0
    partial = astrace.compile(functools.partial(loop, n=3))
    assert observe(partial)(np.arange(2.0)).returned.tolist() == loop(np.arange(2.0), 3).tolist()
    graph = astrace.compile(loop).stages(np.arange(3.0), 5).graph
    assert observe(graph)(np.arange(3.0), 5).returned.tolist() == loop(np.arange(3.0), 5).tolist()
    lazy = astrace.trace_graph(loop)
    assert observe(lazy)(np.arange(3.0), 5).returned.tolist() == loop(np.arange(3.0), 5).tolist()


def test_a_function_that_runs_as_plain_python_is_one_call():
    def plain(x):
        import colorsys  # noqa: F401

        return eval("x + 1")

    compiled = astrace.compile(plain)
    if compiled.stages(1.0).fallback is None:
        pytest.fail("the example is captured by now: it needs another one")
    result = observe(compiled)(1.0)
    assert result.returned == 2.0 and [call.function for call in result.calls] == ["plain"]


def test_limits_and_the_package_as_a_function():
    result = astrace.observe(astrace.compile(loop), limits=Limits(calls=3))(np.arange(3.0), 50)
    assert len(result.calls) == 3 and result.dropped > 50
    with pytest.raises(InvalidArgument, match="no graph and no compiled function"):
        observe(loop)
    assert callable(astrace.observe)


def test_two_runs_are_compared():
    observed = observe(astrace.compile(root))
    first, second = observed(np.float64(2.0)), observed(np.float64(2.0))
    assert first.diff(second) is None
    difference = first.diff(observed(np.float64(3.0)))
    assert difference.what == "parameter a" and "float64 3.0" in str(difference)


def test_lines_are_those_that_the_graph_keeps(tmp_path, monkeypatch):
    """The function and its file are gone; the graph tells of the lines that it was made of."""
    file = tmp_path / "module_that_goes.py"
    lines = ["def f(x, n=3):", "    total = x", "    for i in range(n):", "        if i > 1:", "            total = total * x",
             "        else:", "            total = total + 1.0", "    return total"]  # fmt: skip
    file.write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("module_that_goes")
    graph = astrace.trace(module.f, 2.0)
    monkeypatch.delitem(sys.modules, "module_that_goes")
    del module
    file.unlink()
    monkeypatch.setattr(linecache, "cache", {})  # that of other tests is kept
    gc.collect()
    result = observe(graph)(2.0, n=4)
    assert result.returned == 16.0
    found = {call.function: call.location for call in result.calls if call.function in ("add", "mul")}
    assert {name: (place.file, place.line) for name, place in found.items()} == {
        "add": (str(file), 7),
        "mul": (str(file), 5),
    }
    assert {call.function for call in observe(graph, nodes=[5])(2.0).calls} == {"mul"}
    assert str(result) and result._repr_html_() and result.to_json()


def test_nodes_that_there_are_none_of_are_named_with_those_that_there_are() -> None:
    said = r"no node of `root` is called 'nosuch'; its nodes are .*truediv.*, in the lines \d+"
    with pytest.raises(astrace.InvalidArgument, match=said):
        observe(astrace.trace(root, np.float64(2.0)), nodes=["nosuch"])
    observed = observe(astrace.compile(root), nodes=iter(["nosuch"]))
    with pytest.raises(astrace.InvalidArgument, match=said):
        observed(np.float64(2.0))
