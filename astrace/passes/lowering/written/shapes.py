"""Copies of elements at other places, and places of elements: ``tile``, ``repeat``, ``append``, ``take``, ``nonzero``, ``argsort``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import BOOL, FLOAT, INT
from astrace.passes.lowering.written.loops import joined, order, positions
from astrace.passes.lowering.written.terms import Function, Steps, Term, need_array


def _tile(steps: Steps, A: Any, reps: Any) -> Term:  # noqa: N803  (NumPy's name)
    array = A
    need_array(steps, array)
    counts = reps if isinstance(reps, tuple) else (reps,)
    rank = max(array.ndim, len(counts))
    counts = (*(1,) * (rank - len(counts)), *counts)
    array = steps.kept(array[(None,) * (rank - array.ndim)] if array.ndim < rank else array)
    for one in counts:
        steps.unless(steps("ge", one, 0))
    spread = array[tuple(part for _ in range(rank) for part in (None, slice(None)))]
    return joined(steps, spread, tuple(zip(counts, array.shape, strict=True)))


def _repeat(steps: Steps, a: Any, repeats: Any, axis: Any = None) -> Term:
    need_array(steps, a)
    steps.require(not isinstance(repeats, tuple) and not getattr(repeats, "is_array", False))
    if axis is None:
        a = a if a.ndim == 1 else steps("ndarray.flatten", a)
    place = 0 if axis is None else steps.axis(axis, a.ndim)
    a = steps.kept(a)
    steps.unless(steps("ge", repeats, 0))
    ways = [(size, repeats if one == place else 1) for one, size in enumerate(a.shape)]
    return joined(steps, a[(slice(None), None) * a.ndim], ways)


def _append(steps: Steps, arr: Any, values: Any, axis: Any = None) -> Term:
    need_array(steps, arr)
    steps.require(axis is None and arr.ndim == 1)
    more = values if getattr(values, "is_array", False) else steps("np.array", [values])
    steps.require(more.ndim == 1)
    return steps("np.concatenate", (arr, more))


def _take(steps: Steps, a: Any, indices: Any, axis: Any = None) -> Term:
    need_array(steps, a)
    steps.require(axis is not None or a.ndim == 1)
    if isinstance(indices, tuple) and indices:
        indices = steps("np.array", indices)
    place = 0 if axis is None else steps.axis(axis, a.ndim)
    is_array = isinstance(indices, Term) and indices.is_array
    steps.require(type(indices) is int or (isinstance(indices, Term) and indices.dtype.kind == "i"))
    steps.require(place == 0 or not is_array, "indices along later axes")
    return a[(*(slice(None),) * place, indices)]


def _take_along_axis(steps: Steps, arr: Any, indices: Any, axis: Any = -1) -> Term:
    need_array(steps, arr)
    need_array(steps, indices)
    steps.require(indices.dtype == INT and arr.ndim == indices.ndim <= 2)
    place = steps.axis(axis, arr.ndim)
    arr, indices = steps.kept(arr), steps.kept(indices)
    for one, (size, other) in enumerate(zip(arr.shape, indices.shape, strict=True)):
        if one != place:
            steps.same(size, other)

    def element(*places: Any) -> Any:
        return arr[tuple(indices[places] if one == place else at for one, at in enumerate(places))]

    return steps.kept(steps.array(arr.dtype, indices.shape, element, indices))


def _nonzero(steps: Steps, a: Any) -> Any:
    """Of one axis: of several, NumPy gives columns of one array."""
    need_array(steps, a)
    steps.require(a.ndim == 1, "several axes")
    mask = steps.kept(a if a.dtype == BOOL else steps("ne", a, 0))
    return (positions(steps, mask, 0),)


def _flatnonzero(steps: Steps, a: Any) -> Any:
    return _nonzero(steps, a)[0]


def _where(steps: Steps, condition: Any, x: Any = None, y: Any = None) -> Any:
    return _nonzero(steps, condition) if x is None and y is None else NotImplemented


def _delete(steps: Steps, arr: Any, obj: Any) -> Term:
    """Without one item."""
    need_array(steps, arr)
    steps.require(arr.ndim == 1 and type(obj) is int)
    (size,) = arr.shape
    steps.unless(steps("gt", size, obj if obj >= 0 else -obj - 1))
    place = obj if obj >= 0 else size + obj
    return steps("np.concatenate", (arr[:place], arr[place + 1 :]))


def _insert(steps: Steps, arr: Any, obj: Any, values: Any) -> Term:
    """With one item more."""
    need_array(steps, arr)
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


def _argsort(steps: Steps, a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """In any way, where no two items are equal, or in the one that keeps the order of those that are."""
    need_array(steps, a)
    steps.require(a.dtype in (FLOAT, INT) and kind in (None, "quicksort", "stable", "mergesort", "heapsort"))
    place, stable = steps.axis(axis, a.ndim), kind in ("stable", "mergesort")
    if a.ndim == 1:
        return order(steps, a, stable)
    steps.require(a.ndim == 2)
    a = steps.kept(a)
    out = steps("np.empty", a.shape, int)

    def row(index: Any) -> None:
        key = (index, slice(None)) if place == 1 else (slice(None), index)
        out[key] = order(steps, a[key], stable)

    steps.each((a.shape[1 - place],), row)
    return out


def _lexsort(steps: Steps, keys: Any) -> Any:
    """By the last key; those that are equal keep the order that the keys before give them."""
    steps.require(isinstance(keys, tuple))
    steps.require(all(isinstance(one, Term) and one.ndim == 1 and one.dtype in (FLOAT, INT) for one in keys))
    first, *others = keys
    for one in others:
        steps.same(first.shape[0], one.shape[0])
    found = order(steps, first, stable=True)
    for one in others:
        found = steps.kept(found[order(steps, one[found], stable=True)])
    return found


def _unravel_index(steps: Steps, indices: Any, shape: Any) -> tuple[Any, ...]:
    """Of one place among all elements in C order; of one outside NumPy raises."""
    sizes = shape if isinstance(shape, tuple) else (shape,)
    steps.number(indices, "i")
    found: list[Any] = []
    rest = steps("np.int64", indices)
    steps.unless(steps("ge", rest, 0))
    for size in reversed(sizes):
        steps.unless(steps("gt", size, 0))
        found.append(steps("np.int64", steps("mod", rest, size)))
        rest = steps("floordiv", rest, size)
    steps.unless(steps("eq", rest, 0))
    return tuple(reversed(found))


def _select(steps: Steps, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    steps.require(isinstance(condlist, tuple) and isinstance(choicelist, tuple))
    steps.require(
        len(condlist) == len(choicelist) > 0 and all(getattr(one, "dtype", None) == BOOL for one in condlist)
    )
    found = default
    for test, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        found = steps("np.where", test, choice, found)
    return found


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.tile": _tile,
    "np.repeat": _repeat,
    "np.append": _append,
    "np.take": _take,
    "np.take_along_axis": _take_along_axis,
    "np.argsort": _argsort,
    "np.select": _select,
    "np.lexsort": _lexsort,
    "np.unravel_index": _unravel_index,
    "np.nonzero": _nonzero,
    "np.flatnonzero": _flatnonzero,
    "np.where": _where,
    "np.delete": _delete,
    "np.insert": _insert,
}
