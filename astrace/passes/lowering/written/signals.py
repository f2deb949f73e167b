"""Convolutions, histograms and shifts: ``convolve``, ``correlate``, ``histogram``, ``roll`` along several axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import FLOAT
from astrace.passes.lowering.written.loops import in_one_piece, slide
from astrace.passes.lowering.written.terms import Function, Steps, Term

MOST_IN_ORDER: Final = 11
"""Up to so many products NumPy adds up one after the other (``small_correlate``); more it hands to its loop for products of arrays."""
FLOATS: Final = (FLOAT, np.dtype(np.float32))
MODES: Final = ("valid", "same", "full")


@functools.cache
def _adds_in_order() -> bool:
    """Tell whether NumPy adds up a few products as it is written out here, for all sizes."""
    return all(_is_in_order(size, dtype) for size in range(1, MOST_IN_ORDER + 1) for dtype in FLOATS)


def _is_in_order(size: int, dtype: np.dtype[Any]) -> bool:
    numbers = np.sin(np.arange(1, 64, dtype=np.float64)).astype(dtype)
    weights = np.cos(np.arange(1, size + 1, dtype=np.float64)).astype(dtype)
    total = np.zeros(len(numbers) - size + 1, dtype)
    for place in range(size):
        total = total + numbers[place : place + len(total)] * weights[place]
    return np.correlate(numbers, weights, "valid").tobytes() == total.tobytes()


def _floats(steps: Steps, *given: Any) -> list[Term]:
    """Return arrays of one axis in the dtype that NumPy computes in, each in one piece, as NumPy copies them."""
    arrays = [steps("np.array", list(one)) if isinstance(one, tuple) else one for one in given]
    steps.require(all(isinstance(one, Term) and one.ndim == 1 for one in arrays))
    dtype = np.result_type(*(one.dtype for one in arrays))
    steps.require(dtype in FLOATS, f"{dtype}")
    return [steps("ndarray.astype", one, dtype.type) if one.dtype != dtype else one for one in arrays]


def _convolve(steps: Steps, a: Any, v: Any, mode: Any = "full") -> Term:
    longer, shorter = _floats(steps, a, v)
    return _correlated(steps, longer, shorter[::-1], mode)


def _correlate(steps: Steps, a: Any, v: Any, mode: Any = "valid") -> Term:
    numbers, weights = _floats(steps, a, v)
    return _correlated(steps, numbers, weights, mode)


def _correlated(steps: Steps, numbers: Term, weights: Term, mode: Any) -> Term:
    """Products of weights with all parts of an array, as ``_pyarray_correlate`` adds them up; weights are no more than numbers."""
    steps.require(mode in MODES and _adds_in_order(), "another mode")
    numbers, weights = in_one_piece(steps, numbers), in_one_piece(steps, weights)
    (size,), (count,) = numbers.shape, weights.shape
    steps.unless(steps("ge", size, count))
    steps.unless(steps("gt", count, 0))
    left = {"valid": 0, "same": (count // 2), "full": (count - 1)}[mode]
    right = {"valid": 0, "full": left}.get(mode, count - left - 1)
    whole = (size - count) + 1
    out = steps("np.empty", whole + left + right, numbers.dtype.type)
    target = out[slice(left, (left + whole))]

    def in_order() -> None:
        target[:] = _in_order(steps, numbers, weights, whole, count)

    def by_loop() -> None:
        slide(steps, target, numbers, weights)

    steps.either(steps("le", count, MOST_IN_ORDER), in_order, by_loop)
    if mode == "valid":
        return out

    def begin(place: Any) -> None:
        beyond = left - place
        out[place] = steps("matmul", numbers[: (count - beyond)], weights[beyond:])

    def end(place: Any) -> None:
        beyond = place + 1
        part = numbers[(whole + place) :]
        out[left + whole + place] = steps("matmul", part, weights[: count - beyond])

    steps.each((left,), begin)
    steps.each((right,), end)
    return out


def _in_order(steps: Steps, numbers: Term, weights: Term, whole: Any, count: Any) -> Term:
    """Return the sums of products of weights with the numbers behind each place, added up one after the other."""
    total = steps.constant(numbers.dtype.type(0), (whole,))
    if isinstance(count, int):
        for place in range(count):
            total = total + numbers[slice(place, (whole + place))] * weights[place]
        return total
    kept = steps.kept(total)

    def add(place: Any) -> None:
        kept[:] = kept + numbers[slice(place, (whole + place))] * weights[place]

    steps.each((count,), add)
    return kept


def _histogram(steps: Steps, a: Any, bins: Any = 10, range: Any = None) -> Any:  # noqa: A002  (NumPy's name)
    """Of bins of equal width, or of bins whose edges are given."""
    steps.require(
        isinstance(a, Term) and a.ndim == 1 and a.dtype == FLOAT, "other things than an array of floats"
    )
    if isinstance(bins, Term) and bins.is_array:
        steps.require(bins.ndim == 1 and bins.dtype == FLOAT and range is None, "edges of another type")
        return _between(steps, steps.kept(a), steps.kept(bins)), bins
    steps.require(
        type(bins) is int or (isinstance(bins, Term) and not bins.is_array and bins.dtype.kind == "i")
    )
    steps.require(range is None or (isinstance(range, tuple) and len(range) == 2))
    a = steps.kept(a)
    first, last = (steps("np.min", a), steps("np.max", a)) if range is None else range
    first, last = (steps("np.float64", one) for one in (first, last))
    steps.unless(steps("lt", first, last))
    steps.unless(steps("lt", -np.inf, first))
    steps.unless(steps("lt", last, np.inf))
    edges = steps("np.linspace", first, last, (bins + 1))
    counts = steps("np.zeros", bins, int)
    extent, top = last - first, (bins - 1)

    def count(place: Any) -> None:
        number = a[place]
        kept = (number >= first) & (number <= last)
        number = steps.choose(kept, number, first)
        index = steps("int", (number - first) / extent * bins)
        index = steps.choose(steps("eq", index, bins), top, index)
        index = steps.choose(number < edges[index], index - 1, index)
        is_more = (number >= edges[index + 1]) & steps("ne", index, top)
        index = steps.choose(is_more, index + 1, index)
        counts[index] = counts[index] + steps.choose(kept, np.int64(1), np.int64(0))

    steps.each(a.shape, count)
    return counts, edges


MOST_COMPARED: Final = 24
"""Up to so many edges each is compared with all items; more are searched for among the items in order, as NumPy does."""
AT_ONCE: Final = 2048
"""Items that stay in the processor's cache while all edges are compared with them."""
SORTED_AT_ONCE: Final = 65536
"""Items that NumPy sorts at once."""


def _between(steps: Steps, a: Term, edges: Term) -> Term:
    """Return how many items lie between two edges each; at the last edge they do so still.  NumPy raises for edges that fall."""
    (size,) = edges.shape
    steps.unless(steps("ge", size, 2))
    top = size - 1

    def check(place: Any) -> None:
        steps.unless(edges[place] <= edges[place + 1])

    steps.each((top,), check)
    below = steps.kept(steps("np.zeros", size, int))
    steps.either(
        steps("le", size, MOST_COMPARED),
        lambda: _in_parts(steps, a, AT_ONCE, lambda part: _compare(steps, part, edges, below)),
        lambda: _in_parts(steps, a, SORTED_AT_ONCE, lambda part: _search(steps, part, edges, below)),
    )
    counts = steps("np.zeros", top, int)

    def subtract(place: Any) -> None:
        counts[place] = below[place + 1] - below[place]

    steps.each((top,), subtract)
    return counts


def _in_parts(steps: Steps, a: Term, size: int, body: Callable[[Term], None]) -> None:
    """Do something with each part of an array, of so many items or fewer."""

    def turned(turn: Any) -> None:
        body(a[slice(turn * size, (turn + 1) * size)])

    steps.each(((a.shape[0] + (size - 1)) // size,), turned)


def _compare(steps: Steps, part: Term, edges: Term, below: Term) -> None:
    """Add how many items are below each edge, or at the last one."""
    top = edges.shape[0] - 1

    def add(place: Any) -> None:
        below[place] = below[place] + steps("np.count_nonzero", part < edges[place])

    steps.each((top,), add)
    below[top] = below[top] + steps("np.count_nonzero", part <= edges[top])


def _search(steps: Steps, part: Term, edges: Term, below: Term) -> None:
    """Add the same, of items that are sorted."""
    top = edges.shape[0] - 1
    ordered = steps.kept(steps("np.sort", part))

    def add(place: Any) -> None:
        below[place] = below[place] + steps("np.searchsorted", ordered, edges[place])

    steps.each((top,), add)
    below[top] = below[top] + steps("np.searchsorted", ordered, edges[top], side="right")


def _roll(steps: Steps, a: Any, shift: Any, axis: Any = None) -> Any:
    if not isinstance(axis, tuple):
        return NotImplemented
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axis)
    steps.require(len(shifts) == len(axis) > 0)
    for one, place in zip(shifts, axis, strict=True):
        a = steps("np.roll", a, one, axis=place)
    return a


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.convolve": _convolve,
    "np.correlate": _correlate,
    "np.roll": _roll,
    **({"np.histogram": _histogram} if int(np.__version__.split(".")[0]) > 1 else {}),
}
