"""Calls of what users have said is pure or impure (`astrace.pure`, `astrace.impure`)."""

from __future__ import annotations

import copy
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from astrace.ir.constants import is_static, same, show
from astrace.ir.specs import class_of
from astrace.ops.callables.purity import impure_state, subject
from astrace.tracing.changes.journal import MISSING
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import ArrayMethod, TracedMethod
from astrace.tracing.values.objects import adopt, is_live
from astrace.tracing.values.special_methods import class_attribute
from astrace.util.trees import leaves

__all__: list[str] = []


def declaration(trace: Trace, function: Any) -> bool | None:
    """Return whether a callable is declared to be pure; ``None`` where nothing is declared."""
    if not trace.state.declared or isinstance(function, Tracer):
        return None
    if isinstance(function, ArrayMethod | TracedMethod):
        cls = class_of(function.owner.value.spec)
        stored = None if cls is None else class_attribute(cls, function.name)
        one = None if stored is None else stored[1]
    else:
        one = subject(function)
    found = trace.state.declared.get(id(one))
    return found[1] if found is not None and found[0] is one else None


def call_declared(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], pure: bool
) -> Any:
    """A call of a declared callable: never traced through."""
    if isinstance(function, ArrayMethod | TracedMethod):
        owner, name = function.owner, function.name
        function = class_attribute(class_of(owner.value.spec), name)[1]  # type: ignore[arg-type, index]
        args = (owner, *args)
    if isinstance(function, types.MethodType) and (pure or not trace.state.is_outside(function.__self__)):
        function, args = function.__func__, (function.__self__, *args)
    if pure:
        return _call_pure(trace, function, args, kwargs)
    trace.note("AT007", f"`{show(subject(function))}` is called each time: it is declared impure")
    return trace.operators.opaque(function, args, kwargs)


def note_impure(trace: Trace, function: Any) -> None:
    """Note a call of a callable in the table of impure ones."""
    what = None if isinstance(function, Tracer) else impure_state(function)
    if what is not None:
        trace.note("AT007", f"`{show(subject(function))}` is called each time: it depends on {what}")


def _call_pure(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if not is_live(trace, (function, args, dict(kwargs))):
        found = _kept(trace, _computed(trace, function, args, kwargs))
        if found is not MISSING:
            return found
    if not is_static(function) and not trace.state.is_outside(function):
        function = trace.operators.wrap_constant(function)
    # inside a `try` a call that may raise is kept
    name = "call" if trace.tries else "call_pure"
    return record(trace, name, (function, *args), kwargs)


def _computed(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Compute a pure callable's result for constants, once for all attempts."""
    one = (subject(function), args, tuple(kwargs.items()))
    if not all(map(is_static, (*args, *kwargs.values()))):
        return trace.native(function, *args, **kwargs)
    for known, result in trace.plan.results:
        if known[0] is one[0] and same(known[1:], one[1:]):
            return result
    result = trace.native(function, *args, **kwargs)
    trace.plan.results.append((one, result))
    return result


def _kept(trace: Trace, result: Any) -> Any:
    """A result as a constant of the graph, new at each call if it can change; `MISSING` where that can't be."""
    if is_static(result):
        return result
    if type(result) is np.ndarray and _is_plain(result):
        return trace.operators.call(np.copy, trace.operators.wrap_constant(result))
    if type(result) in (list, dict, set, tuple) and all(map(_is_simple, leaves(result))):
        return adopt(trace, copy.deepcopy(result), "pure")
    return MISSING


def _is_plain(array: np.ndarray[Any, Any]) -> bool:
    """Return whether a copy of an array can't be told from it."""
    flags = array.flags
    return (
        flags.owndata
        and flags.writeable
        and (flags.c_contiguous or flags.f_contiguous)
        and not array.dtype.hasobject
    )


def _is_simple(leaf: Any) -> bool:
    """Return whether a part of a container is a constant, or a set of constants."""
    return is_static(leaf) or (type(leaf) is set and all(map(is_static, leaf)))
