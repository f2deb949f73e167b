"""Operators on local names: values that may be missing, names for reading."""

from __future__ import annotations

from typing import Any

from astrace.ir.specs import LiteralSpec, covers
from astrace.ir.statics import UNDEFINED, UNSET
from astrace.ops.objects import check_defined
from astrace.tracing.context import current
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer

__all__ = ["UNDEFINED", "UNSET", "defined", "deleted", "named"]


def defined(value: Any, name: str, free: bool) -> Any:
    """The value of a local name that may have none."""
    trace = current()
    if not isinstance(value, Tracer):
        return trace.native(check_defined, value, name, free)
    if not covers(value.value.spec, LiteralSpec(UNDEFINED)):
        return value
    return record(trace, "check_defined", (value, name, free))


def deleted(_value: Any) -> Any:
    """The value of a local name after ``del``."""
    return UNDEFINED


def named(name: Any, value: Any) -> Any:
    """Give a value the name it is assigned to, for reading; a tuple of names goes with a tuple of values."""
    if isinstance(name, tuple):
        for one, item in zip(name, value, strict=True):
            named(one, item)
    elif isinstance(value, Tracer):
        value.value.rename(name)
    return value
