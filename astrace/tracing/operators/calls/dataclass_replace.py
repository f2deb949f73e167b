"""``dataclasses.replace(x, …)`` and ``x._replace(…)``: a new instance of the same class."""

from __future__ import annotations

import collections
import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Final

from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_made
from astrace.util.trees import is_namedtuple

__all__: list[str] = []

REPLACE_CODE: Final = collections.namedtuple("_", ())._replace.__code__  # type: ignore[attr-defined]  # noqa: PYI024
"""The code of ``_replace`` of all classes that ``namedtuple`` makes."""


def replace_(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``dataclasses.replace``: the class is called with the fields that are not given."""
    (instance,) = args
    known = not isinstance(instance, Tracer) and (
        is_made(trace, instance) or trace.state.is_outside(instance)
    )
    if not known or not dataclasses.is_dataclass(instance) or not _is_plain(type(instance)):
        return trace.operators.opaque(function, args, kwargs)
    names = [field.name for field in dataclasses.fields(instance)]
    kept = {name: trace.operators.attr(instance, name) for name in names if name not in kwargs}
    return trace.operators.call(type(instance), **kept, **kwargs)


def _is_plain(cls: Any) -> bool:
    """Return whether all of a dataclass's fields are arguments of its ``__init__``, and nothing else is."""
    fields: Mapping[str, Any] = cls.__dataclass_fields__
    return all(field._field_type is dataclasses._FIELD and field.init for field in fields.values())  # type: ignore[attr-defined]


def is_replacement(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call is ``x._replace(…)`` of a named tuple that is known while tracing."""
    if function.__code__ is not REPLACE_CODE or len(args) != 1 or not is_namedtuple(args[0]):
        return False
    return kwargs.keys() <= set(args[0]._fields)


def replaced(given: Any, kwargs: Mapping[str, Any]) -> Any:
    """``given._replace(**kwargs)``."""
    pairs = zip(given._fields, given, strict=True)
    return type(given)._make(kwargs.get(name, item) for name, item in pairs)
