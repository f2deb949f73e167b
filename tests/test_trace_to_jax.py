"""`trace_graph(to="jax")`: graphs that run on JAX's arrays, whatever they were captured with or are written for."""

from __future__ import annotations

import pickle
from typing import Any

import closeness
import harness
import numpy as np
import pytest
from seed_cases import CASES, LONG, UP, Case

import astrace

jax = pytest.importorskip("jax")
jnp = jax.numpy
RNG = np.random.default_rng(1)


def name_of(case: Case) -> str:
    return getattr(case.function, "__name__", type(case.function).__name__)


def mapped(convert: Any, tree: Any) -> Any:
    """A tree of containers with its leaves converted."""
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)._make(mapped(convert, one) for one in tree)
    if isinstance(tree, tuple | list):
        return type(tree)(mapped(convert, one) for one in tree)
    if isinstance(tree, dict):
        return type(tree)({key: mapped(convert, one) for key, one in tree.items()})
    return convert(tree)


def to_jax(value: Any) -> Any:
    with jax.enable_x64(True):
        return jnp.array(value) if isinstance(value, np.ndarray | np.generic) else value


def as_array(value: Any) -> Any:
    """An array of NumPy's of anything that comes out of JAX as an array."""
    return np.array(value) if isinstance(value, jax.Array | np.generic | np.ndarray | float) else value


@pytest.mark.parametrize("case", CASES["compared"], ids=name_of)
def test_cases_on_arrays_of_jax(case: Case) -> None:
    """Captured with NumPy's arrays, called with both libraries': NumPy's dtypes and values, JAX's arrays."""
    graph = astrace.trace_graph(case.function, to="jax", args=harness.fresh_arguments(case.captured))
    for given in [case.captured, *case.calls]:
        try:
            expected = mapped(as_array, case.function(*harness.fresh_arguments(given)))
        except AssertionError as error:
            with pytest.raises(AssertionError, match=str(error)):
                graph(*mapped(to_jax, given))
            continue
        for found in (graph(*harness.fresh_arguments(given)), graph(*mapped(to_jax, given))):
            mapped(lambda leaf: pytest.fail(f"{leaf!r}") if isinstance(leaf, np.ndarray) else leaf, found)
            assert closeness.close(expected, mapped(as_array, found))


@pytest.mark.parametrize("captured", [np.array([1.0, 2.0]), "jax"], ids=["numpy", "jax"])
@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_one_graph_on_both_libraries(captured: Any, to: str) -> None:
    """A function of NumPy and one of JAX, captured with either's arrays."""
    kind = np.ndarray if to == "numpy" else jax.Array
    example = jnp.array([1.0, 2.0]) if isinstance(captured, str) else captured
    for function in (lambda x: np.sin(x) + x.sum(), lambda x: jnp.sin(x) + x.sum()):
        graph = astrace.trace_graph(function, to=to, args=(example,))
        for given in (LONG, jnp.array(LONG)):
            found = graph(given)
            assert isinstance(found, kind)
            assert np.allclose(np.asarray(found), np.sin(LONG) + LONG.sum(), rtol=1e-6)


def test_functions_of_jax_follow_its_rules_and_those_of_numpy_numpy_s() -> None:
    x = jnp.arange(3)
    assert astrace.trace_graph(lambda x: jnp.sin(x) / 2, to="jax")(x).dtype == np.float32
    assert astrace.trace_graph(lambda x: np.sin(x) / 2, to="jax")(x).dtype == np.float64


def items(x: Any) -> Any:
    x[1] = x[2]
    return x


def test_writes_into_items() -> None:
    """JAX's arrays stay what they are; NumPy's are changed, as the function changes them."""
    graph = astrace.trace_graph(items, to="jax", args=(np.array([1, 2, 3]),))
    given, array = jnp.array([10, 20, 30]), np.array([10, 20, 30])
    assert graph(given).tolist() == [10, 30, 30] and given.tolist() == [10, 20, 30]
    assert graph(array).tolist() == [10, 30, 30] and array.tolist() == [10, 30, 30]
    functional = astrace.trace_graph(lambda x: x.at[1].set(x[2]), to="jax", args=(jnp.array([1, 2, 3]),))
    assert functional(given).tolist() == [10, 30, 30]
    assert jax.jit(graph)(given).tolist() == [10, 30, 30]


def test_an_inner_jitted_function_is_traced_through() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return x * 2

    graph = astrace.trace_graph(lambda x: inner(x) + 1, to="jax", args=(jnp.array([0.0, 1.0]),))
    assert graph(jnp.array([2.0, 3.0])).tolist() == [5.0, 7.0]


def test_shapes_are_those_of_the_call() -> None:
    def shaped(x: Any) -> Any:
        return max(x.shape), x.reshape(x.shape[::-1]), [part.sum() for part in np.split(x, x.shape[0])]

    graph = astrace.trace_graph(shaped, to="jax", args=(np.ones((1, 2)),))
    size, turned, parts = graph(jnp.ones((3, 4)))
    assert size == 4 and turned.shape == (4, 3) and len(parts) == 3


def test_draws_differ_from_call_to_call() -> None:
    graph = astrace.trace_graph(lambda x: x + RNG.normal(size=3), to="jax", args=(UP,))
    assert isinstance(graph(UP), jax.Array) and (graph(UP) != graph(UP)).any()


# -- jax.jit -----------------------------------------------------------------------------------------------


def steps(x: Any, count: int, mode: str = "up") -> Any:
    """A loop and a branch on data, with parameters that decide how it is compiled."""
    for _ in range(count):
        if x.sum() > 10:
            x = x / 2
        else:
            x = np.exp(x) if mode == "up" else x - 1
    return x + 1


@pytest.mark.parametrize("static", [{"static_argnums": (1, 2)}, {"static_argnames": ["count", "mode"]}])
def test_native_functions(static: dict[str, Any]) -> None:
    graph = astrace.trace_graph(
        steps, return_backend_traced_fn=True, args=(UP, 3), kwargs={"mode": "up"}, **static
    )
    assert isinstance(graph, astrace.Graph) and graph.stages.executable.backend == "jax"
    for count, mode in [(3, "up"), (5, "down"), (0, "up")]:
        found = graph(jnp.array(UP), count, mode)
        assert isinstance(found, jax.Array)
        assert np.allclose(found, steps(UP, count, mode), rtol=1e-6)
    assert "while" in graph.lower(UP, 3, mode="down").as_text() or "case" in graph.lower(UP, 3).as_text()
    assert graph.lower(UP, 3).out_info.dtype == np.float64


def test_native_functions_are_parts_of_jax_s_programs() -> None:
    def loss(x: Any, y: Any) -> Any:
        return np.sum((np.where(x > 0, x, 0.1 * x) - y) ** 2)

    graph = astrace.trace_graph(loss, return_backend_traced_fn=True)
    x, y = jnp.array([1.0, -2.0]), jnp.array([0.5, 0.5])
    assert np.allclose(jax.grad(graph)(x, y), [1.0, -0.14])
    batch = jax.jit(jax.vmap(graph, in_axes=(0, None)))(jnp.stack([x, x + 1]), y)
    assert np.allclose(batch, [loss(np.array(x), np.array(y)), loss(np.array(x) + 1, np.array(y))])


def test_what_jax_can_not_run_is_refused() -> None:
    def told(x: Any) -> Any:
        print(x)
        return x

    for given in (UP, jnp.array(UP)):
        with pytest.raises(astrace.NotCaptured, match="print"):
            astrace.trace_graph(told, return_backend_traced_fn=True)(given)
    assert (
        astrace.trace_graph(told, return_backend_traced_fn=True, effects="drop")(UP).tolist() == UP.tolist()
    )
    with pytest.raises(astrace.NotCaptured, match="AT305"):
        astrace.trace_graph(told, args=(UP,)).source("jax")


SCALE = 2.0


def test_outside_values_are_read_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unlike what ``jax.jit`` alone does."""
    graph = astrace.trace_graph(lambda x: x * SCALE, return_backend_traced_fn=True, args=(UP,))
    assert graph(UP).tolist() == (UP * 2).tolist()
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert graph(UP).tolist() == (UP * 5).tolist()


def test_source_and_pickles() -> None:
    lazy = astrace.trace_graph(steps, to="jax", static_argnames="mode")
    lazy(UP, 2)
    assert "lax.while_loop" in lazy.source("jax") or "lax.fori_loop" in lazy.source("jax")
    assert "jnp" not in lazy.source("numpy")
    assert isinstance(pickle.loads(pickle.dumps(lazy))(UP, 2), jax.Array)


def test_a_graph_for_jax_in_another_graph_gives_arrays_of_jax() -> None:
    inner = astrace.trace_graph(lambda x: x * 2, to="jax")

    @astrace.compile
    def outer(x: Any) -> Any:
        return inner(x)

    for _ in range(2):
        assert isinstance(outer(UP), jax.Array)


def test_lowering_needs_jax() -> None:
    with pytest.raises(astrace.InvalidArgument, match="accepted is 'jax'"):
        astrace.trace_graph(steps).lower(UP, 1)
