"""Calls of ops: which op a callable is, and the node of its call; methods of traced values."""

from __future__ import annotations

import operator
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ANY, ArraySpec, ScalarSpec, class_of
from astrace.ops import OPS
from astrace.ops.effects import may_retry
from astrace.ops.numpy.array_methods import OF_NUMBERS, op_call
from astrace.ops.numpy.method_aliases import RETRYING
from astrace.tracing.changes.array_checks import is_mark
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.builtin_signatures import binds, signature_of
from astrace.tracing.operators.calls.opaque_calls import bound_to, forget_for_callbacks
from astrace.tracing.operators.calls.sort_builtins import looks_at_items_alone
from astrace.tracing.operators.calls.tracebacks import refuse_telling
from astrace.tracing.operators.data.containers import append
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import ArrayMethod, TracedMethod, is_called_while_tracing
from astrace.tracing.values.list_specs import loosen, loosen_by
from astrace.tracing.values.operands import spec_at


def op_name(function: Any) -> str | None:
    """Return the op that a callable stands for; ``None`` if there is none."""
    op = OPS.find(function)
    if op is not None:
        return op.name
    owner = bound_to(function)
    if isinstance(owner, np.ufunc):
        name = f"np.{owner.__name__}.{function.__name__}"
        return name if name in OPS else None
    if isinstance(function, types.BuiltinFunctionType) and getattr(function, "__module__", "") == "_operator":
        return (
            function.__name__
            if function.__name__ in OPS and getattr(operator, function.__name__) is function
            else None
        )
    return None


def is_form_of_op(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call of a function of ``operator`` is one that the operator itself can stand for."""
    if not isinstance(function, types.BuiltinFunctionType) or function.__module__ != "_operator":
        return True
    return not kwargs and binds(signature_of(function), args, {})


def record_op(trace: Trace, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Record the node of a call of an op; return ``out``, where it is an array that NumPy returns."""
    result = record(trace, name, args, kwargs)
    if OPS[name].ordered:
        forget_for_callbacks(trace, args, kwargs)
    out = kwargs.get("out")
    if isinstance(out, Tracer) and isinstance(out.value.spec, ArraySpec) and out.value.spec.shape:
        return out
    return result  # in place of an array without dimensions some functions give its item


def call_method(
    trace: Trace, method: ArrayMethod | TracedMethod, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A call of a method of a traced value."""
    owner = method.owner
    refuse_telling(trace, method, args, kwargs)
    if isinstance(method, ArrayMethod):
        found = op_call(method.name, args, kwargs)
        if found is not None:
            result = record_op(trace, found[0], (owner, *found[1]), kwargs)
            _keep_as_method(trace, method.name)
            return result
    if isinstance(owner.value.spec, ScalarSpec) and method.name in OF_NUMBERS and not args:
        return record(trace, f"ndarray.{method.name}", (owner,), kwargs)
    if method.name == "__setattr__" and len(args) == 2 and isinstance(args[0], str):
        return trace.operators.store_attr(args[1], owner, args[0])
    if class_of(owner.value.spec) is list:
        if method.name == "append" and len(args) == 1:
            return append(trace, owner, *args)
        key = kwargs.get("key") if method.name == "sort" and not args else None
        if is_called_while_tracing(key) and looks_at_items_alone(key):
            ordered = trace.operators.call(sorted, owner, **kwargs)
            record(trace, "set_item", (owner, slice(None), ordered))
            return None
    if method.name in ADDING and args:
        loosen(trace, owner, ANY if method.name == "__setitem__" else spec_at(trace, args[-1]))
    elif method.name in ADDING_ALL and args:
        loosen_by(trace, owner, spec_at(trace, args[-1]))
    result = record(trace, "call_method", (owner, method.name, *args), kwargs)
    forget_for_callbacks(trace, args, kwargs)
    return result


def _keep_as_method(trace: Trace, name: str) -> None:
    """Write the call that was recorded last as one of the method itself where the function might call that again."""
    place = -2 if is_mark(trace.recorder.nodes[-1]) else -1
    node = trace.recorder.nodes[place]
    if name in RETRYING and may_retry(node):
        trace.recorder.nodes[place] = kept = replace(node, op=f"ndarray.{name}")
        trace.producers[kept.output] = kept


ADDING: Final = frozenset({"append", "insert", "__setitem__"})
ADDING_ALL: Final = frozenset({"extend", "__iadd__"})
"""Methods that add their last argument to a list, or all its items."""
