"""Long lists and tuples of numbers or arrays from outside: walked when the program runs, not item by item here.

What all items have in common is guarded at once, so that a loop's body knows its element; how many there are and
what they are is up to each call.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Derived, Item, Path, derived_length
from astrace.guards.kinds import Equals
from astrace.ir.specs import KINDS, ArraySpec, GenericSpec, ScalarSpec, Spec, class_of
from astrace.tracing.context import Trace
from astrace.tracing.external.inputs import Input
from astrace.tracing.tracer import Tracer

LONG: Final = 32
"""From how many items on."""


def spec_of_items(items: Any) -> Spec | None:
    """Return the spec of all items of a list or a tuple of numbers of one type or arrays of one dtype and rank.

    Example:
        >>> print(spec_of_items([1.0, 2.5]), spec_of_items([np.eye(2)]), spec_of_items([1, True]))
        float float64[?, ?] None
    """
    classes: set[type[Any]] = set(map(type, items)) if type(items) in (list, tuple) else set()
    if len(classes) != 1:
        return None
    (cls,) = classes
    if cls in (int, float, complex):
        return ScalarSpec(KINDS[cls])
    if cls is not np.ndarray and not issubclass(cls, np.generic):
        return None
    found = {(item.dtype, item.ndim) for item in items}
    dtype, rank = next(iter(found))
    if len(found) > 1 or dtype.isbuiltin != 1 or dtype.kind not in "biufc":
        return None
    return ArraySpec((None,) * rank, dtype) if cls is np.ndarray else GenericSpec(dtype)


def kind_of_items(items: Any) -> str:
    """Return the spec of all items of a list or a tuple as a text; empty if there is none."""
    return str(spec_of_items(items) or "")


def is_long_tuple(value: tuple[Any, ...]) -> bool:
    """Return whether a tuple from outside is one value, as a list is: one of many numbers or arrays."""
    return len(value) >= LONG and spec_of_items(value) is not None


def is_long(trace: Trace, value: Any) -> bool:
    """Return whether a value is a list or a tuple from outside that holds many numbers or arrays, unchanged so far."""
    return _found(trace, value) is not None


def element_of_long(trace: Trace, value: Any) -> Spec | None:
    """Return the spec of each item of a long list or tuple, under a guard; ``None`` for any other object."""
    found = _found(trace, value)
    if found is None:
        return None
    items, path = found
    kind, of = kind_of_items(items), Derived(path, kind_of_items, "kind_of_items")
    trace.state.guarded(kind, of, Equals(of, kind))
    return spec_of_items(items)


def item_of_long(trace: Trace, value: Tracer, key: Any) -> Any:
    """An item of a long tuple from outside at a known place, read through its position; else ``None``."""
    found = _long_tuple(trace, value)
    if found is None or type(key) is not int:
        return None
    inside = -len(found.example) <= key < len(found.example)
    return trace.state.enter(found.example[key], Item(found.path, key)) if inside else None


def item_by_item(trace: Trace, value: Any) -> Any:
    """Take a long tuple from outside apart after all; return any other object as it is."""
    found = _long_tuple(trace, value)
    return value if found is None else trace.state.taken_apart(found.example, found.path)


def _found(trace: Trace, value: Any) -> tuple[Any, Path] | None:
    state = trace.state
    found = _long_tuple(trace, value)
    if found is not None:
        return found.example, found.path
    if type(value) is not list or len(value) < LONG or not state.is_outside(value):
        return None
    path = state.path(value)
    known = not state.is_changed(value) and not state.freezer.covers(path)
    return (value, path) if known and spec_of_items(value) is not None else None


def _long_tuple(trace: Trace, value: Any) -> Input | None:
    if not isinstance(value, Tracer) or class_of(value.value.spec) is not tuple:
        return None
    found = trace.state.input_of(trace.recorder.origin(value.value))
    if (
        found is None
        or type(found.example) is not tuple
        or derived_length(found.path) in trace.state.changing
    ):
        return None
    return found
