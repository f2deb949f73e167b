"""Arrays that follow from numbers, or element by element from one: ``linspace``, ``arange``, ``meshgrid``, ``diag``, ``round``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import BOOL, FLOAT, INT
from astrace.passes.lowering.written.terms import Function, Steps, Term, need_array

MOST_NUMBERS: Final = 2.0**31
"""Ranges of floats that have more items are left to NumPy."""


MOST_POWERS: Final = 16
"""Columns of powers that are written one after the other."""


MOST_DECIMALS: Final = 22
"""Powers of ten up to this one are floats exactly."""


def _meshgrid(steps: Steps, *xi: Any, sparse: Any = False, indexing: Any = "xy") -> Any:
    for one in xi:
        need_array(steps, one)
        steps.require(one.ndim == 1)
    steps.require(sparse is False and indexing in ("xy", "ij") and len(xi) > 1)
    axes = [1, 0, *range(2, len(xi))] if indexing == "xy" else list(range(len(xi)))
    xi = tuple(map(steps.kept, xi))
    shape = tuple(xi[axes.index(axis)].shape[0] for axis in range(len(xi)))

    def grid(given: Term, axis: int) -> Term:
        return steps.array(given.dtype, shape, lambda *places: given[places[axis]], given)

    return tuple(grid(one, axis) for one, axis in zip(xi, axes, strict=True))


def _diag(steps: Steps, v: Any, k: Any = 0) -> Any:
    need_array(steps, v)
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
        need_array(steps, m, 2)
        steps.require(m.ndim == 2 and type(k) is int and m.dtype.kind in "iuf")
        m = steps.kept(m)
        rows, columns = m.shape

        def is_kept(row: Any, column: Any) -> Any:
            return steps(test, column, row + k)

        mask = steps.array(BOOL, (rows, columns), is_kept)
        return steps("np.where", steps.kept(mask), m, m.dtype.type(0))

    return function


def _linspace(steps: Steps, start: Any, stop: Any, num: Any = 50, endpoint: Any = True) -> Term:
    numbers = [one for one in (start, stop) if isinstance(one, Term)]
    steps.require(all(not one.is_array and one.dtype in (FLOAT, INT) for one in numbers))
    steps.require(all(isinstance(one, int | float) for one in (start, stop) if not isinstance(one, Term)))
    steps.require(type(endpoint) is bool and type(num) is not bool)
    steps.number(num, "iu")
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
    if "f" not in kinds and dtype is None:
        return NotImplemented
    if kinds == {"i"}:
        steps.require(not isinstance(dtype, Term) and dtype in (float, np.float64, FLOAT), f"{dtype}")
        return steps("ndarray.astype", steps("np.arange", *bounds), np.float64)
    steps.require(kinds <= {"i", "f"} and dtype is None and 0 < len(bounds) <= 3)
    steps.require(getattr(steps.node.output.spec, "dtype", None) == FLOAT, "other floats")
    narrow = any(one.dtype not in (FLOAT, INT) for one in bounds if isinstance(one, Term | np.generic))
    steps.require(not narrow, "narrow numbers, with which NumPy computes the second one")
    numbers = [steps("np.float64", one) for one in bounds]
    start, stop, step = (0.0, *numbers, 1.0) if len(numbers) == 1 else (*numbers, 1.0)[:3]
    extent = (stop - start) / step
    count = steps("np.ceil", extent) if isinstance(extent, Term) else math.ceil(extent)
    steps.unless(steps("ge", count, 1.0))
    steps.unless(steps("le", count, MOST_NUMBERS))
    second = start + step
    apart = second - start

    def number(place: Any) -> Any:
        found = start + steps("float", place) * apart
        return steps.choose(steps("eq", place, 1), second, found)

    size = steps("int", count)
    return steps.kept(steps.array(FLOAT, (size,), number))


def _vander(steps: Steps, x: Any, N: Any = None, increasing: Any = False) -> Term:  # noqa: N803  (NumPy's name)
    """Powers of numbers, each the one before times the number."""
    need_array(steps, x)
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


def _round(steps: Steps, a: Any, decimals: Any = 0) -> Any:
    if type(decimals) is int and decimals == 0:
        return NotImplemented
    need_array(steps, a)
    steps.require(a.dtype == FLOAT and type(decimals) is int and 0 <= decimals <= MOST_DECIMALS)
    scale = 10.0**decimals
    return steps("np.rint", a * scale) / scale


def _accumulate(op: str) -> Function:
    """Each result is that of the one before and an element."""

    def function(steps: Steps, array: Any, axis: Any = 0) -> Any:
        need_array(steps, array)
        if op in ("np.cumsum", "np.cumprod"):
            return steps(op, array, axis=axis)
        steps.require(array.ndim == 1 and axis in (0, -1) and array.dtype in (FLOAT, INT))
        out = steps("np.copy", array)

        def step(place: Any) -> None:
            out[place + 1] = steps(op, out[place], out[place + 1])

        steps.each((out.shape[0] - 1,), step)
        return out

    return function


def _diff(steps: Steps, a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours, with numbers in front of the first item or behind the last one."""
    ends = [one for one in (prepend, append) if one is not None]
    if not ends:
        return NotImplemented
    need_array(steps, a)
    steps.require(a.ndim == 1 and type(n) is int and n > 0 and axis in (0, -1) and a.dtype in (FLOAT, INT))
    kinds = (int, float) if a.dtype == FLOAT else (int,)
    for one in ends:
        steps.require(one.dtype == a.dtype and one.ndim == 0 if isinstance(one, Term) else type(one) in kinds)
    first, size = int(prepend is not None), a.shape[0]
    joined = steps("np.empty", (size + len(ends),), a.dtype)
    joined[first : size + first] = a
    if prepend is not None:
        joined[0] = prepend
    if append is not None:
        joined[-1] = append
    return steps("np.diff", joined, n)


def _full_like(steps: Steps, a: Any, fill_value: Any) -> Term:
    need_array(steps, a)
    steps.require(a.dtype == FLOAT and not getattr(fill_value, "is_array", False))
    made = steps("np.empty_like", a)
    made[...] = fill_value
    return made


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.meshgrid": _meshgrid,
    "np.diag": _diag,
    "np.triu": _triangle("ge"),
    "np.tril": _triangle("le"),
    "np.linspace": _linspace,
    "np.arange": _arange,
    "np.vander": _vander,
    "np.round": _round,
    "np.add.accumulate": _accumulate("np.cumsum"),
    "np.multiply.accumulate": _accumulate("np.cumprod"),
    "np.maximum.accumulate": _accumulate("np.maximum"),
    "np.minimum.accumulate": _accumulate("np.minimum"),
    "np.full_like": _full_like,
    "np.diff": _diff,
}
