"""Elements at other places, and other axes: ``flip``, ``tile``, ``repeat``, ``expand_dims``, ``meshgrid``, ``diag``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import BOOL, FLOAT, INT
from astrace.passes.lowering.written.terms import Function, Steps, Term


def _need_array(steps: Steps, value: Any, least: int = 1) -> None:
    steps.require(isinstance(value, Term) and value.is_array and value.ndim >= least)


# -- views ---------------------------------------------------------------------------------------------------


def _flip(steps: Steps, m: Any, axis: Any = None) -> Term:
    _need_array(steps, m)
    given = range(m.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {steps.axis(one, m.ndim) for one in given}
    return m[tuple(slice(None, None, -1) if one in axes else slice(None) for one in range(m.ndim))]


def _flipud(steps: Steps, m: Any) -> Term:
    return _flip(steps, m, 0)


def _fliplr(steps: Steps, m: Any) -> Term:
    _need_array(steps, m, 2)
    return _flip(steps, m, 1)


def _expand_dims(steps: Steps, a: Any, axis: Any) -> Term:
    _need_array(steps, a)
    place = steps.axis(axis, a.ndim + 1)
    return a[(*(slice(None),) * place, None)]


def _squeeze(steps: Steps, a: Any, axis: Any = None) -> Term:
    """Without axes of one item; which these are has to be known."""
    _need_array(steps, a)
    ones = [place for place, size in enumerate(a.shape) if isinstance(size, int) and size == 1]
    if axis is None:
        for size in a.shape:
            if not isinstance(size, int):
                steps.unless(steps("ne", size, 1))
        taken = set(ones)
    else:
        taken = {steps.axis(one, a.ndim) for one in (axis if isinstance(axis, tuple) else (axis,))}
        for place in taken:
            steps.same(a.shape[place], 1)
    steps.require(0 < len(taken) < a.ndim, "no axis of one item, or no other one")
    return a[tuple(0 if place in taken else slice(None) for place in range(a.ndim))]


def _at_least(ndim: int) -> Function:
    def function(steps: Steps, array: Any) -> Any:
        _need_array(steps, array)
        return array if array.ndim >= ndim else array[(None,) * (ndim - array.ndim)]

    return function


def _transpose(steps: Steps, a: Any, axes: Any = None) -> Term:
    _need_array(steps, a)
    order = tuple(reversed(range(a.ndim))) if axes is None else axes
    steps.require(isinstance(order, tuple) and len(order) == a.ndim)
    places = tuple(steps.axis(one, a.ndim) for one in order)
    if a.ndim == 1:
        return a[:]
    steps.require(a.ndim == 2 and places in ((0, 1), (1, 0)), "more than two axes")
    return a[:] if places == (0, 1) else steps("get_attr", a, "T")


def _swapaxes(steps: Steps, a: Any, axis1: Any, axis2: Any) -> Term:
    _need_array(steps, a)
    steps.require(a.ndim == 2)
    same = steps.axis(axis1, 2) == steps.axis(axis2, 2)
    return a[:] if same else steps("get_attr", a, "T")


# -- copies --------------------------------------------------------------------------------------------------


def _tile(steps: Steps, A: Any, reps: Any) -> Term:  # noqa: N803  (NumPy's name)
    array = A
    _need_array(steps, array)
    counts = reps if isinstance(reps, tuple) else (reps,)
    rank = max(array.ndim, len(counts))
    counts = (*(1,) * (rank - len(counts)), *counts)
    array = steps.kept(array[(None,) * (rank - array.ndim)] if array.ndim < rank else array)
    for one in counts:
        steps.unless(steps("ge", one, 0))
    spread = array[tuple(part for _ in range(rank) for part in (None, slice(None)))]
    return steps.joined(spread, tuple(zip(counts, array.shape, strict=True)))


def _repeat(steps: Steps, a: Any, repeats: Any, axis: Any = None) -> Term:
    _need_array(steps, a)
    steps.require(not isinstance(repeats, tuple) and not getattr(repeats, "is_array", False))
    if axis is None:
        a = a if a.ndim == 1 else steps("ndarray.flatten", a)
    place = 0 if axis is None else steps.axis(axis, a.ndim)
    a = steps.kept(a)
    steps.unless(steps("ge", repeats, 0))
    ways = [(size, repeats if one == place else 1) for one, size in enumerate(a.shape)]
    return steps.joined(a[(slice(None), None) * a.ndim], ways)


def _append(steps: Steps, arr: Any, values: Any, axis: Any = None) -> Term:
    _need_array(steps, arr)
    steps.require(axis is None and arr.ndim == 1)
    more = values if getattr(values, "is_array", False) else steps("np.array", [values])
    steps.require(more.ndim == 1)
    return steps("np.concatenate", (arr, more))


def _take(steps: Steps, a: Any, indices: Any, axis: Any = None) -> Term:
    _need_array(steps, a)
    steps.require(axis is not None or a.ndim == 1)
    place = 0 if axis is None else steps.axis(axis, a.ndim)
    steps.require(place == 0 or not getattr(indices, "is_array", True), "indices along later axes")
    return a[(*(slice(None),) * place, indices)]


def _take_along_axis(steps: Steps, arr: Any, indices: Any, axis: Any = -1) -> Term:
    _need_array(steps, arr)
    _need_array(steps, indices)
    steps.require(indices.dtype == INT and arr.ndim == indices.ndim <= 2)
    place = steps.axis(axis, arr.ndim)
    arr, indices = steps.kept(arr), steps.kept(indices)
    for one, (size, other) in enumerate(zip(arr.shape, indices.shape, strict=True)):
        if one != place:
            steps.same(size, other)

    def element(*places: Any) -> Any:
        return arr[tuple(indices[places] if one == place else at for one, at in enumerate(places))]

    return steps.kept(steps.array(arr.dtype, indices.shape, element, indices))


def _meshgrid(steps: Steps, *xi: Any, sparse: Any = False, indexing: Any = "xy") -> Any:
    for one in xi:
        _need_array(steps, one)
        steps.require(one.ndim == 1)
    steps.require(sparse is False and indexing in ("xy", "ij") and len(xi) > 1)
    axes = [1, 0, *range(2, len(xi))] if indexing == "xy" else list(range(len(xi)))
    xi = tuple(map(steps.kept, xi))
    shape = tuple(xi[axes.index(axis)].shape[0] for axis in range(len(xi)))

    def grid(given: Term, axis: int) -> Term:
        return steps.array(given.dtype, shape, lambda *places: given[places[axis]], given)

    return tuple(grid(one, axis) for one, axis in zip(xi, axes, strict=True))


def _diag(steps: Steps, v: Any, k: Any = 0) -> Any:
    _need_array(steps, v)
    steps.require(
        v.ndim == 1 and k == 0 and v.dtype.kind in "iuf", "the diagonal of a matrix, which is a view"
    )
    v = steps.kept(v)
    zero = v.dtype.type(0)

    def element(row: Any, column: Any) -> Any:
        return steps.choose(steps("eq", row, column), v[row], zero)

    return steps.kept(steps.array(v.dtype, (v.shape[0], v.shape[0]), element))


def _triangle(test: str) -> Function:
    def function(steps: Steps, m: Any, k: Any = 0) -> Any:
        _need_array(steps, m, 2)
        steps.require(m.ndim == 2 and type(k) is int and m.dtype.kind in "iuf")
        m = steps.kept(m)
        rows, columns = m.shape
        mask = steps.array(BOOL, (rows, columns), lambda row, column: steps(test, column, (row + k)))
        return steps("np.where", steps.kept(mask), m, m.dtype.type(0))

    return function


def _nonzero(steps: Steps, a: Any) -> Any:
    """Of one axis: of several, NumPy gives columns of one array."""
    _need_array(steps, a)
    steps.require(a.ndim == 1, "several axes")
    mask = steps.kept(a if a.dtype == BOOL else steps("ne", a, 0))
    return (steps.positions(mask, 0),)


def _flatnonzero(steps: Steps, a: Any) -> Any:
    return _nonzero(steps, a)[0]


def _where(steps: Steps, condition: Any, x: Any = None, y: Any = None) -> Any:
    return _nonzero(steps, condition) if x is None and y is None else NotImplemented


def _full_like(steps: Steps, a: Any, fill_value: Any) -> Term:
    _need_array(steps, a)
    steps.require(a.dtype == FLOAT and not getattr(fill_value, "is_array", False))
    made = steps("np.empty_like", a)
    made[...] = fill_value
    return made


def _moveaxis(steps: Steps, a: Any, source: Any, destination: Any) -> Term:
    return _swapaxes(steps, a, source, destination)


def _delete(steps: Steps, arr: Any, obj: Any) -> Term:
    """Without one item."""
    _need_array(steps, arr)
    steps.require(arr.ndim == 1 and type(obj) is int)
    (size,) = arr.shape
    steps.unless(steps("gt", size, obj if obj >= 0 else -obj - 1))
    place = obj if obj >= 0 else size + obj
    return steps("np.concatenate", (arr[:place], arr[place + 1 :]))


def _insert(steps: Steps, arr: Any, obj: Any, values: Any) -> Term:
    """With one item more."""
    _need_array(steps, arr)
    steps.require(arr.ndim == 1 and type(obj) is int and not getattr(values, "is_array", False))
    steps.require(arr.dtype == FLOAT and not isinstance(values, tuple))
    (size,) = arr.shape
    steps.unless(steps("ge", size, obj if obj >= 0 else -obj))
    place = obj if obj >= 0 else size + obj
    out = steps("np.empty", size + 1, np.float64)
    out[:place] = arr[:place]
    out[place + 1 :] = arr[place:]
    out[place] = values
    return out


def _linspace(steps: Steps, start: Any, stop: Any, num: Any = 50, endpoint: Any = True) -> Term:
    numbers = [one for one in (start, stop) if isinstance(one, Term)]
    steps.require(all(not one.is_array and one.dtype in (FLOAT, INT) for one in numbers))
    steps.require(all(isinstance(one, int | float) for one in (start, stop) if not isinstance(one, Term)))
    steps.require(type(endpoint) is bool and (isinstance(num, Term) or type(num) is int))
    start, stop = (steps("np.float64", one) for one in (start, stop))
    parts = (num - 1) if endpoint else num
    steps.unless(steps("gt", num, 1))
    extent = stop - start
    step = extent / parts
    steps.unless(steps("ne", step, 0.0))
    out = steps.kept(steps("np.arange", num) * step + start)
    if endpoint:
        out[-1] = stop
    return out


def _arange(steps: Steps, *bounds: Any, dtype: Any = None) -> Any:
    """Integers as they are, or as floats; of other numbers the first two, and what these tell of the next ones."""
    kinds = {one.dtype.kind if isinstance(one, Term) else np.dtype(type(one)).kind for one in bounds}
    if kinds == {"i"}:
        if dtype is None:
            return NotImplemented
        steps.require(dtype in (float, np.float64, FLOAT), f"{dtype}")
        return steps("ndarray.astype", steps("np.arange", *bounds), np.float64)
    steps.require(kinds <= {"i", "f"} and dtype is None and 0 < len(bounds) <= 3)
    numbers = [steps("np.float64", one) for one in bounds]
    start, stop, step = (0.0, *numbers, 1.0) if len(numbers) == 1 else (*numbers, 1.0)[:3]
    extent = (stop - start) / step
    count = steps("np.ceil", extent) if isinstance(extent, Term) else math.ceil(extent)
    steps.unless(steps("ge", count, 0.0))
    steps.unless(steps("le", count, MOST_NUMBERS))
    second = start + step
    apart = second - start

    def number(place: Any) -> Any:
        found = start + steps("float", place) * apart
        return steps.choose(steps("eq", place, 1), second, found)

    size = steps("int", count)
    return steps.kept(steps.array(FLOAT, (size,), number))


MOST_NUMBERS: Final = 2.0**31
"""Ranges of floats that have more items are left to NumPy."""


def _argsort(steps: Steps, a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """In any way, since no two items are equal."""
    _need_array(steps, a)
    steps.require(a.dtype in (FLOAT, INT) and kind in (None, "quicksort", "stable", "mergesort", "heapsort"))
    place = steps.axis(axis, a.ndim)
    if a.ndim == 1:
        return steps.order(a)
    steps.require(a.ndim == 2)
    a = steps.kept(a)
    out = steps("np.empty", a.shape, int)

    def row(index: Any) -> None:
        key = (index, slice(None)) if place == 1 else (slice(None), index)
        out[key] = steps.order(a[key])

    steps.each((a.shape[1 - place],), row)
    return out


def _vander(steps: Steps, x: Any, N: Any = None, increasing: Any = False) -> Term:  # noqa: N803  (NumPy's name)
    """Powers of numbers, each the one before times the number."""
    _need_array(steps, x)
    steps.require(
        x.ndim == 1
        and x.dtype == FLOAT
        and type(N) is int
        and 0 < N <= MOST_POWERS
        and type(increasing) is bool
    )
    x = steps.kept(x)
    out = steps("np.empty", (x.shape[0], N), np.float64)
    columns = range(N) if increasing else range(N - 1, -1, -1)
    power: Any = 1.0
    for count, column in enumerate(columns):
        power = x if count == 1 else power * x if count else 1.0
        out[:, column] = power
    return out


MOST_POWERS: Final = 16
"""Columns of powers that are written one after the other."""


def _round(steps: Steps, a: Any, decimals: Any = 0) -> Term:
    _need_array(steps, a)
    steps.require(a.dtype == FLOAT and type(decimals) is int and 0 <= decimals <= MOST_DECIMALS)
    if decimals == 0:
        return steps("np.rint", a)
    scale = 10.0**decimals
    return steps("np.rint", a * scale) / scale


MOST_DECIMALS: Final = 22
"""Powers of ten up to this one are floats exactly."""


def _accumulate(op: str) -> Function:
    """Each result is that of the one before and an element."""

    def function(steps: Steps, array: Any, axis: Any = 0) -> Any:
        _need_array(steps, array)
        if op in ("np.cumsum", "np.cumprod"):
            return steps(op, array, axis=axis)
        steps.require(array.ndim == 1 and axis in (0, -1) and array.dtype in (FLOAT, INT))
        out = steps("np.copy", array)

        def step(place: Any) -> None:
            out[place + 1] = steps(op, out[place], out[place + 1])

        steps.each((out.shape[0] - 1,), step)
        return out

    return function


def _select(steps: Steps, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    steps.require(isinstance(condlist, tuple) and isinstance(choicelist, tuple))
    steps.require(len(condlist) == len(choicelist) > 0 and all(one.dtype == BOOL for one in condlist))
    found = default
    for test, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        found = steps("np.where", test, choice, found)
    return found


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.flip": _flip,
    "np.flipud": _flipud,
    "np.fliplr": _fliplr,
    "np.expand_dims": _expand_dims,
    "np.squeeze": _squeeze,
    "np.atleast_1d": _at_least(1),
    "np.atleast_2d": _at_least(2),
    "np.transpose": _transpose,
    "np.swapaxes": _swapaxes,
    "np.tile": _tile,
    "np.repeat": _repeat,
    "np.append": _append,
    "np.take": _take,
    "np.take_along_axis": _take_along_axis,
    "np.meshgrid": _meshgrid,
    "np.diag": _diag,
    "np.triu": _triangle("ge"),
    "np.tril": _triangle("le"),
    "np.linspace": _linspace,
    "np.arange": _arange,
    "np.argsort": _argsort,
    "np.vander": _vander,
    "np.round": _round,
    "np.add.accumulate": _accumulate("np.cumsum"),
    "np.multiply.accumulate": _accumulate("np.cumprod"),
    "np.maximum.accumulate": _accumulate("np.maximum"),
    "np.minimum.accumulate": _accumulate("np.minimum"),
    "np.select": _select,
    "np.nonzero": _nonzero,
    "np.flatnonzero": _flatnonzero,
    "np.where": _where,
    "np.full_like": _full_like,
    "np.moveaxis": _moveaxis,
    "np.delete": _delete,
    "np.insert": _insert,
}
