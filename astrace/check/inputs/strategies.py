"""Hypothesis strategies for calls: around an example, and near a failing call, to make it smaller.

`calls_like` draws what an example call may become, number by number where it is small, so that Hypothesis
can shrink each.  `near` draws calls between a failing one and the simplest of its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from astrace.check.compare.observe import Call
from astrace.check.inputs.argument_variants import NUMBERS, others
from astrace.check.inputs.call_variants import other_shape, rebuilt
from astrace.check.inputs.code_constants import Mined
from astrace.check.inputs.numeric import KINDS, MINED, Array, NumberSource, array_like, cast

SMALL: Final = 16
"""Arrays up to this size are drawn item by item, larger ones as a kind of noise with a seed."""
SIMPLE: Final = (0.0, 1.0, -1.0, 2.0)
CHUNKS: Final = 8
DIMS: Final = 6
CHOICES: Final = st.sampled_from([0, 1, 2, *[3] * 7])
"""The changes of a chunk of an array: to zeros, to ones, rounded, or none."""
OFTEN: Final = st.integers(0, 3)
"""True three times out of four."""


@st.composite
def calls_like(draw: st.DrawFn, examples: Sequence[Call], mined: Mined) -> Call:
    """Calls like some examples.

    Args:
        draw: given by Hypothesis.
        examples: calls that are known to make sense.
        mined: constants of the function's code.
    """
    example = draw(st.sampled_from(list(examples)))
    sizes = _sizes(draw, example, mined)

    def change(leaf: Any) -> Any:
        return _leaf(draw, leaf, sizes, mined)

    args, kwargs = rebuilt((example.args, dict(example.kwargs)), change)
    return Call(args, kwargs, "drawn by Hypothesis")


def _sizes(draw: st.DrawFn, example: Call, mined: Mined) -> dict[int, int]:
    """Other sizes for the dimensions of an example; equal ones stay equal."""
    present: set[int] = set()

    def note(leaf: Any) -> Any:
        present.update(leaf.shape if isinstance(leaf, np.ndarray) else ())
        return leaf

    rebuilt((example.args, dict(example.kwargs)), note)
    if not present or draw(OFTEN):
        return {}
    pool = st.one_of(st.integers(0, DIMS), st.sampled_from(mined.sizes or (1,)))
    return {size: draw(pool) for size in sorted(present)}


def _leaf(draw: st.DrawFn, leaf: Any, sizes: dict[int, int], mined: Mined) -> Any:
    if isinstance(leaf, np.ndarray):
        return _array(draw, leaf, sizes, mined) if leaf.dtype.kind in "biufc" else leaf
    if type(leaf) is bool:
        return draw(st.booleans())
    if isinstance(leaf, (*NUMBERS, np.number, np.bool_)):
        return _number(draw, leaf, mined)
    found = others(leaf, NumberSource(np.random.default_rng(0), mined), ())
    return draw(st.sampled_from([leaf, leaf, leaf, *found])) if found else leaf


def _array(draw: st.DrawFn, leaf: Array, sizes: dict[int, int], mined: Mined) -> Array:
    shape = other_shape(leaf, sizes)
    if math.prod(shape) > SMALL:
        kind = draw(st.sampled_from([*KINDS.values(), *MINED.values()]))
        source = NumberSource(
            np.random.default_rng(draw(st.integers(0, 2**32))), mined, draw(st.integers(0, 99))
        )
        return array_like(leaf, kind, source, shape)
    items = draw(hnp.arrays(np.float64, shape, elements=_floats(mined), fill=st.nothing()))
    return cast(items, leaf.dtype)


def _floats(mined: Mined) -> st.SearchStrategy[float]:
    """Floats, those of the function's code and the special ones more often than by chance."""
    pool = [*SIMPLE, *(_finite(value) for value in mined.numbers), 5e-324, -0.0, np.nan, np.inf, -np.inf]
    return st.one_of(st.integers(-5, 9).map(float), st.sampled_from(pool), st.floats(-100, 100), st.floats())


def _finite(value: float) -> float:
    return float(value) if abs(value) < 1e308 else 1e308


def _number(draw: st.DrawFn, leaf: Any, mined: Mined) -> Any:
    if type(leaf) is int or isinstance(leaf, np.integer):
        whole = [int(value) for value in mined.numbers if abs(value) < 1000]
        found = draw(st.one_of(st.integers(0, 6), st.sampled_from(whole or [0]), st.integers(-9, 99)))
        kind = type(leaf)
        limits = np.iinfo(kind) if isinstance(leaf, np.integer) else None
        return kind(found if limits is None else max(int(limits.min), min(found, int(limits.max))))
    value = draw(_floats(mined))
    if isinstance(leaf, np.bool_):
        return np.bool_(value > 0)
    with np.errstate(all="ignore"):
        return type(leaf)(value)


# -- smaller -----------------------------------------------------------------------------------------------


@st.composite
def near(draw: st.DrawFn, failing: Call) -> Call:
    """Calls between a failing one and the simplest of its kind.

    Every number is either simple or that of the failing call, the latter more often; Hypothesis shrinks
    towards the simple ones, and towards fewer items.
    """
    cut = _cut(draw, failing)

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "biufc":
            return _near_array(draw, leaf[cut(leaf)] if leaf.ndim else leaf)
        if isinstance(leaf, (*NUMBERS, np.number)) and type(leaf) is not bool:
            return draw(st.sampled_from(_simpler(leaf)))
        return leaf

    args, kwargs = rebuilt((failing.args, dict(failing.kwargs)), change)
    return Call(args, kwargs, failing.kind)


def _cut(draw: st.DrawFn, failing: Call) -> Callable[[Array], tuple[slice, ...]]:
    """Draw how many items to keep along dimensions of each size; most often all."""
    kept: dict[int, int] = {}

    def note(leaf: Any) -> Any:
        for size in leaf.shape if isinstance(leaf, np.ndarray) else ():
            if size not in kept:
                kept[size] = size if draw(OFTEN) else draw(st.integers(min(size, 1), size))
        return leaf

    rebuilt((failing.args, dict(failing.kwargs)), note)
    return lambda array: tuple(slice(kept[size]) for size in array.shape)


def _near_array(draw: st.DrawFn, array: Array) -> Array:
    """The array with chunks of it made simple."""
    found = array.copy()
    flat = found.reshape(-1)
    chunks = np.array_split(np.arange(flat.size), min(CHUNKS, flat.size) or 1)
    for chunk in chunks:
        choice = draw(CHOICES)
        if choice == 2:
            with np.errstate(all="ignore"):
                flat[chunk] = np.round(flat[chunk])
        elif choice < 2:
            flat[chunk] = cast(np.full(len(chunk), float(choice)), array.dtype)
    return flat.reshape(found.shape)


def _simpler(value: Any) -> list[Any]:
    """A number and simpler ones of its type, the simplest first, its own most often."""
    kind: Any = type(value)
    signs = (0, 1) if isinstance(value, np.unsignedinteger) else (0, 1, -1, 2)
    simple = [kind(one) for one in signs]
    if isinstance(value, float | np.floating) and math.isfinite(value):
        simple.append(kind(round(float(value))))
    return [*(one for one in simple if one != value), *[value] * 8]
