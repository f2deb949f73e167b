"""``str``, ``repr``, ``format`` and ``ascii`` of objects whose classes have methods of the user's for that."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Final

from astrace.ir.specs import class_of
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.special_lookup import answering, ask
from astrace.tracing.values.special_methods import is_subclass

__all__: list[str] = []

METHODS: Final[Mapping[Any, tuple[str, ...]]] = {str: ("__str__", "__repr__"), repr: ("__repr__",)}
"""Functions that give a text, and their special methods in Python's order: ``object.__str__`` calls ``repr``."""


def shown(trace: Trace, function: Any, value: Any) -> Any:
    """``str(value)`` or ``repr(value)`` by a method of the user's; ``NotImplemented`` where there is none."""
    name, found = _method(trace, function, value)
    return ask(trace, found, name, value) if isinstance(found, types.FunctionType) else NotImplemented


def is_shown_by_code(trace: Trace, value: Any) -> bool:
    """Return whether a method of the user's makes the text of a value."""
    return isinstance(_method(trace, str, value)[1], types.FunctionType)


def _method(trace: Trace, function: Any, value: Any) -> tuple[str, Any]:
    """Return the name of the method that makes a text, and the method; ``None`` where a class has none of its own."""
    for name in METHODS[function]:
        found = answering(trace, value, name)
        if found is not None:
            return name, found
    return "", None


def formatted(trace: Trace, value: Any, spec: Any) -> Any:
    """``format(value, spec)`` by methods of the user's, likewise; without one, an empty ``spec`` asks for ``str``."""
    found = answering(trace, value, "__format__")
    if isinstance(found, types.FunctionType):
        return ask(trace, found, "__format__", value, spec)
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    plain = found is None or any(is_subclass(cls or object, known) for known in (int, float, complex, str))
    return shown(trace, str, value) if plain and type(spec) is str and not spec else NotImplemented
