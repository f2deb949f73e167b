"""Products, norms and bounds: ``cross``, ``kron``, ``inner``, ``norm`` along axes, ``@`` of stacks, ``clip``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import BOOL, COMPLEX, FLOAT
from astrace.passes.lowering.written.loops import in_c_order, joined
from astrace.passes.lowering.written.terms import Function, Steps, Term

MULTIPLIED: Final = frozenset(map(np.dtype, ("f8", "f4")))
"""The dtypes of which sums of products are written out."""


def _is_array(value: Any) -> bool:
    return isinstance(value, Term) and value.is_array and value.ndim > 0


def _cross(steps: Steps, a: Any, b: Any) -> Term:
    """Of vectors of three numbers along the last axis."""
    steps.require(_is_array(a) and _is_array(b) and {a.dtype.kind, b.dtype.kind} <= set("if"))
    a, b = steps.kept(a), steps.kept(b)
    for one in (a, b):
        steps.same(one.shape[-1], 3)
    dtype = np.promote_types(a.dtype, b.dtype)
    a, b = (
        one if one.dtype == dtype else steps.kept(steps("ndarray.astype", one, dtype.type)) for one in (a, b)
    )
    is_single = a.ndim == b.ndim == 1
    steps.require(dtype.kind == "f" or not is_single, "vectors of integers")
    a0, a1, a2, b0, b1, b2 = (steps.along(one, -1, place) for one in (a, b) for place in range(3))
    found = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return steps("np.array", found) if is_single else steps("np.stack", found, axis=-1)


def _kron(steps: Steps, a: Any, b: Any) -> Term:
    steps.require(_is_array(a) and _is_array(b) and a.ndim == b.ndim <= 2)
    a, b = steps.kept(a), steps.kept(b)
    left, right = a[(slice(None), None) * a.ndim], b[(None, slice(None)) * b.ndim]
    return joined(steps, left * right, tuple(zip(a.shape, b.shape, strict=True)))


def _inner(steps: Steps, a: Any, b: Any) -> Term:
    steps.require(_is_array(a) and _is_array(b) and a.ndim == b.ndim == 1)
    return steps("np.dot", a, b)


def _vdot(steps: Steps, a: Any, b: Any) -> Term:
    steps.require(_is_array(a) and _is_array(b) and a.ndim == b.ndim == 1)
    steps.require(a.dtype == b.dtype and a.dtype in MULTIPLIED)
    return steps("matmul", a, b)


def _tensordot(steps: Steps, a: Any, b: Any, axes: Any = 2) -> Term:
    """Along the last axes of one array and the first ones of the other, in their order: NumPy turns no axes then."""
    steps.require(_is_array(a) and _is_array(b))
    left, right = _summed_axes(steps, axes, a.ndim, b.ndim)
    count = len(left)
    in_order = left == tuple(range(a.ndim - count, a.ndim)) and right == tuple(range(count))
    steps.require(0 < count < a.ndim + b.ndim - count and in_order)
    if a.ndim == b.ndim == 2 and count == 1:
        return steps("np.dot", a, b)
    a, b = steps.kept(a), steps.kept(b)
    outer, inner, b_outer = a.shape[: a.ndim - count], a.shape[a.ndim - count :], b.shape[count:]
    for size, other in zip(inner, b.shape[:count], strict=True):
        steps.same(size, other)
    rows, middle, columns = map(math.prod, (outer, inner, b_outer))
    if not outer and a.ndim > 1:
        a = steps("ndarray.copy", a)  # NumPy copies one row that does not lie in one piece, in C order
    a, b = steps("np.reshape", a, (rows, middle)), steps("np.reshape", b, (middle, columns))
    return steps("np.reshape", steps("np.dot", a, b), (*outer, *b_outer))


def _summed_axes(steps: Steps, axes: Any, ndim: int, other_ndim: int) -> tuple[tuple[int, ...], ...]:
    """The axes of two arrays that ``np.tensordot`` sums over: so many in the middle, or those that are named."""
    if type(axes) is int:
        steps.require(0 < axes <= min(ndim, other_ndim))
        return tuple(range(ndim - axes, ndim)), tuple(range(axes))
    steps.require(isinstance(axes, tuple) and len(axes) == 2)
    named = [one if isinstance(one, tuple) else (one,) for one in axes]
    left, right = (
        tuple(steps.axis(one, of) for one in several)
        for several, of in zip(named, (ndim, other_ndim), strict=True)
    )
    steps.require(len(left) == len(right))
    return left, right


def _matmul(steps: Steps, a: Any, b: Any) -> Any:
    """Of stacks of matrices one after the other; of a stack and one matrix, that one."""
    ranks = [one.ndim if _is_array(one) else 0 for one in (a, b)]
    if max(ranks) < 3:
        return NotImplemented
    steps.require(max(ranks) == 3 and min(ranks) > 0 and a.dtype == b.dtype and a.dtype in MULTIPLIED)
    a, b = steps.kept(a), steps.kept(b)
    count = a.shape[0] if a.ndim == 3 else b.shape[0]
    if a.ndim == b.ndim == 3:
        steps.same(count, b.shape[0])
    shape = (*a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ()))
    out = steps("np.empty", (count, *shape), a.dtype.type)

    def multiply(place: Any) -> None:
        factors = (one[place] if one.ndim == 3 else one for one in (a, b))
        out[place] = steps("matmul", *factors)

    steps.each((count,), multiply)
    return out


def _norm(steps: Steps, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:  # noqa: A002
    if ord is axis is None and keepdims is False:
        return NotImplemented
    steps.require(_is_array(x) and x.dtype == FLOAT)
    if axis is None:
        is_plain = ord is None or (ord in ("fro", "f") and x.ndim == 2) or (ord == 2 and x.ndim == 1)
        if is_plain and keepdims is False:
            return steps("np.linalg.norm", x)
        steps.require(x.ndim == 1 and not is_plain)
        axis = 0
    place = steps.axis(axis, x.ndim)
    if ord is None or ord == 2:
        x = steps.kept(x)
        return steps("np.sqrt", steps("np.sum", x * x, place, keepdims=keepdims))
    steps.require(type(ord) in (int, float) and ord in (1, np.inf, -np.inf))
    reduction = "np.sum" if ord == 1 else "np.max" if ord == np.inf else "np.min"
    return steps(reduction, steps("np.absolute", x), place, keepdims=keepdims)


def _reduce(op: str) -> Function:
    """``np.add.reduce`` and the like: as the function, but along the first axis where none is named."""

    def function(steps: Steps, array: Any, axis: Any = 0, *, keepdims: Any = False) -> Term:
        steps.require(_is_array(array) and array.dtype == FLOAT)
        return steps(op, array, axis, keepdims=keepdims)

    return function


def _clip(steps: Steps, a: Any, a_min: Any = None, a_max: Any = None, **named: Any) -> Any:
    steps.require(not named.keys() - {"min", "max"} and (not named or a_min is a_max is None))
    low, high = named.get("min", a_min), named.get("max", a_max)
    if low is None or high is None:
        steps.require(low is not high)
        return steps("np.minimum", a, high) if low is None else steps("np.maximum", a, low)
    if not any(map(_is_array, (low, high))):
        return steps("np.clip", a, low, high) if steps.is_named else NotImplemented
    return _between_arrays(steps, a, low, high)


def _between_arrays(steps: Steps, a: Any, low: Any, high: Any) -> Any:
    """Elements between those of arrays: what is repeated, or alone, NumPy treats as it does numbers."""
    given = [one for one in (a, low, high) if isinstance(one, Term)]
    steps.require(_is_array(a) and all(one.dtype == FLOAT for one in given))
    a = steps.kept(a)
    low, high = (in_c_order(steps, one) if _is_array(one) else one for one in (low, high))
    for bound in (low, high):
        for size, other in zip(a.shape, bound.shape if _is_array(bound) else (), strict=False):
            steps.same(size, other)
        steps.require(not _is_array(bound) or bound.ndim == a.ndim, "bounds that are repeated")
    for size in a.shape:
        steps.unless(steps("gt", size, 1))
    raised = steps.kept(steps("np.where", (a > low) | steps("np.isnan", a), a, low))
    return steps("np.where", (raised < high) | steps("np.isnan", raised), raised, high)


def _isclose(steps: Steps, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8) -> Any:
    steps.require(type(rtol) is float and type(atol) is float and all(_is_float(one) for one in (a, b)))
    steps.require(_is_array(a) or _is_array(b), "numbers")
    a, b = steps.kept(a), steps.kept(b)
    is_finite = steps("np.isfinite", b) if isinstance(b, Term) else math.isfinite(b)
    near = steps("le", abs(a - b), atol + rtol * abs(b))
    return near & is_finite | steps("eq", a, b)


def _is_float(value: Any) -> bool:
    return type(value) is float or (isinstance(value, Term) and value.dtype == FLOAT)


def _allclose(steps: Steps, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8) -> Any:
    return steps("bool", steps("np.all", _isclose(steps, a, b, rtol, atol)))


def _array_equal(steps: Steps, a1: Any, a2: Any) -> Any:
    steps.require(_is_array(a1) and _is_array(a2) and a1.ndim == a2.ndim)
    a1, a2 = steps.kept(a1), steps.kept(a2)
    for size, other in zip(a1.shape, a2.shape, strict=True):
        steps.same(size, other)
    return steps("bool", steps("np.all", steps("eq", a1, a2)))


def _count_nonzero(steps: Steps, a: Any, axis: Any = None) -> Any:
    if axis is None:
        return NotImplemented
    steps.require(_is_array(a))
    return steps("np.sum", a if a.dtype == BOOL else steps("ne", a, 0), axis)


def _power(steps: Steps, x1: Any, x2: Any) -> Any:
    """Not as the operator, which computes something else for some exponents."""
    if isinstance(x1, Term) and x1.dtype == COMPLEX:
        return NotImplemented
    steps.require(_is_array(x1) and x1.dtype == FLOAT and (isinstance(x2, Term) or type(x2) in (int, float)))
    exponent = x2 if isinstance(x2, Term) else np.float64(x2)
    steps.require(getattr(exponent, "dtype", None) == FLOAT)
    return steps("pow", x1, exponent)


FUNCTIONS: Final[Mapping[str, Function]] = {
    "np.cross": _cross,
    "np.linalg.cross": _cross,
    "np.kron": _kron,
    "np.inner": _inner,
    "np.vdot": _vdot,
    "np.tensordot": _tensordot,
    "matmul": _matmul,
    "np.matmul": _matmul,
    "np.linalg.norm": _norm,
    "np.add.reduce": _reduce("np.sum"),
    "np.multiply.reduce": _reduce("np.prod"),
    "np.maximum.reduce": _reduce("np.max"),
    "np.minimum.reduce": _reduce("np.min"),
    "np.isclose": _isclose,
    "np.allclose": _allclose,
    "np.array_equal": _array_equal,
    "np.count_nonzero": _count_nonzero,
    "np.power": _power,
    "np.clip": _clip,
    "ndarray.clip": _clip,
}
