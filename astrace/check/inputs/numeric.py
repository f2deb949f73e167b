"""Directed inputs: what an example call becomes when every number in it is made special in one way.

Each *kind* of noise says what an array and a number become; `directed` applies the kinds in the order in which
they find most, then changes of sizes, dtypes, Python arguments, containers and aliasing.  Everything follows from
a seed.  Takes calls, gives calls; knows nothing of graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.check.inputs.code_constants import Mined

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class NumberSource:
    """A source of special and random numbers.

    Args:
        rng: random numbers.
        mined: constants of the function's code.
        index: the number of inputs made before.
    """

    rng: np.random.Generator
    mined: Mined
    index: int = 0


Kind: TypeAlias = Callable[[Array, NumberSource], Array]
"""Gives new items for a float array of some shape, which are cast to the dtype that is wanted."""


def _jitter(base: Array, source: NumberSource) -> Array:
    return base + source.rng.normal(size=base.shape) * (0.1 * np.abs(base) + 0.1)


def _normal(base: Array, source: NumberSource) -> Array:
    return source.rng.normal(size=base.shape) * 3


def _negative(base: Array, source: NumberSource) -> Array:
    return -np.abs(source.rng.normal(size=base.shape)) * 4 - 0.5


def _integers(base: Array, source: NumberSource) -> Array:
    return source.rng.integers(-4, 10, base.shape).astype(float)


def _constant(base: Array, source: NumberSource) -> Array:
    return np.full(base.shape, source.rng.choice([2.0, -1.0, 0.5]))


def _wide(base: Array, source: NumberSource) -> Array:
    signs = source.rng.choice([-1.0, 1.0], base.shape)
    return signs * 10.0 ** source.rng.integers(-12, 13, base.shape)


def _huge(base: Array, source: NumberSource) -> Array:
    return np.abs(source.rng.normal(size=base.shape)) * 1e7 + 1e6


def _zeros(base: Array, source: NumberSource) -> Array:
    return np.zeros(base.shape)


def _negative_zeros(base: Array, source: NumberSource) -> Array:
    return np.full(base.shape, -0.0)


def _special(base: Array, source: NumberSource) -> Array:
    return source.rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5], base.shape)


def _one_nan(base: Array, source: NumberSource) -> Array:
    return _one(_jitter(base, source), np.nan, source)


def _subnormal(base: Array, source: NumberSource) -> Array:
    return source.rng.choice([5e-324, -5e-324, 1e-310, 2.2250738585072014e-308], base.shape)


def _sorted(base: Array, source: NumberSource) -> Array:
    return np.sort(source.rng.normal(size=base.shape).ravel() * 5).reshape(base.shape)


def _descending(base: Array, source: NumberSource) -> Array:
    return _sorted(base, source).ravel()[::-1].reshape(base.shape)


def _far(base: Array, source: NumberSource) -> Array:
    return _one(_normal(base, source), 1e9, source)


def _mined(base: Array, source: NumberSource) -> Array:
    """Fill the array with the code's own constants."""
    pool = source.mined.numbers or (0.0, 1.0)
    return np.array([_float(source.rng.choice(len(pool)), pool) for _ in range(base.size)]).reshape(
        base.shape
    )


def _one_mined(base: Array, source: NumberSource) -> Array:
    """The code's constants in turn, each as one item among others."""
    pool = source.mined.numbers or (0.0,)
    return _one(_jitter(base, source), _float(source.index % len(pool), pool), source)


def _sum_mined(base: Array, source: NumberSource) -> Array:
    """The items add up to one of the code's constants."""
    pool = source.mined.numbers or (0.0,)
    found = np.round(_normal(base, source))
    if found.size:
        found.flat[-1] += _float(source.index % len(pool), pool) - found.sum()
    return found


def _all_mined(base: Array, source: NumberSource) -> Array:
    pool = source.mined.numbers or (0.0,)
    return np.full(base.shape, _float(source.index % len(pool), pool))


def _float(index: Any, pool: tuple[float, ...]) -> float:
    try:
        return float(pool[int(index)])
    except OverflowError:
        return 1e308


def _one(array: Array, value: float, source: NumberSource) -> Array:
    """The array with one item replaced."""
    found = np.array(array, dtype=float)
    if found.size:
        found.flat[source.index % found.size] = value
    return found


KINDS: Final[Mapping[str, Kind]] = {
    "jitter": _jitter,
    "normal": _normal,
    "negative": _negative,
    "one NaN": _one_nan,
    "zeros": _zeros,
    "integers": _integers,
    "special": _special,
    "sorted": _sorted,
    "constant": _constant,
    "huge": _huge,
    "negative zero": _negative_zeros,
    "wide": _wide,
    "far": _far,
    "descending": _descending,
    "subnormal": _subnormal,
}
"""The ways to choose the numbers of an input, those that find most first."""

MINED: Final[Mapping[str, Kind]] = {
    "mined, one": _one_mined,
    "mined, sum": _sum_mined,
    "mined": _mined,
    "mined, all": _all_mined,
}
"""The ways to choose them among the constants of the function's code."""


def array_like(
    example: Array, kind: Kind, source: NumberSource, shape: tuple[int, ...] | None = None
) -> Array:
    """An array of an example's dtype and layout with noise in it.

    Args:
        example: what it is like.
        kind: how its items are chosen.
        source: where they come from.
        shape: another shape.
    """
    dtype = example.dtype
    shape = tuple[int, ...](example.shape) if shape is None else shape
    if dtype.kind not in "biufc":
        return np.resize(example, shape) if example.size else example.copy()
    base = np.resize(np.abs(example) if dtype.kind == "c" else example, shape).astype(float)
    items = kind(base, source)
    if dtype.kind == "c":
        items = beside(items, kind(base, source))
    return laid_out(cast(items, dtype), example)


def beside(real: Array, imaginary: Array) -> Array:
    """Complex numbers of two parts, which an infinite part leaves alone."""
    items = np.empty(real.shape, complex)
    items.real, items.imag = real, imaginary
    return items


def laid_out(array: Array, example: Array) -> Array:
    """The array in the order of memory that an example has."""
    if example.ndim > 1 and example.flags.f_contiguous and not example.flags.c_contiguous:
        return np.asfortranarray(array)
    return array


def cast(items: Array, dtype: np.dtype[Any]) -> Array:
    """Convert floats to another dtype; values that it can't hold become ones that it can."""
    with np.errstate(all="ignore"):
        if dtype.kind == "b":
            return np.nan_to_num(items) > 0
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            finite = np.nan_to_num(items, nan=0.0, posinf=1e18, neginf=-1e18)
            low, high = max(float(limits.min), -9e18), min(float(limits.max) - 1, 9e18)
            return np.clip(np.round(finite), low, high).astype(dtype)
        return items.astype(dtype)


def number_like(example: Any, kind: Kind, source: NumberSource) -> Any:
    """A number of an example's type; one beyond 64 bits stays."""
    given = np.asarray(example).reshape(1)
    if given.dtype.kind == "O":
        return example
    array = array_like(given, kind, source)
    if isinstance(example, np.generic):
        return array.astype(example.dtype)[0]
    return bool(array[0]) if type(example) is bool else type(example)(array[0].item())
