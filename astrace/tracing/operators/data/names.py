"""Operators on local names: values that may be missing, names for reading, variables that functions share."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from astrace.ir.constants import UNDEFINED, UNSET
from astrace.ir.specs import LiteralSpec, covers
from astrace.ops.python.objects import check_defined
from astrace.tracing.context import current
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer

__all__ = ["UNDEFINED", "UNSET", "assigned", "defined", "deleted", "named", "rebound", "shared"]


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


def shared(names: Callable[[], Any]) -> None:
    """The variables that ``names`` reads are assigned by nested functions: their changes are journaled."""
    trace = current()
    assert isinstance(names, types.FunctionType)
    for name, cell in zip(names.__code__.co_freevars, names.__closure__ or (), strict=True):
        if cell == types.CellType():  # it has no value yet
            cell.cell_contents = UNDEFINED
        trace.journal.declare(name, cell, (*trace.site("variable"), name))


def assigned(value: Any, names: Callable[[], Any]) -> Any:
    """``name = value`` for a shared variable, to be called just before it is stored; gives ``value``."""
    assert isinstance(names, types.FunctionType)
    for cell in names.__closure__ or ():
        current().journal.touch_variable(cell)
    return value


def rebound(value: Any, name: Callable[[], Any]) -> None:
    """Assign a variable of a comprehension that is one for all its iterations; ``name`` reads it."""
    assert isinstance(name, types.FunctionType)
    assert name.__closure__ is not None
    (cell,) = name.__closure__
    current().journal.touch_variable(cell)
    cell.cell_contents = value
