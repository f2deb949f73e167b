"""Branches and loops whose values do not match as ``lax`` requires.

In programs of JAX's own functions dtypes may differ: JAX's promotion decides.  In others a value may be missing, in
one branch or before the first iteration: it is never read, and gets the shape of the value in its place elsewhere.

``lax.while_loop`` can't be differentiated in reverse, since its number of iterations is not known.  If it has a known
bound, derivatives are those of a loop with that number of iterations, which does nothing once the test has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@jax.tree_util.register_static
class _Missing:
    """See `astrace.passes.functional.program.Missing`."""


MISSING = _Missing()


def scan(start: Any, stop: Any, body: Callable[[Any, Any], Any], first: Any) -> Any:
    """Run ``lax.scan`` over numbers; return the carried values, and the rows of the iterations, stacked."""

    def without_row(index: Any, carried: Any) -> Any:
        return body(index, carried)[0]

    first = settled(without_row, first, start)

    def iteration(carried: Any, index: Any) -> Any:
        after, row = body(index, carried)
        return promoted(after, carried), row

    return lax.scan(iteration, first, jnp.arange(start, stop))


def settled(body: Callable[..., Any], first: Any, *index: Any) -> Any:
    """Return the first carried values of a loop in the dtypes that they come to have."""
    for _ in range(MOST_ROUNDS):
        wider = promoted(first, jax.eval_shape(body, *index, first))
        if _types(wider) == _types(first):
            return wider
        first = wider
    return first


MOST_ROUNDS = 6


def _types(tree: Any) -> list[Any]:
    return [jax.typeof(leaf) for leaf in jax.tree.leaves(tree)]


def promoted(tree: Any, other: Any) -> Any:
    """Convert arrays to the dtypes, and broadcast them to the shapes, that they have in common with others."""
    if isinstance(tree, _Missing):
        return jax.tree.map(jnp.zeros_like, other)
    if isinstance(other, _Missing):
        return tree
    if type(tree) is tuple and type(other) is tuple and len(tree) == len(other):
        return tuple(map(promoted, tree, other))
    return jax.tree.map(_promoted, tree, other)


def _promoted(value: Any, other: Any) -> Any:
    value = _as_varying(value, other)
    if _is_key(value):
        return value
    kinds = [_kind(one) for one in (value, other)]
    shape = jnp.broadcast_shapes(jnp.shape(value), jnp.shape(other))
    if all(isinstance(kind, NUMBERS) for kind in kinds):  # both are weak, and so is their common type
        widest = max(map(type, kinds), key=NUMBERS.index)
        weak = value if type(kinds[0]) is widest else value + widest()
        return weak if jnp.shape(value) == shape else jnp.broadcast_to(weak, shape)
    return jnp.broadcast_to(jnp.asarray(value, jnp.result_type(*kinds)), shape)


NUMBERS = (bool, int, float, complex)


def _as_varying(value: Any, other: Any) -> Any:
    """Cast an array that is the same on all devices to one that differs between those where another one does.

    In a ``shard_map`` JAX tells them apart, and the results of branches and iterations have to match.
    """
    axes = _varying(other) - _varying(value)
    return lax.pcast(value, tuple(sorted(axes)), to="varying") if axes else value


def _varying(value: Any) -> frozenset[str]:
    """Return the axes of a mesh along which an array differs between devices."""
    aval = value if isinstance(value, jax.ShapeDtypeStruct) else jax.typeof(value)
    kind = getattr(aval, "manual_axis_type", None)
    return kind.varying if kind is not None else getattr(aval, "vma", None) or frozenset()


def _is_key(value: Any) -> bool:
    """Return whether a value is a key for random numbers, which is never converted."""
    return hasattr(value, "dtype") and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


def _kind(value: Any) -> Any:
    """Return what promotion goes by: a Python number for a weak type, else the dtype."""
    aval = value if isinstance(value, jax.ShapeDtypeStruct) else jax.typeof(value)
    if not getattr(aval, "weak_type", False):
        return aval.dtype
    samples = {"b": True, "i": 1, "u": 1, "f": 1.0, "c": 1j}
    return samples.get(np.dtype(aval.dtype).kind, 1.0)


# -- missing values ----------------------------------------------------------------------------------------


def _begun(body: Callable[..., Any], first: Any, *index: Any) -> Any:
    """Return the first carried values of a loop, with zeros in place of what is missing."""
    for _ in range(MOST_ROUNDS):
        if not any(isinstance(leaf, _Missing) for leaf in jax.tree.leaves(first, is_leaf=_is_missing)):
            return first
        first = filled(first, jax.eval_shape(body, *index, first))
    return first


def _is_missing(value: Any) -> bool:
    return isinstance(value, _Missing)


def _zeros(like: Any) -> Any:
    return jnp.zeros(like.shape, like.dtype)


def filled(tree: Any, other: Any) -> Any:
    """Return values with zeros, like those of another tree, in place of what is missing."""
    if isinstance(tree, _Missing):
        return jax.tree.map(_zeros, other)
    if type(tree) is tuple and type(other) is tuple and len(tree) == len(other):
        return tuple(map(filled, tree, other))
    return tree


# -- control flow ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Joining:
    """Control flow of ``lax`` over values that are made to match.

    Args:
        begun: returns the first carried values of a loop that match those of its body, given the body, the first
            values, and the first index if there is one.
        joined: returns a tree that matches another one.
    """

    begun: Callable[..., Any]
    joined: Callable[[Any, Any], Any]

    def cond(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Run ``lax.cond``."""
        left, right = jax.eval_shape(then), jax.eval_shape(orelse)
        return lax.cond(test, lambda: self.joined(then(), right), lambda: self.joined(orelse(), left))

    def fori_loop(self, start: Any, stop: Any, body: Callable[[Any, Any], Any], first: Any) -> Any:
        """Run ``lax.fori_loop``."""

        def iteration(index: Any, carried: Any) -> Any:
            return self.joined(body(index, carried), carried)

        return lax.fori_loop(start, stop, iteration, self.begun(body, first, start))

    def while_loop(self, test: Callable[[Any], Any], body: Callable[[Any], Any], first: Any) -> Any:
        """Run ``lax.while_loop``."""

        def iteration(carried: Any) -> Any:
            return self.joined(body(carried), carried)

        return lax.while_loop(test, iteration, self.begun(body, first))


PROMOTING: Final = Joining(settled, promoted)
"""For values whose dtypes may differ."""
FILLING: Final = Joining(_begun, filled)
"""For values that may be missing, in one branch or before the first iteration."""
cond, fori_loop, while_loop = PROMOTING.cond, PROMOTING.fori_loop, PROMOTING.while_loop
open_cond, open_fori_loop, open_while_loop = FILLING.cond, FILLING.fori_loop, FILLING.while_loop


# -- loops with a known bound ---------------------------------------------------------------------------------


def bounded_while_loop(
    test: Callable[[Any], Any], body: Callable[[Any], Any], first: Any, start: Any, stop: Any
) -> Any:
    """Run ``lax.while_loop`` over ``range(start, stop)``, which may be left; it carries dtypes by JAX's promotion."""
    if not isinstance(start, int) or not isinstance(stop, int):
        return while_loop(test, body, first)

    def promoted_body(carried: Any) -> Any:
        return promoted(body(carried), carried)

    first = settled(body, first)
    goes_on, of_test = jax.closure_convert(test, first)
    iteration, of_iteration = jax.closure_convert(promoted_body, first)

    def as_it_is(first: Any, of_test: Any, of_iteration: Any) -> Any:
        def holds(carried: Any) -> Any:
            return goes_on(carried, *of_test)

        def after(carried: Any) -> Any:
            return iteration(carried, *of_iteration)

        return lax.while_loop(holds, after, first)

    def all_iterations(first: Any, of_test: Any, of_iteration: Any) -> Any:
        def one(carried: Any, _: None) -> Any:
            held = goes_on(carried, *of_test)
            return lax.cond(held, iteration, _unchanged, carried, *of_iteration), None

        return lax.scan(one, first, None, length=max(0, stop - start))[0]

    def derivative(primals: Any, tangents: Any) -> Any:
        return jax.jvp(all_iterations, primals, tangents)

    loop = jax.custom_jvp(as_it_is)
    loop.defjvp(derivative)
    return loop(first, of_test, of_iteration)


def _unchanged(carried: Any, *_: Any) -> Any:
    return carried


class Lax:
    """``lax`` with control flow that promotes, for programs inside a ``shard_map``."""

    cond = staticmethod(PROMOTING.cond)
    fori_loop = staticmethod(PROMOTING.fori_loop)
    while_loop = staticmethod(PROMOTING.while_loop)

    def __getattr__(self, name: str) -> Any:
        return getattr(lax, name)
