"""Calls with ``*items`` where only the running program knows how many items there are."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any

from astrace.tracing.callables import is_traced_through, touches_only_arguments
from astrace.tracing.context import Trace, current
from astrace.tracing.hooks import is_compiled
from astrace.tracing.lifting import rewritten_in
from astrace.tracing.objects import is_user_class
from astrace.tracing.operators.splices import Starred, splice, starred
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import ArrayMethod, TracedMethod

__all__ = ["call_spread", "has_stars", "star"]


def star(value: Any, alone: bool = False) -> Sequence[Any]:
    """The arguments behind a ``*``: one by one where their number is known while tracing, else as one `Starred`."""
    trace = current()
    if trace.state.is_outside(value) and not trace.state.may_have_other_keys(value):
        return trace.operators.spread(value)
    found = starred(value, called=True, alone=alone)
    return (found,) if isinstance(found.items, Tracer) else found.items


def has_stars(args: Sequence[Any]) -> bool:
    """Whether there are arguments of an unknown number."""
    return any(type(arg) is Starred for arg in args)


def call_spread(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``function(*args)`` with arguments of an unknown number: a node, where the function is out of sight."""
    if not _is_out_of_sight(function):
        trace.stop("AT201", "the number of items must be known to spread them", "pass the items one by one")
    if isinstance(function, ArrayMethod | TracedMethod):
        function = record(trace, "get_attr", (function.owner, function.name))
    result = record(trace, "call_spread", (function, splice("list", args)), kwargs)
    if isinstance(function, Tracer) or not touches_only_arguments(function):
        trace.state.forget_all()
    return result


def _is_out_of_sight(function: Any) -> bool:
    """Whether a callable is a node at each call, rather than traced through."""
    match function:
        case Tracer() | ArrayMethod() | TracedMethod():
            return True
        case types.FunctionType():
            return rewritten_in(function) is None and not is_traced_through(function)
        case type():
            return not is_user_class(function)
        case types.MethodType():
            return False
        case _:
            return not is_user_class(type(function)) and not is_compiled(function) and callable(function)
