"""Opaque calls: they happen when the program runs, and what they may have changed is read anew."""

from __future__ import annotations

import random
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Root
from astrace.ir.constants import is_static
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, NONE, AnySpec, ArraySpec, class_of, spec_of
from astrace.ops.python.random_streams import METHODS, method_called
from astrace.tracing.changes.aliases import may_run_users_code
from astrace.tracing.changes.reshaping import refuse_reshaping
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.calls.declared_purity import note_impure
from astrace.tracing.operators.calls.tracebacks import refuse_telling
from astrace.tracing.record import record, refuse_rewritten
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import SLOTS, inner_function, may_run_user_code, touches_only_arguments
from astrace.tracing.values.list_specs import loosen
from astrace.tracing.values.objects import guard_unshadowed, instance_dict, is_made, is_user_class
from astrace.tracing.values.operands import Lazy, is_foreseen
from astrace.tracing.values.special_methods import class_attribute
from astrace.util.trees import telling_leaves

__all__ = ["bound_to", "check_shapes", "forget_for_callbacks", "known_shapes", "must_exist", "opaque"]

LEGACY_STATE: Final[Any] = np.random.rand.__self__  # type: ignore[attr-defined]
"""What the functions of ``np.random`` are methods of, as it was imported: functions of another one are called as they are."""


def opaque(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Record a call that happens when the program runs; all that it may have changed is read again afterwards."""
    trace = current()
    note_impure(trace, function)
    refuse_telling(trace, function, args, kwargs)
    if isinstance(function, SLOTS):
        refuse_reshaping(trace, function.__objclass__, function.__name__)
    for value in (*args, *kwargs.values()):
        must_exist(trace, value)
    traced = isinstance(function, Tracer)
    if isinstance(function, types.MethodType) and function.__self__ is LEGACY_STATE:
        trace.state.enter(LEGACY_STATE, Root(LEGACY_STATE, "np.random"))
    if _only_draws(function, args, kwargs):
        return _draw(trace, function, args)
    runs_code = may_run_users_code(trace, function) if traced else not touches_only_arguments(function)
    runs_code = runs_code and not trace.left_out(function)
    bound = function.__self__ if isinstance(function, types.MethodType) else bound_to(function)
    if bound is not None and trace.state.is_outside(bound):
        result = _method_call(trace, function, bound, args, kwargs)
        trace.state.forget(bound)
    elif type(bound) in (bool, int, float, complex):
        result = record(trace, "call_method", (bound, function.__name__, *args), kwargs)
    else:
        result = _opaque_node(trace, function, args, kwargs)
    for value in (*args, *kwargs.values()):
        if trace.state.is_outside(value) or _holds_state(value):
            trace.state.forget(value)
    trace.state.stale.unseen(function, args, kwargs)
    if runs_code or trace.hands_out_functions:
        trace.state.forget_all()
    else:
        forget_for_callbacks(trace, args, kwargs)
    return result


def _only_draws(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call changes nothing but the state of a random stream, which no attribute shows."""
    bound = isinstance(function, types.BuiltinFunctionType) and type(function.__self__) is random.Random
    if bound:
        given = args if function.__name__ in METHODS.values() else None
    else:
        given = args[1:] if method_called(function, list(map(_spec, args))) is not None else None
    return given is not None and not kwargs and all(_spec(one) in NUMBERS for one in given)


def _spec(value: Any) -> Any:
    """The type of a traced value or of a number; of anything else the class."""
    if isinstance(value, Tracer):
        return value.value.spec
    kind = type(value)
    return spec_of(value) if kind in (bool, int, float, type(None)) else AnySpec(kind)


NUMBERS: Final = (INT, FLOAT, BOOL, NONE)
"""What draws may be told without a method of the user's being asked."""


def _draw(trace: Trace, function: Any, args: tuple[Any, ...]) -> Any:
    """Record such a call."""
    if isinstance(function, types.BuiltinFunctionType):
        return _method_call(trace, function, function.__self__, args, {})
    return _opaque_node(trace, function, args, {})


def known_shapes(trace: Trace, given: Any) -> Sequence[tuple[Tracer, Any]]:
    """Return the arrays in a tree of arguments that have a known shape, with their present shapes."""
    arrays = {leaf.value: leaf for leaf in telling_leaves(given) if isinstance(leaf, Tracer)}
    return [
        (array, trace.operators.attr(array, "shape"))
        for value, array in arrays.items()
        if isinstance(value.spec, ArraySpec)
    ]


def check_shapes(trace: Trace, known: Sequence[tuple[Tracer, Any]]) -> None:
    """Check that the shapes of arrays are unchanged when a user's opaque function returns."""
    for array, shape in known:
        record(trace, "check_array", (array, shape, array.value.spec.dtype))  # type: ignore[union-attr]


def _holds_state(value: Any) -> bool:
    """Return whether a constant has attributes of the user's: a module, a function, a class."""
    return isinstance(value, types.ModuleType | types.FunctionType) or (
        isinstance(value, type) and is_user_class(value)
    )


def forget_for_callbacks(trace: Trace, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Forget outside state where opaque code was given a user's function or object, and may have run its code."""
    unknown = isinstance(kwargs.get("key"), Tracer)
    given = telling_leaves((args, dict(kwargs)))
    if unknown or trace.hands_out_functions or any(_calls_back(trace, value) for value in given):
        trace.state.forget_all()


def _calls_back(trace: Trace, value: Any) -> bool:
    """Return whether code that is given an argument may run a user's Python code through it."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else None
    if cls is None and isinstance(value, Tracer):
        return may_run_users_code(trace, value, called=False)
    return may_run_user_code(cls if cls is not None else value)


def _method_call(
    trace: Trace, function: Any, bound: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call a method of an object from outside by its name, or as its class has it where the object hides that."""
    name = function.__name__
    stored = class_attribute(type(bound), name)
    if stored is not None and name in instance_dict(bound):
        return _opaque_node(trace, stored[1], (bound, *args), kwargs)
    guard_unshadowed(trace, bound, name)
    return record(trace, "call_method", (bound, name, *args), kwargs)


def _opaque_node(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    exists = isinstance(function, Tracer | Lazy) or is_static(function) or trace.state.is_outside(function)
    if not exists:
        function = trace.operators.wrap_constant(function)
    return record(trace, "call", (function, *args), kwargs)


def must_exist(trace: Trace, value: Any) -> None:
    """Make a container, passed to opaque code that may keep it, exist when the program runs."""
    if is_made(trace, value) and not is_foreseen(trace, value):
        trace.need_object(trace.journal.births[id(value)])
    if type(value) is tuple:
        for item in value:
            must_exist(trace, item)
    if isinstance(value, Tracer):
        loosen(trace, value, ANY)
    refuse_rewritten(trace, inner_function(value))


def bound_to(function: Any) -> Any:
    """Return the object to which a method written in C is bound; ``None`` for any other callable."""
    bound = isinstance(function, types.BuiltinFunctionType | types.MethodWrapperType)
    return function.__self__ if bound else None
