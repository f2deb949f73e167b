"""f-strings."""

from __future__ import annotations

from typing import Any

from astrace.ir.statics import is_static
from astrace.ops import objects
from astrace.tracing.context import current
from astrace.tracing.objects import is_user_class
from astrace.tracing.record import record

__all__ = ["format_value", "join_strings"]


def format_value(value: Any, conversion: int, spec: Any) -> Any:
    """``{value!r:spec}`` of an f-string; ``conversion`` is the letter's number, or -1."""
    trace = current()
    if is_static(value) and is_static(spec) and not is_user_class(type(value)):
        return trace.native(objects.format_value, value, conversion, spec)
    return record(trace, "format_value", (value, conversion, spec))


def join_strings(*parts: Any) -> Any:
    """An f-string of its literal and its formatted parts."""
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return parts[0] if len(parts) == 1 else record(current(), "join_strings", parts)
