"""Functions that generated programs call: where NumPy or Python and JAX differ, and what is checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

__all__ = ["jnp", "lax"]


# -- programs of JAX's own functions ------------------------------------------------------------------------------


@jax.tree_util.register_static
class _Missing:
    """See `astrace.backends.jax.program.Missing`."""


MISSING = _Missing()


def truth(value: Any) -> Any:
    """Python's truth of an array with one item.

    Raises:
        TypeError: it has another number of items, when JAX traces.
    """
    if jnp.size(value) != 1:
        raise TypeError("the truth of an array that has not just one item")
    return jnp.reshape(value, ()) != 0


def has_tracer(tree: Any) -> bool:
    """Whether something in a tree stands for an array while JAX traces."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(tree))


def unpacked(items: Any, count: int) -> tuple[Any, ...]:
    """The items that ``a, b = items`` binds.

    Raises:
        ValueError: there are more or fewer.
    """
    found = tuple(items)
    if len(found) != count:
        raise ValueError(f"{len(found)} values are unpacked into {count}")
    return found


def chosen(tag: Any, *options: Any) -> Any:
    """The option that counts, in the middle of a program that JAX traces.

    Raises:
        TypeError: one of them is no number or array.
    """
    if any(option is None or isinstance(option, str) for option in options):
        raise TypeError("whether a compiled function gives an array or something else depends on data")
    result = options[-1]
    for index, option in reversed(list(enumerate(options[:-1]))):
        result = jnp.where(tag == index, option, result)
    return result


def must_hold(ok: Any) -> None:
    """Raise where a program has found something wrong, be it when it runs within another one.

    Raises:
        ValueError: it is known to be wrong.
    """
    if isinstance(ok, jax.core.Tracer):
        jax.debug.callback(_raise_unless, ok)
    elif not ok:
        _raise_unless(False)


def _raise_unless(ok: Any) -> None:
    if not ok:
        raise ValueError(
            "a compiled function raised, or met numbers that JAX does not hold, inside a program of JAX's"
        )


def cond(test: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``lax.cond`` of branches that give other dtypes: JAX's promotion decides."""
    left, right = jax.eval_shape(then), jax.eval_shape(orelse)
    return lax.cond(test, lambda: promoted(then(), right), lambda: promoted(orelse(), left))


def fori_loop(start: Any, stop: Any, body: Callable[[Any, Any], Any], first: Any) -> Any:
    """``lax.fori_loop`` whose turns may give other dtypes than the first one is given."""
    first = _settled(body, first, start)

    def turn(index: Any, carried: Any) -> Any:
        return promoted(body(index, carried), carried)

    return lax.fori_loop(start, stop, turn, first)


def while_loop(test: Callable[[Any], Any], body: Callable[[Any], Any], first: Any) -> Any:
    """``lax.while_loop`` whose turns may give other dtypes than the first one is given."""
    first = _settled(body, first)
    return lax.while_loop(test, lambda carried: promoted(body(carried), carried), first)


def _settled(body: Callable[..., Any], first: Any, *index: Any) -> Any:
    """What a loop begins with, in the dtypes that it comes to carry."""
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
    """Arrays converted to the dtypes, and broadcast to the shapes, that they have in common with others."""
    if isinstance(tree, _Missing):
        return jax.tree.map(jnp.zeros_like, other)
    if isinstance(other, _Missing):
        return tree
    if type(tree) is tuple and type(other) is tuple and len(tree) == len(other):
        return tuple(map(promoted, tree, other))
    return jax.tree.map(_promoted, tree, other)


def _promoted(value: Any, other: Any) -> Any:
    if _is_key(value):
        return value
    dtype, weak = _common(value, other)
    shape = jnp.broadcast_shapes(jnp.shape(value), jnp.shape(other))
    if weak and jnp.shape(value) == shape:
        return value
    return jnp.broadcast_to(jnp.asarray(value, dtype), shape)


def _is_key(value: Any) -> bool:
    """Whether a value is a key for random numbers, which is converted to nothing else."""
    return hasattr(value, "dtype") and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


def _common(value: Any, other: Any) -> tuple[Any, bool]:
    """The dtype of two values together, and whether both are weak and have it already."""
    kinds = [_kind(one) for one in (value, other)]
    dtype = jnp.result_type(*kinds)
    weak = all(isinstance(kind, bool | int | float | complex) for kind in kinds)
    return dtype, weak and jnp.result_type(kinds[0]) == dtype


def _kind(value: Any) -> Any:
    """What promotion goes by: a Python number for what is weak, else the dtype."""
    aval = value if isinstance(value, jax.ShapeDtypeStruct) else jax.typeof(value)
    if not getattr(aval, "weak_type", False):
        return aval.dtype
    samples = {"b": True, "i": 1, "u": 1, "f": 1.0, "c": 1j}
    return samples.get(np.dtype(aval.dtype).kind, 1.0)


# -- checks ------------------------------------------------------------------------------------------------


def is_inside(index: Any, size: int) -> Any:
    """Whether an index, which may count from the end, is inside."""
    return (-size <= index) & (index < size)


def all_inside(indices: jax.Array, size: int) -> jax.Array:
    """Whether all indices of an array are inside."""
    return (
        jnp.all((indices >= -size) & (indices < size))
        if indices.dtype.kind != "u"
        else jnp.all(indices < size)
    )


def are_distinct(*indices: jax.Array) -> jax.Array:
    """Whether no place stands twice among indices."""
    flat = [jnp.ravel(one) for one in jnp.broadcast_arrays(*indices)]
    if flat[0].size <= 1:
        return jnp.bool_(True)
    order = jnp.lexsort(flat)
    pairs = [one[order][1:] == one[order][:-1] for one in flat]
    same = pairs[0]
    for pair in pairs[1:]:
        same &= pair
    return ~jnp.any(same)


def same_place(shape: tuple[int, ...], left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
    """Whether two keys, whose indices may count from the end, are the same place of an array."""
    same = True
    for size, a, b in zip(shape, left, right, strict=True):
        same &= _from_start(a, size) == _from_start(b, size)
    return same


def _from_start(index: Any, size: int) -> Any:
    return jnp.where(index < 0, index + size, index)


def sum_fits(left: Any, right: Any) -> Any:
    """Whether a sum of 64-bit integers does not wrap around."""
    total = left + right
    return ((left ^ total) & (right ^ total)) >= 0


def difference_fits(left: Any, right: Any) -> Any:
    """Whether a difference of 64-bit integers does not wrap around."""
    total = left - right
    return ((left ^ right) & (left ^ total)) >= 0


def product_fits(left: Any, right: Any) -> Any:
    """Whether a product of integers is certainly held in 64 bits."""
    return jnp.abs(jnp.float64(left) * jnp.float64(right)) < 2.0**62


def power_fits(base: Any, exponent: Any) -> Any:
    """Whether a power of integers is certainly held in 64 bits."""
    return jnp.abs(jnp.power(jnp.float64(base), jnp.float64(exponent))) < 2.0**62


def shift_fits(value: Any, count: Any, to_left: bool) -> Any:
    """Whether a shift is one that 64 bits hold."""
    fits = (count >= 0) & (count < 63)
    return fits & (jnp.abs(jnp.float64(value)) * 2.0 ** jnp.float64(count) < 2.0**62) if to_left else fits


def fits_integer(value: Any, dtype: Any) -> jax.Array:
    """Whether floats are held by an integer type after their fractions are cut off."""
    limits = jnp.iinfo(dtype)
    return jnp.all((value > float(limits.min) - 1.0) & (value < float(limits.max) + (limits.bits < 64)))


# -- arithmetic ------------------------------------------------------------------------------------------------


def floor_divide(left: Any, right: Any) -> jax.Array:
    """``left // right`` as NumPy computes it: integers divided by zero are zero."""
    if not jnp.issubdtype(jnp.result_type(left, right), jnp.floating):
        safe = jnp.where(right == 0, 1, right)
        return jnp.where(right == 0, 0, jnp.floor_divide(left, safe))
    mod = lax.rem(*jnp.broadcast_arrays(*_alike(left, right)))
    div = (left - mod) / right
    div = jnp.where((mod != 0) & ((right < 0) != (mod < 0)), div - 1, div)
    floor = jnp.floor(div)
    floor = jnp.where(div - floor > 0.5, floor + 1, floor)
    quotient = left / right
    return jnp.where(right == 0, quotient, jnp.where(div == 0, jnp.copysign(0, quotient), floor))


def remainder(left: Any, right: Any) -> jax.Array:
    """``left % right`` as NumPy computes it: integers divided by zero leave zero."""
    if not jnp.issubdtype(jnp.result_type(left, right), jnp.floating):
        safe = jnp.where(right == 0, 1, right)
        return jnp.where(right == 0, 0, jnp.remainder(left, safe))
    mod = lax.rem(*jnp.broadcast_arrays(*_alike(left, right)))
    turned = jnp.where((right < 0) != (mod < 0), mod + right, mod)
    return jnp.where(mod == 0, jnp.copysign(mod, right), turned)


def fmod(left: Any, right: Any) -> jax.Array:
    """``np.fmod`` of integers: divided by zero they leave zero."""
    safe = jnp.where(right == 0, 1, right)
    return jnp.where(right == 0, 0, jnp.fmod(left, safe))


def _alike(left: Any, right: Any) -> tuple[jax.Array, jax.Array]:
    dtype = jnp.result_type(left, right)
    return jnp.asarray(left, dtype), jnp.asarray(right, dtype)


def range_length(start: Any, stop: Any, step: Any) -> Any:
    """``len(range(start, stop, step))``."""
    span = jnp.where(step > 0, stop - start + step - 1, start - stop - step - 1)
    return jnp.maximum(span // jnp.maximum(jnp.abs(step), 1), 0)


# -- arrays ------------------------------------------------------------------------------------------------------


def first(array: jax.Array) -> jax.Array:
    """The only item of an array; of none, or several, any number."""
    return array.reshape(-1)[0] if array.size else jnp.zeros((), array.dtype)


def arange(start: Any, stop: Any, step: Any, dtype: Any) -> jax.Array:
    """``np.arange`` of floats."""
    return jnp.asarray(np.arange(start, stop, step, dtype=dtype))


def with_real(whole: jax.Array, part: jax.Array) -> jax.Array:
    """A complex array with another real part."""
    return lax.complex(part, whole.imag)


def with_imag(whole: jax.Array, part: jax.Array) -> jax.Array:
    """A complex array with another imaginary part."""
    return lax.complex(whole.real, part)
