"""Other axes, and items in another order, without a copy: ``flip``, ``expand_dims``, ``squeeze``, ``transpose``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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
    places = tuple(steps.axis(one, a.ndim) for one in order)
    if a.ndim == 1:
        return a[:]
    steps.require(a.ndim == 2 and places in ((0, 1), (1, 0)), "more than two axes")
    return a[:] if places == (0, 1) else steps("get_attr", a, "T")


def _swapaxes(steps: Steps, a: Any, axis1: Any, axis2: Any) -> Term:
    need_array(steps, a)
    steps.require(a.ndim == 2)
    same = steps.axis(axis1, 2) == steps.axis(axis2, 2)
    return a[:] if same else steps("get_attr", a, "T")


def _moveaxis(steps: Steps, a: Any, source: Any, destination: Any) -> Term:
    return _swapaxes(steps, a, source, destination)


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
