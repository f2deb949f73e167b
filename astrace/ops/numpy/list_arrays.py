"""Arrays of lists whose lengths are not known: of no items NumPy makes an array of floats with one axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, Final

import numpy as np

from astrace.ir.specs import AnySpec, ArraySpec, ListSpec, Spec, UnionSpec, join
from astrace.ops.numpy.probe import probe
from astrace.ops.registry import Rule

SOME: Final = 2
"""Items of a list that stand for any number of them but none."""
OF_LISTS: Final = frozenset({"array", "asarray"})
"""The functions that make an array of a list."""
EMPTY: Final = ArraySpec((0,), np.dtype(np.float64))
"""What NumPy makes of no items."""


def of_lists(function: Callable[..., Any], rule: Rule) -> Rule:
    """Return the rule of a function that makes an array of a list: where the type depends on the length, what it is for some items, then for none.

    Args:
        function: the function.
        rule: is asked first.
    """

    def with_lengths(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | tuple[Spec, ...] | None:
        found = rule(args, kwargs)
        given = args[0] if args else None
        if not isinstance(given, ListSpec) or isinstance(found, ArraySpec):
            return found
        options = [probe(function, (one, *args[1:]), kwargs) for one in _lengths(given)]
        arrays = [_without_first(one) for one in options if isinstance(one, ArraySpec)]
        if not arrays or len(arrays) < len(options):
            return found
        joined = reduce(join, arrays)
        return found if isinstance(joined, AnySpec) else joined

    return with_lengths


def _lengths(spec: ListSpec) -> Iterator[ListSpec]:
    """Yield a list with some items in it, at each depth, then lists of which one is empty."""
    elements = list(_lengths(spec.element)) if isinstance(spec.element, ListSpec) else [spec.element]
    if isinstance(spec.length, int):
        yield from (ListSpec(element, spec.length) for element in elements)
        return
    yield from (ListSpec(element, SOME) for element in elements if element is not None)
    yield ListSpec(spec.element, 0)


def _without_first(spec: ArraySpec) -> ArraySpec:
    """An array as long as the list was."""
    return spec if spec == EMPTY else ArraySpec((None, *spec.shape[1:]), spec.dtype)


def type_if_filled(spec: Spec) -> Spec:
    """Return the type that the array of a list has if that is not empty, nor are lists in it; any other type as it is.

    Example:
        >>> print(type_if_filled(UnionSpec((ArraySpec((None, 2), np.dtype(int)), EMPTY))))
        int64[?, 2]
    """
    match spec:
        case UnionSpec() if all(isinstance(option, ArraySpec) for option in spec.options):
            return spec.options[0] if EMPTY in spec.options[1:] else spec
        case _:
            return spec
