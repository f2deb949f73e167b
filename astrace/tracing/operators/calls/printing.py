"""``print``: the texts of its arguments are made and written one after the other.

A method of the user's that makes a text may print itself, or raise: what stands in front of it has been written by then.
"""

from __future__ import annotations

import types
from typing import Any

from astrace.ir.specs import class_of
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.iterable_builtins import Args, Kwargs
from astrace.tracing.operators.data.text_methods import is_shown_by_code, shown
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_known_error

__all__ = ["print_"]


def print_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    """Record ``print``, which keeps none of its arguments: containers can be laid out in the node."""
    trace.note("AT006", "`print` is an effect: it happens once, in order, when the program runs")
    by_code = [not is_known_error(trace, arg) and is_shown_by_code(trace, arg) for arg in args]
    if any(by_code) and not all(_is_text(kwargs.get(name)) for name in ("sep", "end")):
        trace.operators.opaque(function, args, kwargs)  # these are looked at first, and may be refused
        return
    first = 0
    texts: list[Any] = []
    for index, arg in enumerate(args):
        if by_code[index] and index > first:
            _written_so_far(trace, function, texts[first:], kwargs)
            first = index
        texts.append(_printable(trace, arg, by_code[index]))
    record(trace, "call", (function, *texts[first:]), kwargs)


def _written_so_far(trace: Trace, function: Any, texts: list[Any], kwargs: Kwargs) -> None:
    """Print some texts, and what separates them from the next one."""
    between = kwargs.get("sep")
    given = {name: value for name, value in kwargs.items() if name != "flush"}
    record(trace, "call", (function, *texts), {**given, "end": " " if between is None else between})


def _printable(trace: Trace, value: Any, by_code: bool) -> Any:
    if is_known_error(trace, value):
        return str(value)
    return shown(trace, str, value) if by_code else value


def _is_text(value: Any) -> bool:
    """Return whether a separator is known to be a text, or not given."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    return cls in (str, types.NoneType) and not (isinstance(value, Tracer) and cls is types.NoneType)
