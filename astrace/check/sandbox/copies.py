"""Copies of arguments: what is one object is one again, arrays that overlap do so, and lie in memory as they did.

NumPy copies each array for itself, packs it, and lets all copies be written to.
"""

from __future__ import annotations

import collections
import copy
import types
from typing import Any, Final

import numpy as np

from astrace.check.compare.snapshots import ATOMS, parts_of
from astrace.ir.constants import FUNCTION_TYPES

MOST_OBJECTS: Final = 10_000
MOST_BYTES: Final = 1 << 26
"""Of larger arrays only the visible part is copied."""
PLAIN: Final = (np.generic, *FUNCTION_TYPES, type, types.ModuleType)


def copied(value: Any) -> Any:
    """A deep copy.

    Raises:
        Exception: whatever a part raises that can't be copied.

    Example:
        >>> base = np.arange(3.0)
        >>> left, right = copied((base[1:], base[:2]))
        >>> right[1] = 5.0
        >>> left
        array([5., 2.])
    """
    memo: dict[int, Any] = {}
    arrays = _arrays(value)
    bases = collections.Counter(id(base) for array in arrays if (base := _base(array)) is not None)
    copies: dict[int, Any] = {}
    for array in arrays:
        base = _base(array)
        if base is not None and (bases[id(base)] > 1 or not _is_packed(array)):
            memo[id(array)] = _view(array, base, copies)
        elif not array.flags.writeable:
            memo[id(array)] = copy.deepcopy(array)
        if id(array) in memo:
            memo[id(array)].flags.writeable = array.flags.writeable
    return copy.deepcopy(value, memo)


def copied_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Copy the arguments of a call; numbers and arrays of their own memory without a search for sharing."""
    if kwargs or not all(map(_is_simple, args)):
        return copied((args, kwargs))
    known = {id(one): one.copy() for one in args if type(one) is np.ndarray}
    return tuple(known.get(id(one), one) for one in args), {}


def _is_simple(value: Any) -> bool:
    if type(value) is not np.ndarray:
        return type(value) in ATOMS
    return value.base is None and value.flags.carray and not value.dtype.hasobject


def _arrays(value: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in nested containers whose copies need care, each once."""
    found: dict[int, np.ndarray[Any, Any]] = {}
    seen: set[int] = set()
    pending = [value]
    while pending and len(seen) < MOST_OBJECTS:
        one = pending.pop()
        if type(one) in ATOMS or isinstance(one, PLAIN) or id(one) in seen:
            continue
        seen.add(id(one))
        if type(one) is np.ndarray and one.size and not one.dtype.hasobject:
            found[id(one)] = one
        elif not isinstance(one, np.ndarray):
            pending += [part for _, part in parts_of(one)]
    return list(found.values())


def _is_packed(array: np.ndarray[Any, Any]) -> bool:
    return array.flags.c_contiguous or array.flags.f_contiguous


def _base(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The array whose memory an array looks at, itself if it is its own; nothing where that is not all one piece."""
    while type(array.base) is np.ndarray:
        array = array.base
    whole = array.base is None and _is_packed(array) and array.nbytes <= MOST_BYTES
    return array if whole and type(array) is np.ndarray else None


def _view(
    array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], copies: dict[int, Any]
) -> np.ndarray[Any, Any]:
    """The same view into a copy of the base."""
    if id(base) not in copies:
        copies[id(base)] = base.ravel(order="K").copy()
    offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, copies[id(base)], offset, array.strides)
