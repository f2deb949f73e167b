"""Means and spreads: of elements with weights, of those that are not NaN, of several variables, along axes of medians."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import FLOAT, INT
from astrace.passes.lowering.written.loops import order, reduced
from astrace.passes.lowering.written.terms import Function, Steps, Term


def _is_floats(value: Any) -> bool:
    return isinstance(value, Term) and value.is_array and value.dtype == FLOAT


def _ptp(steps: Steps, a: Any, axis: Any = None) -> Term:
    steps.require(isinstance(a, Term) and a.is_array)
    a = steps.kept(a)
    return steps("np.max", a, axis) - steps("np.min", a, axis)


def _average(steps: Steps, a: Any, axis: Any = None, weights: Any = None, *, keepdims: Any = False) -> Term:
    steps.require(_is_floats(a))
    if weights is None:
        return steps("np.mean", a, axis, keepdims=keepdims)
    steps.require(_is_floats(weights) and keepdims is False)
    a, weights = steps.kept(a), steps.kept(weights)
    if weights.ndim == a.ndim:
        for size, other in zip(a.shape, weights.shape, strict=True):
            steps.same(size, other)
    else:
        steps.require(weights.ndim == 1)
        axis = steps.axis(axis, a.ndim)
        steps.same(weights.shape[0], a.shape[axis])
        weights = steps(
            "np.copy", weights[tuple(slice(None) if one == axis else None for one in range(a.ndim))]
        )
    total = steps.kept(steps("ndarray.sum", weights, axis))
    _check_some(steps, total)
    return steps("ndarray.sum", a * weights, axis) / total


def _check_some(steps: Steps, counts: Term) -> None:
    """Give up where a number is zero: NumPy raises, or warns."""
    some = steps("ne", counts, 0)
    steps.unless(steps("np.all", some) if some.is_array else some)


def _cov(
    steps: Steps, m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None
) -> Term:
    return _covariance(steps, m, y, rowvar, bias, ddof)


def _covariance(steps: Steps, m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any) -> Any:
    steps.require(_is_floats(m) and (y is None or _is_floats(y)) and type(bias) in (bool, int))
    steps.require(rowvar is True and (ddof is None or type(ddof) is int))
    rows = [one[None, :] if one.ndim == 1 else one for one in (m, y) if one is not None]
    steps.require(all(one.ndim == 2 for one in rows))
    variables = steps("np.concatenate", rows, axis=0) if len(rows) > 1 else steps("np.copy", rows[0])
    height, width = variables.shape
    less = ddof if ddof is not None else int(not bias)
    steps.unless(steps("gt", height, 1))
    steps.unless(steps("gt", width, less))
    variables = variables - steps("np.mean", variables, 1)[:, None]
    variables = steps.kept(variables)
    product = steps("np.dot", variables, steps("get_attr", variables, "T"))
    factor = 1 / (width - less)
    return product * factor


def _corrcoef(steps: Steps, x: Any, y: Any = None) -> Any:
    found = steps.kept(_covariance(steps, x, y, True, False, None))
    count = found.shape[0]

    def variance(place: Any) -> Any:
        return found[place, place]

    spreads = steps.array(FLOAT, (count,), variance, found)
    spreads = steps.kept(steps("np.sqrt", steps.kept(spreads)))
    found = found / spreads[:, None]
    return steps("np.clip", found / spreads[None, :], -1, 1)


# -- without NaN ---------------------------------------------------------------------------------------------


def _present(steps: Steps, a: Any) -> tuple[Term, Term]:
    """Return which elements are NaN, and all elements, with zero in the place of these."""
    steps.require(_is_floats(a))
    a = steps.kept(a)
    absent = steps.kept(steps("np.isnan", a))
    return absent, steps.kept(steps("np.where", absent, 0.0, a))


def _nansum(steps: Steps, a: Any, axis: Any = None) -> Term:
    return steps("np.sum", _present(steps, a)[1], axis)


def _nanprod(steps: Steps, a: Any, axis: Any = None) -> Term:
    steps.require(_is_floats(a))
    a = steps.kept(a)
    return steps("np.prod", steps("np.where", steps("np.isnan", a), 1.0, a), axis)


def _nanmean(steps: Steps, a: Any, axis: Any = None) -> Term:
    absent, given = _present(steps, a)
    count = steps.kept(steps("np.sum", ~absent, axis))
    _check_some(steps, count)
    return steps("np.sum", given, axis) / count


def _nanvar(steps: Steps, a: Any, axis: Any = None, *, ddof: Any = 0) -> Term:
    steps.require(type(ddof) is int and ddof >= 0)
    absent, given = _present(steps, a)
    count = steps.kept(steps("np.sum", ~absent, axis, keepdims=True))
    _check_some(steps, count)
    mean = steps("np.sum", given, axis, keepdims=True) / count
    apart = steps.kept(steps("np.where", absent, 0.0, given - steps.kept(mean)))
    total = steps("np.sum", apart * apart, axis)
    freedom = steps.kept(steps("np.sum", ~absent, axis) - ddof)
    is_some = freedom > 0
    steps.unless(steps("np.all", is_some) if is_some.is_array else is_some)
    return total / freedom


def _nanstd(steps: Steps, a: Any, axis: Any = None, *, ddof: Any = 0) -> Term:
    return steps("np.sqrt", _nanvar(steps, a, axis, ddof=ddof))


def _nan_to_num(steps: Steps, x: Any, copy: Any = True, nan: Any = 0.0) -> Term:
    steps.require(_is_floats(x) and copy is True and type(nan) is float)
    x, limits = steps.kept(x), np.finfo(FLOAT)
    found = steps("np.where", steps("eq", x, -np.inf), float(limits.min), x)
    found = steps("np.where", steps("eq", x, np.inf), float(limits.max), found)
    return steps("np.where", steps("np.isnan", x), nan, found)


# -- in order ------------------------------------------------------------------------------------------------


def _along_each(steps: Steps, function: Callable[[Term], Any], a: Term, axis: int) -> Term:
    """Return what a function gives of each row of an array of two axes, or of each column."""
    steps.require(_is_floats(a) and a.ndim == 2)
    a = steps.kept(a)
    other = 1 - axis
    out = steps("np.empty", a.shape[other], FLOAT)

    def row(place: Any) -> None:
        out[place] = function(a[place] if axis == 1 else a[:, place])

    steps.each((a.shape[other],), row)
    return out


def _median(steps: Steps, a: Any, axis: Any = None) -> Any:
    if isinstance(a, Term) and a.ndim == 2 and axis is not None:
        return _along_each(steps, lambda row: steps("np.median", row), a, steps.axis(axis, 2))
    if isinstance(a, Term) and a.ndim > 1 and axis is None:
        return steps("np.median", steps("ndarray.flatten", a))
    steps.require(axis is None or (isinstance(a, Term) and a.ndim == 1 and axis in (0, -1)))
    return NotImplemented if axis is None else steps("np.median", a)


def _sort(steps: Steps, a: Any, axis: Any = -1) -> Any:
    if not isinstance(a, Term) or a.ndim != 2:
        steps.require(axis in (0, -1))
        return NotImplemented if axis == -1 else steps("np.sort", a)
    place = steps.axis(axis, 2)
    out = steps("np.copy", a)

    def row(index: Any) -> None:
        key = (index, slice(None)) if place == 1 else (slice(None), index)
        out[key] = steps("np.sort", out[key])

    steps.each((out.shape[1 - place],), row)
    return out


def _unique(
    steps: Steps, ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False
) -> Any:
    steps.require(isinstance(ar, Term) and ar.ndim == 1 and ar.dtype in (FLOAT, INT))
    asked = (return_index, return_inverse, return_counts)
    steps.require(all(type(one) is bool for one in asked))
    items = steps("np.sort", ar)
    (count,) = items.shape
    steps.unless(steps("gt", count, 0))
    is_first = steps("np.ones", count, bool)
    is_first[1:] = steps("ne", items[1:], items[:-1])
    found = items[is_first]
    if not any(asked):
        return found
    others = _places_of_unique(steps, ar, is_first)
    return (found, *(other() for other, is_asked in zip(others, asked, strict=True) if is_asked))


def _places_of_unique(steps: Steps, ar: Term, is_first: Term) -> tuple[Callable[[], Any], ...]:
    """Return what gives where items first are, which of the different ones each is, and how often these are there.

    Args:
        steps: writes nodes.
        ar: the items.
        is_first: of the items in order, which are not equal to the one before.
    """
    (size,) = ar.shape

    def inverse() -> Term:
        found = steps("np.empty", size, int)
        found[order(steps, ar, stable=True)] = steps("np.cumsum", is_first) - 1
        return found

    def counts() -> Term:
        first = steps("np.flatnonzero", is_first)
        (count,) = first.shape
        ends = steps("np.empty", count + 1, int)
        ends[:-1] = first
        ends[-1] = size
        return steps("np.diff", ends)

    return lambda: order(steps, ar, stable=True)[is_first], inverse, counts


def _quantile(scale: float) -> Function:
    """Between the two items next to a place, which is counted in parts of all of them, or in percent."""

    def function(steps: Steps, a: Any, q: Any, axis: Any = None) -> Any:
        steps.require(_is_floats(a))
        if a.ndim == 2 and axis is not None:
            steps.require(not isinstance(q, tuple), "several places along an axis")
            return _along_each(steps, lambda row: function(steps, row, q), a, steps.axis(axis, 2))
        a = a if a.ndim == 1 else steps("ndarray.flatten", a)
        steps.require(axis in (None, 0, -1))
        items = steps("np.sort", a)
        steps.unless(steps("gt", items.shape[0], 1))
        several = q if isinstance(q, tuple) else (q,)
        found = [_between_items(steps, items, _part(steps, one, scale)) for one in several]
        return steps("np.array", found) if isinstance(q, tuple) else found[0]

    return function


def _part(steps: Steps, q: Any, scale: float) -> Any:
    """Return a place as a part of all items; NumPy raises for one outside."""
    if not isinstance(q, Term):
        steps.require(type(q) in (int, float) and 0 <= q / scale <= 1)
        return np.true_divide(q, scale)
    steps.require(not q.is_array and (q.dtype == FLOAT or (q.dtype == INT and scale == 100)))
    part = steps("np.divide", q, scale)
    steps.unless(steps("ge", part, 0.0))
    return part


def _between_items(steps: Steps, items: Term, part: Any) -> Term:
    """Return what is at a place between two items that are in order."""
    (count,) = items.shape
    place = (count - 1) * part
    steps.unless(place < count - 1)
    before = steps("int", place)
    low, high = items[before], items[before + 1]
    weight = place - before
    apart = high - low
    upper, lower = high - apart * (1 - weight), low + apart * weight
    return steps.choose(steps("ge", weight, 0.5), upper, lower)


def _extreme(ufunc: str) -> Function:
    """Of the elements that are not NaN; where there is none, NumPy warns."""

    def function(steps: Steps, a: Any) -> Term:
        steps.require(_is_floats(a) and a.ndim == 1)
        found = reduced(steps, ufunc, steps.kept(a))
        steps.unless(steps("eq", found, found))
        return found

    return function


def _digitize(steps: Steps, x: Any, bins: Any, right: Any = False) -> Term:
    steps.require(isinstance(bins, Term) and bins.ndim == 1 and bins.dtype == FLOAT and type(right) is bool)
    bins = steps.kept(bins)
    steps.unless(steps("np.all", bins[1:] >= bins[:-1]))
    return steps("np.searchsorted", bins, x, side="left" if right else "right")


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.ptp": _ptp,
    "np.average": _average,
    "np.cov": _cov,
    "np.corrcoef": _corrcoef,
    "np.nansum": _nansum,
    "np.nanprod": _nanprod,
    "np.nanmean": _nanmean,
    "np.nanvar": _nanvar,
    "np.nanstd": _nanstd,
    "np.nan_to_num": _nan_to_num,
    "np.median": _median,
    "np.sort": _sort,
    "np.unique": _unique,
    "np.percentile": _quantile(100),
    "np.quantile": _quantile(1),
    "np.nanmax": _extreme("fmax"),
    "np.nanmin": _extreme("fmin"),
    "np.digitize": _digitize,
}
