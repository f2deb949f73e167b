"""Specs of items of arrays: the spec of ``x[key]``, from the specs of array and key.

Basic indexing is worked out here; for the rest NumPy is asked, on a small stand-in (`astrace.ops.numpy.probe`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astrace.ir.specs import (
    BOOL,
    INT,
    AnySpec,
    ArraySpec,
    Dim,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
)
from astrace.ops.numpy.probe import probe
from astrace.ops.python.objects import get_item
from astrace.ops.rules import spec_of


def is_integer(spec: Spec) -> bool:
    """Return whether a value is an integer, of Python's or of NumPy's."""
    return spec == INT or (isinstance(spec, GenericSpec) and spec.dtype.kind in "iu")


def array_item(owner: ArraySpec, key: Any) -> Spec | None:
    """The spec of indexing an array; dimensions that basic indexing leaves alone are kept."""
    if isinstance(key, TupleSpec):
        key = tuple(item.value if isinstance(item, LiteralSpec) else item for item in key.items)
    keys = tuple(map(_opened_slice, key if type(key) is tuple else (key,)))
    if all(_is_basic(part) for part in keys):
        return _basic_item(owner, keys)
    if owner.dtype.kind in "OV" or not all(map(_is_index, keys)):
        return None
    roomy = ArraySpec(tuple(3 for _ in owner.shape), owner.dtype)
    found = probe(get_item, (roomy, tuple(map(_small_key, keys))), {})
    if isinstance(found, ArraySpec):
        return ArraySpec((None,) * len(found.shape), found.dtype)
    return found


def _opened_slice(part: Any) -> Any:
    """Return a slice of unknown bounds for one that is made when the program runs."""
    return slice(INT, INT) if part == AnySpec(slice) else part


def _is_basic(part: Any) -> bool:
    if isinstance(part, Spec):
        return is_integer(part)
    return (
        part is None
        or part is ...
        or isinstance(part, slice)
        or (type(part) is not bool and isinstance(part, int | np.integer))
    )


def _basic_item(owner: ArraySpec, keys: tuple[Any, ...]) -> Spec | None:
    consumed = sum(part is not None and part is not ... for part in keys)
    if consumed > len(owner.shape) or keys.count(...) > 1:
        return None
    scalar = ... not in keys
    if scalar:
        keys = (*keys, ...)
    middle = len(owner.shape) - consumed
    dims: list[Dim] = []
    left = list(owner.shape)
    for part in keys:
        if part is None:
            dims.append(1)
        elif part is ...:
            dims += [left.pop(0) for _ in range(middle)]
        elif isinstance(part, slice):
            dims.append(_slice_dim(left.pop(0), part))
        else:
            left.pop(0)
    if dims or not scalar:
        return ArraySpec(tuple(dims), owner.dtype)
    return generic_of(owner.dtype)


def generic_of(dtype: np.dtype[Any]) -> Spec | None:
    """Return the spec of an item of an array: NumPy's scalars have native byte order, texts their own length."""
    match dtype.kind:
        case "b" | "i" | "u" | "f" | "c":
            return GenericSpec(np.dtype(dtype.type))
        case "S" | "U":
            return AnySpec(dtype.type)
        case "m" | "M":
            return GenericSpec(dtype.newbyteorder("="))
        case _:
            return None


def _slice_dim(dim: Dim, part: slice) -> Dim:
    bounds = (part.start, part.stop, part.step)
    if part == slice(None) or (bounds[:2] == (None, None) and bounds[2] == -1):
        return dim
    constant = all(bound is None or type(bound) is int for bound in bounds)
    if constant and isinstance(dim, int):
        return len(range(*part.indices(dim)))
    return None


def _is_index(part: Any) -> bool:
    """Return whether a part of an index is one that `_small_key` knows: a number, an array of numbers, a slice."""
    if isinstance(part, ArraySpec | GenericSpec):
        return part.dtype.kind in "biu"
    if isinstance(part, list | np.ndarray):
        return all(_is_index(item) and not isinstance(item, ArraySpec) for item in part)
    return _is_basic(part) or isinstance(part, bool | np.bool_) or part == BOOL


def _small_key(part: Any) -> Any:
    """An index for a stand-in with three items along each dimension: positions don't matter, kinds do."""
    if isinstance(part, bool | np.bool_) or part is None or part is ...:
        return part
    if isinstance(part, slice):
        return slice(None)
    if isinstance(part, ArraySpec):
        dims = tuple(3 if part.dtype.kind == "b" else 2 for _ in part.shape)
        return np.ones(dims, bool) if part.dtype.kind == "b" else np.zeros(dims, part.dtype)
    if isinstance(part, list | np.ndarray):
        boolean = all(type(item) is bool or spec_of(item) == BOOL for item in part)
        return [True] * 3 if boolean and len(part) else [0] * len(part)
    if isinstance(part, GenericSpec | ScalarSpec):
        return True if part == BOOL or part == GenericSpec(np.dtype(bool)) else 0
    return part if isinstance(part, Spec) else 0
