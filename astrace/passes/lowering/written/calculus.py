"""Differences, integrals and polynomials: ``gradient``, ``trapezoid``, ``unwrap``, ``polyval``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import COMPLEX, FLOAT
from astrace.passes.lowering.written.terms import Function, Steps, Term

MOST_UNROLLED: Final = 16
"""Coefficients whose steps are written one after the other."""


def _trapezoid(steps: Steps, y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Term:
    steps.require(isinstance(y, Term) and y.is_array)
    place = steps.axis(axis, y.ndim)
    if x is not None:
        steps.require(isinstance(x, Term) and x.ndim in (1, y.ndim))
        dx = steps("np.diff", x, axis=-1 if x.ndim == 1 else place)
        if x.ndim == 1:
            dx = _turned_along(dx, place, y.ndim)
    pairs = steps.along(y, place, slice(1, None)) + steps.along(y, place, slice(None, -1))
    return steps("ndarray.sum", dx * pairs / 2.0, place)


def _turned_along(array: Term, axis: int, ndim: int) -> Term:
    """Return an array of one axis as one of several, along one of these."""
    return array[(*(None,) * axis, slice(None), *(None,) * (ndim - axis - 1))] if ndim > 1 else array


def _ediff1d(steps: Steps, ary: Any) -> Term:
    steps.require(isinstance(ary, Term) and ary.ndim == 1)
    return ary[1:] - ary[:-1]


def _gradient(steps: Steps, f: Any, *spacings: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    steps.require(isinstance(f, Term) and f.ndim > 0 and f.dtype.kind in "iuf" and edge_order in (1, 2))
    given = range(f.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [steps.axis(one, f.ndim) for one in given]
    steps.require(len(set(axes)) == len(axes))
    steps.require(all(isinstance(one, Term | int | float | np.number) for one in spacings))
    steps.require(len(spacings) in (0, 1, len(axes)))
    steps.require(len(spacings) == len(axes) or not any(map(_is_array, spacings)), "places for several axes")
    every = spacings or (1.0,)
    every = every * len(axes) if len(every) == 1 else every
    if f.dtype.kind != "f":
        f = steps("ndarray.astype", f, np.float64)
    f = steps.kept(f)
    found = tuple(_slopes(steps, f, one, dx, edge_order) for one, dx in zip(axes, every, strict=True))
    return found[0] if len(found) == 1 else found


def _is_array(value: Any) -> bool:
    return isinstance(value, Term) and value.is_array


def _slopes(steps: Steps, f: Term, axis: int, dx: Any, order: int) -> Term:
    """Return the slopes along an axis: between the two neighbours, at the ends by the nearest ones.

    Args:
        steps: writes nodes.
        f: the values, floats.
        axis: along which.
        dx: the distance of neighbours, or the places.
        order: of what is neglected at the ends.
    """
    steps.unless(steps("ge", f.shape[axis], order + 1))
    along = _Along(steps, f, axis)
    if not _is_array(dx):
        along.even(dx, order)
        return along.out
    steps.require(dx.ndim == 1 and dx.dtype.kind in "if", "places of several axes")
    steps.same(dx.shape[0], f.shape[axis])
    places = steps("ndarray.astype", dx, np.float64) if dx.dtype.kind == "i" else dx
    apart = steps.kept(steps("np.diff", places))
    is_even = steps("np.all", steps("eq", apart, apart[0]))
    steps.either(is_even, lambda: along.even(apart[0], order), lambda: along.uneven(apart, order))
    return along.out


class _Along:
    """The slopes of values along an axis, as they are stored.

    Args:
        steps: writes nodes.
        f: the values.
        axis: the axis.
    """

    def __init__(self, steps: Steps, f: Term, axis: int) -> None:
        self.out: Term = steps("np.empty_like", f)
        self._steps, self._f, self._axis = steps, f, axis

    def at(self, part: int | slice) -> Term:
        """Return a part of the values."""
        return self._steps.along(self._f, self._axis, part)

    def put(self, part: int | slice, value: Term) -> None:
        """Store a part of the slopes."""
        self.out[(*(slice(None),) * self._axis, part)] = value

    def even(self, dx: Any, order: int) -> None:
        """Store the slopes of values at one distance."""
        at, put = self.at, self.put
        put(slice(1, -1), (at(slice(2, None)) - at(slice(None, -2))) / (2.0 * dx))
        if order == 1:
            put(0, (at(1) - at(0)) / dx)
            put(-1, (at(-1) - at(-2)) / dx)
            return
        put(0, -1.5 / dx * at(0) + 2.0 / dx * at(1) + -0.5 / dx * at(2))
        put(-1, 0.5 / dx * at(-3) + -2.0 / dx * at(-2) + 1.5 / dx * at(-1))

    def uneven(self, apart: Term, order: int) -> None:
        """Store the slopes of values at distances that differ."""
        at, put, steps = self.at, self.put, self._steps
        steps.unless(
            steps("np.all", steps("eq", apart, apart))
        )  # which sign NaN has is not certain behind a minus
        one, other = apart[:-1], apart[1:]
        weights = -other / (one * (one + other)), (other - one) / (one * other), one / (other * (one + other))
        a, b, c = (_turned_along(steps.kept(weight), self._axis, self._f.ndim) for weight in weights)
        put(slice(1, -1), a * at(slice(None, -2)) + b * at(slice(1, -1)) + c * at(slice(2, None)))
        if order == 1:
            put(0, (at(1) - at(0)) / apart[0])
            put(-1, (at(-1) - at(-2)) / apart[-1])
            return
        one, other = apart[0], apart[1]
        a, b = -(2.0 * one + other) / (one * (one + other)), (one + other) / (one * other)
        put(0, a * at(0) + b * at(1) + -one / (other * (one + other)) * at(2))
        one, other = apart[-2], apart[-1]
        a, b = other / (one * (one + other)), -(other + one) / (one * other)
        put(-1, a * at(-3) + b * at(-2) + (2.0 * other + one) / (other * (one + other)) * at(-1))


def _unwrap(steps: Steps, p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * math.pi) -> Term:
    steps.require(isinstance(p, Term) and p.is_array and p.dtype == FLOAT and type(period) is float)
    place = steps.axis(axis, p.ndim)
    jumps = steps.kept(steps("np.diff", p, axis=place))
    high = period / 2
    low = -high
    folded = steps.kept((jumps - low) % period + low)
    folded = steps("np.where", steps("eq", folded, low) & (jumps > 0), high, folded)
    correction = folded - jumps
    is_small = abs(jumps) < (high if discont is None else discont)
    correction = steps("np.where", is_small, 0.0, correction)
    out = steps("np.copy", p)
    rest = (*(slice(None),) * place, slice(1, None))
    out[rest] = p[rest] + steps("np.cumsum", correction, place)
    return out


def _polyval(steps: Steps, p: Any, x: Any) -> Any:
    steps.require(isinstance(x, Term) and (x.dtype == FLOAT or (x.is_array and x.dtype == COMPLEX)))
    p = steps("np.array", p) if isinstance(p, tuple) and p else p
    steps.require(isinstance(p, Term) and p.ndim == 1 and p.dtype.kind in "iufc")
    steps.require(np.result_type(p.dtype, x.dtype) == x.dtype)
    (count,) = p.shape
    if not x.is_array:
        return _polynomial_of_number(steps, p, count, x)
    x = steps.kept(x)
    if isinstance(count, int) and count <= MOST_UNROLLED:
        y = steps.constant(x.dtype.type(0.0), x.shape)
        for place in range(count):
            y = y * x + p[place]
        return y
    y = steps("np.zeros_like", x)

    def step(place: Any) -> None:
        y[(...,)] = y * x + p[place]

    steps.each((count,), step)
    return y


def _polynomial_of_number(steps: Steps, p: Term, count: Any, x: Term) -> Any:
    """Return a polynomial of one number."""
    steps.require(isinstance(count, int) and 0 < count <= MOST_UNROLLED, "many coefficients")
    y: Any = np.float64(0.0)
    x = steps("np.float64", x)
    for place in range(count):
        y = (y * x) + p[place]
    return y


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.trapezoid": _trapezoid,
    "np.ediff1d": _ediff1d,
    "np.gradient": _gradient,
    "np.unwrap": _unwrap,
    "np.polyval": _polyval,
}
