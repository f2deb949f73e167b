"""`astrace.trace`: a graph with the world of one moment in it, every constant with its origin."""

from __future__ import annotations

import collections
import enum
import functools
import io
import json
import os
import random
import time
import types

import harness
import numpy as np
import pytest

import astrace
from astrace.check.sandbox.world import World

RATE = 2.0
WEIGHTS = np.array([1.0, 2.0, 4.0])
SETTINGS = {"eps": 0.5, "mode": "double"}
TOTALS = np.zeros(3)
LOG: list[float] = []
ASKED: list[int] = []


class Model:
    def __init__(self):
        self.w = 3.0


MODEL = Model()


def ask():
    ASKED.append(1)
    return len(ASKED)


def ask_plain(*_):
    return ask()


ASK = np.vectorize(ask_plain)


def reads(x):
    return x * RATE + WEIGHTS * SETTINGS["eps"] - MODEL.w


def decides(x):
    return x * 2 if SETTINGS["mode"] == "double" else x


def clock(x):
    return x + time.time()


def draws(x):
    noise = random.random() + np.random.rand()
    return x + noise


def array_drawn(x):
    noise = np.random.rand(3)
    noise += x
    return noise


def folded(x):
    return x * (RATE * 2 + 1)


def writes(x):
    TOTALS[0] += x
    LOG.append(TOTALS[0])
    return TOTALS.sum()


def seeded(x):
    np.random.seed(1)
    return x + np.random.rand()


def defaults(x, scale=3.0, *, shift=RATE):
    return x * scale + shift


def branch_then_clock(x):
    if x > 0:
        x = x + time.time()
    return x


def origins(graph):
    return {constant.origin.path: constant.value for constant in graph.frozen}


def test_what_was_read_stays(monkeypatch):
    x = np.ones(3)
    graph = astrace.trace(reads, x)
    before = reads(x)
    monkeypatch.setattr(f"{__name__}.RATE", 9.0)
    monkeypatch.setitem(SETTINGS, "eps", 9.0)
    monkeypatch.setattr(MODEL, "w", 9.0)
    monkeypatch.setattr(f"{__name__}.WEIGHTS", np.zeros(3))
    assert harness.same(graph(x), before) and not harness.same(reads(x), before)


def test_arrays_are_copied_when_they_are_frozen():
    weights = WEIGHTS.copy()
    graph = astrace.trace(lambda x: x * weights, np.ones(3))
    weights[:] = 0
    assert harness.same(graph(np.ones(3)), WEIGHTS)


@pytest.mark.parametrize(
    "turned", [np.asfortranarray, np.transpose, lambda w: w.reshape(20, 15, 40).transpose(2, 0, 1)]
)
def test_the_order_of_memory_of_a_frozen_array_is_kept(turned, tmp_path):
    """Sums over it are added up in that order, to the last bit."""
    weights = turned(np.random.default_rng(3).normal(size=(120, 100)))

    def sums(x):
        return (weights * x).sum(), weights.sum(), weights, np.exp(weights).sum(axis=0)

    graph = astrace.trace(sums, 1.0)
    graph.save(tmp_path / "sums.zip")
    for run in (graph, astrace.load(tmp_path / "sums.zip")):
        for found, expected in zip(run(1.7), sums(1.7), strict=True):
            assert np.array_equal(found, expected) and found.strides == expected.strides


def test_every_constant_keeps_where_it_came_from():
    graph = astrace.trace(reads, np.ones(3))
    found = origins(graph)
    assert set(found) == {"RATE", "WEIGHTS", "SETTINGS['eps']", "MODEL.w"}
    assert found["RATE"] == 2.0 and harness.same(found["WEIGHTS"], WEIGHTS)
    lines = {constant.origin.location.line for constant in graph.frozen}
    assert lines == {reads.__code__.co_firstlineno + 1}
    (guard,) = [one for one in astrace.trace(decides, np.ones(3)).guards if "mode" in str(one)]
    assert astrace.trace(decides, np.ones(3)).guarded_at[guard].line == decides.__code__.co_firstlineno + 1


def test_what_was_computed_from_constants_names_them():
    graph = astrace.trace(folded, np.ones(3))
    (constant,) = graph.constants
    assert (constant.value, constant.origin.kind, constant.origin.path) == (5.0, "folded", "RATE")
    assert origins(graph) == {"RATE": 2.0}


@pytest.mark.parametrize(
    ("function", "sources"),
    [
        (clock, ["time.time()"]),
        (draws, ["random.random(), np.random.rand()"]),
        (array_drawn, ["np.random.rand()"]),
        (lambda x: x + ASK(0), ["ASK()"]),
    ],
)
def test_calls_that_depend_on_nothing_are_made_once(function, sources):
    graph = astrace.trace(function, np.ones(3))
    asked = len(ASKED)
    assert sorted(origins(graph)) == sorted(sources)
    assert harness.same(graph(np.ones(3)), graph(np.ones(3)))
    assert len(ASKED) == asked


def test_a_frozen_graph_has_source():
    graph = astrace.trace(array_drawn, np.ones(3))
    assert "np.copy(" in graph.source() and graph.source().startswith("def array_drawn(x")


def test_what_the_function_changes_stays_outside():
    TOTALS[:], LOG[:] = 0, []
    graph = astrace.trace(writes, 1.0)
    assert not LOG and not TOTALS.any()
    assert [graph(1.0), graph(2.0)] == [1.0, 3.0] and LOG == [1.0, 3.0] and TOTALS[0] == 3.0


def test_a_call_after_a_change_of_the_world_is_left_to_the_run():
    graph = astrace.trace(seeded, 1.0)
    assert origins(graph) == {}
    assert graph(1.0) == graph(1.0) == seeded(1.0)


STACK = [1.0, 2.0]
OPTIONS = {"rate": 2.0}
QUEUE = collections.deque([1.0, 2.0])
STREAM = np.random.default_rng(1)


def sets_and_forgets(x):
    np.seterr(over="raise", divide="raise")
    return x * 2


def sets_and_looks(x):
    old = np.seterr(over="raise")
    return x * 2 if old["over"] == "raise" else x


def sets_and_puts_back(x):
    old = np.seterr(invalid="raise")
    y = x * 2
    np.seterr(**old)
    return y


def prints_shortly(x):
    np.set_printoptions(precision=2)
    return x * 2, str(np.float64(1) / 3)


def sets_buffer(x):
    return x * np.setbufsize(16384)


def sets_variable(x):
    return x * float(os.environ.setdefault("ASTRACE_TEST", "3"))


def draws_from_three(x):
    noise = np.random.rand() + STREAM.normal() + random.random()
    return x + noise


def pops(x):
    return x * STACK.pop()


def fills(x):
    return x * OPTIONS.setdefault("scale", 4.0)


def pops_left(x):
    return x * QUEUE.popleft() * len(QUEUE)


def sets_umask(x):
    return x * os.umask(0o27)


def surroundings():
    mask = os.umask(0)
    os.umask(mask)
    streams = random.getstate(), np.random.get_state()[2], str(STREAM.bit_generator.state)
    settings = np.geterr(), np.get_printoptions(), np.getbufsize(), dict(os.environ), mask
    return streams, settings, list(STACK), dict(OPTIONS), list(QUEUE)


@pytest.mark.parametrize(
    "function",
    [
        *(sets_and_forgets, sets_and_looks, sets_and_puts_back, prints_shortly, sets_buffer, sets_variable),
        *(pops, fills, pops_left, sets_umask),
    ],
)
def test_tracing_leaves_the_world_as_it_was_and_the_graph_changes_it(function, monkeypatch):
    monkeypatch.delenv("ASTRACE_TEST", raising=False)
    around = World([function])
    with around.sandbox(system=True):
        before = surroundings()
        graph = astrace.trace(function, np.ones(3))
        assert surroundings() == before
        with around.sandbox(system=True):
            expected = function(np.ones(3)), surroundings()
        found = graph(np.ones(3)), surroundings()
    assert harness.same(found, expected)


def test_tracing_leaves_random_streams_where_they_were():
    before = surroundings()
    graph = astrace.trace(draws_from_three, 2.0)
    assert surroundings() == before
    assert draws_from_three(2.0) == graph(2.0) == graph(2.0) != draws_from_three(2.0)


READER = io.StringIO()


def reads_in_order(x):
    first, second = READER.read(1), READER.read(1)
    return (x - float(second)) * float(first)


def takes_one_out(x):
    table = json.loads('{"k": 3.0, "a": 1, "b": 2}')
    k = table.pop("k")
    return x * len(table) * k


@pytest.mark.parametrize("function", [reads_in_order, takes_one_out])
def test_calls_are_made_in_the_order_of_the_program(function):
    READER.truncate(0), READER.seek(0), READER.write("34"), READER.seek(0)
    graph = astrace.trace(function, 10.0)
    READER.seek(0)
    assert graph(10.0) == function(10.0)


def test_a_call_that_may_not_be_reached_is_left_to_the_run():
    graph = astrace.trace(branch_then_clock, 1.0)
    assert origins(graph) == {}
    assert graph(1.0) > 1e6 and graph(-1.0) == -1.0


def test_defaults_are_arguments():
    graph = astrace.trace(defaults, np.ones(2))
    assert harness.same(graph(np.ones(2)), np.full(2, 5.0))
    assert harness.same(graph(np.ones(2), 4.0, shift=1.0), np.full(2, 5.0))
    assert harness.same(graph(np.ones(2), scale=1.0), np.full(2, 3.0))
    with pytest.raises(TypeError):
        graph(1, 2, 3, 4, 5)


def test_what_is_not_captured_is_not_traced():
    with pytest.raises(astrace.NotCaptured, match="AT1"):
        astrace.trace(len, [1])


def test_a_frozen_graph_prints_what_it_holds():
    text = str(astrace.trace(reads, np.ones(3)))
    line = reads.__code__.co_firstlineno + 1
    assert f"frozen: RATE = 2.0  #@{line}" in text and "frozen: WEIGHTS = float64[3]" in text
    assert "taken for granted: x: float64[n]" in text


@pytest.mark.parametrize("name", sorted(harness.COMMON[::2]))
def test_the_corpus_frozen(name):
    """In the world that it was frozen in, a graph does what the function does."""
    plain, traced = harness.load_program(name), harness.load_program(name)
    if getattr(plain, "PLAIN", None) or getattr(plain, "VARIES", False):
        return
    harness.prepare(plain, 0), harness.prepare(traced, 0)
    graph = astrace.trace(traced.f, *harness.fresh_arguments(traced.CALLS[0]))
    expected = harness.observe(plain.f, harness.fresh_arguments(plain.CALLS[0]))
    assert (
        harness.differences(expected, harness.observe(graph, harness.fresh_arguments(traced.CALLS[0]))) == []
    )


class Scaled:
    factor = 2.0

    def __init__(self, base):
        self.base = base
        self.calls = 0

    def plain(self, x, k=1):
        return x * self.factor + self.base * k

    def counted(self, x):
        self.calls = 7
        return x * self.base

    @classmethod
    def of_class(cls, x):
        return x * cls.factor

    def __call__(self, x):
        return self.plain(x, 3)


def shifted(x, by=2.0, flip=False):
    return -x * by if flip else x * by


@pytest.mark.parametrize(
    "make",
    [
        lambda: Scaled(4.0).plain,
        lambda: Scaled(np.arange(3.0)).plain,
        lambda: Scaled(4.0).counted,
        lambda: Scaled.of_class,
        lambda: Scaled(4.0),
        lambda: functools.partial(shifted, by=3.0),
        lambda: functools.partial(shifted, flip=True),
        lambda: functools.partial(Scaled(4.0).plain, k=5),
        lambda: functools.partial(shifted, np.ones(3)),
    ],
)
def test_what_a_callable_is_bound_to_is_in_the_graph(make):
    called = make()
    graph = astrace.trace(called, np.ones(3))
    assert np.array_equal(graph(np.arange(3.0)), called(np.arange(3.0)))
    with pytest.raises(TypeError):
        graph(1, 2, 3, 4, 5)


def test_keywords_of_a_partial_can_be_given_anew():
    graph = astrace.trace(functools.partial(shifted, by=3.0), np.ones(3))
    assert graph(np.ones(3), by=5.0).tolist() == [5.0, 5.0, 5.0] and graph(np.ones(3)).tolist() == [
        3.0,
        3.0,
        3.0,
    ]


def test_what_a_method_reads_of_its_object_stays():
    model = Scaled(4.0)
    graph = astrace.trace(model.plain, np.ones(3))
    before = graph(np.ones(3))
    model.base, model.factor = 9.0, 9.0
    assert np.array_equal(graph(np.ones(3)), before)


# -- calls that a graph was not made for ---------------------------------------------------------------------


class Mode(enum.Enum):
    SLOW, FAST = 1, 2


class Moved(Scaled):
    factor = 3.0


def of_many(
    x, flag=True, *more, mode=Mode.SLOW, name="a", bias=None, sizes=(2,), table=None, model=None, **named
):
    if flag:
        x = x * 2
    if mode is Mode.FAST:
        x = x + 1
    if name == "b" or named:
        x = x - 1
    if bias is not None:
        x = x + bias
    for one in more:
        x = x * one
    for value in (table or {}).values():
        x = x * value
    return (x if model is None else model.plain(x)), np.zeros(sizes), np.zeros(len(sizes))


X = np.ones(3)
ALIKE = (
    ((np.arange(5.0),), {}),
    ((X, True), {}),
    ((X,), {"flag": True, "name": "a", "mode": Mode.SLOW}),
    ((X,), {"sizes": (3,)}),
)
OTHERS = [
    ((X, False), {}, "flag"),
    ((X, 1), {}, "flag"),
    ((X, True, 2.0), {}, "more"),
    ((X,), {"mode": Mode.FAST}, "mode"),
    ((X,), {"name": "b"}, "name"),
    ((X,), {"name": b"a"}, "name"),
    ((X,), {"bias": X}, "bias"),
    ((X,), {"bias": 0}, "bias"),
    ((X,), {"sizes": (3.0,)}, "sizes"),
    ((X,), {"sizes": (2, 2)}, "sizes"),
    ((X,), {"sizes": [2]}, "sizes"),
    ((X,), {"table": {"a": 1.0}}, "table"),
    ((X,), {"model": Scaled(1.0)}, "model"),
    ((X,), {"other": 1}, "named"),
    ((np.ones((2, 2)),), {}, "x"),
    ((np.ones(3, np.float32),), {}, "x"),
    ((np.ones(3, np.int64),), {}, "x"),
    ((np.ma.array([1.0]),), {}, "x"),
    (([1.0],), {}, "x"),
    ((1.0,), {}, "x"),
    ((None,), {}, "x"),
]


@pytest.mark.parametrize(("args", "kwargs"), ALIKE)
def test_a_call_like_the_captured_one_is_that(args, kwargs):
    graph = astrace.trace(of_many, X)
    assert harness.same(graph(*args, **kwargs), of_many(*args, **kwargs))


@pytest.mark.parametrize(("args", "kwargs", "parameter"), OTHERS)
def test_a_call_that_the_graph_was_not_made_for_says_so(args, kwargs, parameter):
    graph = astrace.trace(of_many, X)
    with pytest.raises(astrace.SignatureMismatch) as raised:
        graph(*args, **kwargs)
    error = raised.value
    assert error.parameters == (parameter,) and isinstance(error, TypeError)
    assert f"`{parameter}" in str(error) and "expected" in str(error) and "given" in str(error)
    assert error.location.file == __file__ and "hint: " in str(error)
    assert error.__context__ is None or error.__suppress_context__


@pytest.mark.parametrize(("args", "kwargs"), [((), {}), ((X,), {"x": X}), ((), {"name": "a"})])
def test_a_call_that_does_not_fit_the_signature_says_so(args, kwargs):
    with pytest.raises(astrace.SignatureMismatch, match="'x'"):
        astrace.trace(of_many, X)(*args, **kwargs)


def test_a_type_error_of_the_function_is_its_own():
    graph = astrace.trace(lambda x, key: {"a": x}[key] + x, X, "a")
    with pytest.raises(TypeError) as raised:
        astrace.trace(lambda values: sum(values), [1.0, "a"])([1.0, "a"])
    assert type(raised.value) is TypeError
    assert harness.same(graph(X, "a"), X * 2)


@pytest.mark.parametrize("model", [Moved(2.0), types.SimpleNamespace(base=2.0)])
def test_an_object_of_another_class_is_refused(model):
    graph = astrace.trace(lambda x, one: x * one.base, X, Scaled(2.0))
    assert harness.same(graph(X, Scaled(3.0)), X * 3)
    with pytest.raises(astrace.SignatureMismatch, match="the type of `one`: expected .*Scaled, given"):
        graph(X, model)


def fills_two(a, b):
    a.base, b.base = 1.0, 2.0
    return a.base + b.base


def test_which_arguments_are_one_object_is_checked():
    one, other = Scaled(1.0), Scaled(2.0)
    apart, together = astrace.trace(fills_two, one, other), astrace.trace(fills_two, one, one)
    assert apart(other, one) == 3.0 and together(other, other) == 4.0
    for graph, given in ((apart, (one, one)), (together, (one, other))):
        with pytest.raises(astrace.SignatureMismatch, match="(`b` and `a`|`a` and `b`): expected"):
            graph(*given)


def test_a_fixed_integer_is_checked():
    graph = astrace.trace(lambda x, n: x.reshape(n, -1) if n > 1 else [x] * n, np.ones(6), 2)
    assert graph(np.ones(6), 2).shape == (2, 3)
    with pytest.raises(astrace.SignatureMismatch, match="`n`"):
        astrace.trace(lambda x, n: [x, 2.0 * x, x][n], 1.0, 0)(1.0, "0")


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ((1, 2), (7, 8)),
        (((1, 2), (3, 4)), ((7, 8), (9, -1))),
        ({"a": (1, 2)}, {"a": (5, 6)}),
        ([(1, 2), (3, 4)], [(0, 1), (2, 3)]),
        ((1, 2.5), (7, -0.0)),
    ],
)
def test_the_numbers_of_a_tuple_are_data(first, other):
    """Unless something is decided by them, as by any other integers."""

    def flat(held):
        if isinstance(held, dict):
            return flat(held["a"])
        return [part for one in held for part in (flat(one) if isinstance(one, tuple) else [one * 2])]

    graph = astrace.trace(flat, first)
    assert (graph(first), graph(other)) == (flat(first), flat(other))


@pytest.mark.parametrize(
    ("first", "other", "told"),
    [
        (np.ones(3), np.ma.ones(3), "expected float64[n], given MaskedArray of float64[3]"),
        ((1, 2), (1,), "the length of `x`: expected 2, given 1"),
        ([1, 2], [], "the length of `x`: expected 2, given 0"),
        (((1, 2), (3,)), ((1, 2), ()), "the length of `x[1]`: expected 1, given 0"),
    ],
)
def test_the_message_tells_what_is_different(first, other, told):
    def doubled(x):
        return [value * 2 for value in x] if isinstance(x, list | tuple) else x * 2

    with pytest.raises(astrace.SignatureMismatch) as raised:
        astrace.trace(doubled, first)(other)
    lines = raised.value.message.splitlines()
    assert len(lines) == 2 and told in lines[1]


def test_what_a_method_is_bound_to_is_not_asked_for():
    model = Scaled(4.0)
    graph = astrace.trace(model.plain, X)
    model.base = "not a number"
    assert harness.same(graph(X), X * 2 + 4)


def changes_items(x):
    for layer in LAYERS:
        layer[0] += x
    return LAYERS[1][0]


LAYERS = [np.full(2, float(number)) for number in range(40)]


def test_an_array_that_is_changed_through_what_holds_it_is_that_array():
    assert astrace.trace(changes_items, 1.0)(1.0) == 2.0 == LAYERS[1][0]


class Holds:
    def __init__(self, held):
        self.held = held

    def total(self):
        return self.held.sum()


def writers():
    """Functions that write to an array, and read its memory under another name."""
    array, others = np.zeros(4), {}
    others["same"], whole, part = array, Holds(array), Holds(array[1:])

    def by_item(index, value):
        array[index] = value
        return others["same"] * 2

    def by_attribute(index, value):
        array[index] = value
        return whole.total()

    def by_view(index, value):
        array[index] = value
        return part.total(), part.held

    def through_view(index, value):
        part.held[index] = value
        return array + 1

    return by_item, by_attribute, by_view, through_view


@pytest.mark.parametrize("number", range(4))
def test_memory_that_is_written_under_another_name_is_not_frozen(number):
    plain, graph = writers()[number], astrace.trace(writers()[number], 0, 1.0)
    for index, value in ((1, 2.0), (2, 3.0)):
        assert harness.same(graph(index, value), plain(index, value))


def test_memory_beside_what_is_written_is_frozen():
    table = np.zeros((3, 2))
    left, right = table[:, 0], table[:, 1]

    def write(value):
        left[0] = value
        return right + value

    assert astrace.trace(write, 1.0).frozen
