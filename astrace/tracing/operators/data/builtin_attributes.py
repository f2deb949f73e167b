"""Attributes of built-in objects that are known while tracing: containers made here, dtypes, bound methods.

Takes the object and the name; gives the attribute, or raises what Python raises.  Classes and instances of the
user's are not known here.
"""

from __future__ import annotations

import types
from typing import Any, Final

from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.tracer import holds_tracer

CONTAINERS: Final = (tuple, list, dict, set)
"""Classes that alone decide which attributes an instance has, whatever that holds."""


def builtin_attribute(trace: Trace, owner: Any, name: str) -> Any:
    """``owner.name``; a view that only the program can have, such as the fields of a dtype, is read when it runs.

    Args:
        trace: the trace that is going on.
        owner: the object.
        name: the attribute.

    Raises:
        AttributeError: there is none; the program's own error.
    """
    try:
        found = getattr(owner, name)
    except Exception as error:
        trace.mark(error, certain=type(owner) in CONTAINERS or not holds_tracer(owner))
        raise
    return record(trace, "get_attr", (owner, name)) if type(found) is types.MappingProxyType else found
