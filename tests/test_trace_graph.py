"""`astrace.trace_graph` and `trace`: what they give, and that it is right on calls other than the captured one."""

from __future__ import annotations

import copy
import inspect
import logging
import pickle
import random
import time
from typing import Any

import harness
import numpy as np
import pytest
from seed_cases import CASES, DOWN, LONG, UP, Case, Scaler

import astrace
from astrace.tracing.context import CURRENT

LOG = logging.getLogger(__name__)
RNG = np.random.default_rng(1)
ALL = [*CASES["compared"], *CASES["ported"]]


def name_of(case: Case) -> str:
    return getattr(case.function, "__name__", type(case.function).__name__)


def same_calls(plain: Any, graph: Any, calls: Any) -> None:
    """Both do the same, call after call, twice over."""
    for given in [*calls, *calls]:
        expected = harness.observe(plain, harness.fresh_arguments(given))
        found = harness.observe(graph, harness.fresh_arguments(given))
        assert harness.differences(expected, found) == []


# -- the cases that tracers are compared on --------------------------------------------------------------------


@pytest.mark.parametrize("case", ALL, ids=name_of)
def test_eager(case: Case) -> None:
    """Captured for one call, right for all; capturing changes no argument."""
    given = harness.fresh_arguments(case.captured)
    graph = astrace.trace_graph(case.function, args=given)
    assert harness.same(given, case.captured)
    same_calls(case.function, graph, [case.captured, *case.calls])


@pytest.mark.parametrize("case", ALL, ids=name_of)
def test_lazy(case: Case) -> None:
    """Captured at the first call."""
    graph = astrace.trace_graph(case.function)
    same_calls(case.function, graph, [case.captured, *case.calls])
    assert graph.stats.traces >= 1


def test_a_global_array_that_changes_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(x: Any) -> Any:
        return x * TABLE

    graph = astrace.trace_graph(scaled, args=(np.ones(2),))
    assert (graph(np.ones(2)) == TABLE).all()
    monkeypatch.setitem(globals(), "TABLE", TABLE * 5)
    assert (graph(np.ones(2)) == TABLE).all()


TABLE = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    "draw",
    [np.random.rand, RNG.normal, random.random, time.perf_counter, lambda: np.random.randint(0, 1 << 60)],
    ids=["np.random", "Generator", "random", "time", "randint"],
)
def test_what_is_drawn_or_told_is_a_node(draw: Any) -> None:
    def noisy(x: Any) -> Any:
        return x + draw()

    graph = astrace.trace_graph(noisy, args=(UP,))
    assert (graph(UP) != graph(UP)).any()


def test_a_result_that_no_argument_decides_is_noted() -> None:
    def constant(x: Any) -> Any:
        return np.arange(3) * 2

    def scaled(x: Any) -> Any:
        return np.arange(3) * x

    codes = [{note.code for note in astrace.trace_graph(one, args=(UP,)).notes} for one in (constant, scaled)]
    assert "AT020" in codes[0] and "AT020" not in codes[1]


def test_a_callable_object_leaves_the_next_capture_alone() -> None:
    scaler = astrace.trace_graph(Scaler(3.0), args=(UP,))
    assert isinstance(scaler, Scaler)
    same_calls(Scaler(3.0), scaler, [(UP,), (DOWN,)])
    same_calls(np.exp, astrace.trace_graph(lambda x: np.exp(x), args=(UP,)), [(LONG,)])


# -- what reaches the graph ---------------------------------------------------------------------------------


def documented(x: Any, y: Any) -> Any:
    """The example of the document: unused values, a print, and more that only tells."""
    z = x**y
    print(z)
    LOG.info("z is %s", z)
    time.sleep(0.0)
    if LOG.isEnabledFor(logging.DEBUG):
        LOG.debug("%s", z.sum())
    k = x * y  # noqa: F841
    j = np.concatenate([x, z, y])
    s = np.sum(j)  # noqa: F841
    return z


def ops(graph: Any) -> list[str]:
    return [node.op for node in graph.block.nodes]


def test_unused_code_is_left_out_and_effects_stay() -> None:
    x, y = np.array([1, 2, 3]), np.array([2, 3, 4])
    kept = astrace.trace_graph(documented, args=(x, y))
    assert not {"mul", "np.concatenate", "np.sum"} & set(ops(kept)) and "call" in ops(kept)
    dropped = astrace.trace_graph(documented, args=(x, y), effects="drop")
    assert ops(dropped) == ["pow"]
    a, b = np.array([[1.0, 2.0]]), np.array([[2.0, 3.0]])
    assert (dropped(a, b) == a**b).all() and dropped(a, b).dtype == float


def test_dropping_keeps_what_the_program_raises_and_writes() -> None:
    def checked(x: Any, target: Any) -> Any:
        assert x.sum() > 0, "negative"
        print("ok")
        target[0] = x[0]
        x[7]
        return x

    graph = astrace.trace_graph(checked, args=(UP, np.zeros(1)), effects="drop")
    target = np.zeros(1)
    assert graph(UP, target) is UP and target[0] == 1.0
    with pytest.raises(AssertionError, match="negative"):
        graph(DOWN, target)


def cached(x: Any) -> Any:
    """A constant subgraph that is only read, and one that is written."""
    a, b = np.array([2.0]), np.array([2.0])
    sums = np.zeros(3)
    sums += x
    return x ** (a + b), sums


@pytest.mark.parametrize("caching", [True, False])
def test_array_caching(caching: bool) -> None:
    graph = astrace.trace_graph(cached, args=(UP,), array_caching=caching)
    assert ("add" in ops(graph)) is not caching
    assert "np.zeros" in ops(graph)  # it is written
    same_calls(cached, graph, [(UP,), (DOWN,)])
    origins = {constant.origin.kind for constant in graph.constants}
    assert ("cached" in origins) is caching


def test_a_cached_array_that_is_handed_out_is_made_anew() -> None:
    def given(x: Any) -> Any:
        return np.arange(3.0) + np.ones(3)

    graph = astrace.trace_graph(given, args=(UP,))
    graph(UP)[:] = 7
    assert (graph(UP) == np.arange(3.0) + 1).all()


def drawn(x: Any) -> Any:
    """Draws of all kinds, in an order that counts."""
    own = np.random.default_rng(3)
    a = np.random.randint(0, 100, size=[1])
    for _ in range(2):
        x = x + RNG.normal()
    made = np.arange(3.0)
    made += 1
    return x * a + RNG.random(3) + own.random() + random.random() + made


def test_generators_as_nodes() -> None:
    graph = astrace.trace_graph(drawn, args=(UP,), include_generators=True)
    assert (graph(UP) != graph(UP)).all()


def test_generators_baked_in() -> None:
    """Draws are those that would have come next; the generators themselves stay where they are."""
    before = RNG.bit_generator.state, np.random.get_state(), random.getstate()
    graph = astrace.trace_graph(drawn, args=(UP,), include_generators=False)
    after = RNG.bit_generator.state, np.random.get_state(), random.getstate()
    assert repr(before) == repr(after)
    assert (graph(UP) == graph(UP)).all()
    assert {note.code for note in graph.notes} >= {"AT021"}
    frozen = [one.origin.path for one in graph.constants if one.origin.kind == "frozen"]
    assert {"RNG.normal()", "Random.random()", "np.arange()"} <= set(frozen)
    assert [node.op for node in graph.block.nodes if node.op.startswith("call")] == []


def test_a_draw_that_depends_on_the_arguments_can_not_be_baked_in() -> None:
    def sized(x: Any) -> Any:
        return x + np.random.rand(*x.shape)

    with pytest.raises(astrace.InvalidArgument, match=r"include_generators=False.*\n.*test_trace_graph.py:"):
        astrace.trace_graph(sized, args=(UP,), include_generators=False)
    assert astrace.trace_graph(sized, args=(UP,))(LONG).shape == LONG.shape


# -- state -------------------------------------------------------------------------------------------------


class Container:
    """An object with attributes."""

    def __init__(self, x: Any = 0) -> None:
        self.x = x


STATE = Container(0)


def counts(x: Any) -> Any:
    STATE.x += 1
    return x + STATE.x


def sets(cont: Any, x: Any) -> Any:
    cont.new_attribute = x
    return x + cont.x


def test_stateful_object() -> None:
    """Three calls count one, two, three; capturing counts nothing."""
    STATE.x = 0
    graph = astrace.trace_graph(counts, stateful=[STATE], args=(UP,))
    assert STATE.x == 0
    assert [float(graph(UP)[0]) for _ in range(3)] == [2.0, 3.0, 4.0]
    assert graph.state.reads == ("STATE.x",) and graph.state.writes == ("STATE.x",)
    assert "state in: STATE.x" in str(graph)


def test_stateful_arguments() -> None:
    cont = Container(1)
    graph = astrace.trace_graph(sets, arg_stateful_idxs=[[0]], args=(cont, UP))
    assert vars(cont) == {"x": 1}
    assert (graph(cont, UP) == UP + 1).all() and cont.new_attribute is UP
    assert graph.state.reads == ("cont.x",) and graph.state.writes == ("cont.new_attribute",)


def test_resizing_in_place_is_refused() -> None:
    """Other names may refer to the array; the lazy graph leaves it to plain Python."""

    def resized(x: Any, size: int) -> Any:
        y = x.copy()
        y.resize(size, refcheck=False)
        return y

    with pytest.raises(astrace.NotCaptured, match="AT210"):
        astrace.trace_graph(resized, args=(UP, 5))
    same_calls(resized, astrace.trace_graph(resized), [(UP, 5), (LONG, 2)])


def test_a_stateful_argument_counts() -> None:
    def count(cont: Any, x: Any) -> Any:
        cont.x += 1
        return x * 0 + cont.x

    cont = Container(0)
    graph = astrace.trace_graph(count, arg_stateful_idxs=[[0]], args=(cont, UP))
    assert cont.x == 0
    assert graph(cont, UP)[0] == 1.0 and cont.x == 1


@pytest.mark.parametrize("caching", [True, False])
@pytest.mark.parametrize("name", ["detached_divide", "constants_written", "views_and_in_place"])
def test_constant_parts_with_and_without_array_caching(name: str, caching: bool) -> None:
    case = next(case for case in ALL if name_of(case) == name)
    graph = astrace.trace_graph(case.function, args=case.captured, array_caching=caching)
    same_calls(case.function, graph, [case.captured, *case.calls])


def test_stateful_keywords_and_nested_objects() -> None:
    def nested(table: Any, *, cont: Any) -> Any:
        table["inner"].x = cont.x

    inner = Container(1)
    call = {"args": ({"inner": inner},), "kwargs": {"cont": Container(5)}}
    graph = astrace.trace_graph(
        nested, arg_stateful_idxs=[[0, "inner"]], kwarg_stateful_idxs=[["cont"]], **call
    )
    assert inner.x == 1 and graph.state.writes == ("table['inner'].x",) and graph.state.reads == ("cont.x",)
    graph({"inner": inner}, cont=Container(7))
    assert inner.x == 7


class Cell:
    """An object that counts."""

    def __init__(self) -> None:
        self.count = 0


DEFAULT = Cell()


def step(x: Any, cell: Any = DEFAULT, *cells: Any, other: Any = None, **more: Any) -> Any:
    """Each object that it is given counts."""
    for one in (cell, *cells, other, *more.values()):
        if one is not None:
            one.count += 1
    return x + cell.count


PLACES: dict[str, Any] = {
    "position": ({"arg_stateful_idxs": [[1]]}, (UP, Cell()), {}, "cell.count"),
    "name": ({"kwarg_stateful_idxs": [["cell"]]}, (UP,), {"cell": Cell()}, "cell.count"),
    "name, by position": ({"kwarg_stateful_idxs": [["cell"]]}, (UP, Cell()), {}, "cell.count"),
    "position, by name": ({"arg_stateful_idxs": [[-1]]}, (UP,), {"cell": Cell()}, "cell.count"),
    "default": ({"arg_stateful_idxs": [[1]]}, (UP,), {}, "step.__defaults__[-1].count"),
    "left out": ({"kwarg_stateful_idxs": [["other"]]}, (UP,), {}, None),
    "keyword": ({"kwarg_stateful_idxs": [["other"]]}, (UP,), {"other": Cell()}, "other.count"),
    "more arguments": ({"arg_stateful_idxs": [[2], [3]]}, (UP, Cell(), Cell(), Cell()), {}, "cells[1].count"),
    "named arguments": (
        {"kwarg_stateful_idxs": [["extra"]]},
        (UP,),
        {"extra": Cell()},
        "more['extra'].count",
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_where_stateful_objects_are(name: str) -> None:
    """Wherever Python lets a caller put them, given or left to a default."""
    options, args, kwargs, path = PLACES[name]
    for eager in (True, False):
        DEFAULT.count = 0
        graph = astrace.trace_graph(step, **options, **({"args": args, "kwargs": kwargs} if eager else {}))
        lazy = graph.compiled if eager else graph
        counts = [float((graph(*args, **kwargs) - UP)[0]) for _ in range(2)]
        assert counts[1] == counts[0] + 1
        state = lazy.graph.state
        assert (path is None or path in state.reads) and state.writes[-1:] == ((path,) if path else ())
        assert graph(UP)[0] and graph(UP, Cell(), Cell(), Cell(), other=Cell(), extra=Cell())[0]


# -- options that are wrong ------------------------------------------------------------------------------------

WRONG = {
    "to": ({"to": "tensorflow"}, "to='tensorflow'; accepted are 'numpy', 'jax', None"),
    "native": (
        {"return_backend_traced_fn": True, "to": "numpy"},
        "return_backend_traced_fn=True; accepted is False",
    ),
    "effects": ({"effects": "some"}, "effects='some'; accepted are 'keep', 'drop'"),
    "argnum": ({"static_argnums": 5}, "static_argnums=5; accepted are 0, 1"),
    "argname": ({"static_argnames": "z"}, "static_argnames='z'; accepted are 'x', 'y'"),
    "index": ({"arg_stateful_idxs": [[7]]}, r"arg_stateful_idxs=\[\[7\]\] leads to no object"),
    "no object": ({"arg_stateful_idxs": [[0]]}, "`x` is a ndarray, which has no attributes"),
    "keyword": ({"kwarg_stateful_idxs": [["z"]]}, r"kwarg_stateful_idxs=\[\['z'\]\] leads to no object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options(name: str) -> None:
    """Wrong values are refused with those that are accepted, eagerly and lazily."""
    options, message = WRONG[name]
    with pytest.raises(astrace.InvalidArgument, match=message):
        astrace.trace_graph(documented, args=(UP, UP), **options)
    with pytest.raises(astrace.InvalidArgument, match=message):
        astrace.trace_graph(documented, **options)(UP, UP)


def test_a_wrong_option_is_located() -> None:
    with pytest.raises(astrace.InvalidArgument, match="test_trace_graph.py:"):
        astrace.trace_graph(documented, to="tensorflow")


def test_a_function_that_fails_leaves_nothing_behind() -> None:
    add = np.add

    def fails(x: Any) -> Any:
        return undefined_function(x)  # noqa: F821

    with pytest.raises(astrace.NotCaptured, match="undefined_function"):
        astrace.trace_graph(fails, args=(UP,))
    assert np.add is add and CURRENT.get() is None
    with pytest.raises(NameError):
        astrace.trace_graph(fails)(UP)


# -- the objects that are given ----------------------------------------------------------------------------------


def halved(x: Any, times: int = 1, *rest: float, scale: float = 2.0, **more: float) -> Any:
    """Half of it."""
    for _ in range(times):
        x = x / scale
    return x + sum(rest) + sum(more.values())


def test_graph_keeps_the_calling_convention() -> None:
    graph = astrace.trace_graph(halved, args=(UP,))
    lazy = astrace.trace_graph(halved)
    for one in (graph, lazy):
        assert isinstance(one, astrace.LazyGraph) is (one is lazy)
        for args, kwargs in [
            ((UP,), {}),
            ((UP, 3), {}),
            ((), {"x": UP, "times": 2}),
            ((UP, 2, 1.0, 2.0), {"scale": 3.0, "extra": 1.0}),
            ((LONG.astype("float32"),), {"scale": 10.0}),
        ]:
            assert harness.same(one(*args, **kwargs), halved(*args, **kwargs))
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
            one()
        assert inspect.signature(one) == inspect.signature(halved)
        assert inspect.getsource(one) == inspect.getsource(halved)


def test_graph_shows_itself() -> None:
    graph = astrace.trace_graph(documented, args=(np.arange(3), np.arange(3)))
    assert isinstance(graph, astrace.Graph) and graph.name == "documented"
    assert str(graph).startswith("documented(x: int64[n], y: int64[m]") and "pow" in str(graph.block)
    assert graph.source("numpy").startswith("def documented(x, y")
    with pytest.raises(astrace.InvalidArgument, match="backend 'c'; accepted are numpy, jax"):
        graph.source("c")
    assert "captured whole" in graph.explain()


def test_graphs_are_copied_and_pickled_as_functions_are() -> None:
    """A copy is the graph itself; a pickled one captures anew where it is loaded; a frozen one says what to do."""
    graph, lazy = astrace.trace_graph(halved, args=(UP,)), astrace.trace_graph(halved)
    frozen = astrace.trace(halved, UP)
    for one in (graph, lazy, frozen):
        assert copy.copy(one) is one and copy.deepcopy([one])[0] is one
    assert repr(graph).startswith("<GuardedGraph of halved(x, times=1") and repr(frozen).startswith(
        "<PortableGraph of halved("
    )
    for one in (graph, lazy):
        assert harness.same(pickle.loads(pickle.dumps(one))(UP, 2), halved(UP, 2))
    with pytest.raises(TypeError, match="<PortableGraph of halved.* can't be pickled: pickle the function"):
        pickle.dumps(frozen)


def test_a_graph_is_checked_with_its_guards() -> None:
    """It captures anew where they fail, so nothing in it goes stale; in a frozen one it does."""

    def scaled(x: Any) -> Any:
        return x * TABLE if len(x) > 1 else x

    x = np.ones(2)
    live = astrace.check(astrace.trace_graph(scaled, args=(x,)), x)
    frozen = astrace.check(astrace.trace(scaled, x), x, original=scaled)
    assert live.ok and not live.of_grade("warning") and frozen.of_grade("warning")


def test_lazy_graph() -> None:
    """Nothing is captured before the first call."""
    lazy = astrace.trace_graph(halved)
    assert not lazy._initialized and repr(lazy) == "<LazyGraph of halved (not initialized)>"
    with pytest.raises(ValueError, match="has not been called yet"):
        lazy.source()
    assert harness.same(lazy(UP), halved(UP))
    assert lazy._initialized and "(initialized)" in repr(lazy)
    assert lazy.graph.source() == lazy.source()
    assert harness.same(pickle.loads(pickle.dumps(lazy))(UP), halved(UP))


def test_decorator_and_several_objects() -> None:
    @astrace.trace_graph
    def doubled(x: Any) -> Any:
        return x * 2

    @astrace.trace_graph(effects="drop")
    def told(x: Any) -> Any:
        print(x)
        return x

    assert isinstance(doubled, astrace.LazyGraph) and (doubled(UP) == UP * 2).all()
    assert told(UP) is UP
    pair = astrace.trace_graph(halved, documented)
    assert type(pair) is tuple and all(isinstance(one, astrace.LazyGraph) for one in pair)
    first, second = astrace.trace_graph(lambda x: x + 1, lambda x: x - 1, args=(UP,))
    assert isinstance(first, astrace.Graph) and (first(UP) - second(UP) == 2).all()


def test_static_parameters() -> None:
    by_name = astrace.trace_graph(halved, static_argnames="times", args=(UP, 3))
    by_number = astrace.trace_graph(halved, static_argnums=1, args=(UP, 3))
    for graph in (by_name, by_number):
        assert "for_loop" in ops(graph) or ops(graph).count("truediv") == 3
        assert harness.same(graph(UP, 2), halved(UP, 2))


@pytest.mark.parametrize("dtype", "b h i l B H I L e f d F D".split())
def test_numpy_scalars_keep_their_types(dtype: str) -> None:
    def magnitude(x: Any) -> Any:
        return np.abs(x) - x

    scalar = np.dtype(dtype).type(3)
    found = astrace.trace_graph(magnitude, args=(scalar,))(scalar)
    assert harness.same(found, magnitude(scalar))


class Foreign:
    """An array of another library."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __array_namespace__(self) -> Any:
        return np

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.data, dtype)


def test_to_numpy_takes_the_arrays_of_other_libraries() -> None:
    graph = astrace.trace_graph(lambda x: x.sum() + 1, args=(UP,), to="numpy")
    assert graph(Foreign([1.0, 2.0])) == 4.0


def test_containers_of_arrays_of_other_libraries() -> None:
    """A call's changes reach the argument; an object that needs no conversion stays the same object."""

    def grows(values: Any, table: Any) -> Any:
        values.append(values[0] * 2)
        table["n"] = len(values)
        return values, table["x"]

    graph = astrace.trace_graph(grows, to="numpy")
    one, plain = Foreign([1.0]), {"x": 1}
    values, table = [one], {"x": one}
    found, x = graph(values, table)
    assert [type(one) for one in found] == [np.ndarray] * 2 and values[0] is one and (values[1] == 2).all()
    assert table == {"x": one, "n": 2} and (x == 1).all()
    assert graph(kept := [UP], plain)[0] is kept and len(kept) == 2 and plain["n"] == 2
