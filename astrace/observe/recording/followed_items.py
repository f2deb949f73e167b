"""The identity of items in a pipeline: which items an object belongs to, by the object that it is.

A source says of which item its result is.  The result, what it holds, and arrays that are views of it belong to that item;
a call that is given them works on it, and its results belong to it, too.  What a pipeline makes of an item outside recorded
calls is lost from sight.  Small immutable objects are shared by everything, and are not followed.
"""

from __future__ import annotations

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np

from astrace.util import validation

MOST_HELD: Final = 512
"""The number of lists, dicts and tuples that are followed at a time; they are kept alive for it."""
MOST_ENTRIES: Final = 512
MOST_SEARCHED: Final = 2_000
"""The number of objects that are looked at for one value."""
DEPTH: Final = 3
SHARED: Final = frozenset((type(None), bool, int, float, complex, str, bytes, type))
Items = tuple[Hashable, ...]


class FollowedItems:
    """The objects of a trace that belong to items."""

    def __init__(self) -> None:
        self._weak: dict[int, tuple[weakref.ref[Any], Items]] = {}
        self._held: OrderedDict[int, tuple[Any, Items]] = OrderedDict()

    def of(self, value: Any) -> Items:
        """The items that an object belongs to, in order."""
        found: dict[Hashable, None] = {}
        pending, left = [(value, DEPTH)], MOST_SEARCHED
        while pending and left:
            one, depth = pending.pop()
            left -= 1
            items = self._known(one) or _rows_of_base(one, self._known)
            found.update(dict.fromkeys(items))
            if not items and depth:
                pending += [(inner, depth - 1) for inner in reversed(_held_in(one))]
        return tuple(found)

    def _known(self, value: Any) -> Items:
        entry = self._weak.get(id(value))
        if entry is not None and entry[0]() is value:
            return entry[1]
        held = self._held.get(id(value))
        return held[1] if held is not None and held[0] is value else ()

    def assign(self, value: Any, items: Items) -> None:
        """Say which items an object belongs to; so do the objects that it holds."""
        pending, left = [(value, items, DEPTH)], MOST_SEARCHED
        while items and pending and left:
            one, those, depth = pending.pop()
            left -= 1
            self._keep(one, those)
            if depth:
                inner = _held_in(one)
                each = len(inner) == len(those) > 1 and type(one) in (list, tuple)
                parts = [those[index : index + 1] if each else those for index in range(len(inner))]
                pending += [(held, part, depth - 1) for held, part in zip(inner, parts, strict=True)]

    def _keep(self, value: Any, items: Items) -> None:
        key = id(value)
        try:
            self._weak[key] = (weakref.ref(value, lambda _: self._weak.pop(key, None)), items)
        except TypeError:  # builtin containers can't be referred to weakly
            self._held[key] = (value, items)
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)


def _held_in(value: Any) -> Sequence[Any]:
    """The objects in a container, without those that are shared by everything."""
    cls = type(value)
    if cls is dict:
        held = list(itertools.islice(value.values(), MOST_ENTRIES))
    elif cls in (list, tuple):
        held = value[:MOST_ENTRIES]
    else:
        return ()
    return [one for one in held if type(one) not in SHARED]


def _rows_of_base(value: Any, known: Any) -> Items:
    """The items of an array that is a view: those of its rows, where the array it is taken from has one for each item."""
    base = getattr(value, "base", None) if type(value) is np.ndarray else None
    if type(base) is not np.ndarray:
        return ()
    items: Items = known(base)
    if len(items) < 2 or not base.ndim or len(base) != len(items) or base.strides[0] <= 0:
        return items
    start, end = _bounds(value)
    first, last = ((place - _bounds(base)[0]) // base.strides[0] for place in (start, end - 1))
    return items[first : last + 1] if end > start else ()


def _bounds(array: np.ndarray[Any, Any]) -> tuple[int, int]:
    """The addresses of an array's first byte, and after its last."""
    place = int(array.__array_interface__["data"][0])
    if not array.size:
        return place, place
    reach = [(length - 1) * step for length, step in zip(array.shape, array.strides, strict=True)]
    return place + sum(min(one, 0) for one in reach), place + sum(
        max(one, 0) for one in reach
    ) + array.itemsize


def item_key(value: Any) -> Hashable | None:
    """The item that an argument names: a whole number or a text."""
    if validation.is_whole(value):
        return int(value)
    return value if type(value) is str else None
