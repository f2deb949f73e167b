"""f-strings."""

from __future__ import annotations

from typing import Any, Final

from astrace.ir.constants import is_static
from astrace.ops.constant_folding import must_wait
from astrace.ops.python import objects
from astrace.tracing.context import current
from astrace.tracing.operators.data.text_methods import formatted, shown
from astrace.tracing.record import record
from astrace.tracing.values.objects import is_known_error, is_user_class
from astrace.tracing.values.special_methods import has_enum_methods

__all__ = ["format_value", "join_strings"]

CONVERSIONS: Final = {ord("s"): str, ord("r"): repr}


def format_value(value: Any, conversion: int, spec: Any) -> Any:
    """``{value!r:spec}`` of an f-string; ``conversion`` is the letter's number, or -1."""
    trace = current()
    plain = is_static(value) and not is_user_class(type(value)) and not has_enum_methods((value,), text=True)
    known = plain and is_static(spec) and not must_wait(objects.format_value, (value, conversion, spec))
    if known or (is_static(spec) and is_known_error(trace, value)):
        return trace.native(objects.format_value, value, conversion, spec)
    if conversion >= 0:
        found = shown(trace, CONVERSIONS[conversion], value) if conversion in CONVERSIONS else NotImplemented
        if found is NotImplemented:
            return record(trace, "format_value", (value, conversion, spec))
        return format_value(found, -1, spec)
    found = formatted(trace, value, spec)
    return record(trace, "format_value", (value, -1, spec)) if found is NotImplemented else found


def join_strings(*parts: Any) -> Any:
    """An f-string of its literal and its formatted parts."""
    if all(isinstance(part, str) for part in parts):
        return current().state.wholes.computed("".join(parts), *parts)
    return parts[0] if len(parts) == 1 else record(current(), "join_strings", parts)
