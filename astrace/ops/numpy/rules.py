"""Rules for functions whose results have shapes that are given as arguments, or by the data.

All other functions of NumPy are asked themselves, by a tiny run on stand-ins (``probe``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    INT,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.ops.numpy.probe import probe
from astrace.ops.registry import Rule
from astrace.ops.rules import (
    dtype_argument,
    shape_argument,
    spec_of,
)
from astrace.util.trees import leaves

Kwargs = Mapping[str, Any]


def of_number(spec: Spec) -> Rule:
    """Return a rule that gives one spec for all arrays and numbers; other objects may answer as they like."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        known = bool(args) and isinstance(spec_of(args[0]), ArraySpec | GenericSpec | ScalarSpec)
        return spec if known else None

    return rule


def shape_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``shape(x)``: as many integers as there are dimensions."""
    match spec_of(args[0]):
        case ArraySpec() as spec:
            return TupleSpec((INT,) * len(spec.shape))
        case GenericSpec() | ScalarSpec():
            return TupleSpec(())
        case _:
            return None


def split_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    """``split(x, 3)``, ``split(x, [2, 5])``: a list of so many arrays of one type; of anything else some list."""
    given = spec_of(args[0]) if args else None
    parts = args[1] if len(args) > 1 else kwargs.get("indices_or_sections")
    if isinstance(parts, list | tuple) and all(type(one) is int for one in parts):
        count = len(parts) + 1
    elif type(parts) is int and parts > 0:
        count = parts
    else:
        return AnySpec(list)
    if not isinstance(given, ArraySpec) or not given.shape:
        return AnySpec(list)
    return ListSpec(ArraySpec((None,) * len(given.shape), given.dtype), count)


def smallest_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """Rule of ``min_scalar_type``: the dtype of an array; for a number the result depends on its value."""
    spec = spec_of(args[0])
    known = isinstance(spec, ArraySpec) and spec.shape and spec.dtype.isnative
    return LiteralSpec(spec.dtype) if known else None  # type: ignore[union-attr]


# -- rules of functions that are given functions, or look at contents ----------------------------------


def applying(outer: Callable[..., Any]) -> Rule:
    """``apply_along_axis`` and its like, where the function that is applied is NumPy's own."""

    @lru_cache(maxsize=64)
    def applied(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **kwargs: outer(function, *args, **kwargs)

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        known = isinstance(args[0], np.ufunc | type(np.sum))
        return probe(applied(args[0]), args[1:], kwargs) if known else None

    return rule


def perhaps_complex(function: Callable[..., Any]) -> Rule:
    """Rule of ``eig`` and its like: real or complex, depending on the contents."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        return _perhaps_complex(probe(function, args, kwargs))

    return rule


def polyfit_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``polyfit(x, y, degree)``: as many coefficients as it has, of the dtype in which ``lstsq`` computes.

    It is not asked itself: where all is zero, it hands LAPACK numbers of which that prints complaints.
    """
    given = [spec_of(arg) for arg in args[:2]]
    if len(args) != 3 or kwargs.keys() - {"rcond", "w"}:
        return None
    x, y = (probe(np.add, (spec, 0.0), {}) for spec in given)
    if not isinstance(x, ArraySpec) or not isinstance(y, ArraySpec) or x.dtype.kind + y.dtype.kind != "ff":
        return None
    found = probe(np.linalg.lstsq, (ArraySpec((4, 2), x.dtype), ArraySpec((4, *y.shape[1:]), y.dtype)), {})
    count = args[2] + 1 if type(args[2]) is int else None
    first = found.items[0] if isinstance(found, TupleSpec) else None
    return ArraySpec((count, *y.shape[1:]), first.dtype) if isinstance(first, ArraySpec) else None


def _perhaps_complex(spec: Spec | None) -> Spec | None:
    match spec:
        case ArraySpec() if spec.dtype.kind == "f":
            return UnionSpec((spec, ArraySpec(spec.shape, np.result_type(spec.dtype, np.complex64))))
        case TupleSpec():
            return TupleSpec(tuple(_perhaps_complex(item) or AnySpec() for item in spec.items), spec.cls)
        case _:
            return spec


# -- rules of functions that make arrays ---------------------------------------------------------------


def filled(default: Any) -> Rule:
    """``zeros(shape, dtype)`` and its like."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        shape = shape_argument(args[0] if args else kwargs.get("shape"))
        dtype = dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), default)
        return None if shape is None or dtype is None else ArraySpec(shape, dtype)

    return rule


def full_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``full(shape, value, dtype)``."""
    shape = shape_argument(args[0] if args else kwargs.get("shape"))
    fill = spec_of(args[1] if len(args) > 1 else kwargs.get("fill_value"))
    given = args[2] if len(args) > 2 else kwargs.get("dtype")
    found = probe(np.full, (1, fill), {"dtype": given})
    if shape is None or not isinstance(found, ArraySpec):
        return None
    return ArraySpec(shape, found.dtype)


def arange_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """Infer only the dtype and, for a constant integer stop, the length: sizes are never run."""
    constant = not kwargs and len(args) == 1 and type(args[0]) is int
    small = tuple(_small_number(arg) for arg in args)
    found = probe(np.arange, small, {key: kwargs[key] for key in kwargs if key == "dtype"})
    if not isinstance(found, ArraySpec):
        return None
    return ArraySpec((max(args[0], 0) if constant else None,), found.dtype)


def _small_number(arg: Any) -> Any:
    if isinstance(arg, Spec):
        return arg
    return type(arg)(1) if isinstance(arg, int | float | np.generic) and not isinstance(arg, bool) else arg


def spaced(function: Callable[..., Any]) -> Rule:
    """``linspace`` and its like: ``num`` is the length."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        num = args[2] if len(args) > 2 else kwargs.get("num", 50)
        found = probe(function, (*args[:2], 3, *args[3:]), {k: v for k, v in kwargs.items() if k != "num"})
        if len(args) > 6 or "axis" in kwargs:
            return without_sizes(found)
        return _with_length(found, num if type(num) is int else None)

    return rule


def _with_length(spec: Spec | None, length: int | None) -> Spec | None:
    """A result, or the first of a pair, with another first dimension."""
    match spec:
        case ArraySpec() if spec.shape:
            return ArraySpec((length, *spec.shape[1:]), spec.dtype)
        case TupleSpec():
            first = _with_length(spec.items[0], length) or AnySpec()
            return TupleSpec((first, *spec.items[1:]), spec.cls)
        case _:
            return None


def eye_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``eye(rows, columns)``."""
    rows = shape_argument(args[0] if args else kwargs.get("N", kwargs.get("n")))
    columns_argument = args[1] if len(args) > 1 else kwargs.get("M")
    columns = rows if columns_argument is None else shape_argument(columns_argument)
    dtype = dtype_argument(args[3] if len(args) > 3 else kwargs.get("dtype"), float)
    return (
        None if rows is None or columns is None or dtype is None else ArraySpec((rows[0], columns[0]), dtype)
    )


def indices_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``indices(dimensions, dtype)``."""
    dtype = dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), int)
    sparse = args[2] if len(args) > 2 else kwargs.get("sparse", False)
    if dtype is None or sparse is not False:
        return None
    shape = shape_argument(args[0] if args else kwargs.get("dimensions"))
    return None if shape is None else ArraySpec((len(shape), *shape), dtype)


def identity_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``identity(n)``."""
    return eye_rule(args[:1], {"dtype": args[1] if len(args) > 1 else kwargs.get("dtype")})


def read_from(default: Any) -> Rule:
    """``frombuffer(buffer, dtype)`` and its like: as many items as there are."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        dtype = dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype", default), default)
        return None if dtype is None or "like" in kwargs else ArraySpec((None,), dtype)

    return rule


def frequencies(function: Callable[..., Any]) -> Rule:
    """``fftfreq(n, d)``: its size follows from ``n``."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        given = args[0] if args else kwargs.get("n")
        if any(isinstance(spec_of(arg), ArraySpec) for arg in (*args, *kwargs.values())):
            return None
        found = probe(function, (4, *args[1:]), {name: kwargs[name] for name in kwargs if name != "n"})
        if not isinstance(found, ArraySpec):
            return None
        size = len(range(given)) if type(given) is int else None
        halved = found.shape[0] != 4
        return ArraySpec((size // 2 + 1 if halved and size is not None else size,), found.dtype)

    return rule


def strided_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``as_strided(x, shape, strides)``."""
    owner, given = spec_of(args[0]), args[1] if len(args) > 1 else kwargs.get("shape")
    if not isinstance(owner, ArraySpec):
        return None
    shape = owner.shape if given is None else shape_argument(given)
    return None if shape is None else ArraySpec(shape, owner.dtype)


def reshape_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``reshape(x, shape)``."""
    owner = spec_of(args[0])
    if not isinstance(owner, ArraySpec | GenericSpec):
        return None
    shape = shape_argument(args[1] if len(args) > 1 else kwargs.get("shape", kwargs.get("newshape")))
    if shape is None:
        return None
    known = isinstance(owner, ArraySpec) and all(isinstance(dim, int) for dim in (*owner.shape, *shape))
    if known and -1 in shape:
        size = reduce(lambda a, b: a * b, owner.shape, 1)  # type: ignore[operator, union-attr]
        rest = -reduce(lambda a, b: a * b, shape, 1)  # type: ignore[operator]
        return ArraySpec(tuple(size // rest if dim == -1 and rest else dim for dim in shape), owner.dtype)  # type: ignore[operator]
    return ArraySpec(tuple(None if dim == -1 else dim for dim in shape), owner.dtype)


def flat_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``x.flatten()`` and its like: one dimension, whose size is not computed."""
    owner = spec_of(args[0])
    return ArraySpec((None,), owner.dtype) if isinstance(owner, ArraySpec | GenericSpec) else None


def astype_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``x.astype(dtype)``."""
    owner, dtype = spec_of(args[0]), dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), None)
    if dtype is None or (set(kwargs) - {"dtype", "copy", "order", "casting"}):
        return None
    if isinstance(owner, ArraySpec):
        return ArraySpec(owner.shape, dtype)
    return GenericSpec(dtype) if isinstance(owner, GenericSpec) and dtype.kind in "biufc" else None


def copy_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
    """``np.copy(x)``: of any array of a known dtype, structured ones too, which are not probed."""
    owner = spec_of(args[0]) if len(args) == 1 and not kwargs else None
    return owner if isinstance(owner, ArraySpec) else small_counts(np.copy)(args, kwargs)


def unknown_sizes(function: Callable[..., Any]) -> Rule:
    """A probed rule for functions whose result's size depends on the data."""
    plain = small_counts(function)

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        return without_sizes(plain(args, kwargs))  # type: ignore[arg-type]

    return rule


def without_sizes(spec: Spec | None) -> Spec | None:
    """A spec with all dimensions unknown."""
    match spec:
        case ArraySpec():
            return ArraySpec((None,) * len(spec.shape), spec.dtype)
        case TupleSpec():
            return TupleSpec(tuple(without_sizes(item) or AnySpec() for item in spec.items), spec.cls)
        case _:
            return spec


def bracketed(function: Callable[..., Any]) -> Rule:
    """Return a rule for subscripted objects (``np.r_[a, 0:n]``): lengths of slices are known for constants only."""
    counted = small_counts(function)

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        (key,) = args
        parts = key if type(key) is tuple else (key,)
        bounds = [bound for part in parts if isinstance(part, slice) for bound in _bounds(part)]
        if all(bound is None or type(bound) is int for bound in bounds):
            return counted(args, kwargs)
        short = tuple(_short(part) if isinstance(part, slice) else part for part in parts)
        return without_sizes(probe(function, (short if type(key) is tuple else short[0],), kwargs))

    return rule


def _bounds(part: slice) -> tuple[Any, Any, Any]:
    return part.start, part.stop, part.step


def _short(part: slice) -> slice:
    """A slice of a few numbers, with bounds of the same types."""
    step = 2j if isinstance(part.step, complex) else _as(part.step, 1)
    return slice(_as(part.start, 0), _as(part.stop, 2), step)


def _as(bound: Any, number: int) -> Any:
    """A number in the place of a constant bound, of its type."""
    return type(bound)(number) if isinstance(bound, int | float | np.generic) else bound


MOST_COUNT: Final = 1000


def small_counts(function: Callable[..., Any]) -> Rule:
    """A probed rule for functions that take numbers as sizes: large constants are not run."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        counts = (abs(leaf) for leaf in leaves((args, dict(kwargs))) if type(leaf) is int)
        large = math.prod(count or 1 for count in counts) > MOST_COUNT
        return None if large else probe(function, args, kwargs)

    return rule
