"""f-strings."""

from __future__ import annotations

from typing import Any, Final

from astrace.ir.specs import class_of
from astrace.ir.statics import is_static
from astrace.ops import objects
from astrace.ops.waiting import must_wait
from astrace.tracing.context import current
from astrace.tracing.hooks import hook, speaking_members
from astrace.tracing.objects import is_known_error, is_user_class, special_method
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer

__all__ = ["format_value", "join_strings"]

CONVERSIONS: Final = {ord("s"): str, ord("r"): repr}


def format_value(value: Any, conversion: int, spec: Any) -> Any:
    """``{value!r:spec}`` of an f-string; ``conversion`` is the letter's number, or -1."""
    trace = current()
    plain = is_static(value) and not is_user_class(type(value)) and not speaking_members((value,), text=True)
    known = plain and is_static(spec) and not must_wait(objects.format_value, (value, conversion, spec))
    if known or (is_static(spec) and is_known_error(value)):
        return trace.native(objects.format_value, value, conversion, spec)
    if conversion == -1 and _hook(value, "__format__"):
        return trace.operators.call(special_method(trace, value, "__format__"), value, spec)
    shows = CONVERSIONS.get(conversion, str if type(spec) is str and not spec else None)
    if shows is not None and (_hook(value, "__repr__") or (shows is str and _hook(value, "__str__"))):
        value, conversion = trace.operators.call(shows, value), -1
    return record(trace, "format_value", (value, conversion, spec))


def _hook(value: Any, name: str) -> bool:
    """Whether the class of a trace-level object has a method of the user's for text."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    return cls is not None and is_user_class(cls) and hook(cls, name) is not None


def join_strings(*parts: Any) -> Any:
    """An f-string of its literal and its formatted parts."""
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return parts[0] if len(parts) == 1 else record(current(), "join_strings", parts)
