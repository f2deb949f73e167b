"""f-strings."""

from __future__ import annotations

from typing import Any

from astrace.ir.statics import is_static
from astrace.ops.objects import format_value
from astrace.tracing.context import current
from astrace.tracing.objects import is_user_class
from astrace.tracing.record import record

__all__ = ["format_string"]


def format_string(pieces: tuple[Any, ...]) -> Any:
    """``f"text {value!r:spec}"``; literal pieces are strings, others ``(value, conversion, spec)``."""
    trace = current()
    parts: list[Any] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(piece)
            continue
        value, conversion, spec = piece
        if is_static(value) and is_static(spec) and not is_user_class(type(value)):
            parts.append(trace.native(format_value, value, conversion, spec))
        else:
            parts.append(record(trace, "format_value", (value, conversion, spec)))
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    if len(parts) == 1:
        return parts[0]
    return record(trace, "join_strings", tuple(parts))
