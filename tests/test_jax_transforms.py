"""Compiled functions inside programs of JAX's: what transforms give is what they give of hand-written ``lax``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

import astrace
from benchmarks.jax_pairs import PAIRS, Pair
from tests.jax_programs import loops_left

POINTS = (
    jnp.array([0.3, -1.2, 2.5, 0.7]),
    jnp.array([-2.0, -0.5, -0.1, -3.0]),
    jnp.array([1.5, 0.2, 0.9, 1.1]),
)
ROWS = jnp.stack(POINTS)


def over_shards(f: Callable[..., Any]) -> Callable[..., Any]:
    """Each device maps the function over its rows."""
    mesh = Mesh(np.array(jax.devices()[:1]), ("rows",))
    return jax.shard_map(jax.vmap(f), mesh=mesh, in_specs=P("rows"), out_specs=P("rows"), check_vma=False)


def pushed_forward(f: Callable[..., Any]) -> Callable[..., Any]:
    """The value and the derivative in one direction."""
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))


FORWARD: dict[str, Callable[[Any], Any]] = {
    "itself": lambda f: f,
    "vmap": lambda f: lambda x: jax.vmap(f)(ROWS * x.sum()),
    "jvp": pushed_forward,
    "shard_map": lambda f: lambda x: over_shards(f)(ROWS + x),
}
REVERSE: dict[str, Callable[[Any], Any]] = {
    "value_and_grad": lambda f: jax.value_and_grad(jax.jit(jax.checkpoint(f))),
    "vmap of grad": lambda f: lambda x: jax.vmap(jax.grad(f))(ROWS + x),
}
FAST: Final = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""Options for fast compilation: each program runs once."""


def all_of(f: Callable[..., Any], reverse: bool) -> Callable[[Any], Any]:
    """Return the results of all transforms, from one program, since compiling is what takes time."""
    transforms = FORWARD | REVERSE if reverse else FORWARD
    return jax.jit(
        lambda x: {name: transform(f)(x) for name, transform in transforms.items()}, compiler_options=FAST
    )


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_transforms_give_what_they_give_of_lax(pair: Pair) -> None:
    function = astrace.compile(pair.plain, fullgraph=True)
    by_hand, compiled = all_of(pair.by_hand, pair.reverse), all_of(function, pair.reverse)
    for point in POINTS:
        assert type(function(point)) is type(pair.plain(point))
        expected, found = (
            {**by_hand(point), "call": by_hand(point)["itself"]},
            {**compiled(point), "call": function(point)},
        )
        jax.tree.map(partial(np.testing.assert_allclose, rtol=2e-4, atol=1e-5), found, expected)
    executables = [entry.stages.executable for entry in function._entries]
    assert all(one is not None and one.backend == "jax" for one in executables)


def test_there_are_enough() -> None:
    assert sum(pair.reverse for pair in PAIRS) >= 18 and len(PAIRS) >= 20


SCALE = {"s": 2.0}


@astrace.compile(fullgraph=True)
def carried(params: Any, x: Any) -> Any:
    """State in a dict, a list of results, a value read from outside."""
    state = {"sum": 0.0, "rest": x}
    outs = []
    for i in range(x.shape[0]):
        v = params["w"] * x[i]
        if v > 0:
            state["sum"] = state["sum"] + v
        else:
            state["rest"] = state["rest"] * 0.9
        outs.append(state["sum"] + x[i])
    return state["sum"] * SCALE["s"] + state["rest"].sum(), jnp.stack(outs)


def carried_by_hand(params: Any, x: Any) -> Any:
    def step(state: Any, item: Any) -> Any:
        total, rest = state
        v = params["w"] * item
        total, rest = jax.lax.cond(v > 0, lambda: (total + v, rest), lambda: (total, rest * 0.9))
        return (total, rest), total + item

    (total, rest), outs = jax.lax.scan(step, (jnp.float32(0), x), x)
    return total * SCALE["s"] + rest.sum(), outs


def first_of(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: f(*given)[0]


GIVEN = ({"w": jnp.float32(1.5)}, jnp.array([0.3, -0.2, 0.7, -0.4]))
BATCH = (GIVEN[0], jnp.stack([GIVEN[1], -GIVEN[1], 2 * GIVEN[1]]))
UNDER: dict[str, Callable[[Any, Any], Any]] = {
    "call": lambda f, first: f(*GIVEN),
    "jit": lambda f, first: jax.jit(f)(*GIVEN),
    "grad": lambda f, first: jax.grad(first, argnums=(0, 1))(*GIVEN),
    "value_and_grad with aux": lambda f, first: jax.jit(jax.value_and_grad(f, has_aux=True))(*GIVEN),
    "vmap of grad": lambda f, first: jax.vmap(jax.grad(first), (None, 0))(*BATCH),
    "jvp": lambda f, first: jax.jvp(first, GIVEN, GIVEN),
    "vjp": lambda f, first: jax.vjp(first, *GIVEN)[1](jnp.float32(1.0)),
    "linearize": lambda f, first: jax.linearize(first, *GIVEN)[1](*GIVEN),
    "checkpoint": lambda f, first: jax.grad(jax.checkpoint(first))(*GIVEN),
    "hessian": lambda f, first: jax.hessian(first, argnums=1)(*GIVEN),
    "scan": lambda f, first: jax.lax.scan(lambda c, x: (c + f(GIVEN[0], x)[0], None), 0.0, BATCH[1])[0],
    "cond of constants": lambda f, first: jax.lax.cond(True, lambda: f(*GIVEN)[0], lambda: 0.0),
}


@pytest.mark.parametrize("name", UNDER)
def test_carried_state_under_transforms(name: str) -> None:
    expected, found = (UNDER[name](f, first_of(f)) for f in (carried_by_hand, carried))
    jax.tree.map(partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5), found, expected)


OVER: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "grad": jax.grad,
    "jit of value_and_grad": lambda f: jax.jit(jax.value_and_grad(f), compiler_options=FAST),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(f)),
    "jvp": pushed_forward,
    "vmap of grad": lambda f: lambda x: jax.vmap(jax.grad(f))(jnp.stack([x, x]))[1],
}
OF_PLAIN = OVER | {
    "jit of value_and_grad": jax.value_and_grad,
    "checkpoint": jax.grad,
    "vmap of grad": jax.grad,
}


@pytest.mark.parametrize("name", loops_left.CASES)
def test_loops_that_are_left_have_derivatives(name: str) -> None:
    """If no loop exceeds its known bound, derivatives are those of plain Python under JAX."""
    plain = getattr(loops_left, name)
    function = astrace.compile(plain)
    for given in loops_left.CASES[name]:
        expected = {one: transform(plain)(*given) for one, transform in OF_PLAIN.items()}
        found = {one: transform(function)(*given) for one, transform in OVER.items()}
        jax.tree.map(partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5), found, expected)


# -- shard_map with its checks -----------------------------------------------------------------------------


def left_by_a_break(x: Any) -> Any:
    """A loop carries a value that is the same on all devices before its first iteration."""
    h = jnp.ones(2)
    for _ in range(5):
        h = jnp.tanh(h + x.sum())
        if h.sum() > 1.2:
            break
    return x * h[0]


def repeated(x: Any) -> Any:
    """A loop that ends by what it carries, a branch, and another loop."""
    total, scale = 0.0, jnp.ones(3)
    while total < 4:
        total = total + (x * x).sum() + 1
    if x.sum() > 1:
        scale = scale * x.max()
    for i in range(3):
        scale = scale + i
    return x * scale.sum() + total


def stacked(x: Any) -> Any:
    """A list of what differs between devices."""
    items, current = [], 1.0
    for _ in range(3):
        current = current + x.sum()
        items.append(current)
    return x * jnp.stack(items).sum()


def drawn(x: Any) -> Any:
    """A key for random numbers that only some iterations change."""
    key = jax.random.key(0)
    for _ in range(2):
        if x.sum() > 1:
            key = jax.random.fold_in(key, x[0].astype(int))
    return x + jax.random.normal(key, x.shape)


@pytest.mark.parametrize(
    "function", [left_by_a_break, repeated, stacked, drawn], ids=lambda one: one.__name__
)
@pytest.mark.parametrize("sign", [1.0, -0.3])
def test_inside_a_shard_map_that_is_checked(function: Any, sign: float) -> None:
    """JAX tells what differs between devices from what is the same on all; `check_vma` is on unless it is turned off."""
    mesh = jax.make_mesh((1,), ("rows",), axis_types=(jax.sharding.AxisType.Auto,))
    mapped = jax.shard_map(astrace.compile(function), mesh=mesh, in_specs=P("rows"), out_specs=P("rows"))
    x = sign * jnp.array([0.5, 1.0, 0.25])
    np.testing.assert_allclose(mapped(x), function(x), rtol=1e-5)
    if function is not repeated:  # the number of iterations of its first loop is not known
        slope = jax.jit(jax.grad(lambda x: mapped(x).sum()))(x)
        np.testing.assert_allclose(slope, jax.grad(lambda x: function(x).sum())(x), rtol=1e-4)
