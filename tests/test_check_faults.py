"""Graphs with one mistake in them: the check finds it, names its line, and gives a program that shows it."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import random
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

import checked

import astrace
from astrace.compiler import specialise
from astrace.guards.kinds import Equals, Fits
from astrace.ir.block import Constant, Node, Origin
from astrace.ir.builder import rebuild
from fuzz.mutants import MUTATIONS, mutant

X = np.array([1.0, 5.0, 2.0])


def errors(graph, *args, original, level="quick"):
    return astrace.check(graph, *args, original=original, level=level, deadline=8, call_deadline=0.2).errors


def line_of(function, text):
    """The line of a function's source that holds a text."""
    lines = Path(checked.__file__).read_text().splitlines()
    first = function.__code__.co_firstlineno - 1
    return next(number for number, line in enumerate(lines[first:], first + 1) if text in line)


def with_node(graph, op, change):
    """A graph in which the first node of an op is another."""
    done = []

    def step(node, builder):
        if node.op == op and not done:
            done.append(node)
            made = change(builder.updated(node))
            builder.nodes += [made] if isinstance(made, Node) else made
        else:
            builder.keep(node)

    block = rebuild(graph.block, step)
    assert done, graph
    return dataclasses.replace(graph, block=block)


def constant_for(place, value):
    def change(node):
        inputs = [*node.inputs]
        inputs[place] = Constant(value, Origin("literal", location=node.location))
        return dataclasses.replace(node, inputs=tuple(inputs))

    return change


FAULTS = {
    "a constant instead of an argument": (checked.branchy, (X, 3), "get_item", constant_for(0, 9.0), "x[i % len(x)]"),
    "another constant": (checked.branchy, (X, 3), "gt", constant_for(1, 4.25), "> 3.25"),
    "another op": (checked.branchy, (X, 3), "add", lambda node: dataclasses.replace(node, op="sub"), "total + x"),
    "the other branch": (
        checked.branchy, (X, 3), "cond", lambda node: dataclasses.replace(node, regions=node.regions[::-1]), "if x[i",
    ),
    "an effect that is not done": (checked.branchy, (X, 3), "call_method", lambda node: [], "LOG.append"),
    "an iteration that is not taken": (checked.branchy, (X, 3), "for_loop", constant_for(0, 1), "range(n)"),
    "a write that is not done": (checked.viewing, (X,), "imul", lambda node: dataclasses.replace(node, op="mul"), "y *= 2"),
    "a test that never ends": (checked.waits, (8.0,), "truediv", lambda node: dataclasses.replace(node, op="mul"), "x / 2"),
    "a handler that catches nothing": (checked.caught, (X, 1), "get_item", constant_for(1, 0), "x[i]"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_on_its_line(name):
    function, args, op, change, text = FAULTS[name]
    graph = with_node(astrace.trace(function, *args), op, change)
    found = errors(graph, *args, original=function)
    assert found, graph
    assert line_of(function, text) in {one.location.line for one in found}, [str(one) for one in found]
    assert all(one.example is not None and one.because and one.fix for one in found)


@pytest.mark.parametrize(
    "name", ["another constant", "another op", "the other branch", "an effect that is not done"]
)
def test_the_program_that_is_given_shows_the_difference(name):
    """With the wrong graph in place of the one that is traced, what is printed differs."""
    function, args, op, change, _ = FAULTS[name]
    graph = with_node(astrace.trace(function, *args), op, change)
    source = errors(graph, *args, original=function)[0].example.source
    lines = printed(source.replace("graph = astrace", "graph = wrong or astrace"), wrong=graph).splitlines()
    lines = [line for line in lines if line not in ("the function:", "the graph:")]
    half = len(lines) // 2
    assert lines and lines[:half] != lines[half:], lines


def printed(source, **space):
    """Return the output of a program in a process of its own, which may start others; none uses JAX, if that is loaded."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        child = os.fork()
        if child == 0:
            os.dup2(writing, 1)
            sys.stdout = os.fdopen(1, "w")
            try:
                with contextlib.suppress(SystemExit):
                    exec(source, {"__name__": "pasted", **space})
                sys.stdout.flush()
            finally:
                os._exit(0)  # whatever is raised: the tests go on in the other process only
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.parametrize("kind", sorted(MUTATIONS))
def test_mistakes_of_all_kinds_are_found(kind):
    tried = found = 0
    for function, args in (
        (checked.branchy, (X, 3)),
        (checked.deep, (X,)),
        (checked.viewing, (X,)),
        (checked.waits, (8.0,)),
    ):
        graph = astrace.trace(function, *args)
        for seed in range(2):
            one = mutant(graph, kind, random.Random(seed))
            if one is not None:
                tried += 1
                found += bool(errors(one.graph, *args, original=function, level="default"))
    assert tried and found >= tried * 0.75, (found, tried)


# -- guards ------------------------------------------------------------------------------------------------


@pytest.fixture
def forgetful(monkeypatch):
    """A compiler that forgets the guards on what lies outside."""
    real = specialise.trace

    def trace(*args, **kwargs):
        found = real(*args, **kwargs)
        kept = tuple(guard for guard in found.guards if isinstance(guard, Fits))
        return dataclasses.replace(found, guards=kept)

    monkeypatch.setattr(specialise, "trace", trace)


def test_a_forgotten_guard_is_found_by_changing_the_world(forgetful):
    report = astrace.check(checked.configured, X, level="quick")
    assert [one.code for one in report.errors] == ["AC108"]
    (found,) = report.errors
    assert "CONFIG['mode']" in found.message and checked.CONFIG == {"mode": "double", "eps": 0.5}
    assert found.location.line in range(*_span(checked.configured))


def test_with_its_guards_nothing_is_found():
    assert astrace.check(checked.configured, X, level="quick").findings == ()
    assert astrace.check(checked.Layer().forward, X, level="quick").findings == ()


def test_a_guard_that_is_wrong_is_found(monkeypatch):
    """A guard that looks at another value than the one that decided."""
    real = specialise.trace

    def trace(*args, **kwargs):
        found = real(*args, **kwargs)
        guards = tuple(guard for guard in found.guards if not isinstance(guard, Equals))
        return dataclasses.replace(found, guards=guards)

    monkeypatch.setattr(specialise, "trace", trace)
    report = astrace.check(checked.configured, X, level="quick")
    assert [one.code for one in report.errors] == ["AC108"]


def _span(function):
    code = function.__code__
    return code.co_firstlineno, max(line for _, _, line in code.co_lines() if line) + 1


def test_a_clock_that_is_frozen_is_found():
    graph = astrace.trace(checked.clocked, X)
    (found,) = errors(graph, X, original=checked.clocked)
    assert found.code == "AC107" and found.constant.what == "time.time()"
    assert found.location.line == line_of(checked.clocked, "time.time")
    assert float(found.constant.then) < float(found.constant.now)


def hash_of_nan(x):
    return hash((float(x[0]),))


def hash_of_a_new_nan(x):
    return hash(float("nan")) % 1000 + x


def place_in_memory(x):
    y = x * 2
    return y, id(y)


def text_of_an_instance(x):
    return repr(checked.Bare()), x


def hashed_clock(x):
    return hash((float(x[0]), time.perf_counter()))


@pytest.mark.parametrize(
    "function",
    [hash_of_nan, hash_of_a_new_nan, place_in_memory, text_of_an_instance],
    ids=lambda one: one.__name__,
)
@pytest.mark.parametrize("frozen", [False, True])
def test_what_hangs_on_a_place_in_memory_is_no_error(function, frozen):
    graph = astrace.trace(function, X) if frozen else function
    nan = np.array([np.nan, 1.0])
    report = astrace.check(graph, nan, original=function if frozen else None, level="quick")
    assert report.ok and "AC203" in {one.code for one in report.warnings}, report.text(notes=True)


def test_a_frozen_clock_that_is_hashed_is_an_error():
    (found,) = errors(astrace.trace(hashed_clock, X), X, original=hashed_clock)
    assert found.code == "AC107"


@pytest.mark.parametrize("ticks", [1, 2, 3, 5, 9])
def test_a_coarse_clock_that_is_asked_is_no_error(ticks):
    """Two runs of a function that asks it may agree by chance, and so may two of a graph."""

    def clock():
        for number in itertools.count():
            yield number // ticks

    running = clock()

    def timed(x):
        return x + next(running)

    assert astrace.check(timed, X, level="quick").ok


def by_branch(x, double):
    y = x + 1
    if double:
        y = y * 2
        z = y
    else:
        z = y - 1
    return z


def by_table(x, mode="a"):
    table = {"a": 1.0, "b": 2.0}
    x = x + 1
    return x * table[mode]


def by_none(x, n=None):
    if n is None:
        n = 2.0
        x = x + 3
    return x * n


def by_dtype(x):
    y = 1
    if x.dtype.kind == "f":
        y = x * 2
        return y
    return x + y


def by_length(x, items):
    x = x + 1
    if len(items) == 2:
        x = x * 2
    return x


def by_match(x, *, scale=False):
    match scale:
        case True:
            return x * 2
        case _:
            return x


def by_later(x, first, second=True):
    if first:
        x = x + 1
    y = x * 2
    if second:
        y = y - 1
    return y


def in_helper(x, flag):
    y = x * 2
    return helped(y, flag)


def helped(y, flag):
    if flag:
        y = y + 1
        return y
    return y


DECIDED = {
    "if double:": (by_branch, X, True),
    "return x * table[mode]": (by_table, X),
    "if n is None:": (by_none, X),
    'if x.dtype.kind == "f":': (by_dtype, X),
    "if len(items) == 2:": (by_length, X, [1.0, 2.0]),
    "match scale:": (by_match, X),
    "if second:": (by_later, X, False, True),
    "if flag:": (in_helper, X, True),
}


@pytest.mark.parametrize("line", DECIDED)
def test_the_line_that_decides_is_named(line):
    """Not the first statement on the way that was taken."""
    function, *args = DECIDED[line]
    found = errors(astrace.trace(function, *args), *args, original=function)
    assert line in [one.location.text for one in found], [str(one) for one in found]
