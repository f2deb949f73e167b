"""An array becomes a copy that can't be written, or a summary: dtype, shape, range, NaN count, hash, first elements.

It takes arrays of NumPy; ``capture`` makes those of others' arrays.  It knows no other values.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.observe.limits import Limits
from astrace.observe.snapshots.previews import preview
from astrace.observe.snapshots.summaries import ArraySummary

ORDERED: Final = "biufmM"
"""The kinds of dtype whose elements have a smallest and a greatest one."""
Array = np.ndarray[Any, Any]


def array_snapshot(array: Array, limits: Limits) -> Array | ArraySummary:
    """A read-only copy of a small array, the summary of a large one."""
    if array.nbytes > limits.array_bytes:
        return summarise(array, "numpy.ndarray", limits)
    copy = np.array(array, order="K", copy=True, subok=False)
    copy.flags.writeable = False
    return copy


def summarise(array: Array, type_name: str, limits: Limits) -> ArraySummary:
    """Summarise an array that holds no Python objects.

    Args:
        array: the array.
        type_name: the type to name.
        limits: how much is kept, and up to which size all elements are looked at.
    """
    dtype, shape = str(array.dtype), array.shape
    first = tuple(array.flat[: limits.first])
    if array.nbytes > limits.scan_bytes:
        return ArraySummary(
            type_name, dtype, shape, array.nbytes, first=first, note="too large to be read whole"
        )
    low, high, nans = value_range(array)
    values = None
    if type_name != "numpy.ndarray" and array.nbytes <= limits.array_bytes:
        values = array_snapshot(array, limits)
    return ArraySummary(
        type_name, dtype, shape, array.nbytes, low, high, nans, digest(array), first, values, preview(array)
    )


def masked_summary(array: np.ma.MaskedArray[Any, Any], type_name: str, limits: Limits) -> ArraySummary:
    """Summarise an array some of whose elements are masked: what they hold is no part of it.

    Example:
        >>> masked_summary(np.ma.masked_array([1, 9], [False, True]), "masked", Limits()).first
        (np.int64(1), '--')
    """
    mask = np.ma.getmaskarray(array)
    if mask.dtype != np.bool_:  # fields of a structured array are masked one by one
        return replace(
            summarise(array.data, type_name, limits), digest=digest(array.data)[:8] + digest(mask)[:8]
        )
    known = np.array(array.data, copy=True)
    known[mask] = np.zeros((), array.dtype)
    pairs = zip(known.flat[: limits.first], mask.flat[: limits.first], strict=True)
    first = tuple("--" if hidden else one for one, hidden in pairs)
    low, high, nans = value_range(known[~mask])
    told = f"{np.count_nonzero(mask)} masked"
    return ArraySummary(
        type_name, str(array.dtype), array.shape, array.nbytes, low, high, nans,
        digest(known)[:8] + digest(mask)[:8], first, note=told,
    )  # fmt: skip


def value_range(array: Array) -> tuple[Any, Any, int | None]:
    """The smallest and the greatest element that is not NaN, and the number of those that are.

    Example:
        >>> value_range(np.array([2, 1]))
        (np.int64(1), np.int64(2), 0)
    """
    kind = array.dtype.kind
    with np.errstate(all="ignore"):
        nans = _nan_count(array)
        if kind not in ORDERED or array.size == (nans or 0):
            return None, None, nans
        if nans:
            array = array[~(np.isnat(array) if kind in "mM" else np.isnan(array))]
        return array.min(), array.max(), nans


def _nan_count(array: Array) -> int | None:
    """Count the NaN; ``None`` for dtypes that are no numbers."""
    match array.dtype.kind:
        case "f" | "c":
            if array.size and not np.isnan(np.abs(array).max() if array.dtype.kind == "c" else array.max()):
                return 0  # a maximum of NaN is NaN
            return int(np.count_nonzero(np.isnan(array)))
        case "m" | "M":
            return int(np.count_nonzero(np.isnat(array)))
        case "b" | "i" | "u":
            return 0
        case _:
            return None


def digest(array: Array) -> str:
    """A hash of an array's elements in the order of its indices (BLAKE2b, RFC 7693, of 8 bytes).

    Extended floats are hashed as two of 64 bit, since their padding is arbitrary.
    """
    made = hashlib.blake2b(digest_size=8)
    if array.dtype.char in "gG":
        near = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        with np.errstate(all="ignore"):
            rest = (array - near).astype(near.dtype)
        return digest(near)[:8] + digest(rest)[:8]
    if array.dtype.itemsize and array.size:
        made.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return made.hexdigest()
