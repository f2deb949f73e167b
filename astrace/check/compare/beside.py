"""Results of other compilers, put beside those of plain Python.

Other compilers have arrays of their own, one kind of number, other orders.  `beside` brings two pictures to one form
where they stand for the same, by one table:

=====================================  =====================================================================
expected                               found, and how it is compared
=====================================  =====================================================================
an array, a number of NumPy's          another library's array of that shape: by its items
a number of NumPy's, or Python's       a number of the same kind, or an array without dimensions: as one item
an integer of Python's                 an integer of NumPy's: as integers of Python's, of any size
items of 64 bits                       items of 32 bits, where the compiler has no others now: as those; told
a dict                                 a dict with its items in another order: in one order; told
=====================================  =====================================================================

What is told is told once for a function.  Of an array the dtype, the shape and the items are compared, and not how it
lies in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from astrace.check.compare.snapshots import Picture

NUMBERS: Final = (bool, int, float, complex)
NARROW: Final = {"float64": "float32", "complex128": "complex64", "int64": "int32", "uint64": "uint32"}
ONE_LINE: Final = "numbers come back as {found} instead of {expected}"
WEAK: Final = "weakly typed results: they take the dtype of what they meet, as numbers of Python do"
ORDER: Final = "the items of a dict come back in another order"
NARROWED: Final = "x64 is off: {expected} comes back as {found}"


@dataclass(frozen=True, slots=True)
class Beside:
    """The table for one compiler.

    Args:
        narrows: 64 bits become 32.
        tell: takes note of what is not the same, and is no difference.
    """

    narrows: bool
    tell: Callable[[str], None]

    def pair(self, expected: Picture, found: Picture) -> tuple[Picture, Picture]:
        """Bring two pictures to one form where they stand for the same; others stay as they are."""
        left, right = _items(expected), _items(found)
        if left is not None and right is not None:
            return self._numbers(expected, found, left, right)
        if expected.cls is not found.cls or not expected.parts:
            return expected, found
        found = self._in_order(expected, found)
        labels = [label for label, _ in expected.parts]
        if labels != [label for label, _ in found.parts]:
            return expected, found
        pairs = [self.pair(one, two) for (_, one), (_, two) in zip(expected.parts, found.parts, strict=True)]
        ours, theirs = (tuple(zip(labels, side, strict=True)) for side in zip(*pairs, strict=True))
        return replace(expected, parts=ours), replace(found, parts=theirs)

    def _in_order(self, expected: Picture, found: Picture) -> Picture:
        """Return the picture of a dict with its items in the order of another one's, if it has the same keys."""
        if not issubclass(expected.cls, dict) or _keys(expected) == _keys(found):
            return found
        if sorted(_keys(expected)) != sorted(_keys(found)):
            return found
        self.tell(ORDER)
        held = dict(found.parts)
        keys = [label for label, _ in expected.parts if label.startswith(".keys()")]
        held |= {label: picture for label, picture in expected.parts if label in keys}
        return replace(found, parts=tuple((label, held[label]) for label, _ in expected.parts))

    # -- numbers and arrays ------------------------------------------------------------------------------

    def _numbers(
        self, expected: Picture, found: Picture, left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]
    ) -> tuple[Picture, Picture]:
        """Two arrays or numbers, as arrays of one dtype where theirs may stand for each other."""
        if isinstance(found.content, tuple) and found.content[2:] == ((True,),):
            self.tell(WEAK)
        if object in (left.dtype, right.dtype):  # an integer of more than 64 bits
            return _whole(left), _whole(right)
        if left.shape == right.shape == () and _kind(expected) != _kind(found):
            self.tell(ONE_LINE.format(expected=_kind(expected), found=_kind(found)))
        if int in (expected.cls, found.cls) and {left.dtype.kind, right.dtype.kind} <= {"i", "u"}:
            return _whole(left), _whole(right)
        left, right = (one.astype(one.dtype.newbyteorder("="), copy=False) for one in (left, right))
        if left.dtype != right.dtype:
            left, right = self._of_one_dtype(expected, found, left, right)
        return _array(left), _array(right)

    def _of_one_dtype(
        self, expected: Picture, found: Picture, left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        narrowed = self.narrows and NARROW.get(left.dtype.name) == right.dtype.name
        if narrowed:
            self.tell(NARROWED.format(expected=left.dtype, found=right.dtype))
        python = expected.cls in NUMBERS or found.cls in NUMBERS
        if not (narrowed or python) or left.dtype.kind != right.dtype.kind:
            return left, right
        if left.dtype.kind in "iu":
            wider = np.promote_types(left.dtype, right.dtype)
            return left.astype(wider, copy=False), right.astype(wider, copy=False)
        smaller = min(left.dtype, right.dtype, key=lambda one: one.itemsize)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what does not fit becomes infinite
            return left.astype(smaller, copy=False), right.astype(smaller, copy=False)


def _items(picture: Picture) -> np.ndarray[Any, Any] | None:
    """The items of a number or an array of numbers; nothing for anything else."""
    if picture.data is not None:
        return picture.data if picture.data.dtype.kind in "biufc" and not picture.parts else None
    return np.asarray(picture.content) if picture.cls in NUMBERS else None


def _array(items: np.ndarray[Any, Any]) -> Picture:
    """The picture of an array; of one item without dimensions that of a number."""
    if items.shape == ():
        return Picture(items.dtype.type, items.dtype, items)
    return Picture(np.ndarray, (items.dtype, items.shape, ()), items)


def _whole(items: np.ndarray[Any, Any]) -> Picture:
    """The picture of an integer as one of Python's."""
    value = items.item() if items.shape == () else items.tolist()
    return Picture(type(value), value)


def _kind(picture: Picture) -> str:
    """Describe the kind of a number in a few words."""
    if picture.cls in NUMBERS:
        return "numbers of Python"
    return "numbers of NumPy" if issubclass(picture.cls, np.generic) else "arrays without dimensions"


def _keys(picture: Picture) -> list[str]:
    return [label for label, _ in picture.parts if not label.startswith(".keys()")]


# -- rounding --------------------------------------------------------------------------------------------------


def floats_of(picture: Picture) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the items of all floats in a picture, in order."""
    items = _items(picture)
    if items is not None:
        yield items.astype(complex if items.dtype.kind == "c" else float) if items.dtype != object else items
    for _, part in picture.parts:
        yield from floats_of(part)


def within_rounding(expected: Picture, found: Picture, nudged: list[Picture]) -> bool:
    """Return whether two results are no further apart than the first one from what nearly the same arguments give.

    Args:
        expected: what the function gave.
        found: what was found instead.
        nudged: what the function gives where arguments differ in their last places.
    """
    sides = [list(floats_of(one)) for one in (expected, found, *nudged)]
    if any([one.shape for one in side] != [one.shape for one in sides[0]] for side in sides):
        return False
    return all(_is_near(*items) for items in zip(*sides, strict=True))


ROUNDED: Final = 8.0
"""A result may be so many times as far off as nearly the same arguments make it."""


def _is_near(
    expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any], *nudged: np.ndarray[Any, Any]
) -> bool:
    if object in (expected.dtype, found.dtype, *(one.dtype for one in nudged)):
        return False
    with np.errstate(all="ignore"):
        spread = np.max([np.abs(one - expected) for one in nudged], axis=0)
        near = np.abs(found - expected) <= ROUNDED * spread
    same = (expected == found) | (np.isnan(expected) & np.isnan(found))
    return bool(np.all(near | same))
