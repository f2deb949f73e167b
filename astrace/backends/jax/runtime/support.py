"""Functions that generated programs call: where NumPy or Python and JAX differ, and checks."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Final

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

from astrace.backends.jax.runtime import checks, control_flow, padded_axes
from astrace.backends.jax.runtime.checks import from_start
from astrace.backends.jax.runtime.control_flow import MISSING
from astrace.ops.python.objects import make_object

# -- programs of JAX's own functions ------------------------------------------------------------------------------


def truth(value: Any) -> Any:
    """Return Python's truth of an array with one item.

    Raises:
        TypeError: it has another number of items, when JAX traces.
    """
    if jnp.size(value) != 1:
        raise TypeError("the truth of an array that has not just one item")
    return jnp.reshape(value, ()) != 0


def total(array: Any) -> Any:
    """Compute Python's ``sum``."""
    return jnp.sum(array, axis=0) if array.shape[0] else 0


def has_tracer(tree: Any) -> bool:
    """Return whether a tree holds a tracer of JAX."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(tree))


def unpacked(items: Any, count: int) -> tuple[Any, ...]:
    """Return the items that ``a, b = items`` binds.

    Raises:
        ValueError: there are more items, or fewer.
    """
    found = tuple(items)
    if len(found) != count:
        raise ValueError(f"{len(found)} values are unpacked into {count}")
    return found


def chosen(tag: Any, *options: Any) -> Any:
    """Return the option that counts, inside a program that JAX traces.

    Raises:
        TypeError: one of them is not a number or an array.
    """
    if any(option is None or isinstance(option, str) for option in options):
        raise TypeError("whether a compiled function returns an array or something else depends on data")
    result = options[-1]
    for index, option in reversed(list(enumerate(options[:-1]))):
        result = jnp.where(tag == index, option, result)
    return result


def object_of(tag: Any, *options: Any) -> Any:
    """Return the object that counts, of some that are equal; the first, which is new, if JAX traces ``tag``."""
    try:
        return options[int(tag)]
    except jax.errors.ConcretizationTypeError:
        return options[0]


def is_known(ok: Any) -> bool:
    """Return whether a program has found nothing wrong, and this is known, also while JAX traces."""
    try:
        return bool(ok)
    except jax.errors.ConcretizationTypeError:
        return False


def must_hold(ok: Any) -> None:
    """Raise if a program has found something wrong, be it when it runs within another one.

    Raises:
        ValueError: something is known to be wrong.
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


# -- checks ------------------------------------------------------------------------------------------------


def place(places: range, index: Any) -> Any:
    """Return the place of an item that is given by an index of a slice, from the places that the slice takes."""
    return places.start + places.step * jnp.int64(from_start(index, len(places)))


# -- arithmetic ------------------------------------------------------------------------------------------------


def floor_divide(left: Any, right: Any) -> jax.Array:
    """Compute ``left // right`` as NumPy does: integers divided by zero are zero."""
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
    """Compute ``left % right`` as NumPy does: integers divided by zero leave zero."""
    if not jnp.issubdtype(jnp.result_type(left, right), jnp.floating):
        safe = jnp.where(right == 0, 1, right)
        return jnp.where(right == 0, 0, jnp.remainder(left, safe))
    mod = lax.rem(*jnp.broadcast_arrays(*_alike(left, right)))
    adjusted = jnp.where((right < 0) != (mod < 0), mod + right, mod)
    return jnp.where(mod == 0, jnp.copysign(mod, right), adjusted)


def fmod(left: Any, right: Any) -> jax.Array:
    """Compute ``np.fmod`` of integers: divided by zero they leave zero."""
    safe = jnp.where(right == 0, 1, right)
    return jnp.where(right == 0, 0, jnp.fmod(left, safe))


def gcd(left: Any, right: Any) -> jax.Array:
    """Compute ``np.gcd``; JAX's does not end for the least integer of a type, which is left to NumPy."""
    return jnp.gcd(*map(_with_positive, _alike(left, right)))


def lcm(left: Any, right: Any) -> jax.Array:
    """Compute ``np.lcm``; the least integer of a type is left to NumPy."""
    return jnp.lcm(*map(_with_positive, _alike(left, right)))


def _with_positive(value: jax.Array) -> jax.Array:
    if value.dtype.kind != "i":
        return value
    return jnp.where(value == np.iinfo(value.dtype).min, jnp.ones_like(value), value)


def _alike(left: Any, right: Any) -> tuple[jax.Array, jax.Array]:
    dtype = jnp.result_type(left, right)
    return jnp.asarray(left, dtype), jnp.asarray(right, dtype)


def one_of(test: Any, left: Any, right: Any) -> Any:
    """Return one of two arrays of the same shape; if the test is known when JAX traces, of any shapes."""
    return (left if test else right) if isinstance(test, bool) else lax.select(test, left, right)


MOST_ITERATIONS = 32
"""The most iterations of a loop that Python runs when JAX traces: each is compiled."""


def iterations(start: int = 0, stop: int | None = None) -> Iterator[int]:
    """Yield the numbers of the iterations of a loop that Python runs.

    Raises:
        ValueError: there are too many to compile them one by one.
    """
    numbers = range(start, start + MOST_ITERATIONS if stop is None else stop)
    if len(numbers) <= MOST_ITERATIONS:
        yield from numbers
    if stop is None or len(numbers) > MOST_ITERATIONS:
        raise ValueError("a loop that JAX takes iteration by iteration has too many iterations")


# -- lists ---------------------------------------------------------------------------------------------------------


def appended(column: Any, item: Any, length: Any, capacity: int) -> jax.Array:
    """Return the items of a list with one more; before the first one their shape is not known."""
    if column is MISSING:
        column = jnp.zeros((capacity, *jnp.shape(item)), jnp.result_type(item))
    if column.shape[1:] != jnp.shape(item):
        raise ValueError("a list of arrays of several shapes")
    return column.at[length].set(item)


def enlarged(column: jax.Array, capacity: int) -> jax.Array:
    """Return the items of a list with room for more."""
    more = jnp.zeros((capacity - column.shape[0], *column.shape[1:]), column.dtype)
    return jnp.concatenate([column, more])


# -- extremes ----------------------------------------------------------------------------------------------------
#
# XLA:CPU loses NaN from ``reduce_max`` and ``reduce_min`` where it works on several items at once (openxla/xla#21461
# describes one such case).  Which items depends on shape and surroundings, so NaN is searched for separately.


def largest(array: Any, **given: Any) -> Any:
    """Compute ``np.max``."""
    return _with_nan(jnp.max(array, **given), array, given)


def least(array: Any, **given: Any) -> Any:
    """Compute ``np.min``."""
    return _with_nan(jnp.min(array, **given), array, given)


def spread(array: Any, **given: Any) -> Any:
    """Compute ``np.ptp``."""
    return _with_nan(jnp.ptp(array, **given), array, given)


def norm(array: Any, **given: Any) -> Any:
    """Compute ``np.linalg.norm`` of an infinite order."""
    return _with_nan(jnp.linalg.norm(array, **given), array, given)


def _with_nan(found: Any, array: Any, given: dict[str, Any]) -> Any:
    """Return a result with NaN where an item is NaN."""
    along = {key: given[key] for key in ("axis", "keepdims") if key in given}
    # XLA finds the largest of bytes faster than whether one of the truths holds.
    odd = jnp.max(jnp.isnan(array).astype(np.uint8), initial=np.uint8(0), **along) != 0
    return jnp.where(odd, found.dtype.type(np.nan), found)


# -- arrays ------------------------------------------------------------------------------------------------------


def first(array: jax.Array) -> jax.Array:
    """Return the only item of an array; for none, or several, any number."""
    return array.reshape(-1)[0] if array.size else jnp.zeros((), array.dtype)


def arange(start: Any, stop: Any, step: Any, dtype: Any) -> jax.Array:
    """Compute ``np.arange`` of floats."""
    return jnp.asarray(np.arange(start, stop, step, dtype=dtype))


def with_real(whole: jax.Array, part: jax.Array) -> jax.Array:
    """Return a complex array with another real part."""
    return lax.complex(part, whole.imag)


def with_imag(whole: jax.Array, part: jax.Array) -> jax.Array:
    """Return a complex array with another imaginary part."""
    return lax.complex(whole.real, part)


FUNCTIONS: Final = types.SimpleNamespace(
    **{
        name: value
        for names in (*map(vars, (checks, control_flow, padded_axes)), globals())
        for name, value in names.items()
        if not name.startswith("_")
    }
    | {"make_object": make_object}
)
"""All functions of this folder, as programs know them: ``support.name``."""
