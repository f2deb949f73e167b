"""Attributes of arrays: what is known of them, their sizes, and methods that are ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec, UnionSpec
from astrace.ops.numpy.array_methods import is_op
from astrace.tracing.changes.array_checks import look_at
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import ArrayMethod

ARRAY_FACTS: Final[Mapping[str, Callable[[ArraySpec | GenericSpec], Any]]] = {
    "ndim": lambda spec: len(spec.shape) if isinstance(spec, ArraySpec) else 0,
    "dtype": lambda spec: spec.dtype,
    "itemsize": lambda spec: spec.dtype.itemsize,
}


def is_array_attribute(cls: type | None, name: str) -> bool:
    """Return whether `array_attribute` has an attribute of a class of arrays or scalars."""
    return name in ARRAY_FACTS or name == "shape" or is_op(cls, name)


def is_method_of_arrays(spec: Spec, name: str) -> bool:
    """Return whether an attribute is a method that is an op, of a value that is an array, of one type or another."""
    if not isinstance(spec, UnionSpec) or not is_op(np.ndarray, name):
        return False
    return all(isinstance(option, ArraySpec) for option in spec.options)


def array_attribute(trace: Trace, owner: Tracer, spec: ArraySpec | GenericSpec, name: str) -> Any:
    """Return an attribute of an array or a scalar of NumPy: a fact, or a method."""
    look_at(trace, owner)
    if name == "shape":
        return _shape(trace, owner)
    return ARRAY_FACTS[name](spec) if name in ARRAY_FACTS else ArrayMethod(owner, name)


def _shape(trace: Trace, array: Tracer) -> tuple[Any, ...]:
    """An array's shape: sizes that are known as numbers, the others read from the array."""
    spec = array.value.spec
    if not isinstance(spec, ArraySpec):
        return ()
    return tuple(
        size if isinstance(size, int) else record(trace, "dim", (array, axis))
        for axis, size in enumerate(spec.shape)
    )
