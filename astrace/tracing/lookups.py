"""``AttributeError`` out of a user's code that finds an attribute: a property, a ``__getattr__``, a descriptor.

Python writes the name and the object into one that does not tell them, when it leaves the code that was asked.  In a
graph that code is part of the program around, so a function that may raise one there is left to Python.
"""

from __future__ import annotations

from typing import Any

from astrace.errors import Reason
from astrace.ir.specs import class_of
from astrace.locations import Location
from astrace.tracing.context import Trace
from astrace.tracing.stops import EndsLookup, Uncapturable
from astrace.tracing.tracer import Tracer


def found_by(trace: Trace, method: Any, *args: Any) -> Any:
    """What a user's code gives that is asked for an attribute."""
    trace.lookups.append(len(trace.tries))
    try:
        return trace.operators.call(method, *args)
    finally:
        trace.lookups.pop()


def check_lookup(trace: Trace, error: Any) -> None:
    """An exception, or one of a class, is raised here; stop where Python would complete it.

    Inside a ``try`` of the code that was asked it is taken for one that is caught there.
    """
    if not trace.lookups or len(trace.tries) > trace.lookups[-1]:
        return
    kind = class_of(error.value.spec) if isinstance(error, Tracer) else error
    kind = kind if isinstance(kind, type) else type(kind)
    if issubclass(kind, AttributeError):
        message = "`AttributeError` is raised by what finds an attribute, and Python tells it of which object"
        where = trace.location() or Location.of(trace.function.__code__)
        raise EndsLookup(Reason("AT202", message, where), len(trace.lookups))


def is_asked(trace: Trace, stop: Uncapturable) -> bool:
    """Whether the code that was asked for the attribute is still going on around a call that was not captured."""
    return isinstance(stop, EndsLookup) and stop.depth <= len(trace.lookups)
