"""Conditions: Python expressions that ask something of a value, written into dispatchers by `kinds`.

Each is right for any value; what holds at nearly every call is asked first, and in the cheapest way.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Pin
from astrace.ir.constants import same, same_dtype
from astrace.ir.jax_arrays import array_class, is_array
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, Spec, class_of, device_spec

COMPARED: Final = (str, bytes, int)
"""Types of constants that ``==`` compares as wanted once the types are the same."""


def items_code(read: Callable[[], str], expected: tuple[Any, ...], pin: Pin) -> str:
    """A Python expression that is true if iterating gives these constants: most often they are the same objects."""
    items = pin(expected, "items")
    sized = f"{pin(len, 'len')}({read()}) == {len(expected)}"
    identical = f"{pin(all, 'all')}({pin(map, 'map')}({pin(operator.is_, 'is')}, {read()}, {items}))"
    alike = f"{pin(same, 'same')}({pin(tuple, 'tuple')}({read()}), {items})"
    return f"({sized} and ({identical} or {alike}))"


def type_code(code: str, cls: type, pin: Pin) -> str:
    """Write the condition that the value of another expression is an instance of exactly this class."""
    return f"{pin(type, 'type')}({code}) is {pin(cls, cls.__name__)}"


def fits_code(read: Callable[[], str], spec: Spec, pin: Pin) -> str:
    """Write the condition that a value that is read fits the spec of a number or an array."""
    match spec:
        case ArraySpec():
            dtype = pin(spec.dtype, f"dtype_{spec.dtype.name}")
            checks = [
                type_code(read(), np.ndarray, pin),
                f"({read()}.dtype is {dtype} or {pin(same_dtype, 'same_dtype')}({read()}.dtype, {dtype}))",
            ]
            sizes = [(axis, size) for axis, size in enumerate(spec.shape) if isinstance(size, int)]
            if sizes and len(sizes) == len(spec.shape):
                return " and ".join([*checks, f"{read()}.shape == {spec.shape}"])
            checks.append(f"{read()}.ndim == {len(spec.shape)}")
            return " and ".join([*checks, *(f"{read()}.shape[{axis}] == {size}" for axis, size in sizes)])
        case GenericSpec() if spec.dtype.kind in PARAMETRIC_KINDS:
            dtype = pin(spec.dtype, f"dtype_{spec.dtype.name}")
            checks = [type_code(read(), spec.dtype.type, pin)]
            return " and ".join([*checks, f"{pin(same_dtype, 'same_dtype')}({read()}.dtype, {dtype})"])
        case DeviceSpec():
            return _device_code(read, spec, pin)
        case _:
            cls = class_of(spec)
            return "True" if cls is None else type_code(read(), cls, pin)


def _device_code(read: Callable[[], str], spec: DeviceSpec, pin: Pin) -> str:
    """Write the guard of an array of JAX: arrays are looked at directly, a tracer of JAX is asked for its spec."""
    facts = [
        f"{read()}.dtype == {pin(spec.dtype, 'dtype')}",
        f"{read()}.ndim == {spec.ndim}",
        f"{read()}.weak_type is {spec.weak}",
    ]
    other = f"{pin(is_like, 'is_like')}({read()}, {pin(spec, 'spec')})"
    return f"({' and '.join(facts)} if {type_code(read(), array_class(), pin)} else {other})"


def is_like(value: Any, spec: DeviceSpec) -> bool:
    """Return whether a value is an array of JAX that a spec describes."""
    return is_array(value) and device_spec(value) == spec


PARAMETRIC_KINDS: Final = "mMVSU"
"""Kinds of NumPy scalars whose class does not tell their dtype: it has a unit, fields or a size."""
