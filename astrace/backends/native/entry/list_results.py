"""Lists of Python's objects, of the arrays of machine numbers that hold the parts of their items.

Of a list of lists there is first which list each item is, and how long; then the parts of the items of all lists.

The parts stand in the order of `astrace.passes.lowering.together.merging`: of a number the machine number, of a union whether it is of
the first type, then the input that it is, if it may be one; of a tuple the parts of all items.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from astrace.ir.specs import (
    PYTHON_TYPES,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)

Columns: TypeAlias = Iterator[np.ndarray[Any, Any]]


def list_maker(
    spec: Spec, passed: bool, constants: tuple[Any, ...]
) -> Callable[[Sequence[Any], Sequence[Any]], list[Any]]:
    """Return what makes a list.

    Args:
        spec: of the list.
        passed: items may be objects that there are; the last part of each number tells which.
        constants: those of the program; -1 tells the first.
    """
    assert isinstance(spec, ListSpec)
    assert spec.element is not None
    return functools.partial(_made, spec.element, passed, constants)


def _made(
    element: Spec,
    passed: bool,
    constants: tuple[Any, ...],
    columns: Sequence[np.ndarray[Any, Any]],
    given: Sequence[Any],
) -> list[Any]:
    return _items(element, passed, iter(columns), (None, *given, *reversed(constants)))


def _items(spec: Spec, passed: bool, columns: Columns, given: Sequence[Any]) -> list[Any]:
    """The objects of one type that some arrays hold."""
    if isinstance(spec, TupleSpec):
        return list(zip(*(_items(item, passed, columns, given) for item in spec.items), strict=True))
    if isinstance(spec, ListSpec):
        return _lists(spec, passed, columns, given)
    values = next(columns)
    found = _numbers(spec, values, columns)
    if not passed:
        return found
    origins = next(columns)
    if not origins.any():
        return found
    return [given[origin] if origin else item for item, origin in zip(found, origins.tolist(), strict=True)]


def _lists(spec: ListSpec, passed: bool, columns: Columns, given: Sequence[Any]) -> list[Any]:
    """Lists that a list holds; one that it holds several times is one object."""
    assert spec.element is not None
    rows, sizes = next(columns).tolist(), next(columns).tolist()
    items = _items(spec.element, passed, columns, given)
    made: dict[int, list[Any]] = {}
    ends = itertools.accumulate(sizes)
    return [
        made.setdefault(row, items[end - size : end])
        for row, size, end in zip(rows, sizes, ends, strict=True)
    ]


def _numbers(spec: Spec, values: np.ndarray[Any, Any], columns: Columns) -> list[Any]:
    """The objects of numbers that are of one type, or of one of two."""
    if isinstance(spec, UnionSpec):
        first, second = map(_of_type, spec.options)
        pairs = zip(values.tolist(), next(columns).tolist(), strict=True)
        return [first(number) if is_first else second(number) for number, is_first in pairs]
    return values.tolist() if isinstance(spec, ScalarSpec) else list(values)


def _of_type(spec: Spec) -> Callable[[Any], Any]:
    """Return what makes an object of a type, of a number of Python's."""
    match spec:
        case LiteralSpec():
            return lambda _: spec.value
        case GenericSpec():
            return spec.dtype.type
        case _:
            assert isinstance(spec, ScalarSpec)
            return PYTHON_TYPES[spec.kind]
