"""Calls: every call of rewritten code comes through `call`, which decides what a callable is.

In order: traced callables, partials and bound methods taken apart, classes, builtins with an operator of
their own, methods of containers, Python functions (rewritten and traced through), ops, pure functions of
constants (run at once), and everything else: a node that calls it when the program runs.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final
from weakref import ref

import numpy as np

from astrace.errors import AS_PLAIN
from astrace.ir.constants import FUNCTION_TYPES, is_static
from astrace.ir.jax_arrays import is_code_of_jax
from astrace.ir.specs import LiteralSpec, UnionSpec, class_of
from astrace.ops import OPS
from astrace.ops.constant_folding import must_wait
from astrace.ops.jax.closures import held_functions, remade
from astrace.ops.python.operators import INPLACE
from astrace.tracing.changes.reshaping import CODE as RESHAPES
from astrace.tracing.context import Trace, current
from astrace.tracing.external.places import REPLACES_BUILTIN
from astrace.tracing.generators.stop_iteration import is_unfinished
from astrace.tracing.generators.suspended_frames import Manager
from astrace.tracing.operators.calls.builtin_signatures import call_builtin
from astrace.tracing.operators.calls.builtins import BUILTINS
from astrace.tracing.operators.calls.classes import construct, initialise, maker
from astrace.tracing.operators.calls.dataclass_replace import is_replacement, replaced
from astrace.tracing.operators.calls.declared_purity import call_declared, declaration
from astrace.tracing.operators.calls.functions import call_function, rewritten_form
from astrace.tracing.operators.calls.op_calls import call_method, is_form_of_op, op_name, record_op
from astrace.tracing.operators.calls.opaque_calls import bound_to, opaque
from astrace.tracing.operators.calls.operator_calls import call_operator, is_operator
from astrace.tracing.operators.calls.star_args import call_spread, has_stars, unpacked
from astrace.tracing.operators.calls.tracebacks import FRAMES, must_reach_handler, refuse_code_that_looks
from astrace.tracing.operators.data.attribute_errors import is_asked
from astrace.tracing.operators.data.containers import container_method
from astrace.tracing.operators.jax import arrays
from astrace.tracing.operators.jax.callbacks import Transformed
from astrace.tracing.record import record, refuse_rewritten
from astrace.tracing.signals import Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import (
    CONTEXT_MANAGER,
    SLOTS,
    as_called,
    is_pure,
    is_traced_through,
    looks_inside,
)
from astrace.tracing.values.lazy import (
    ArrayMethod,
    GivenFunction,
    TracedMethod,
    TracedPartial,
    is_called_while_tracing,
)
from astrace.tracing.values.objects import (
    adopt,
    guard_class_attribute,
    is_function,
    is_live,
    is_made,
    is_user_class,
    original,
    special_method,
)
from astrace.tracing.values.operands import Lazy, is_traced, made_function, rewritten_in
from astrace.tracing.values.special_methods import class_attribute, is_compiled, is_own_code
from astrace.util.code_stubs import code_of
from astrace.util.trees import telling_leaves

__all__ = ["call", "call_body"]

CONTAINERS: Final = (
    list,
    dict,
    set,
    str,
    bytes,
    tuple,
    frozenset,
    range,
    type({}.keys()),
    type({}.items()),
    type({}.values()),
)
WHOLE: Final = (RESHAPES, REPLACES_BUILTIN, FRAMES)
"""Reasons for which the whole function runs as plain Python, wherever they are met."""
DESCRIPTORS: Final = (types.GetSetDescriptorType, types.MemberDescriptorType)
"""Attributes of classes written in C: ``np.ndarray.shape``."""


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``."""
    trace, args = current(), unpacked(function, args, kwargs)
    spread = has_stars(args) and not isinstance(function, functools.partial | TracedPartial)
    if spread or has_stars(kwargs.values()):
        return call_spread(trace, function, args, kwargs)
    pure = declaration(trace, function)
    if pure is not None:
        return call_declared(trace, function, args, kwargs, pure)
    if trace.operator_calls.declared and is_operator(trace, function):
        return call_operator(trace, function, args, kwargs, _call_undeclared)
    return _call_undeclared(trace, function, args, kwargs)


def _call_undeclared(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of something of which nothing is declared."""
    match function:
        case Tracer() | GivenFunction():
            return _call_tracer(trace, function, args, kwargs)
        case ArrayMethod() | TracedMethod():
            return call_method(trace, function, args, kwargs)
        case _ if arrays.is_called_there(function):
            return arrays.call_device(trace, function, args, kwargs)
        case functools.partial() | TracedPartial():
            return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
        case types.MethodType() if _is_taken_apart(trace, function):
            return call(function.__func__, function.__self__, *args, **kwargs)
        case type():
            return _call_class(trace, function, args, kwargs)
        case types.FunctionType():
            return _call_python(trace, function, args, kwargs)
        case _:
            return _call_other(trace, function, args, kwargs)


def _is_taken_apart(trace: Trace, method: types.MethodType) -> bool:
    """Return whether a bound method is called as its function; one of NumPy's own objects is a constant as a whole."""
    owner = method.__self__
    if type(owner).__module__.startswith("numpy.") and not trace.state.is_outside(owner):
        return is_made(trace, owner)
    function = method.__func__
    found = class_attribute(type(owner), getattr(function, "__name__", ""))
    by_name = found is not None and found[1] is function  # as a method that Cython has made
    return not by_name or isinstance(function, SLOTS) or is_function(function)


def _call_class(trace: Trace, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if cls in BUILTINS:
        return call_builtin(trace, cls, args, kwargs)
    if cls is functools.partial and args and is_called_while_tracing(args[0]):
        return _partial(trace, args[0], args[1:], kwargs)
    found = construct(trace, cls, args, kwargs)
    make = maker(cls) if found is NotImplemented else None
    if make is not None:
        return _call_maker(trace, cls, make, args, kwargs)
    return _call_leaf(trace, cls, args, kwargs) if found is NotImplemented else found


def _call_maker(
    trace: Trace, cls: type, make: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A class with a ``__new__`` in Python, which is traced through; else the program calls the class.

    It is not where that leads back to it, was no success before, or would go all ways that there are for a value of
    unknown class.
    """
    code = code_of(make)
    unknown = any(
        isinstance(one, Tracer) and class_of(one.value.spec) is None for one in (*args, *kwargs.values())
    )
    if unknown or code in trace.calls or code in trace.plan.opaque_classes:
        return _call_leaf(trace, cls, args, kwargs)
    guard_class_attribute(trace, cls, "__new__")
    instance, stop = _attempted(trace, make, (cls, *args), kwargs)
    if stop is None:
        return initialise(trace, cls, instance, args, kwargs)
    trace.plan.opaque_classes.add(code)
    return _call_leaf(trace, cls, args, kwargs)


def _partial(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A partial, which a call takes apart; one of constants is a constant."""
    if isinstance(function, Lazy) or is_live(trace, (args, dict(kwargs))):
        return TracedPartial(function, args, kwargs)
    return adopt(trace, trace.native(functools.partial, function, *args, **kwargs), "call")


def _call_other(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A builtin, a method of a container, a ufunc, an instance with ``__call__``."""
    if isinstance(function, FUNCTION_TYPES) and function in BUILTINS:
        return call_builtin(trace, function, args, kwargs)
    if isinstance(function, Lazy | np.vectorize):
        return opaque(function, args, kwargs)
    owner = bound_to(function)
    if owner is not None and type(owner) in CONTAINERS:
        return container_method(owner, function.__name__, args, kwargs)
    if isinstance(owner, type) and function == type.mro.__get__(owner) and not (args or kwargs):
        return call_builtin(trace, type.mro, (owner,), {})
    if isinstance(owner, DESCRIPTORS) and function.__name__ == "__set__" and len(args) == 2:
        return trace.operators.store_attr(args[1], args[0], owner.__name__)
    if is_user_class(type(function)):
        if is_compiled(function):
            inlines = function.__astrace_options__.inlines
            return (_call_compiled if inlines else _call_leaf)(trace, function, args, kwargs)
        method = special_method(trace, function, "__call__")
        if method is not None:
            return call(method, function, *args, **kwargs)
    if is_static(function) and not callable(function):
        return trace.native(operator.call, function)
    return _call_leaf(trace, function, args, kwargs)


def _call_compiled(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A compiled function or method: the original becomes part of this graph.

    What is inside is read through it, as another one may stand in its place at the next call.
    """
    if hasattr(function, "__self__"):
        method, instance = (trace.operators.attr(function, name) for name in ("__func__", "__self__"))
        return call(method, instance, *args, **kwargs)
    return call(original(trace, function), *args, **kwargs)


def _call_leaf(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An op, a pure function of constants, or an opaque call."""
    if any(map(rewritten_in, telling_leaves((args, dict(kwargs))))):
        return _given_local_function(trace, function, args, kwargs)
    name = op_name(function)
    if name is not None and not is_form_of_op(function, args, kwargs):
        return opaque(function, args, kwargs)
    if name is not None and name in INPLACE:  # as the statement, since the target may be made here
        return trace.operators.inplace(name, *args)
    traced = (
        is_live(trace, (args, dict(kwargs))) if looks_inside(function) else _is_given(trace, args, kwargs)
    )
    traced = traced or must_wait(function, args)
    if name is not None and (traced or OPS[name].creates or OPS[name].writes or not is_pure(function)):
        trace.state.by_name.called(function, name)
        return record_op(trace, name, args, kwargs)
    if not traced and is_pure(function) and not trace.state.is_outside(function):
        return adopt(trace, trace.native(as_called(function), *args, **kwargs), "call")
    if isinstance(function, SLOTS) and args and not isinstance(args[0], type) and _is_own(args[0], function):
        return call(trace.operators.attr(args[0], function.__name__), *args[1:], **kwargs)
    return opaque(function, args, kwargs)


def _given_local_function(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call a library's function with one that exists only while tracing: traced through, if it is in Python."""
    inner = getattr(function, "_implementation", function)  # the function behind NumPy's dispatch
    if isinstance(inner, types.FunctionType) and not (is_code_of_jax(inner) or is_own_code(inner)):
        found, stop = _attempted(trace, inner, args, kwargs)
        if stop is None:
            return found
    refuse_rewritten(trace, (args, dict(kwargs)))
    return opaque(function, args, kwargs)


def _is_own(value: Any, function: Any) -> bool:
    """Return whether a C method is the one that its name gives on a value; a user's class may override it."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None or is_user_class(cls):
        return False
    found = class_attribute(cls, function.__name__)
    return found is not None and found[1] is function


def _is_given(trace: Trace, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a function that keeps its arguments as they are is given something from outside."""
    return is_traced((args, dict(kwargs))) or any(
        trace.state.is_outside(value) or isinstance(value, Lazy) for value in (*args, *kwargs.values())
    )


# -- traced callables ------------------------------------------------------------------------------------


def _call_tracer(
    trace: Trace, function: Tracer | GivenFunction, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A traced callable: where it is one of a few known functions, each is traced in a branch of its own."""
    if isinstance(function, GivenFunction):
        return _traced_or_opaque(trace, function.function, args, kwargs, function.materialize)
    spec = function.value.spec
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    literal = [option.value for option in options if isinstance(option, LiteralSpec)]
    if len(literal) == len(options) and any(map(callable, literal)):
        return _dispatch(trace, function, literal, args, dict(kwargs))
    method = special_method(trace, function, "__call__")
    if method is not None:
        return call(method, function, *args, **kwargs)
    return opaque(function, args, kwargs)


def _dispatch(
    trace: Trace, function: Tracer, options: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    first, rest = options[0], options[1:]
    if not rest:
        return call(first, *args, **kwargs)

    def here() -> Any:
        return call(first, *args, **kwargs)

    def further() -> Any:
        return _dispatch(trace, function, rest, args, kwargs)

    return trace.operators.if_exp(record(trace, "is_", (function, first)), here, further)


# -- Python functions --------------------------------------------------------------------------------------


def _call_python(
    trace: Trace, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """A Python function: traced through, or called when the program runs."""
    if rewritten_form(function) is not None:
        made = made_function(trace, function)
        if isinstance(made, Tracer) and (id(function), "dirty") in trace.journal.slots:
            return opaque(made, args, kwargs)  # its defaults, or its code, may be others by now
        return call_function(trace, function, args, kwargs)
    if function in BUILTINS:
        return call_builtin(trace, function, args, kwargs)
    if is_replacement(function, args, kwargs):
        return replaced(args[0], kwargs)
    if function.__code__ is CONTEXT_MANAGER:
        inner = trace.operators.wrapped(function)
        return Manager(inner, args, dict(kwargs))
    if is_code_of_jax(function) and (held := held_functions(function)):
        made = Transformed(remade, (function, *held), {})
        return arrays.call_device(trace, made, args, kwargs)
    if OPS.find(function) is not None or is_pure(function) or not is_traced_through(function):
        return _call_leaf(trace, function, args, kwargs)
    return _traced_or_opaque(trace, function, args, kwargs)


def _attempted(
    trace: Trace,
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    by_code: bool = False,
) -> tuple[Any, Uncapturable | None]:
    """Trace through a function; where it can't be captured, undo what was done and return the signal."""
    stop: Uncapturable | None = None
    with trace.undone_unless_kept() as keep:
        try:
            return call_function(trace, function, args, kwargs, by_code=by_code), None
        except Uncapturable as found:
            stop = found
            code = found.reason.code
            whole = code in WHOLE or must_reach_handler(trace, code)
            if whole or is_unfinished(trace, found) or is_asked(trace, found):
                raise  # a plain call would leave the caller with wrong facts
        finally:
            if stop is None:  # it has ended, with its effects
                keep()
    return None, stop


def _traced_or_opaque(
    trace: Trace,
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    given: Callable[[Trace], Any] | None = None,
) -> Any:
    """Trace through a function; one that can't be captured is called when the program runs.

    Args:
        trace: the trace that is going on.
        function: the function.
        args: trace-level objects.
        kwargs: likewise.
        given: gives what stands for the function when the program runs, if that is not the function itself.
    """
    found, stop = _attempted(trace, function, args, kwargs, by_code=given is not None)
    if stop is None:
        return found
    refuse_code_that_looks(trace, function)
    message = f"`{function.__name__}` {AS_PLAIN}{stop.reason.message}"
    result = opaque(function if given is None else given(trace), args, kwargs)
    trace.plain(replace(stop.reason, message=message, callee=ref(function)))
    return result


def call_body(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Run the body of a generator function in place."""
    return call_function(current(), function, args, kwargs, in_place=True)
