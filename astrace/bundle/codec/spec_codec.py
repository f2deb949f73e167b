"""Specs as JSON data: a list that begins with the kind of spec.

The values inside of specs (literals, classes) are those of the encoder or decoder that is passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from astrace.bundle.codec import dtypes
from astrace.bundle.codes import broken, refused
from astrace.ir.specs import (
    MOST_OPTIONS,
    PYTHON_TYPES,
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.locations import Location

DEEPEST: Final = 20


class ValuesWritten(Protocol):
    """What writes the values in specs."""

    location: Location | None

    def encode(self, value: Any) -> Any: ...  # noqa: D102 - as `DataEncoder` has it
    def class_name(self, cls: type) -> str: ...  # noqa: D102


class ValuesRead(Protocol):
    """What reads the values in specs."""

    def decode(self, data: Any) -> Any: ...  # noqa: D102 - as `DataDecoder` has it
    def class_named(self, name: Any) -> type: ...  # noqa: D102


def encode_spec(spec: Spec, values: ValuesWritten) -> Any:
    """The data of a spec.

    Raises:
        BundleError: it is of arrays of JAX, or holds what can't be saved.
    """
    match spec:
        case ArraySpec():
            return ["array", dtypes.encode(spec.dtype), list(spec.shape)]
        case GenericSpec():
            return ["generic", dtypes.encode(spec.dtype)]
        case ScalarSpec():
            return ["scalar", spec.kind]
        case LiteralSpec():
            return ["literal", values.encode(spec.value)]
        case TupleSpec():
            return ["tuple", values.class_name(spec.cls), [encode_spec(item, values) for item in spec.items]]
        case ListSpec():
            element = None if spec.element is None else encode_spec(spec.element, values)
            return ["list", element, spec.length]
        case UnionSpec():
            return ["union", [encode_spec(option, values) for option in spec.options]]
        case AnySpec():
            return ["any", None if spec.cls is None else values.class_name(spec.cls)]
        case DeviceSpec():
            hint = "trace a function of NumPy's arrays"
            raise refused("AB203", "a graph over arrays of JAX can't be saved", hint, values.location)


def decode_spec(data: Any, values: ValuesRead, depth: int = 0) -> Spec:
    """The spec of data.

    Raises:
        BundleError: they are none of a spec.
    """
    if depth > DEEPEST:
        raise broken("AB106", "a spec is nested too deep")

    def inner(part: Any) -> Spec:
        return decode_spec(part, values, depth + 1)

    match data:
        case ["array", dtype, list() as shape] if all(map(_is_dim, shape)):
            return ArraySpec(tuple(shape), dtypes.decode(dtype))
        case ["generic", dtype]:
            return GenericSpec(dtypes.decode(dtype))
        case ["scalar", str() as kind] if kind in PYTHON_TYPES:
            return ScalarSpec(kind)  # type: ignore[arg-type]
        case ["literal", value]:
            return LiteralSpec(values.decode(value))
        case ["any", name]:
            return AnySpec(None if name is None else values.class_named(name))
        case _:
            return _composed(data, values, inner)


def _composed(data: Any, values: ValuesRead, inner: Callable[[Any], Spec]) -> Spec:
    """A spec that is made of others."""
    match data:
        case ["tuple", name, list() as items]:
            return TupleSpec(tuple(map(inner, items)), _tuple_class(values.class_named(name), len(items)))
        case ["list", element, length] if _is_dim(length):
            return ListSpec(None if element is None else inner(element), length)
        case ["union", list() as options] if 2 <= len(options) <= MOST_OPTIONS:
            return UnionSpec(tuple(map(inner, options)))
        case _:
            raise broken("AB111", "a spec is not described as specs are")


def _is_dim(size: Any) -> bool:
    return (
        size is None
        or (type(size) is int and 0 <= size < 2**62)
        or (type(size) is str and size.isidentifier())
    )


def _tuple_class(cls: type, length: int) -> type:
    fields = getattr(cls, "_fields", None)
    if cls is tuple or (issubclass(cls, tuple) and fields is not None and len(fields) == length):
        return cls
    raise broken("AB111", "a spec of a tuple names a class that is none of tuples of this length")
