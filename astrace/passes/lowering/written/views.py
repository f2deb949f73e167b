"""Other axes, and items in another order, without a copy: ``flip``, ``expand_dims``, ``squeeze``, ``transpose``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from astrace.passes.lowering.arrays import computed
from astrace.passes.lowering.forms import ArrayForm
from astrace.passes.lowering.functions.array_making import transposed
from astrace.passes.lowering.written.terms import Function, Steps, Term, need_array


def _flip(steps: Steps, m: Any, axis: Any = None) -> Term:
    need_array(steps, m)
    given = range(m.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {steps.axis(one, m.ndim) for one in given}
    return m[tuple(slice(None, None, -1) if one in axes else slice(None) for one in range(m.ndim))]


def _flipud(steps: Steps, m: Any) -> Term:
    return _flip(steps, m, 0)


def _fliplr(steps: Steps, m: Any) -> Term:
    need_array(steps, m, 2)
    return _flip(steps, m, 1)


def _expand_dims(steps: Steps, a: Any, axis: Any) -> Term:
    need_array(steps, a)
    place = steps.axis(axis, a.ndim + 1)
    return a[(*(slice(None),) * place, None)]


def _squeeze(steps: Steps, a: Any, axis: Any = None) -> Term:
    """Without axes of one item; which these are has to be known."""
    need_array(steps, a)
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
        need_array(steps, array)
        return array if array.ndim >= ndim else array[(None,) * (ndim - array.ndim)]

    return function


def _transpose(steps: Steps, a: Any, axes: Any = None) -> Term:
    need_array(steps, a)
    order = tuple(reversed(range(a.ndim))) if axes is None else axes
    steps.require(isinstance(order, tuple) and len(order) == a.ndim)
    return _permuted(steps, a, [steps.axis(one, a.ndim) for one in order])


def _swapaxes(steps: Steps, a: Any, axis1: Any, axis2: Any) -> Term:
    need_array(steps, a)
    first, second = (steps.axis(one, a.ndim) for one in (axis1, axis2))
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    return _permuted(steps, a, order)


def _moveaxis(steps: Steps, a: Any, source: Any, destination: Any) -> Term:
    need_array(steps, a)
    taken, places = (
        [steps.axis(one, a.ndim) for one in (given if isinstance(given, tuple) else (given,))]
        for given in (source, destination)
    )
    steps.require(len(taken) == len(places) == len(set(places)))
    order = [axis for axis in range(a.ndim) if axis not in taken]
    for place, axis in sorted(zip(places, taken, strict=True)):
        order.insert(place, axis)
    return _permuted(steps, a, order)


def _permuted(steps: Steps, a: Term, order: list[int]) -> Term:
    """A view that has, as each axis, the one of the array that ``order`` tells."""
    steps.require(sorted(order) == list(range(a.ndim)), "an axis that is there twice")
    if order == sorted(order):
        return a[:]
    assert isinstance(a.form, ArrayForm)
    array = computed(steps.writer, a.form)
    assert array.view is not None
    return Term(steps, transposed(steps.writer, array, array.view, order))


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
    "np.moveaxis": _moveaxis,
}
